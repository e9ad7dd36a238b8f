//! The texts that people read: the plan as a diff, results, a summary; warnings and errors on standard error.

use super::support::*;

#[test]
fn a_plan_is_shown_property_by_property_with_its_origin() {
    let folder = Folder::new();
    folder.deploy(&[]);
    folder.write(
        "storage.yml",
        &DOCUMENT.replace("    queue: [orders]", "    networkAclsDefaultAction: Deny\n    queue: [orders, returns]"),
    );
    let output = folder.deploy(&["-WhatIf"]);
    assert_eq!(output.told(), "");
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(
        lines[..9],
        [
            "Environment: development.".to_owned(),
            "  resource group 'rg-shop-iaas-99b8167f'".to_owned(),
            at_the_right("  ~ storage account 'stordersdb8e13ec'", "storage.yml:4:5"),
            at_the_right("      networkAcls.defaultAction: Allow -> Deny", "storage.yml:6:31"),
            at_the_right("    + queue 'returns'", "storage.yml:7:21"),
            String::new(),
            "Plan: 1 to create, 1 to change, 0 to delete.".to_owned(),
            "  + 1 × queue".to_owned(),
            "  ~ 1 × storage account".to_owned(),
        ]
    );
    assert!(lines[9].starts_with("Nothing was changed: 1 to create, 1 to change, 2 up to date ("), "{output:?}");
    let output = folder.deploy(&[]);
    for line in [
        "~ changed storage account 'stordersdb8e13ec' (",
        "+ created queue 'returns' of storage account 'stordersdb8e13ec' (",
        "Result: 1 created, 1 changed, 2 up to date (",
    ] {
        assert_eq!(output.stdout.lines().filter(|shown| shown.starts_with(line)).count(), 1, "{line} in {output:?}");
    }
}

/// A line as it is where nothing says how wide lines are, with the place in the document at its end.
fn at_the_right(text: &str, place: &str) -> String {
    format!("{text}{place:>width$}", width = 120 - text.len())
}

#[test]
fn verbose_and_debug_lines_are_shown_when_they_are_asked_for() {
    let folder = Folder::new();
    let quiet = folder.deploy(&[]);
    assert_eq!(quiet.told(), "");
    assert!(!quiet.stdout.contains('\u{1b}'), "there are no colours outside a terminal");
    let verbose = folder.deploy(&["-Verbose"]);
    assert!(verbose.stderr.contains("VERBOSE: Everything is up to date: 3 resources.\n"), "{verbose:?}");
    assert!(!verbose.stderr.contains("DEBUG: "));
    let debug = folder.deploy(&["--debug"]);
    assert!(debug.stderr.contains("DEBUG: GET /subscriptions/"), "{debug:?}");
    assert!(!debug.stderr.contains("VERBOSE: "));
}

#[test]
fn warnings_are_on_standard_error() {
    let folder = Folder::new();
    folder.write("storage.yml", &format!("component: Shop\n{DOCUMENT}"));
    let output = folder.deploy(&["-WhatIf"]);
    assert_eq!(output.told(), "WARNING: storage.yml:1:12: component: 'Shop' is not a component; 'storage' is used\n");
}

#[test]
fn what_the_user_needs_of_a_new_resource_is_shown_with_it() {
    let folder = Folder::new();
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let example = |file: &str| examples.join(file).to_str().unwrap().to_owned();
    let state = folder.path("web-state.json").to_str().unwrap().to_owned();
    let imported = folder.svc(&["local", "import", &example("landing-zone.json"), "--state", &state]);
    assert_eq!(imported.status, 0, "{imported:?}");
    let settings = example("web.yml");
    let output =
        folder.svc(&["New-SvcPaasWeb", "-SettingsFile", &settings, "-Cloud", "local", "-LocalStateFile", &state]);
    assert_eq!(output.status, 0, "{output:?}");
    let lines: Vec<&str> = output.stdout.lines().collect();
    let domain = lines.iter().position(|line| line.starts_with("+ created custom domain '")).unwrap();
    let below: Vec<&&str> = lines[domain + 1..].iter().take_while(|line| line.starts_with("    ")).collect();
    assert!(below.iter().any(|line| line.starts_with("    dnsRecord.name: \"_dnsauth.")), "{below:?}");
}

