//! Asks before anything is changed: one question for the whole plan, or one for each change in the words of PowerShell.

use std::collections::HashSet;
use std::io::{BufRead, IsTerminal};

use svc_engine::protocol::{Action, Target, plural};
use svc_engine::report::sections;

use super::render::Renderer;

/// The ways in which a plan is answered.
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
    /// The way in which the plan of a run is answered. `confirm` and `yes` are what the user says, where they say it.
    pub(super) fn of(what_if: bool, confirm: Option<bool>, yes: bool) -> Answers {
        match confirm {
            _ if what_if => Answers::None,
            Some(true) => Answers::Each,
            Some(false) => Answers::All,
            None if yes => Answers::All,
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
            // What is deleted there is a rehearsal.
            Answers::Once if target.is_some_and(Target::is_this_machine) => Ok(all()),
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

/// The one question: how much is changed, of how many documents, and where.
fn question(actions: &[Action], target: Option<&Target>) -> String {
    let count = actions.len();
    let documents = match sections(actions).iter().filter(|section| section.document.is_some()).count() {
        0 | 1 => String::new(),
        several => format!(" of {several} documents"),
    };
    let place = match target {
        Some(target) if target.subscription_name.is_some() => format!(" to {}", target.subscription()),
        Some(target) => format!(" to subscription {}", target.subscription()),
        None => match groups(actions)[..] {
            [] => String::new(),
            [group] => format!(" to resource group '{group}'"),
            ref groups => format!(" to {} resource groups", groups.len()),
        },
    };
    format!("Apply {count} change{}{documents}{place}? [y/N] ", plural(count))
}

/// The resource groups of a plan, which say where it goes while the target is not known.
fn groups(actions: &[Action]) -> Vec<&str> {
    let mut groups: Vec<&str> = actions.iter().filter_map(|action| action.resource.resource_group.as_deref()).collect();
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
    let mut declined = HashSet::new();
    for (position, action) in actions.iter().enumerate() {
        // Nobody is asked about what can no longer be made.
        if declined.contains(&action.index) {
            continue;
        }
        loop {
            renderer.ask(&format!(
                "{}\n[Y] Yes  [A] Yes to All  [N] No  [L] No to All  (default is \"Y\"): ",
                action.question
            ));
            let answer = read().ok_or_else(|| CannotAsk("standard input has ended".to_owned()))?;
            match answer.trim().to_ascii_lowercase().as_str() {
                "" | "y" | "yes" => {}
                "a" | "yes to all" => return Ok(without(actions, &declined)),
                "n" | "no" => decline(std::slice::from_ref(action), actions, &mut declined),
                "l" | "no to all" => {
                    decline(&actions[position..], actions, &mut declined);
                    return Ok(without(actions, &declined));
                }
                _ => continue,
            }
            break;
        }
    }
    Ok(without(actions, &declined))
}

fn without(actions: &[Action], declined: &HashSet<usize>) -> Vec<usize> {
    actions.iter().map(|action| action.index).filter(|index| !declined.contains(index)).collect()
}

/// Declines some of the actions, and what is not made without them.
fn decline(some: &[Action], all: &[Action], declined: &mut HashSet<usize>) {
    declined.extend(some.iter().map(|action| action.index));
    loop {
        let documents: HashSet<_> = all
            .iter()
            .filter(|action| declined.contains(&action.index) && !action.last)
            .map(|action| &action.document)
            .collect();
        let is_impossible = |action: &&Action| {
            let mut others = action.depends_on.iter().chain(&action.together);
            others.any(|other| declined.contains(other)) || (action.last && documents.contains(&action.document))
        };
        let before = declined.len();
        let more: Vec<usize> = all.iter().filter(is_impossible).map(|action| action.index).collect();
        declined.extend(more);
        if declined.len() == before {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use svc_engine::protocol::{ActionKind, Confirm, Message, ResourceName};

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
            resource: ResourceName::default(),
            description: String::new(),
            question: String::new(),
            confirm: Confirm::Normal,
            depends_on: Vec::new(),
            together: Vec::new(),
            last: false,
            changes: Vec::new(),
            state_unknown: false,
            origin: None,
            document: None,
            rehearsal: None,
        }
    }

    /// The approved ones of three changes, when these lines are typed.
    fn approved(answers: Answers, lines: &[&str]) -> Option<Vec<usize>> {
        let actions = [action(0), action(1), action(2)];
        let mut lines = lines.iter().map(|line| (*line).to_owned());
        answers.decide_with(&actions, None, &mut Silent, || Ok(|| lines.next())).ok()
    }

    #[test]
    fn a_rehearsal_on_this_machine_is_asked_about_only_on_request() {
        let target = |endpoint: &str| Target { endpoint: endpoint.to_owned(), ..Target::default() };
        let nobody = || Err::<fn() -> Option<String>, _>(CannotAsk("nobody is there".to_owned()));
        let decided = |answers: Answers, endpoint: &str| {
            answers.decide_with(&[action(0)], Some(&target(endpoint)), &mut Silent, nobody).ok()
        };
        assert_eq!(decided(Answers::Once, "http://127.0.0.1:8090"), Some(vec![0]));
        assert_eq!(decided(Answers::Once, "https://management.azure.com"), None);
        assert_eq!(decided(Answers::Each, "http://127.0.0.1:8090"), None);
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

    /// The approved ones of these actions when these lines are typed, and the number of questions that this takes.
    fn asked(actions: &[Action], lines: &[&str]) -> (Vec<usize>, usize) {
        let (mut typed, mut questions) = (lines.iter().map(|line| (*line).to_owned()), 0);
        let mut read = || {
            questions += 1;
            typed.next()
        };
        (ask_each(actions, &mut Silent, &mut read).unwrap(), questions)
    }

    #[test]
    fn nobody_is_asked_about_what_can_no_longer_be_made() {
        let after = |index: usize, depends_on: &[usize]| Action { depends_on: depends_on.to_vec(), ..action(index) };
        let chain = [action(0), after(1, &[0]), after(2, &[1]), action(3)];
        assert_eq!(asked(&chain, &["n", "y"]), (vec![3], 2), "what waits for it, directly or not");
        assert_eq!(asked(&chain, &["y", "n", "n"]), (vec![0], 3));
        assert_eq!(asked(&chain[..3], &["n"]), (Vec::new(), 1), "everything is declined by one answer");
        assert_eq!(asked(&chain, &["n", "a"]), (vec![3], 2), "all is all that can be made");
        // What is made together with others is not made alone, nor is what waits for it.
        let pair =
            [Action { together: vec![1], ..action(0) }, Action { together: vec![0], ..action(1) }, after(2, &[0])];
        assert_eq!(asked(&pair, &["y", "n"]), (Vec::new(), 2));
        // What comes last does so when everything else of its own document was made.
        let of = |document: &str, action: Action| Action { document: Some(document.to_owned()), ..action };
        let last = |index: usize| Action { last: true, ..action(index) };
        let documents = [of("a", action(0)), of("b", action(1)), of("a", last(2)), of("b", last(3)), of("b", last(4))];
        assert_eq!(asked(&documents, &["n", "y", "n", "y"]), (vec![1, 4], 4));
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
        let of = |document: &str| Action { document: Some(document.to_owned()), ..action(0) };
        assert_eq!(
            question(&[of("/a.yml"), of("/b.yml"), of("/a.yml")], None),
            "Apply 3 changes of 2 documents? [y/N] "
        );
        assert_eq!(question(&[of("/a.yml")], None), "Apply 1 change? [y/N] ");
        let in_group = |group: &str| Action {
            resource: ResourceName { resource_group: Some(group.to_owned()), ..ResourceName::default() },
            ..action(0)
        };
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
        assert_eq!(Answers::of(false, None, false), Answers::Once);
        assert_eq!(Answers::of(false, None, true), Answers::All);
        for yes in [false, true] {
            assert_eq!(Answers::of(false, Some(true), yes), Answers::Each);
            assert_eq!(Answers::of(false, Some(false), yes), Answers::All);
            assert_eq!(Answers::of(true, Some(true), yes), Answers::None);
        }
    }
}
