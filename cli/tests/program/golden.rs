//! The texts that people read at a terminal, whole, against files in `tests/golden/terminal`: plan, result and second run of every example, a
//! change, several documents in one run, and errors, at two widths, with and without colour. Of each command standard error comes first. The pictures in
//! `docs/pictures` are made from the same. `.ci/update` writes them anew.

use std::path::{Path, PathBuf};

use anstyle_svg::Term;
use svc_local_cloud::LocalCloudOptions;

use super::support::*;

/// The properties of a terminal: its columns, and whether it takes colours.
#[derive(Clone, Copy)]
struct Terminal {
    columns: usize,
    is_coloured: bool,
}

const TERMINALS: [Terminal; 4] = [
    Terminal { columns: 80, is_coloured: false },
    Terminal { columns: 120, is_coloured: false },
    Terminal { columns: 80, is_coloured: true },
    Terminal { columns: 120, is_coloured: true },
];

impl Terminal {
    /// `web-80.txt`, `web-80-colour.txt`
    fn golden(self, stem: &str) -> PathBuf {
        let colour = if self.is_coloured { "-colour" } else { "" };
        repository(&format!("tests/golden/terminal/{stem}-{}{colour}.txt", self.columns))
    }

    /// Runs `svc` in a folder; what it prints, with every time as `0.0 s`.
    fn run(self, folder: &Folder, arguments: &[&str]) -> Printed {
        let mut command = folder.command(arguments);
        command.env("COLUMNS", self.columns.to_string());
        command.envs(if self.is_coloured { [("CLICOLOR_FORCE", "1")] } else { [("NO_COLOR", "1")] });
        let pipe = std::process::Stdio::piped;
        let output = finish(command.stdout(pipe()).stderr(pipe()).spawn().unwrap());
        // On a busy machine anything may take more than a moment.
        let is_timed =
            |line: &&str| ["Started: ", "Still under way ", "Ended after "].iter().any(|on| line.contains(on));
        let stderr: Vec<&str> = output.stderr.lines().filter(|line| !is_timed(line)).collect();
        Printed {
            stderr: stderr.iter().map(|line| settled(line, folder) + "\n").collect(),
            stdout: without_times(&output.stdout),
        }
    }

    /// `svc plan` of a document on the local cloud that keeps its state in the folder.
    fn plan(self, folder: &Folder, document: &str) -> Printed {
        self.run(folder, &["plan", document, "--cloud", "local", "--local-state-file", STATE])
    }

    /// `svc apply` of it.
    fn apply(self, folder: &Folder, document: &str) -> Printed {
        self.run(folder, &["apply", document, "--cloud", "local", "--local-state-file", STATE])
    }

    /// Plan, result and second run of a document.
    fn story(self, folder: &Folder, document: &str) -> String {
        let plan = self.plan(folder, document);
        // The last line says that nothing was changed.
        let shown = &plan.stdout[..plan.stdout.trim_end().rfind('\n').unwrap() + 1];
        let applied = self.apply(folder, document);
        let results =
            applied.stdout.strip_prefix(shown).unwrap_or_else(|| panic!("another plan in {}", applied.stdout));
        [
            format!("$ svc plan {document}\n{}{}", plan.stderr, plan.stdout),
            format!(
                "\n$ svc apply {document}\n{}(the plan, as above)\n{}",
                in_order(&applied.stderr),
                results_in_order(results)
            ),
            format!("\n$ svc apply {document}\n{}", self.apply(folder, document).whole()),
        ]
        .concat()
    }
}

struct Printed {
    stdout: String,
    stderr: String,
}

impl Printed {
    fn whole(&self) -> String {
        format!("{}{}", self.stderr, self.stdout)
    }
}

const STATE: &str = "state.json";

fn repository(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file)
}

/// A folder with the landing zone of the examples in its local cloud.
fn landing_zone() -> Folder {
    let folder = Folder::new();
    let file = repository("examples/landing-zone.json");
    let imported = folder.svc(&["local", "import", file.to_str().unwrap(), "--state", STATE]);
    assert_eq!(imported.status, 0, "{imported:?}");
    folder
}

