//! Asks before anything is changed: one question for the whole plan, or one for each change in the words of PowerShell.

use std::io::{BufRead, IsTerminal};

use svc_engine::protocol::{Action, Target, plural};

use super::render::Renderer;

/// How a plan is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answers {
    /// Nothing is approved: a rehearsal.
    None,
    /// Everything is approved.
    All,
    /// The whole plan is asked for, once.
    Once,
    /// Each change is asked for.
    Each,
}

/// Nobody can be asked, and why.
#[derive(Debug)]
pub(super) struct CannotAsk(pub(super) String);

impl Answers {
    /// How the plan of a run is answered. `confirm` and `yes` are what the user says, where they say it.
    pub(super) fn of(what_if: bool, confirm: Option<bool>, yes: bool, is_for_this_machine: bool) -> Answers {
        match confirm {
            _ if what_if => Answers::None,
            Some(true) => Answers::Each,
            Some(false) => Answers::All,
            None if yes || is_for_this_machine => Answers::All,
            None => Answers::Once,
        }
    }

    /// The indexes of the approved actions.
    pub(super) fn decide(
        self,
        actions: &[Action],
        target: Option<&Target>,
        renderer: &mut dyn Renderer,
    ) -> Result<Vec<usize>, CannotAsk> {
        self.decide_with(actions, target, renderer, || {
            if !std::io::stdin().is_terminal() {
                return Err(CannotAsk("standard input is not a terminal".to_owned()));
            }
            if !std::io::stderr().is_terminal() {
                return Err(CannotAsk("standard error is not a terminal".to_owned()));
            }
            let mut lines = std::io::stdin().lock().lines();
            Ok(move || lines.next().and_then(Result::ok))
        })
    }

    /// `open` is called only when there is something to ask; what it returns reads a line.
    fn decide_with<Read: FnMut() -> Option<String>>(
        self,
        actions: &[Action],
        target: Option<&Target>,
        renderer: &mut dyn Renderer,
        open: impl FnOnce() -> Result<Read, CannotAsk>,
    ) -> Result<Vec<usize>, CannotAsk> {
        let all = || actions.iter().map(|action| action.index).collect();
        match self {
            Answers::None => Ok(Vec::new()),
            _ if actions.is_empty() => Ok(Vec::new()),
            Answers::All => Ok(all()),
            Answers::Each => ask_each(actions, renderer, &mut open()?),
            Answers::Once => {
                let mut read = open()?;
                renderer.deletions(actions);
                let is_approved = ask_once(&question(actions, target), renderer, &mut read)?;
                Ok(if is_approved { all() } else { Vec::new() })
            }
        }
    }
}

/// The one question: how much is changed, and where.
fn question(actions: &[Action], target: Option<&Target>) -> String {
    let count = actions.len();
    let place = match target {
        Some(target) if target.subscription_name.is_some() => format!(" to {}", target.subscription()),
        Some(target) => format!(" to subscription {}", target.subscription()),
        None => match groups(actions)[..] {
            [] => String::new(),
            [group] => format!(" to resource group '{group}'"),
            ref groups => format!(" to {} resource groups", groups.len()),
        },
    };
    format!("Apply {count} change{}{place}? [y/N] ", plural(count))
}

/// The resource groups of a plan, which say where it goes while the target is not known.
fn groups(actions: &[Action]) -> Vec<&str> {
    let mut groups: Vec<&str> = actions.iter().filter_map(|action| action.resource_group.as_deref()).collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}

fn ask_once(
    question: &str,
    renderer: &mut dyn Renderer,
    read: &mut dyn FnMut() -> Option<String>,
) -> Result<bool, CannotAsk> {
    loop {
        renderer.ask(question);
        let answer = read().ok_or_else(|| CannotAsk("standard input has ended".to_owned()))?;
        match answer.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => return Ok(true),
            "" | "n" | "no" => return Ok(false),
            _ => {}
        }
    }
}

fn ask_each(
    actions: &[Action],
    renderer: &mut dyn Renderer,
    read: &mut dyn FnMut() -> Option<String>,
) -> Result<Vec<usize>, CannotAsk> {
    let mut approved = Vec::new();
    let mut remaining = actions.iter();
    while let Some(action) = remaining.next() {
        loop {
            renderer.ask(&format!(
                "{}\n[Y] Yes  [A] Yes to All  [N] No  [L] No to All  (default is \"Y\"): ",
                action.question
            ));
            let answer = read().ok_or_else(|| CannotAsk("standard input has ended".to_owned()))?;
            match answer.trim().to_ascii_lowercase().as_str() {
                "" | "y" | "yes" => approved.push(action.index),
                "a" | "yes to all" => {
                    approved.push(action.index);
                    approved.extend(remaining.map(|action| action.index));
                    return Ok(approved);
                }
                "n" | "no" => {}
                "l" | "no to all" => return Ok(approved),
                _ => continue,
            }
            break;
        }
    }
    Ok(approved)
}

