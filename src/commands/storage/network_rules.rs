//! What bypasses the network rules of an account.

use super::settings::BYPASS;
use crate::commands::shared::compilation::Compilation;
use crate::protocol::{FindingCode, not_valid};
use crate::settings::{Place, vocabulary};

/// The words of a text as Azure takes them; none, with a finding, when one of them is wrong.
pub(super) fn bypass(text: &str, place: &Place, compilation: &mut Compilation<'_>) -> Option<String> {
    let mut words: Vec<&'static str> = Vec::new();
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let spelled = vocabulary::to_azure(word);
        let Some(known) = BYPASS.iter().find(|known| known.eq_ignore_ascii_case(spelled)) else {
            let choices: Vec<String> = BYPASS.iter().map(|known| (*known).to_owned()).collect();
            compilation.finding(place.clone(), FindingCode::UnknownValue, not_valid(word, &choices));
            return None;
        };
        if !words.contains(known) {
            words.push(known);
        }
    }
    if words.len() > 1 && words.contains(&"None") {
        compilation.finding(
            place.clone(),
            FindingCode::CombinationNotInAzure,
            "None stands alone; remove the other values",
        );
        return None;
    }
    (!words.is_empty()).then(|| words.join(", "))
}
