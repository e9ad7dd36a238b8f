//! Azure's rules for names: one table. Sources: the REST specifications (patterns in bicep-types-az of 2026-08) and
//! "Naming rules and restrictions for Azure resources".

use thiserror::Error;

/// The rule of one ARM type.
struct NameRule {
    arm_type: &'static str,
    label: &'static str,
    shortest: usize,
    longest: usize,
    /// Characters that may stand anywhere.
    allowed: fn(char) -> bool,
    /// What the allowed characters are, in words.
    words: &'static str,
    /// Whether the whole is well formed, beside length and characters.
    well_formed: fn(&str) -> bool,
    /// The rule about the form, in words.
    form: &'static str,
}

/// A name that Azure would refuse.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct NameRefused {
    message: String,
}

fn lower_or_digit(character: char) -> bool {
    character.is_ascii_lowercase() || character.is_ascii_digit()
}
fn letter_or_digit(character: char) -> bool {
    character.is_ascii_alphanumeric()
}
fn letter_digit_hyphen(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '-'
}
fn lower_digit_hyphen(character: char) -> bool {
    lower_or_digit(character) || character == '-'
}
fn word_dot_hyphen(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '-')
}
fn word_dot_hyphen_bracket(character: char) -> bool {
    word_dot_hyphen(character) || matches!(character, '(' | ')')
}
fn action_group(character: char) -> bool {
    !character.is_control() && !matches!(character, '/' | '&' | '%' | '\\' | '?')
}
fn component(character: char) -> bool {
    !character.is_control() && !matches!(character, '%' | '&' | '\\' | '?' | '/')
}
fn metric_alert(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '*' | '#' | '&' | '+' | ':' | '<' | '>' | '?' | '@' | '%' | '{' | '}' | '/' | '\\')
}
fn query_rule(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '*' | '<' | '>' | '%' | '{' | '}' | '&' | ':' | '\\' | '?' | '/' | '#')
}
fn container(character: char) -> bool {
    lower_digit_hyphen(character) || character == '$'
}
fn any_form(_: &str) -> bool {
    true
}
fn no_dot_at_the_end(name: &str) -> bool {
    !name.ends_with('.')
}
fn no_space_or_dot_at_the_end(name: &str) -> bool {
    !name.ends_with([' ', '.'])
}
fn alphanumeric_ends(name: &str) -> bool {
    name.starts_with(letter_or_digit) && name.ends_with(letter_or_digit)
}
fn alphanumeric_start_word_end(name: &str) -> bool {
    name.starts_with(letter_or_digit)
        && name.ends_with(|character: char| letter_or_digit(character) || character == '_')
}
fn single_hyphens(name: &str) -> bool {
    alphanumeric_ends(name) && !name.contains("--")
}
fn container_form(name: &str) -> bool {
    matches!(name, "$root" | "$web" | "$logs") || !name.contains('$') && single_hyphens(name)
}
fn letter_first(name: &str) -> bool {
    name.starts_with(|character: char| character.is_ascii_alphabetic())
}
fn letter_first_alphanumeric_end(name: &str) -> bool {
    letter_first(name) && name.ends_with(letter_or_digit)
}
fn labels(name: &str) -> bool {
    let count = name.split('.').count();
    (2..=34).contains(&count) && name.split('.').all(|label| !label.is_empty() && label.len() <= 63)
}

const ANY_FORM: (fn(&str) -> bool, &str) = (any_form, "");