#[test]
fn what_is_up_to_date_is_shown_where_it_is_asked_for() {
    let folder = Folder::new();
    folder.deploy(&[]);
    let output = folder.deploy(&["-IncludeUnchanged"]);
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "= up to date resource group 'rg-shop-iaas-99b8167f'",
            "= up to date storage account 'stordersdb8e13ec'",
            "= up to date queue 'orders' of storage account 'stordersdb8e13ec'",
        ]
    );
    assert!(lines[3].starts_with("Everything is up to date: 3 resources ("), "{output:?}");
    assert!(!folder.deploy(&[]).stdout.contains("= up to date"));
}

#[test]
fn verbose_says_which_files_and_which_environment_a_run_uses() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path(".git")).unwrap();
    folder.write("shop/storage.yml", &format!("component: storage\n{DOCUMENT}"));
    folder.write("_names/tokens.yml", "tokens: {organisation: contoso}");
    folder.write("_tags/globalTags.yml", "tags: {mandatory: {owner: shop}}");
    let run = |more: &[&str]| folder.svc(&[&["plan", "shop/storage.yml", "--cloud", "local"], more].concat()).stderr;
    let shown = run(&["--verbose"]);
    assert!(shown.contains("The environment is development, the default.\n"), "{shown}");
    for file in ["shop/storage.yml", "_names/tokens.yml", "_tags/globalTags.yml"] {
        assert!(shown.contains(&format!("The file '{}' is used.\n", folder.path(file).display())), "{file}: {shown}");
    }
    assert!(run(&["--verbose", "--environment", "Production"]).contains("The environment is production.\n"));
    assert!(!run(&[]).contains(" is used."));
}

#[test]
fn the_heads_of_plans_and_reports_say_which_files_and_which_environment_they_are_made_with() {
    let folder = Folder::new();
    folder.write("storage.yml", &format!("component: storage\n{DOCUMENT}"));
    let plan = |more: &[&str]| folder.svc(&[&["plan", "storage.yml", "--cloud", "local"], more].concat());
    let plain = plan(&[]).stdout;
    assert!(plain.starts_with("Environment: development.\n+ resource group "), "{plain}");
    folder.write("_names/tokens.yml", "tokens: {organisation: contoso}");
    folder.write("_tags/globalTags.yml", "tags: {mandatory: {owner: shop}}");
    let output = plan(&["--environment", "test", "--plan-report", "plan.md,plan.html,plan.json"]);
    let head = "Environment: test, with _names/tokens.yml and _tags/globalTags.yml.\n";
    assert!(output.stdout.starts_with(head), "{output:?}");
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    let markdown = read("plan.md");
    for row in ["| Environment | `test` |", "| Project files | `_names/tokens.yml, _tags/globalTags.yml` |"] {
        assert!(markdown.contains(row), "{row}: {markdown}");
    }
    let html = read("plan.html");
    assert!(html.contains(">Environment</dt><dd>test</dd>"), "{html}");
    let json: serde_json::Value = serde_json::from_str(&read("plan.json")).unwrap();
    let expected = serde_json::json!(["_names/tokens.yml", "_tags/globalTags.yml"]);
    assert_eq!((&json["environment"], &json["projectFiles"]), (&"test".into(), &expected));
}

/// Neither by zeros nor by what stands for it inside.
#[test]
fn a_subscription_that_nobody_knows_is_called_so() {
    let folder = Folder::new();
    folder.write("core-monitor.yml", include_str!("../../../examples/core-monitor.yml"));
    let output = folder.svc(&["plan", "core-monitor.yml", "--offline", "--full", "--plan-report", "plan.json,plan.md"]);
    assert_eq!(output.status, 0, "{output:?}");
    assert!(output.stdout.contains("\n  subscription '<subscription>'\n"), "{output:?}");
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    assert!(read("plan.json").contains("\"/subscriptions/<subscription>/resourceGroups/"));
    for text in [&output.stdout, &output.stderr, &read("plan.json"), &read("plan.md")] {
        assert!(!text.contains("00000000-0000") && !text.contains("subscription-that"), "{text}");
    }
}
