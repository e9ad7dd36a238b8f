//! The commands in the docs do what the docs say. A block of code says what becomes of it here:
//!
//! - `console`: the lines that begin with `$ ` are run, and what stands below them is what they print;
//! - `bash run`: it is run, and ends well;
//! - `bash not-run: WHY`: it is not run.
//!
//! All blocks of a page are run in one bash session, which begins in a copy of what a clone has: the folder `examples`. A comment
//! `<!-- before the commands: COMMANDS -->` has what a reader of the page has done already. `powershell` blocks say the same; the
//! Pester tests run them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::support::*;

const BEFORE: &str = "<!-- before the commands: ";
/// Begins the lines that the session prints of itself.
const MARK: &str = "@@documented";
/// Languages that say the same as one of the others.
const OTHER_NAMES: &[&str] = &["sh", "shell", "zsh", "shellsession", "ps1", "pwsh", "powershell-interactive"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The pages for people, in the order of their paths.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|page| root().join(page)).into();
    for folder in ["docs", "docs/settings"] {
        let entries = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    pages.sort();
    pages
}

/// A block of code of a page.
#[derive(Debug)]
struct Block {
    /// The number of its first line of code, from 0.
    first: usize,
    language: String,
    /// The mark behind the language in the first line.
    mark: String,
    lines: Vec<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(fence) = line.trim_start().strip_prefix("```") else { continue };
        let (language, mark) = fence.split_once(' ').unwrap_or((fence, ""));
        let code = lines.by_ref().map(|(_, line)| line).take_while(|line| line.trim() != "```");
        blocks.push(Block {
            first: number + 1,
            language: language.to_owned(),
            mark: mark.to_owned(),
            lines: code.map(str::to_owned).collect(),
        });
    }
    blocks
}

/// The problems of the marks of a page.
fn problems(text: &str) -> Vec<String> {
    let blocks = blocks(text);
    let mut problems = Vec::new();
    for block in &blocks {
        let (language, line) = (block.language.as_str(), block.first);
        let has_reason = block.mark.strip_prefix("not-run: ").is_some_and(|reason| !reason.trim().is_empty());
        if OTHER_NAMES.contains(&language) {
            problems.push(format!("line {line}: write bash or powershell for {language}"));
        } else if ["bash", "powershell"].contains(&language) && block.mark != "run" && !has_reason {
            problems.push(format!("line {line}: say '{language} run' or '{language} not-run: WHY'"));
        }
    }
    let is_in_block =
        |number: usize| blocks.iter().any(|block| (block.first..=block.first + block.lines.len()).contains(&number));
    let mut above = "";
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("    ") && above.is_empty() && !is_in_block(number) {
            problems.push(format!("line {}: code begins with ``` and its language", number + 1));
        }
        above = line;
    }
    problems
}

#[test]
fn every_block_of_commands_says_whether_it_is_run() {
    for page in pages() {
        let problems = problems(&std::fs::read_to_string(&page).unwrap());
        assert!(problems.is_empty(), "{}: {problems:#?}", page.display());
    }
    assert_eq!(problems("```bash run\nls\n```\n\n```powershell not-run: so\nls\n```\n"), [""; 0]);
    for wrong in ["```bash\nls\n```\n", "```bash not-run\nls\n```\n", "```sh\nls\n```\n", "Text\n\n    ls\n"] {
        assert_eq!(problems(wrong).len(), 1, "{wrong}");
    }
}

/// The commands that a session runs at once, and where its output goes in the page.
struct Step {
    commands: String,
    /// The line of the page that has the command, where the output is shown below it.
    shown_below: Option<usize>,
    /// The command ends with another status than 0: the next one shows it.
    may_fail: bool,
}

fn steps(text: &str) -> Vec<Step> {
    let before = text.lines().filter_map(|line| line.strip_prefix(BEFORE)?.strip_suffix(" -->"));
    let mut steps: Vec<Step> =
        before.map(|commands| Step { commands: commands.to_owned(), shown_below: None, may_fail: false }).collect();
    for block in blocks(text) {
        if block.language == "console" {
            let commands: Vec<(usize, &str)> = (block.first..)
                .zip(&block.lines)
                .filter_map(|(line, text)| Some((line, text.strip_prefix("$ ")?)))
                .collect();
            for (index, (line, command)) in commands.iter().enumerate() {
                let may_fail = commands.get(index + 1).is_some_and(|(_, next)| *next == "echo $?");
                steps.push(Step { commands: (*command).to_owned(), shown_below: Some(*line), may_fail });
            }
        } else if block.language == "bash" && block.mark == "run" {
            steps.push(Step { commands: block.lines.join("\n"), shown_below: None, may_fail: false });
        }
    }
    steps
}

