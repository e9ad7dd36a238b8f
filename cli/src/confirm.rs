//! Asks what PowerShell would ask.

use std::io::{BufRead, IsTerminal};

use svc_engine::protocol::{Action, Confirm};

use super::render::Renderer;

/// How a plan is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answers {
    /// Nothing is approved: a rehearsal.
    None,
    /// Everything is approved.
    All,
    /// What is marked `confirm: always` is asked for; everything else is approved.
    Marked,
    /// Each change is asked for.
    Each,
}

/// Nobody can be asked, and why.
#[derive(Debug)]
pub(super) struct CannotAsk(pub(super) String);

impl Answers {
    /// How the plan of a run is answered. `confirm` is what the user says, where they say it.
    pub(super) fn of(what_if: bool, confirm: Option<bool>, is_for_this_machine: bool) -> Answers {
        match confirm {
            _ if what_if => Answers::None,
            Some(true) => Answers::Each,
            Some(false) => Answers::All,
            None if is_for_this_machine => Answers::All,
            None => Answers::Marked,
        }
    }

    /// The indexes of the approved actions.
    pub(super) fn decide(self, actions: &[Action], renderer: &mut dyn Renderer) -> Result<Vec<usize>, CannotAsk> {
        self.decide_with(actions, renderer, || {
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
        renderer: &mut dyn Renderer,
        open: impl FnOnce() -> Result<Read, CannotAsk>,
    ) -> Result<Vec<usize>, CannotAsk> {
        let is_asked = |action: &&Action| match self {
            Answers::None | Answers::All => false,
            Answers::Marked => action.confirm == Confirm::Always,
            Answers::Each => true,
        };
        if self == Answers::None {
            return Ok(Vec::new());
        }
        let (asked, approved): (Vec<&Action>, Vec<&Action>) = actions.iter().partition(is_asked);
        let mut approved: Vec<usize> = approved.iter().map(|action| action.index).collect();
        if !asked.is_empty() {
            let mut read = open()?;
            approved.extend(ask(&asked, renderer, &mut read)?);
        }
        Ok(approved)
    }
}

fn ask(
    actions: &[&Action],
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
    use svc_engine::protocol::{ActionKind, Message};

    use super::*;

    struct Silent;

    impl Renderer for Silent {
        fn show(&mut self, _: &Message) {}
        fn ask(&mut self, _: &str) {}
        fn finish(&mut self) {}
    }

    fn action(index: usize, confirm: Confirm) -> Action {
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
            confirm,
            depends_on: Vec::new(),
            changes: Vec::new(),
            origin: None,
        }
    }

    /// What is approved of a change, a deletion and a change when these lines are typed.
    fn approved(answers: Answers, lines: &[&str]) -> Option<Vec<usize>> {
        let actions = [action(0, Confirm::Normal), action(1, Confirm::Always), action(2, Confirm::Normal)];
        let mut lines = lines.iter().map(|line| (*line).to_owned());
        let mut approved = answers.decide_with(&actions, &mut Silent, || Ok(|| lines.next())).ok()?;
        approved.sort_unstable();
        Some(approved)
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
    fn only_what_is_marked_is_asked_for_by_default() {
        assert_eq!(approved(Answers::Marked, &["y"]), Some(vec![0, 1, 2]));
        assert_eq!(approved(Answers::Marked, &["n"]), Some(vec![0, 2]));
        assert_eq!(approved(Answers::Marked, &["l"]), Some(vec![0, 2]), "the others were not asked about");
        assert_eq!(approved(Answers::Marked, &[]), None);
        assert_eq!(approved(Answers::All, &[]), Some(vec![0, 1, 2]));
        assert_eq!(approved(Answers::None, &[]), Some(Vec::new()));
    }

    #[test]
    fn nobody_is_needed_where_nothing_is_asked() {
        let nobody = || Err::<fn() -> Option<String>, _>(CannotAsk("nobody is there".to_owned()));
        let decide = |answers: Answers, confirm| {
            answers.decide_with(&[action(0, confirm)], &mut Silent, nobody).map_err(|CannotAsk(reason)| reason)
        };
        assert_eq!(decide(Answers::Marked, Confirm::Normal), Ok(vec![0]));
        assert_eq!(decide(Answers::Marked, Confirm::Always), Err("nobody is there".to_owned()));
        assert_eq!(decide(Answers::Each, Confirm::Normal), Err("nobody is there".to_owned()));
        assert_eq!(decide(Answers::All, Confirm::Always), Ok(vec![0]));
    }

    #[test]
    fn deletions_are_asked_for_unless_they_are_local_or_the_user_says_otherwise() {
        assert_eq!(Answers::of(false, None, false), Answers::Marked);
        assert_eq!(Answers::of(false, None, true), Answers::All);
        for is_for_this_machine in [true, false] {
            assert_eq!(Answers::of(false, Some(true), is_for_this_machine), Answers::Each);
            assert_eq!(Answers::of(false, Some(false), is_for_this_machine), Answers::All);
            assert_eq!(Answers::of(true, Some(true), is_for_this_machine), Answers::None);
        }
    }
}
