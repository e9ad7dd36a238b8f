//! The secrets in the answers of actions, which exist because reading a resource shows no secrets: `listKeys`, and `list` of app settings.
//! It is announced before anybody sees the answer.

use serde_json::Value;

use crate::protocol::is_secret_member;

/// Members of keys that are no secrets: what a key is called, what it may be used for, until when.
const ABOUT_KEYS: &[&str] =
    &["id", "name", "type", "kind", "location", "keyName", "permissions", "creationTime", "expirationTime"];

/// Every secret of the answer of an action. App settings are of all kinds, and most values are words that messages have as well, so of them
/// those count that are secret by their name or by their form; of other actions everything that does not only describe.
pub(super) fn secrets_of<'a>(action: &str, answer: &'a Value) -> Vec<&'a str> {
    let mut found = Vec::new();
    if is_list_of_settings(action) {
        let settings = answer.get("properties").and_then(Value::as_object);
        let texts = settings.into_iter().flatten().filter_map(|(name, value)| Some((name, value.as_str()?)));
        found.extend(texts.filter(|(name, text)| is_secret_member(name, text)).map(|(_, text)| text));
    } else {
        collect(answer, &mut found);
    }
    found
}

/// Whether an action lists the settings of an app: `…/config/appsettings/list`.
pub(super) fn is_list_of_settings(action: &str) -> bool {
    let mut segments = action.rsplit('/');
    let last = segments.next().is_some_and(|name| name.eq_ignore_ascii_case("list"));
    last && segments.nth(1).is_some_and(|kind| kind.eq_ignore_ascii_case("config"))
}

fn collect<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(members) => {
            let describes = |name: &str| ABOUT_KEYS.iter().any(|known| known.eq_ignore_ascii_case(name));
            members.iter().filter(|(name, _)| !describes(name)).for_each(|(_, member)| collect(member, found));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SETTINGS: &str =
        "/subscriptions/1/resourceGroups/g/providers/Microsoft.Web/sites/shop/config/appsettings/list";

    #[test]
    fn everything_that_an_action_gives_is_secret_unless_it_only_describes() {
        let keys = json!({"keys": [
            {"creationTime": "2024-05-01T10:00:00Z", "keyName": "key1", "permissions": "FULL", "value": "first=="},
            {"keyName": "key2", "value": "second=="},
        ]});
        assert_eq!(secrets_of("/…/storageAccounts/st/listKeys", &keys), ["first==", "second=="]);
        let functions = json!({"masterKey": "m", "functionKeys": {"default": "f"}, "systemKeys": {}});
        assert_eq!(secrets_of("/…/sites/shop/host/default/listKeys", &functions), ["m", "f"]);
    }

    #[test]
    fn app_settings_are_secret_by_their_name_or_by_their_form() {
        for (name, value, secret) in [
            ("PAYMENT_KEY", "planted-by-somebody-else", true),
            ("Smtp:Password", "hunter2", true),
            ("APPINSIGHTS_INSTRUMENTATIONKEY", "10ca1c10-0d00-4000-8000-000000000009", true),
            ("STORAGE_KEY_2", "abcdefgh", true),
            ("DB_PASS", "abcdefgh", true),
            ("Orders", "Server=sql;User=shop;Password=hunter2", true),
            ("Hook", "https://hooks.example/run?code=ab", true),
            ("Hook", "https://user:hunter2@hooks.example", true),
            ("Cache", "4fB1Xr0uT9qWzL2k", true),
            ("Cache", "d41d8cd98f00b204e9800998ecf8427e", true),
            ("WEBSITE_RUN_FROM_PACKAGE", "https://st.blob.core.windows.net/c/a.zip?sv=2024-01-01&sig=a%2Fb", true),
            ("PAYMENT_KEY", "@Microsoft.KeyVault(SecretUri=https://kv.vault.azure.net/secrets/payment)", false),
            ("KEY_VAULT_NAME", "kv-landing-zone", false),
            ("UseToken", "enabled", false),
            ("ASPNETCORE_ENVIRONMENT", "Production", false),
            ("FUNCTIONS_WORKER_RUNTIME", "dotnet-isolated", false),
            ("WEBSITE_NODE_DEFAULT_VERSION", "~22", false),
            ("LATE", "written meanwhile", false),
            ("AzureWebJobsStorage__accountName", "storderssharedab12cd34", false),
            ("AzureWebJobsStorage__blobServiceUri", "https://storders1234.blob.core.windows.net", false),
            ("AZURE_CLIENT_ID", "10ca1c10-0d00-4000-8000-000000000001", false),
            ("Search", "https://search.example/find?q=shop", false),
            ("Network__Bypass", "AzureServices", false),
        ] {
            let answer = json!({"id": "x", "properties": {name: value}});
            let expected: &[&str] = if secret { &[value] } else { &[] };
            assert_eq!(secrets_of(SETTINGS, &answer), expected, "{name}: {value}");
        }
    }
}