/// Runs the steps in one session and returns what each printed, on both of its streams.
fn run(page: &Path, steps: &[Step]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let start = folder.path().join("svc-deploy");
    copy(&root().join("examples"), &start.join("examples"));
    let mut script = String::from("exec 2>&1\nstatus=0\n");
    for (index, Step { commands, .. }) in steps.iter().enumerate() {
        // A block ends at the first command that fails.
        let commands = if commands.contains('\n') { format!("set -e\n{commands}\nset +e") } else { commands.clone() };
        let _ = writeln!(script, "(exit $status)\n{commands}\nstatus=$?\nprintf '{MARK} %s %s\\n' {index} $status");
    }
    std::fs::write(folder.path().join("script"), script).unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_svc")).parent().unwrap();
    let child = Command::new("bash")
        .args(["--noprofile", "--norc", "../script"])
        .current_dir(&start)
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", programs.display()))
        .env("HOME", folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = finish(child).stdout;
    let mut printed = vec![String::new()];
    for line in output.lines() {
        let Some((index, status)) = line.strip_prefix(MARK).and_then(|rest| rest.trim().split_once(' ')) else {
            printed.last_mut().unwrap().push_str(&format!("{line}\n"));
            continue;
        };
        let step = &steps[index.parse::<usize>().unwrap()];
        let text = printed.last().unwrap();
        let is_right = (status == "0") != step.may_fail && !(status == "0" && text.contains("ERROR"));
        assert!(is_right, "{}: '{}' ended with status {status}:\n{text}", page.display(), step.commands);
        printed.push(String::new());
    }
    let rest = printed.pop().unwrap_or_default();
    assert_eq!(printed.len(), steps.len(), "{}: a block ended too early:\n{rest}", page.display());
    printed
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        // The state of a local cloud is not what a clone has.
        if entry.file_name() == ".svc" {
            continue;
        }
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The line with 0.0 s for the time that something took, which differs from run to run.
fn without_seconds(line: &str) -> String {
    let of = |end: usize| {
        let start = line[..end].rfind(" (")?;
        let rest = line[end + " s)".len()..].trim_start_matches('.');
        line[start + " (".len()..end].parse::<f64>().ok()?;
        Some(format!("{} (0.0 s).{rest}", &line[..start]))
    };
    line.rfind(" s)").and_then(of).unwrap_or_else(|| line.to_owned())
}

#[test]
fn how_long_something_took_is_no_difference() {
    for (line, expected) in [
        ("Everything is up to date (12.3 s).", "Everything is up to date (0.0 s)."),
        ("Result: 1 created (4.0 s)", "Result: 1 created (0.0 s)."),
        ("11 up to date (0.1 s). 1 resource is kept.", "11 up to date (0.0 s). 1 resource is kept."),
        ("It says (so it s) nothing.", "It says (so it s) nothing."),
    ] {
        assert_eq!(without_seconds(line), expected);
    }
}

/// The page with what its commands print below them.
fn with_output(text: &str, steps: &[Step], printed: &[String]) -> String {
    let consoles: Vec<Block> = blocks(text).into_iter().filter(|block| block.language == "console").collect();
    let is_shown =
        |line: usize| consoles.iter().any(|block| (block.first..block.first + block.lines.len()).contains(&line));
    let mut shown = String::new();
    for (number, line) in text.lines().enumerate() {
        if !is_shown(number) || line.starts_with("$ ") {
            shown.push_str(&format!("{line}\n"));
        }
        let step = steps.iter().position(|step| step.shown_below == Some(number));
        for line in step.into_iter().flat_map(|step| printed[step].lines()) {
            shown.push_str(&format!("{}\n", without_seconds(line)));
        }
    }
    shown
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_docs_do_what_they_say() {
    let mut run_on = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let steps = steps(&text);
        if steps.is_empty() {
            continue;
        }
        let printed = run(&page, &steps);
        expectorate::assert_contents(&page, &with_output(&text, &steps, &printed));
        run_on.push((page.file_name().unwrap().to_string_lossy().into_owned(), steps.len()));
    }
    let of = |name: &str| run_on.iter().find(|(page, _)| page == name).map_or(0, |(_, steps)| *steps);
    assert!(of("quickstart.md") > 20 && of("plan-reports.md") > 3 && of("README.md") > 0, "{run_on:?}");
}

/// The head of an example says how it is run.
#[cfg(unix)]
#[test]
fn examples_run_as_their_heads_say() {
    let entries = std::fs::read_dir(root().join("examples")).unwrap().map(|entry| entry.unwrap().path());
    let examples: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "yml")).collect();
    assert!(examples.len() > 8, "{examples:?}");
    for example in examples {
        let text = std::fs::read_to_string(&example).unwrap();
        let head = text.lines().map_while(|line| line.strip_prefix('#'));
        let commands = head.filter_map(|line| line.strip_prefix("   "));
        let steps: Vec<Step> =
            commands.map(|line| Step { commands: line.to_owned(), shown_below: None, may_fail: false }).collect();
        let name = example.file_name().unwrap().to_string_lossy();
        let last = &steps.last().unwrap().commands;
        assert!(last.starts_with(&format!("svc apply examples/{name} --cloud local ")), "{name}: {last}");
        assert!(run(&example, &steps).pop().unwrap().contains("Result: "), "{name}");
    }
}