const fn rule(
    arm_type: &'static str,
    label: &'static str,
    length: (usize, usize),
    characters: (fn(char) -> bool, &'static str),
    form: (fn(&str) -> bool, &'static str),
) -> NameRule {
    NameRule {
        arm_type,
        label,
        shortest: length.0,
        longest: length.1,
        allowed: characters.0,
        words: characters.1,
        well_formed: form.0,
        form: form.1,
    }
}

const HYPHENS: (fn(&str) -> bool, &str) =
    (single_hyphens, "begin and end with a letter or digit and have no two hyphens in a row");
const NETWORK: (fn(&str) -> bool, &str) =
    (alphanumeric_start_word_end, "begin with a letter or digit and end with a letter, digit or underscore");
const NETWORK_CHARACTERS: (fn(char) -> bool, &str) = (word_dot_hyphen, "only letters, digits, '_', '.' and '-'");
const MONITOR: (fn(&str) -> bool, &str) = (no_space_or_dot_at_the_end, "not end with a space or a full stop");
const ENDS: (fn(&str) -> bool, &str) = (alphanumeric_ends, "begin and end with a letter or digit");
const LETTER_DIGIT_HYPHEN: (fn(char) -> bool, &str) = (letter_digit_hyphen, "only letters, digits and hyphens");

static RULES: &[NameRule] = &[
    rule(
        "Microsoft.Resources/resourceGroups",
        "resource group",
        (1, 90),
        (word_dot_hyphen_bracket, "only letters, digits, '_', '.', '-' and brackets"),
        (no_dot_at_the_end, "not end with a full stop"),
    ),
    rule(
        "Microsoft.Storage/storageAccounts",
        "storage account",
        (3, 24),
        (lower_or_digit, "only lower-case letters and digits"),
        ANY_FORM,
    ),
    rule(
        "Microsoft.Storage/storageAccounts/blobServices/containers",
        "blob container",
        (3, 63),
        (container, "only lower-case letters, digits and hyphens"),
        (container_form, "begin and end with a letter or digit and have no two hyphens in a row"),
    ),
    rule(
        "Microsoft.Storage/storageAccounts/fileServices/shares",
        "file share",
        (3, 63),
        (lower_digit_hyphen, "only lower-case letters, digits and hyphens"),
        HYPHENS,
    ),
    rule(
        "Microsoft.Storage/storageAccounts/queueServices/queues",
        "queue",
        (3, 63),
        (lower_digit_hyphen, "only lower-case letters, digits and hyphens"),
        HYPHENS,
    ),
    rule(
        "Microsoft.Storage/storageAccounts/tableServices/tables",
        "table",
        (3, 63),
        (letter_or_digit, "only letters and digits"),
        (letter_first, "begin with a letter"),
    ),
    rule("Microsoft.Network/publicIPAddresses", "public IP address", (1, 80), NETWORK_CHARACTERS, NETWORK),
    rule("Microsoft.Network/bastionHosts", "bastion host", (1, 80), NETWORK_CHARACTERS, NETWORK),
    rule("Microsoft.Network/privateEndpoints", "private endpoint", (2, 64), NETWORK_CHARACTERS, NETWORK),
    rule("Microsoft.Network/virtualNetworks", "virtual network", (2, 64), NETWORK_CHARACTERS, NETWORK),
    rule("Microsoft.Network/virtualNetworks/subnets", "subnet", (1, 80), NETWORK_CHARACTERS, NETWORK),
    rule(
        "Microsoft.Network/privateDnsZones",
        "private DNS zone",
        (1, 253),
        (word_dot_hyphen, "only letters, digits, '_', '.' and '-'"),
        (labels, "have 2 to 34 labels of up to 63 characters, with full stops between them"),
    ),
    rule(
        "Microsoft.Network/privateDnsZones/virtualNetworkLinks",
        "virtual network link",
        (1, 80),
        NETWORK_CHARACTERS,
        NETWORK,
    ),
    rule("Microsoft.OperationalInsights/workspaces", "Log Analytics workspace", (4, 63), LETTER_DIGIT_HYPHEN, ENDS),
    rule("Microsoft.Insights/components", "application insights", (1, 260), (component, "none of % & \\ ? /"), MONITOR),
    rule("Microsoft.Insights/actionGroups", "action group", (1, 260), (action_group, "none of / & % \\ ?"), MONITOR),
    rule(
        "Microsoft.Insights/activityLogAlerts",
        "activity log alert",
        (1, 260),
        (word_dot_hyphen_bracket, "only letters, digits, '_', '.', '-' and brackets"),
        ANY_FORM,
    ),
    rule(
        "Microsoft.Insights/metricAlerts",
        "metric alert",
        (1, 260),
        (metric_alert, "none of * # & + : < > ? @ % { } / \\"),
        MONITOR,
    ),
    rule(
        "Microsoft.Insights/scheduledQueryRules",
        "scheduled query rule",
        (1, 260),
        (query_rule, "none of * < > % { } & : \\ ? / #"),
        MONITOR,
    ),
    rule("Microsoft.Insights/workbooks", "workbook", (1, 260), LETTER_DIGIT_HYPHEN, ANY_FORM),
    rule("Microsoft.Web/serverfarms", "app service plan", (1, 60), LETTER_DIGIT_HYPHEN, ANY_FORM),
    rule("Microsoft.Web/sites", "web app", (2, 60), LETTER_DIGIT_HYPHEN, ENDS),
    rule("Microsoft.Web/sites/slots", "slot", (2, 59), LETTER_DIGIT_HYPHEN, ANY_FORM),
    rule(
        "Microsoft.ApiManagement/service",
        "API management service",
        (1, 50),
        LETTER_DIGIT_HYPHEN,
        (letter_first_alphanumeric_end, "begin with a letter and end with a letter or digit"),
    ),
    rule("Microsoft.Cdn/profiles", "CDN or Front Door profile", (1, 260), LETTER_DIGIT_HYPHEN, ENDS),
    rule("Microsoft.Cdn/profiles/afdEndpoints", "Front Door endpoint", (1, 46), LETTER_DIGIT_HYPHEN, ENDS),
    rule("Microsoft.Cdn/profiles/originGroups", "origin group", (1, 90), LETTER_DIGIT_HYPHEN, ENDS),
    rule("Microsoft.Cdn/profiles/originGroups/origins", "origin", (1, 90), LETTER_DIGIT_HYPHEN, ENDS),
    rule("Microsoft.Cdn/profiles/customDomains", "custom domain", (1, 260), LETTER_DIGIT_HYPHEN, ENDS),
    rule("Microsoft.Cdn/profiles/securityPolicies", "security policy", (1, 260), LETTER_DIGIT_HYPHEN, ENDS),
    rule("Microsoft.Cdn/profiles/afdEndpoints/routes", "route", (1, 90), LETTER_DIGIT_HYPHEN, ENDS),
];

fn rule_of(arm_type: &str) -> Option<&'static NameRule> {
    RULES.iter().find(|rule| rule.arm_type.eq_ignore_ascii_case(arm_type))
}

/// Whether Azure takes a name for a type; a type without a rule takes all.
///
/// # Errors
/// The rule that the name breaks, in words.
pub fn check_name(arm_type: &str, name: &str) -> Result<(), NameRefused> {
    let Some(rule) = rule_of(arm_type) else { return Ok(()) };
    let length = name.chars().count();
    let refused = |message: String| Err(NameRefused { message });
    if !(rule.shortest..=rule.longest).contains(&length) {
        return refused(format!(
            "{} names must have {} to {} characters; '{name}' has {length}",
            rule.label, rule.shortest, rule.longest
        ));
    }
    if let Some(character) = name.chars().find(|character| !(rule.allowed)(*character)) {
        return refused(format!("{} names can contain {}; '{name}' contains '{character}'", rule.label, rule.words));
    }
    if !(rule.well_formed)(name) {
        return refused(format!("{} names must {}; found '{name}'", rule.label, rule.form));
    }
    Ok(())
}

/// The name without the characters that Azure refuses for the type.
pub(super) fn without_refused_characters(arm_type: &str, name: &str) -> String {
    match rule_of(arm_type) {
        Some(rule) => name.chars().filter(|character| (rule.allowed)(*character)).collect(),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTAINER: &str = "Microsoft.Storage/storageAccounts/blobServices/containers";

    fn refusal(arm_type: &str, name: &str) -> String {
        check_name(arm_type, name).unwrap_err().to_string()
    }

    #[test]
    fn the_broken_rule_is_named() {
        assert_eq!(
            refusal("Microsoft.Storage/storageAccounts", "ab"),
            "storage account names must have 3 to 24 characters; 'ab' has 2"
        );
        assert_eq!(
            refusal("microsoft.storage/storageaccounts", "ab-c"),
            "storage account names can contain only lower-case letters and digits; 'ab-c' contains '-'"
        );
        assert_eq!(
            refusal(CONTAINER, "a--b"),
            "blob container names must begin and end with a letter or digit and have no two hyphens in a row; found 'a--b'"
        );
        assert_eq!(
            refusal("Microsoft.Storage/storageAccounts/tableServices/tables", "1ab"),
            "table names must begin with a letter; found '1ab'"
        );
    }

    #[test]
    fn what_azure_takes() {
        for name in ["$web", "$root", "$logs", "abc", "a-b-c", "123"] {
            assert_eq!(check_name(CONTAINER, name), Ok(()), "{name}");
        }
        assert!(check_name(CONTAINER, "$other").is_err());
        assert_eq!(check_name("Microsoft.Insights/metricAlerts", "alt-set a (x)_1"), Ok(()));
        assert!(check_name("Microsoft.Insights/activityLogAlerts", "a b").is_err());
        assert_eq!(check_name("Microsoft.Network/privateDnsZones", "privatelink.blob.core.windows.net"), Ok(()));
        assert!(check_name("Microsoft.Network/privateDnsZones", "zone").is_err());
        assert_eq!(check_name("Something.Else/things", "?"), Ok(()));
    }
}
