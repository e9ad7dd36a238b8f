//! ISO 8601 durations, as Azure writes them.

use std::time::Duration;

/// The length of a duration of days and smaller units, as in `P1D`, `PT1H30M` or `PT0.5S`; none for any other text.
#[must_use]
pub fn parse_duration(text: &str) -> Option<Duration> {
    let rest = text.strip_prefix('P')?;
    let (mut length, mut number, mut in_time, mut any) = (Duration::ZERO, String::new(), false, false);
    for character in rest.chars() {
        if character == 'T' && !in_time && number.is_empty() {
            in_time = true;
            continue;
        }
        if character.is_ascii_digit() || character == '.' && !number.is_empty() {
            number.push(character);
            continue;
        }
        let part = match (character, in_time) {
            ('D', false) => whole(&number, 86_400)?,
            ('H', true) => whole(&number, 3_600)?,
            ('M', true) => whole(&number, 60)?,
            // Only seconds have a fraction.
            ('S', true) => Duration::try_from_secs_f64(number.parse().ok()?).ok()?,
            _ => return None,
        };
        length = length.checked_add(part)?;
        number.clear();
        any = true;
    }
    (any && number.is_empty()).then_some(length)
}

/// The length of a duration that a person writes: one of ISO 8601, or numbers with the units `d`, `h`, `m` and `s`, as in `45m`, `90s`
/// or `1h30m`; none for any other text.
#[must_use]
pub fn parse_written_duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    if text.starts_with(['P', 'p']) {
        return parse_duration(&text.to_ascii_uppercase());
    }
    if text.contains(['T', 't']) {
        return None;
    }
    let units = text.to_ascii_uppercase();
    parse_duration(&match units.split_once('D') {
        Some((days, "")) => format!("P{days}D"),
        Some((days, rest)) => format!("P{days}DT{rest}"),
        None => format!("PT{units}"),
    })
}

fn whole(number: &str, unit: u64) -> Option<Duration> {
    Some(Duration::from_secs(number.parse::<u64>().ok()?.checked_mul(unit)?))
}

/// A duration as people say it: whole minutes where it is some, else seconds.
pub(super) fn spoken(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    let is_minutes = duration.as_secs() >= 60 && duration.as_secs().is_multiple_of(60) && duration.subsec_nanos() == 0;
    let (number, unit) = if is_minutes { (seconds / 60.0, "minute") } else { (seconds, "second") };
    let plural = if number == 1.0 { "" } else { "s" };
    format!("{number} {unit}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read() {
        let seconds = |text: &str| parse_duration(text).map(|duration| duration.as_secs_f64());
        assert_eq!(seconds("PT24H"), seconds("P1D"));
        assert_eq!(seconds("PT90M"), Some(5400.0));
        assert_eq!(seconds("P1DT1H1M1S"), Some(90_061.0));
        assert_eq!(seconds("PT0.25S"), Some(0.25));
        for text in [
            "P",
            "PT",
            "P1",
            "Premium",
            "P1M",
            "PT1X",
            "",
            "PT.5S",
            "PT1.5H",
            "PT1.2.3S",
            "PT99999999999999999999H",
            "90",
            "pt1h",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn people_write_durations_in_two_forms() {
        for (text, iso) in [
            ("45m", "PT45M"),
            ("90s", "PT90S"),
            ("1h30m", "PT1H30M"),
            ("1H30M", "PT1H30M"),
            ("2d", "P2D"),
            ("1d12h", "P1DT12H"),
            (" 0.5s ", "PT0.5S"),
            ("pt45m", "PT45M"),
            ("PT2H", "PT2H"),
        ] {
            assert!(parse_duration(iso).is_some(), "{iso}");
            assert_eq!(parse_written_duration(text), parse_duration(iso), "{text}");
        }
        for text in ["", "90", "m", "1h30", "1.5h", "-1m", "1w", "t5s", "1dT2h", "5 m", "P", "d", "45min", "1d2d"] {
            assert_eq!(parse_written_duration(text), None, "{text}");
        }
    }

    #[test]
    fn durations_are_said() {
        for (seconds, text) in [
            (0.25, "0.25 seconds"),
            (1.0, "1 second"),
            (90.0, "90 seconds"),
            (60.0, "1 minute"),
            (7200.0, "120 minutes"),
        ] {
            assert_eq!(spoken(Duration::from_secs_f64(seconds)), text);
        }
    }
}