fn example(file: &str) -> String {
    std::fs::read_to_string(repository("examples").join(file)).unwrap()
}

/// Every time, as in `(12.3 s)`, is `(0.0 s)`.
fn without_times(text: &str) -> String {
    let (before_last, last) = text.rsplit_once(" s)").map_or((None, text), |(before, last)| (Some(before), last));
    let none = |part: &str| match part.rsplit_once('(') {
        Some((before, number)) if number.parse::<f64>().is_ok() => format!("{before}(0.0 s)"),
        _ => format!("{part} s)"),
    };
    before_last.map(|text| text.split(" s)").map(none).collect::<String>()).unwrap_or_default() + last
}

/// A line without what is another one in every run: the folder of the test, ids of requests.
fn settled(line: &str, folder: &Folder) -> String {
    match line.split_once("request id: ") {
        Some((before, _)) => format!("{before}request id: ID"),
        None => line.replace(&folder.path("").display().to_string(), "/project/"),
    }
}

/// Warnings behind the first line in alphabetical order.
fn in_order(lines: &str) -> String {
    let mut lines: Vec<&str> = lines.split_inclusive('\n').collect();
    lines.get_mut(1..).unwrap_or_default().sort_unstable();
    lines.concat()
}

/// Results, each with what is told below it, in alphabetical order: they come as they are done, and several are done at a time.
fn results_in_order(text: &str) -> String {
    let mut blocks: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        match blocks.last_mut().filter(|_| line.starts_with("    ")) {
            Some(block) => block.push_str(line),
            None => blocks.push(line.to_owned()),
        }
    }
    let end = blocks.len().saturating_sub(1);
    blocks[..end].sort_unstable();
    blocks.concat()
}

fn for_every_terminal(stem: &str, printed: impl Fn(Terminal) -> String + Sync) {
    std::thread::scope(|scope| {
        for terminal in TERMINALS {
            let printed = &printed;
            scope.spawn(move || expectorate::assert_contents(terminal.golden(stem), &printed(terminal)));
        }
    });
}

#[test]
fn what_is_printed_for_every_example() {
    let files = std::fs::read_dir(repository("examples")).unwrap();
    let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(".yml"));
    names.sort_unstable();
    for name in names {
        for_every_terminal(name.trim_end_matches(".yml"), |terminal| {
            let folder = landing_zone();
            folder.write(&name, &example(&name));
            terminal.story(&folder, &name)
        });
    }
}

/// The log alerts of the example, but for one that has a name now, so that it is another one, and one with another query.
fn changed_alerts() -> String {
    let mut text = example("log-alerts.yml");
    for (part, other) in [
        ("- definition: fileGroupFull", "- name: Full\n            definition: fileGroupFull"),
        ("greaterThan\n              value: 10", "greaterThan\n              value: 5"),
        ("EventID == 18456", "EventID in (18456, 18470)\n              | where TimeGenerated > ago(1h)"),
    ] {
        assert!(text.contains(part), "'{part}' is no longer in the example");
        text = text.replace(part, other);
    }
    text
}

/// A folder in which the log alerts of the example are deployed, and their document is another one since.
fn changed() -> Folder {
    let folder = landing_zone();
    folder.write("log-alerts.yml", &example("log-alerts.yml"));
    let plain = TERMINALS[0];
    assert!(plain.apply(&folder, "log-alerts.yml").stdout.contains("Result: 8 created"));
    folder.write("log-alerts.yml", &changed_alerts());
    folder
}

#[test]
fn what_is_printed_for_a_change() {
    for_every_terminal("changed", |terminal| terminal.story(&changed(), "log-alerts.yml"));
}

/// The environment of the examples, with its naming and tag files.
fn environment() -> Folder {
    fn copy(below: &str, folder: &Folder) {
        for entry in std::fs::read_dir(repository("examples").join(below)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let file = format!("{below}/{name}");
            if repository("examples").join(&file).is_dir() {
                // The state of a local cloud that somebody has tried it on.
                if name != ".svc" {
                    copy(&file, folder);
                }
            } else {
                folder.write(&file, &example(&file));
            }
        }
    }
    let folder = landing_zone();
    copy("environment", &folder);
    folder
}

