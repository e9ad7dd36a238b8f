//! The bypass of the network rules of an account.

use super::settings::BYPASS;
use crate::protocol::{FindingCode, not_valid};
use crate::settings::vocabulary;

/// The words of a text as Azure takes them; none where there are none.
///
/// # Errors
/// One of them is wrong, or they do not go together.
pub(super) fn bypass(text: &str) -> Result<Option<String>, (FindingCode, String)> {
    let mut words: Vec<&'static str> = Vec::new();
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let spelled = vocabulary::to_azure(word);
        let Some(known) = BYPASS.iter().find(|known| known.eq_ignore_ascii_case(spelled)) else {
            let choices: Vec<String> = BYPASS.iter().map(|known| (*known).to_owned()).collect();
            return Err((FindingCode::UnknownValue, not_valid(word, &choices)));
        };
        if !words.contains(known) {
            words.push(known);
        }
    }
    if words.len() > 1 && words.contains(&"None") {
        return Err((FindingCode::CombinationNotInAzure, "None stands alone; remove the other values".to_owned()));
    }
    Ok((!words.is_empty()).then(|| words.join(", ")))
}