#[cfg(test)]
mod tests {
    use svc_engine::protocol::{ActionKind, Confirm, Message};

    use super::*;

    struct Silent;

    impl Renderer for Silent {
        fn show(&mut self, _: &Message) {}
        fn deletions(&mut self, _: &[Action]) {}
        fn ask(&mut self, _: &str) {}
        fn finish(&mut self) {}
    }

    fn action(index: usize) -> Action {
        Action {
            index,
            action: ActionKind::Create,
            resource_type: String::new(),
            label: String::new(),
            name: String::new(),
            full_name: String::new(),
            resource_group: None,
            resource_id: String::new(),
            description: String::new(),
            question: String::new(),
            confirm: Confirm::Normal,
            depends_on: Vec::new(),
            changes: Vec::new(),
            origin: None,
            document: None,
        }
    }

    /// What is approved of three changes when these lines are typed.
    fn approved(answers: Answers, lines: &[&str]) -> Option<Vec<usize>> {
        let actions = [action(0), action(1), action(2)];
        let mut lines = lines.iter().map(|line| (*line).to_owned());
        answers.decide_with(&actions, None, &mut Silent, || Ok(|| lines.next())).ok()
    }

    #[test]
    fn powershells_answers() {
        let answers = |lines: &[&str]| approved(Answers::Each, lines);
        assert_eq!(answers(&["y", "n", ""]), Some(vec![0, 2]));
        assert_eq!(answers(&["N", "a"]), Some(vec![1, 2]));
        assert_eq!(answers(&["yes", "L"]), Some(vec![0]));
        assert_eq!(answers(&["what?", "y", "y", "y"]), Some(vec![0, 1, 2]));
        assert_eq!(answers(&["y"]), None);
    }

    #[test]
    fn one_question_is_for_the_whole_plan_and_only_yes_is_yes() {
        for yes in ["y", "YES", " Yes "] {
            assert_eq!(approved(Answers::Once, &[yes]), Some(vec![0, 1, 2]));
        }
        for no in ["", "n", "No"] {
            assert_eq!(approved(Answers::Once, &[no]), Some(Vec::new()));
        }
        assert_eq!(approved(Answers::Once, &["a", "what?", "y"]), Some(vec![0, 1, 2]), "it is asked again");
        assert_eq!(approved(Answers::Once, &["what?"]), None, "the input has ended");
        assert_eq!(approved(Answers::All, &[]), Some(vec![0, 1, 2]));
        assert_eq!(approved(Answers::None, &[]), Some(Vec::new()));
    }

    #[test]
    fn the_question_says_how_much_is_changed_and_where() {
        let target = |name: Option<&str>| Target {
            subscription_id: "0000".to_owned(),
            subscription_name: name.map(str::to_owned),
            ..Target::default()
        };
        let actions = [action(0), action(1)];
        assert_eq!(
            question(&actions, Some(&target(Some("Production")))),
            "Apply 2 changes to 'Production' (0000)? [y/N] "
        );
        assert_eq!(question(&actions[1..], Some(&target(None))), "Apply 1 change to subscription 0000? [y/N] ");
        assert_eq!(question(&actions, None), "Apply 2 changes? [y/N] ");
        let in_group = |group: &str| Action { resource_group: Some(group.to_owned()), ..action(0) };
        let groups = [in_group("a"), in_group("b")];
        assert_eq!(question(&groups[..1], None), "Apply 1 change to resource group 'a'? [y/N] ");
        assert_eq!(question(&groups, None), "Apply 2 changes to 2 resource groups? [y/N] ");
    }

    #[test]
    fn nobody_is_needed_where_nothing_is_asked() {
        let nobody = || Err::<fn() -> Option<String>, _>(CannotAsk("nobody is there".to_owned()));
        let decide = |answers: Answers, actions: &[Action]| {
            answers.decide_with(actions, None, &mut Silent, nobody).map_err(|CannotAsk(reason)| reason)
        };
        for asking in [Answers::Once, Answers::Each] {
            assert_eq!(decide(asking, &[action(0)]), Err("nobody is there".to_owned()));
            assert_eq!(decide(asking, &[]), Ok(Vec::new()));
        }
        assert_eq!(decide(Answers::All, &[action(0)]), Ok(vec![0]));
    }

    #[test]
    fn a_cloud_is_asked_about_unless_the_user_says_otherwise() {
        assert_eq!(Answers::of(false, None, false, false), Answers::Once);
        assert_eq!(Answers::of(false, None, true, false), Answers::All);
        assert_eq!(Answers::of(false, None, false, true), Answers::All);
        for (yes, is_for_this_machine) in [(false, false), (true, false), (false, true)] {
            assert_eq!(Answers::of(false, Some(true), yes, is_for_this_machine), Answers::Each);
            assert_eq!(Answers::of(false, Some(false), yes, is_for_this_machine), Answers::All);
            assert_eq!(Answers::of(true, Some(true), yes, is_for_this_machine), Answers::None);
        }
    }
}