#[test]
fn what_is_printed_for_an_environment() {
    for_every_terminal("environment", |terminal| terminal.story(&environment(), "environment"));
}

/// A group with an account that another document puts a second one into.
const SHARED: &str = "\
component: storage
location: UK South
resourceGroupName: Shop
service:
  publish:
    resourceGroup: shop-group
storageAccounts:
  - storageAccountName: Orders
    accountType: Standard
    queue: [incoming]
";

/// The document that depends on it.
const DEPENDENT: &str = "\
component: Iaas.Storage
location: UK South
service:
  dependencies:
    resourceGroup: shop-group
storageAccounts:
  - storageAccountName: Archive
    accountType: Standard
    blobContainer:
      - name: letters
";

#[test]
fn what_is_printed_for_several_documents() {
    for_every_terminal("several", |terminal| {
        let folder = landing_zone();
        folder.write("shop/archive.yml", DEPENDENT);
        folder.write("shop/orders.yml", SHARED);
        terminal.story(&folder, "shop")
    });
}

/// A document with problems of every kind: a wrong key, a value that is not allowed, one of another type, what is missing.
const WRONG: &str = "\
component: storage
location: UK Souht
storageAccounts:
  - storageAccountName: Orders
    accountType: Gold
    queue: [orders, orders]
  - storageAcountName: Media
    accountType: Standard
    fileShare:
      - name: originals
        quota: many
";

#[test]
fn what_is_printed_for_errors() {
    for_every_terminal("errors", |terminal| {
        let folder = Folder::new();
        folder.write("wrong.yml", WRONG);
        folder.write("broken.yml", "component: storage\nlocation: 'UK South\nstorageAccounts: []\n");
        folder.write("storage.yml", &example("storage.yml"));
        let mut story = String::new();
        for arguments in [
            &["plan", "wrong.yml"][..],
            &["plan", "broken.yml"],
            &["plan", "missing.yml"],
            &["plan", "storage.yml", "--colour"],
        ] {
            story += &format!("$ svc {}\n{}\n", arguments.join(" "), terminal.run(&folder, arguments).whole());
        }
        story + &failing(terminal, &folder)
    });
}