/// The code in the text of a page, beside its blocks.
fn inline_code(text: &str) -> Vec<String> {
    let blocks = blocks(text);
    let is_in_block = |number: usize| {
        blocks.iter().any(|block| (block.first - 1..=block.first + block.lines.len()).contains(&number))
    };
    let outside = text.lines().enumerate().filter(|(number, _)| !is_in_block(*number)).map(|(_, line)| line);
    let outside = outside.collect::<Vec<_>>().join("\n");
    // A paragraph, an item or a row ends what is open.
    let parts = outside.split("\n\n").flat_map(|paragraph| paragraph.split("\n|"));
    parts.flat_map(|part| part.split('`').skip(1).step_by(2)).map(|code| code.replace('\n', " ")).collect()
}

#[test]
fn inline_code_is_what_stands_between_backticks() {
    let text = "A `svc plan\nx` b.\n\n```bash run\nsvc `y`\n```\n\n| `c` |\n| d ` |\n| `e` |\n";
    assert_eq!(inline_code(text), ["svc plan x", "c", " |", "e"]);
}

/// One spelling in one page: that of `svc` for `svc`, that of PowerShell for the module. The page for those who come from the module
/// shows both.
#[test]
fn command_lines_of_svc_are_in_its_own_spelling() {
    let is_powershells = |word: &str| {
        let name = word.strip_prefix('-').unwrap_or_default();
        name.starts_with(|first: char| first.is_ascii_uppercase()) || word.contains("-Svc")
    };
    let (mut in_blocks, mut in_texts) = (0, 0);
    for page in pages().iter().filter(|page| !page.ends_with("migrating.md")) {
        let text = std::fs::read_to_string(page).unwrap();
        let blocks = blocks(&text);
        let blocks = blocks.iter().filter(|block| block.language != "powershell").flat_map(|block| &block.lines);
        let of_blocks: Vec<String> = blocks
            .map(|line| line.trim_start().trim_start_matches("$ ").trim_start_matches("- run: ").to_owned())
            .filter(|line| line.starts_with("svc "))
            .collect();
        let of_texts: Vec<String> = inline_code(&text).into_iter().filter(|code| code.starts_with("svc ")).collect();
        (in_blocks, in_texts) = (in_blocks + of_blocks.len(), in_texts + of_texts.len());
        for line in of_blocks.iter().chain(&of_texts) {
            assert!(!line.split(' ').any(is_powershells), "{page:?}: {line}");
        }
    }
    assert!(in_blocks > 40 && in_texts > 40, "{in_blocks} {in_texts}");
}
