//! The guide says what the runs say.

use super::*;

/// The block of `docs/migrating.md` with what a command shows: between the line that names the document and the end of the block.
fn block(what: &str) -> String {
    format!("<!-- what-if of {what} -->\n\n```text\n")
}

/// Puts what is shown into a block.
fn with_block(guide: &str, what: &str, shown: &str) -> String {
    let begin = block(what);
    let (before, rest) = guide.split_once(&begin).unwrap_or_else(|| panic!("docs/migrating.md has no '{begin}'"));
    let (_, after) = rest.split_once("```").unwrap();
    format!("{before}{begin}{shown}```{after}")
}

/// The text of the first block of YAML behind a mark of the guide.
fn yaml_behind<'a>(guide: &'a str, mark: &str) -> &'a str {
    let begin = format!("<!-- {mark} -->\n\n```yaml\n");
    let (_, rest) = guide.split_once(&begin).unwrap_or_else(|| panic!("docs/migrating.md has no '{begin}'"));
    rest.split_once("```").unwrap().0
}

/// The definitions before and after are a file and what `svc new definitions` makes of it.
#[test]
fn the_guide_shows_definitions_as_they_are_rewritten() {
    let path = repository("docs/migrating.md");
    let guide = std::fs::read_to_string(&path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("standardDefinitions.yml");
    std::fs::write(&file, yaml_behind(&guide, "the old definitions")).unwrap();
    let (rewritten, left) = svc_engine::run::rewrite_definitions(&file).unwrap();
    assert_eq!(left, [] as [&str; 0]);
    let now = yaml_behind(&guide, "the definitions rewritten");
    let mark = "<!-- the definitions rewritten -->\n\n```yaml\n";
    expectorate::assert_contents(
        Path::new(&path),
        &guide.replace(&format!("{mark}{now}"), &format!("{mark}{rewritten}")),
    );
}

#[test]
fn the_guide_quotes_what_the_first_what_if_shows() {
    let path = repository("docs/migrating.md");
    let mut guide = std::fs::read_to_string(&path).unwrap();
    let current = Project::current();
    for document in DOCUMENTS {
        guide = with_block(&guide, document.file, &current.shown(document));
    }
    let of_2020 = Project::of_2020();
    let what = "endpoints.yml, with naming files of 2020";
    guide = with_block(&guide, what, &of_2020.shown(document("endpoints.yml")));
    // A block that is not made here says what nobody has seen.
    assert_eq!(guide.matches("<!-- what-if of ").count(), DOCUMENTS.len() + 1);
    expectorate::assert_contents(Path::new(&path), &guide);
}

/// With the files of 2020 nothing is planned that is not planned with the last ones, but for the names.
#[test]
fn names_are_those_of_the_estate_in_both_projects() {
    let (current, of_2020) = (Project::current(), Project::of_2020());
    let is_fallback = |line: &&str| {
        line.starts_with("WARNING: resources.yml: the kind ")
            || line.starts_with("WARNING: tokens.yml: there is no token ")
    };
    let mut fallbacks = Vec::new();
    for document in DOCUMENTS {
        let text = of_2020.with_current_names(&of_2020.shown(document));
        let (told, mut planned): (Vec<&str>, Vec<&str>) = text.lines().partition(is_fallback);
        fallbacks.extend(told.into_iter().map(str::to_owned));
        let expected = current.shown(document);
        let mut expected: Vec<&str> = expected.lines().collect();
        // Plans are in the order of names.
        planned.sort_unstable();
        expected.sort_unstable();
        assert_eq!(planned, expected, "{}", document.file);
    }
    fallbacks.sort_unstable();
    fallbacks.dedup();
    // The groups of the alerts, which have no word for their architecture, are found by their publish names.
    let kinds: Vec<&str> = fallbacks.iter().filter_map(|line| line.split(" is not in the file").next()).collect();
    assert_eq!(kinds, ["WARNING: resources.yml: the kind Alert", "WARNING: resources.yml: the kind PrivateEndpoint",]);
}

/// What is created is what the replaced module did not have: everything else is found under its name.
#[test]
fn nothing_of_the_estate_is_created_a_second_time() {
    for project in Project::all() {
        for document in DOCUMENTS {
            let outcome = project.run(document, &project.estate(), true);
            let created: Vec<&str> = outcome
                .plan()
                .iter()
                .filter(|action| action.description.starts_with("Create "))
                .map(|action| action.resource.label.as_str())
                .collect();
            let new: &[&str] = match document.file {
                "monitor.yml" => &["diagnostic setting"],
                "web.yml" => &[
                    "Front Door profile",
                    "endpoint",
                    "origin group",
                    "origin",
                    "custom domain",
                    "route",
                    "security policy",
                ],
                _ => &[],
            };
            assert_eq!(created, new, "{}", document.file);
        }
    }
}
