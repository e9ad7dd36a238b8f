//! Asks what PowerShell would ask.

use std::io::{BufRead, IsTerminal};

use svc_engine::protocol::Action;

use super::render::Renderer;

/// How a plan is answered.
pub(super) enum Answers {
    /// Nothing is approved: a rehearsal.
    None,
    /// Everything is approved.
    All,
    /// Each change is asked for.
    Ask,
}

/// Nobody can be asked, and why.
pub(super) struct CannotAsk(pub(super) String);

impl Answers {
    /// The indexes of the approved actions.
    pub(super) fn decide(&self, actions: &[Action], renderer: &mut dyn Renderer) -> Result<Vec<usize>, CannotAsk> {
        match self {
            Answers::None => Ok(Vec::new()),
            Answers::All => Ok(actions.iter().map(|action| action.index).collect()),
            Answers::Ask => {
                if !std::io::stdin().is_terminal() {
                    return Err(CannotAsk("standard input is no terminal".to_owned()));
                }
                let mut lines = std::io::stdin().lock().lines();
                ask(actions, renderer, &mut || lines.next().and_then(Result::ok))
            }
        }
    }
}

fn ask(
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
    use svc_engine::protocol::{ActionKind, Message};

    use super::*;

    struct Silent;

    impl Renderer for Silent {
        fn show(&mut self, _: &Message) {}
        fn ask(&mut self, _: &str) {}
        fn finish(&mut self) {}
    }

    fn answers(lines: &[&str]) -> Option<Vec<usize>> {
        let action = |index| Action {
            index,
            action: ActionKind::Create,
            resource_type: String::new(),
            name: String::new(),
            resource_group: None,
            resource_id: String::new(),
            description: String::new(),
            question: String::new(),
            changes: Vec::new(),
        };
        let mut lines = lines.iter().map(|line| (*line).to_owned());
        ask(&[action(0), action(1), action(2)], &mut Silent, &mut || lines.next()).ok()
    }

    #[test]
    fn powershells_answers() {
        assert_eq!(answers(&["y", "n", ""]), Some(vec![0, 2]));
        assert_eq!(answers(&["N", "a"]), Some(vec![1, 2]));
        assert_eq!(answers(&["yes", "L"]), Some(vec![0]));
        assert_eq!(answers(&["what?", "y", "y", "y"]), Some(vec![0, 1, 2]));
        assert_eq!(answers(&["y"]), None);
    }
}