/// A run in which one resource fails, and the one that needs it is skipped.
fn failing(terminal: Terminal, folder: &Folder) -> String {
    let faults = vec!["fails=AccountQuotaReached,method=PUT,path=stledger,times=always,message=The subscription has no more accounts of this kind.".parse().unwrap()];
    let cloud = cloud(LocalCloudOptions { faults, ..LocalCloudOptions::default() });
    let failed = terminal.run(folder, &["apply", "storage.yml", "--cloud", cloud.endpoint()]);
    let (plan, results) = failed.stdout.split_once("1 × table\n").unwrap();
    assert!(plan.contains("stledger"));
    let whole = format!(
        "$ svc apply storage.yml --cloud URL\n{}(the plan, as for the example)\n{}",
        failed.stderr,
        results_in_order(results)
    );
    whole.replace(cloud.endpoint(), "URL")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// The plan of the shop with a lower threshold for failed requests, rehearsed over the week of the example.
fn rehearsed(terminal: Terminal) -> String {
    let folder = landing_zone();
    copy(&repository("examples/environment"), &folder.path("shop"));
    let on_the_cloud = |arguments: &[&str]| {
        terminal.run(&folder, &[arguments, &["shop", "--cloud", "local", "--local-state-file", STATE]].concat())
    };
    on_the_cloud(&["apply"]);
    let imported = folder.svc(&["local", "import", "shop/_past/week.yml", "--state", STATE]);
    assert_eq!(imported.status, 0, "{imported:?}");
    let quiet = std::fs::read_to_string(folder.path("shop/log-alerts.yml")).unwrap();
    folder.write("shop/log-alerts.yml", &quiet.replace("value: 20", "value: 2"));
    let plan = on_the_cloud(&["plan", "--rehearse", "7d"]).stdout;
    // The week ends now, and the windows of the rule lie in it as they happen to: a picture has one of its weeks.
    let (before, rest) = plan.split_once("it would have fired ").unwrap();
    let (sentence, behind) = rest.split_once(" UTC.").unwrap();
    let numbers: Vec<i64> = sentence.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!((250..=330).contains(&numbers[0]) && (3..=5).contains(&numbers[1]), "{sentence}");
    let of_one = "292 times instead of 4 times, for 1 day 20 minutes in\n        all, last at 2026-11-28 22:45";
    format!("{before}it would have fired {of_one} UTC.{behind}")
}

/// The colours of the pictures by the class in the drawing, on dark and on light.
const COLOURS: &[(&str, [&str; 2])] = &[
    ("fg", ["#e6edf3", "#1f2328"]),
    ("bg", ["#0d1117", "#ffffff"]),
    ("fg-green", ["#3fb950", "#116329"]),
    ("fg-red", ["#ff7b72", "#cf222e"]),
    ("fg-yellow", ["#d29922", "#7d4e00"]),
    ("fg-cyan", ["#39c5cf", "#1b7c83"]),
    ("fg-bright-blue", ["#79c0ff", "#0550ae"]),
    ("fg-bright-red", ["#ffa198", "#a40e26"]),
    ("dimmed", ["#8b949e", "#57606a"]),
];
/// More lines are not seen at once.
const MOST_LINES: usize = 30;

/// A drawing in the colours of a theme.
fn in_colours(svg: &str, theme: usize) -> String {
    let rule = |line: &str| {
        let class = line
            .trim()
            .strip_prefix('.')?
            .split_once(" { ")
            .filter(|(_, rule)| rule.starts_with("fill:") || rule.starts_with("opacity:"));
        let (class, _) = class?;
        let known = COLOURS.iter().find(|(name, _)| *name == class);
        let (_, colours) = known.unwrap_or_else(|| panic!("a picture has {class}, which has no colour"));
        Some(format!("    .{class} {{ fill: {} }}", colours[theme]))
    };
    svg.lines().map(|line| rule(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
}

/// The contrast of a colour with another one (Web Content Accessibility Guidelines 2, "contrast ratio").
fn contrast(one: &str, other: &str) -> f64 {
    let luminance = |colour: &str| {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn what_pictures_show_can_be_read() {
    let background = COLOURS.iter().find(|(class, _)| *class == "bg").unwrap().1;
    for (class, colours) in COLOURS.iter().filter(|(class, _)| *class != "bg") {
        for (colour, background) in colours.iter().zip(background) {
            // Level AA of the guidelines, for text of ordinary size.
            assert!(contrast(colour, background) >= 4.5, "{class}: {colour} on {background}");
        }
    }
}

#[test]
fn pictures_of_golden_output() {
    let terminal = Terminal { columns: 100, is_coloured: true };
    let picture = |name: &str, command: &str, printed: &str| {
        let printed = format!("$ {command}\n{printed}");
        let lines = printed.trim_end().lines().count();
        assert!(lines <= MOST_LINES, "{name} has {lines} lines");
        let svg = Term::new().render_svg(&printed);
        for (theme, ending) in ["", "-light"].iter().enumerate() {
            let path = repository("docs/pictures").join(format!("{name}{ending}.svg"));
            expectorate::assert_contents(path, &in_colours(&svg, theme));
        }
    };
    let folder = landing_zone();
    folder.write("storage.yml", &example("storage.yml"));
    folder.write("wrong.yml", WRONG);
    picture("plan", "svc plan storage.yml", &terminal.plan(&folder, "storage.yml").stdout);
    picture("changes", "svc plan log-alerts.yml", &terminal.plan(&changed(), "log-alerts.yml").stdout);
    picture("rehearsal", "svc plan shop --rehearse 7d", &rehearsed(terminal));
    picture("findings", "svc plan wrong.yml", &terminal.run(&folder, &["plan", "wrong.yml"]).stderr);
}
