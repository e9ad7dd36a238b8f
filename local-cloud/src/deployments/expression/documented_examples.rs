//! Every function against the examples of Azure's reference ("ARM template functions", learn.microsoft.com).

use super::{Evaluator, Facts, Halt, Where};
use crate::moment::Moment;
use crate::path::ResourceId;
use crate::state::{Resource, State};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const SUBSCRIPTION: &str = "/subscriptions/10ca1c10-0d00-4000-8000-000000000001";

fn template() -> Value {
    json!({
        "variables": {
            "parts": ["one", "two", "three"],
            "others": ["three", "four"],
            "letters": {"one": "a", "two": "b", "three": "c"},
            "dogs": [
                {"name": "Evie", "age": 5, "interests": ["Ball", "Frisbee"]},
                {"name": "Casper", "age": 3, "interests": ["Other dogs"]},
                {"name": "Indy", "age": 2, "interests": ["Butter"]},
                {"name": "Kira", "age": 8, "interests": ["Rubs"]},
            ],
            "built": "[concat(variables('parts')[0], '-', parameters('Prefix'))]",
            "self": "[variables('self')]",
            "copy": [{"name": "disks", "count": 3, "input": {"name": "[concat('disk', copyIndex('disks', 1))]"}}],
        },
        "functions": [{"namespace": "contoso", "members": {
            "uniqueName": {"parameters": [{"name": "namePrefix", "type": "string"}], "output": {"type": "string",
                "value": "[concat(toLower(parameters('namePrefix')), '-', contoso.suffix())]"}},
            "suffix": {"parameters": [], "output": {"type": "string", "value": "x"}},
            "endless": {"output": {"type": "string", "value": "[contoso.endless()]"}},
        }}],
    })
}

fn evaluate(place: Where, text: &str) -> Result<Value, Halt> {
    let mut state = State::default();
    let group = format!("{SUBSCRIPTION}/resourceGroups/examplegroup");
    let body = json!({"id": group, "name": "examplegroup", "type": "Microsoft.Resources/resourceGroups", "location": "southcentralus",
        "properties": {"provisioningState": "Succeeded"}});
    state.put(Resource::new(body.as_object().unwrap().clone()));
    let parameters = BTreeMap::from([("prefix".to_owned(), json!("Pre")), ("number".to_owned(), json!(3))]);
    let (template, scope) = (template(), ResourceId::parse(&group).unwrap());
    let mut facts = Facts::new(&state, &template, &parameters, &scope, Moment::now());
    facts.base = "http://127.0.0.1:8090";
    Evaluator::new(&facts, place).resolve(&Value::String(text.to_owned()), "outputs.x.value")
}

fn value(text: &str) -> Value {
    evaluate(Where::Output, text).unwrap_or_else(|halt| panic!("{text}: {halt:?}"))
}

fn reason(place: Where, text: &str) -> String {
    match evaluate(place, text) {
        Err(Halt::Wrong(reason)) => reason,
        other => panic!("{text}: {other:?}"),
    }
}

fn all(cases: &[(&str, Value)]) {
    for (text, expected) in cases {
        assert_eq!(value(text), *expected, "{text}");
    }
}

#[test]
fn functions_of_texts() {
    all(&[
        ("[base64('one, two, three')]", json!("b25lLCB0d28sIHRocmVl")),
        ("[base64ToString('b25lLCB0d28sIHRocmVl')]", json!("one, two, three")),
        ("[base64ToJson(base64('{''one'': ''a'', ''two'': ''b''}'))]", json!({"one": "a", "two": "b"})),
        ("[concat('a', 1, true())]", json!("a1True")),
        ("[dataUri('Hello')]", json!("data:text/plain;charset=utf8;base64,SGVsbG8=")),
        ("[dataUriToString('data:;base64,SGVsbG8sIFdvcmxkIQ==')]", json!("Hello, World!")),
        ("[endsWith('abcdef', 'F')]", json!(true)),
        ("[endsWith('abcdef', 'e')]", json!(false)),
        ("[startsWith('abcdef', 'A')]", json!(true)),
        ("[startsWith('abcdef', 'e')]", json!(false)),
        (
            "[format('{0}, {1}. Formatted number: {2:N0}', 'Hello', 'User', 8175133)]",
            json!("Hello, User. Formatted number: 8,175,133"),
        ),
        ("[format('{{{0}}} {1,4}|{1,-4}|{1:D3}{2:X}{3}', 'a', 7, 255, true())]", json!("{a}    7|7   |007FFTrue")),
        ("[join(variables('parts'), ';')]", json!("one;two;three")),
        ("[padLeft('123', 10, '0')]", json!("0000000123")),
        ("[padLeft(5, 3)]", json!("  5")),
        ("[replace('123-123-1234', '1234', 'xxxx')]", json!("123-123-xxxx")),
        ("[split('one,two,three', ',')]", json!(["one", "two", "three"])),
        ("[split('one;two,three', createArray(',', ';'))]", json!(["one", "two", "three"])),
        ("[string(variables('letters'))]", json!("{\"one\":\"a\",\"two\":\"b\",\"three\":\"c\"}")),
        ("[string(5)]", json!("5")),
        ("[substring('one two three', 4, 3)]", json!("two")),
        ("[substring('one two three', 8)]", json!("three")),
        ("[toLower('One Two Three')]", json!("one two three")),
        ("[toUpper('One Two Three')]", json!("ONE TWO THREE")),
        ("[trim('    one two three   ')]", json!("one two three")),
        (
            "[uri('http://contoso.com/resources/', 'nested/azuredeploy.json')]",
            json!("http://contoso.com/resources/nested/azuredeploy.json"),
        ),
        (
            "[uri('http://contoso.org/firstpath/azuredeploy.json', 'myscript.sh')]",
            json!("http://contoso.org/firstpath/myscript.sh"),
        ),
        ("[uri('http://contoso.org/firstpath', 'myscript.sh')]", json!("http://contoso.org/myscript.sh")),
        (
            "[uriComponent('http://contoso.com/resources/nested/azuredeploy.json')]",
            json!("http%3A%2F%2Fcontoso.com%2Fresources%2Fnested%2Fazuredeploy.json"),
        ),
        ("[uriComponentToString('http%3A%2F%2Fcontoso.com%2Fa')]", json!("http://contoso.com/a")),
        // Computed with another implementation of RFC 4122 and the namespace that is given for this function.
        (
            "[guid('a', 'b')]",
            json!(uuid::Uuid::new_v5(&uuid::uuid!("11fb06fb-712d-4ddd-98c7-e71bbd588830"), b"a-b").to_string()),
        ),
    ]);
    assert!(reason(Where::Output, "[substring('one', 2, 5)]").contains("must refer to a location within the string"));
    assert!(reason(Where::Output, "[format('{1}', 'a')]").contains("'{1}' is not one of the 1 values"));
    assert!(reason(Where::Output, "[format('{0:Q}', 1)]").contains("number format 'Q'"));
    assert!(reason(Where::Output, "[concat(1, createArray())]").contains("the type 'Array'"));
}

#[test]
fn unique_texts_follow_from_their_arguments() {
    let text = value("[uniqueString(resourceGroup().id, 'x')]");
    let letters = text.as_str().unwrap();
    assert_eq!(letters.len(), 13);
    assert!(letters.chars().all(|letter| matches!(letter, 'a'..='z' | '2'..='7')), "{letters}");
    assert_eq!(text, value("[uniqueString(resourceGroup().id, 'x')]"));
    assert_ne!(text, value("[uniqueString(resourceGroup().id, 'y')]"));
}

#[test]
fn ranges_end_where_32_bits_do() {
    let largest = i64::from(i32::MAX);
    assert_eq!(value("[range(2147483645, 2)]"), json!([largest - 2, largest - 1]));
    for end in ["2147483647, 1", "9223372036854775807, 3", "-9223372036854775807, 3"] {
        assert!(reason(Where::Output, &format!("[range({end})]")).contains("is greater than 2147483647"), "{end}");
    }
}

#[test]
fn functions_of_lists() {
    all(&[
        ("[array(1)]", json!([1])),
        ("[array(variables('letters'))]", json!([{"one": "a", "two": "b", "three": "c"}])),
        ("[concat(variables('parts'), variables('others'))]", json!(["one", "two", "three", "three", "four"])),
        ("[contains('OneTwoThree', 'e')]", json!(true)),
        ("[contains('OneTwoThree', 'z')]", json!(false)),
        ("[contains(variables('letters'), 'TWO')]", json!(true)),
        ("[contains(variables('parts'), 'four')]", json!(false)),
        ("[createArray('a', 1, createObject())]", json!(["a", 1, {}])),
        (
            "[createObject('intProp', 1, 'nested', createObject('a', null()))]",
            json!({"intProp": 1, "nested": {"a": null}}),
        ),
        ("[empty('')]", json!(true)),
        ("[empty(createArray())]", json!(true)),
        ("[empty(createObject())]", json!(true)),
        ("[empty(variables('parts'))]", json!(false)),
        ("[first(variables('parts'))]", json!("one")),
        ("[first('One Two Three')]", json!("O")),
        ("[last(variables('parts'))]", json!("three")),
        ("[last('One Two Three')]", json!("e")),
        ("[first(createArray())]", Value::Null),
        ("[flatten(createArray(createArray('one', 'two'), createArray('three')))]", json!(["one", "two", "three"])),
        ("[indexOf('test', 't')]", json!(0)),
        ("[lastIndexOf('test', 't')]", json!(3)),
        ("[indexOf('abcdef', 'CD')]", json!(2)),
        ("[lastIndexOf('abcdef', 'AB')]", json!(0)),
        ("[indexOf('abcdef', 'z')]", json!(-1)),
        ("[indexOf(variables('parts'), 'two')]", json!(1)),
        ("[length(variables('parts'))]", json!(3)),
        ("[length('One Two Three')]", json!(13)),
        ("[length(variables('letters'))]", json!(3)),
        ("[max(createArray(0, 3, 2, 5, 4))]", json!(5)),
        ("[min(0, 3, 2, 5, 4)]", json!(0)),
        ("[objectKeys(variables('letters'))]", json!(["one", "three", "two"])),
        ("[range(5, 3)]", json!([5, 6, 7])),
        ("[skip(variables('parts'), 2)]", json!(["three"])),
        ("[skip('one two three', 4)]", json!("two three")),
        ("[take(variables('parts'), 2)]", json!(["one", "two"])),
        ("[take('one two three', 2)]", json!("on")),
        ("[take('one', 9)]", json!("one")),
        ("[indexFromEnd(variables('parts'), 1)]", json!("three")),
        ("[tryIndexFromEnd(variables('parts'), 9)]", Value::Null),
        ("[union(variables('parts'), variables('others'))]", json!(["one", "two", "three", "four"])),
        (
            "[union(createObject('p', createObject('one', 'a', 'three', 'c1'), 'l', createArray(1, 2)), createObject('p', createObject('three', 'c2', 'four', 'd'), 'l', createArray(3, 4)))]",
            json!({"p": {"one": "a", "three": "c2", "four": "d"}, "l": [3, 4]}),
        ),
        (
            "[shallowMerge(createArray(createObject('one', createObject('a', 1)), createObject('one', createObject('b', 2))))]",
            json!({"one": {"b": 2}}),
        ),
        ("[variables('letters').THREE]", json!("c")),
        ("[variables('dogs')[1].interests[0]]", json!("Other dogs")),
    ]);
    assert!(
        reason(Where::Output, "[variables('letters').four]").contains("available properties are 'one, two, three'")
    );
    assert!(reason(Where::Output, "[variables('parts')[7]]").contains("out of bounds"));
    assert!(reason(Where::Output, "[range(1, 20000)]").contains("greater than 10000"));
}

#[test]
fn functions_of_objects() {
    all(&[
        (
            "[intersection(variables('letters'), createObject('one', 'a', 'two', 'z', 'three', 'c'))]",
            json!({"one": "a", "three": "c"}),
        ),
        ("[intersection(variables('parts'), createArray('two', 'three'))]", json!(["two", "three"])),
        (
            "[items(createObject('item002', 'b', 'item001', 'a'))]",
            json!([{"key": "item001", "value": "a"}, {"key": "item002", "value": "b"}]),
        ),
        ("[json('{\"a\": \"b\"}')]", json!({"a": "b"})),
        ("[json('null')]", Value::Null),
        ("[tryGet(variables('letters'), 'two')]", json!("b")),
        ("[tryGet(variables('dogs'), 0, 'interests', 1)]", json!("Frisbee")),
        ("[tryGet(variables('letters'), 'none', 'deeper')]", Value::Null),
    ]);
}

#[test]
fn functions_of_numbers_and_logic() {
    all(&[
        ("[add(5, 3)]", json!(8)),
        ("[sub(7, 3)]", json!(4)),
        ("[mul(5, 3)]", json!(15)),
        ("[div(8, 3)]", json!(2)),
        ("[mod(7, 3)]", json!(1)),
        ("[int('4')]", json!(4)),
        ("[float('3.5')]", json!(3.5)),
        ("[bool('true')]", json!(true)),
        ("[bool(0)]", json!(false)),
        ("[not(equals('a', 'A'))]", json!(true)),
        ("[equals(variables('letters'), json('{\"three\": \"c\", \"two\": \"b\", \"one\": \"a\"}'))]", json!(true)),
        ("[equals(1, 1)]", json!(true)),
        ("[and(bool('true'), bool('false'))]", json!(false)),
        ("[or(bool('true'), bool('false'))]", json!(true)),
        ("[if(equals('a', 'a'), 'yes', 'no')]", json!("yes")),
        // Only one branch is looked at.
        ("[if(equals('a', 'b'), variables('letters').none, 'no')]", json!("no")),
        ("[or(true(), variables('letters').none)]", json!(true)),
        ("[and(false(), variables('letters').none)]", json!(false)),
        ("[less(1, 2)]", json!(true)),
        ("[less('A', 'a')]", json!(true)),
        ("[lessOrEquals(2, 2)]", json!(true)),
        ("[greater('A', 'a')]", json!(false)),
        ("[greaterOrEquals(1, 2)]", json!(false)),
        ("[coalesce(null(), 'fallback', variables('letters').none)]", json!("fallback")),
    ]);
    assert!(reason(Where::Output, "[div(1, 0)]").contains("no result"));
    assert!(reason(Where::Output, "[add('1', 2)]").contains("the type 'String', and 'Integer' is expected"));
    assert!(reason(Where::Output, "[less(1, 'a')]").contains("is not compared"));
    assert!(reason(Where::Output, "[if(1, 2, 3)]").contains("'Boolean' is expected"));
    assert!(reason(Where::Output, "[fail('Not like this.')]").starts_with("Not like this."));
}

#[test]
fn functions_of_dates() {
    all(&[
        ("[dateTimeAdd('2023-01-01 00:00:00Z', 'P1Y')]", json!("2024-01-01T00:00:00Z")),
        ("[dateTimeAdd('2024-01-01 00:00:00Z', 'P1Y')]", json!("2024-12-31T00:00:00Z")),
        ("[dateTimeAdd('2023-02-01 00:00:00Z', 'P1M')]", json!("2023-03-03T00:00:00Z")),
        ("[dateTimeAdd('2024-02-01 00:00:00Z', 'P1M')]", json!("2024-03-02T00:00:00Z")),
        ("[dateTimeAdd('2020-04-07 14:53:14Z', 'P3Y')]", json!("2023-04-07T14:53:14Z")),
        ("[dateTimeAdd('2020-04-07 14:53:14Z', '-P9D')]", json!("2020-03-29T14:53:14Z")),
        ("[dateTimeAdd('2020-04-07 14:53:14Z', 'PT1H', 'yyyy MMM d, ddd h:mm tt')]", json!("2020 Apr 7, Tue 3:53 PM")),
        ("[dateTimeAdd('20200407T145314Z', 'P1DT1H2M3S', 'u')]", json!("2020-04-08 15:55:17Z")),
        ("[dateTimeToEpoch(dateTimeFromEpoch(1683040573))]", json!(1683040573)),
        ("[dateTimeFromEpoch(1683040573)]", json!("2023-05-02T15:16:13Z")),
    ]);
    assert!(reason(Where::Output, "[dateTimeAdd('soon', 'P1D')]").contains("'soon' is not a date"));
    assert!(reason(Where::Output, "[dateTimeAdd('2020-04-07', '1D')]").contains("'1D' is not a duration"));
    assert!(reason(Where::Output, "[utcNow()]").contains("default values of parameters"));
    let now = evaluate(Where::Default, "[utcNow('yyyy-MM')]").unwrap();
    assert_eq!(now.as_str().map(str::len), Some(7));
    assert_eq!(evaluate(Where::Default, "[utcNow()]").unwrap().as_str().map(str::len), Some(16));
    assert_ne!(evaluate(Where::Default, "[newGuid()]"), evaluate(Where::Default, "[newGuid()]"));
}

#[test]
fn functions_with_lambdas() {
    all(&[
        (
            "[map(range(0, length(variables('dogs'))), lambda('i', format('{0}{1}', lambdaVariables('i'), variables('dogs')[lambdaVariables('i')].name)))]",
            json!(["0Evie", "1Casper", "2Indy", "3Kira"]),
        ),
        (
            "[map(filter(variables('dogs'), lambda('dog', greaterOrEquals(lambdaVariables('dog').age, 5))), lambda('d', lambdaVariables('d').name))]",
            json!(["Evie", "Kira"]),
        ),
        (
            "[reduce(map(variables('dogs'), lambda('d', lambdaVariables('d').age)), 0, lambda('cur', 'next', add(lambdaVariables('cur'), lambdaVariables('next'))))]",
            json!(18),
        ),
        (
            "[map(sort(variables('dogs'), lambda('a', 'b', less(lambdaVariables('a').age, lambdaVariables('b').age))), lambda('d', lambdaVariables('d').name))]",
            json!(["Indy", "Casper", "Evie", "Kira"]),
        ),
        (
            "[toObject(variables('parts'), lambda('p', toUpper(lambdaVariables('p'))), lambda('p', length(lambdaVariables('p'))))]",
            json!({"ONE": 3, "TWO": 3, "THREE": 5}),
        ),
        (
            "[groupBy(createArray('foo', 'bar', 'baz'), lambda('x', substring(lambdaVariables('x'), 0, 1)))]",
            json!({"f": ["foo"], "b": ["bar", "baz"]}),
        ),
        ("[mapValues(createObject('foo', 'foo'), lambda('v', toUpper(lambdaVariables('v'))))]", json!({"foo": "FOO"})),
        (
            "[map(createArray('a', 'b'), lambda('x', 'i', concat(lambdaVariables('x'), lambdaVariables('i'))))]",
            json!(["a0", "b1"]),
        ),
    ]);
    assert!(reason(Where::Output, "[map(variables('parts'), 'x')]").contains("no lambda"));
    assert!(reason(Where::Output, "[lambdaVariables('x')]").contains("no lambda with the variable 'x'"));
}

#[test]
fn functions_of_scopes() {
    let group = format!("{SUBSCRIPTION}/resourceGroups/examplegroup");
    let account = "providers/Microsoft.Storage/storageAccounts/examplestorage";
    all(&[
        ("[resourceId('Microsoft.Storage/storageAccounts','examplestorage')]", json!(format!("{group}/{account}"))),
        (
            "[resourceId('otherResourceGroup', 'Microsoft.Storage/storageAccounts','examplestorage')]",
            json!(format!("{SUBSCRIPTION}/resourceGroups/otherResourceGroup/{account}")),
        ),
        (
            "[resourceId('11111111-1111-1111-1111-111111111111', 'otherGroup', 'Microsoft.Storage/storageAccounts','examplestorage')]",
            json!(format!("/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/otherGroup/{account}")),
        ),
        (
            "[resourceId('Microsoft.SQL/servers/databases', 'serverName', 'databaseName')]",
            json!(format!("{group}/providers/Microsoft.SQL/servers/serverName/databases/databaseName")),
        ),
        (
            "[resourceId('Microsoft.Resources/resourceGroups', 'rg')]",
            json!(format!("{SUBSCRIPTION}/resourceGroups/rg")),
        ),
        (
            "[subscriptionResourceId('Microsoft.Authorization/roleDefinitions', 'acdd72a7')]",
            json!(format!("{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/acdd72a7")),
        ),
        (
            "[tenantResourceId('Microsoft.Authorization/policyDefinitions', 'x')]",
            json!("/providers/Microsoft.Authorization/policyDefinitions/x"),
        ),
        (
            "[extensionResourceId(resourceGroup().id, 'Microsoft.Authorization/locks', 'l')]",
            json!(format!("{group}/providers/Microsoft.Authorization/locks/l")),
        ),
        ("[resourceGroup().location]", json!("southcentralus")),
        ("[resourceGroup().properties.provisioningState]", json!("Succeeded")),
        ("[subscription().subscriptionId]", json!("10ca1c10-0d00-4000-8000-000000000001")),
        ("[subscription().id]", json!(SUBSCRIPTION)),
        ("[tenant().tenantId]", json!(crate::LOCAL_TENANT_ID)),
        ("[environment().suffixes.keyvaultDns]", json!("vault.azure.net")),
        ("[environment().resourceManager]", json!("http://127.0.0.1:8090/")),
    ]);
    assert!(
        reason(Where::Output, "[resourceId('Microsoft.SQL/servers/databases', 'only')]")
            .contains("requires '2' resource name argument(s)")
    );
    assert!(reason(Where::Output, "[resourceId('a', 'b')]").contains("no argument is a resource type"));
}

#[test]
fn parameters_variables_and_functions_of_the_template() {
    all(&[
        ("[parameters('PREFIX')]", json!("Pre")),
        ("[variables('built')]", json!("one-Pre")),
        ("[variables('disks')[2]]", json!({"name": "disk3"})),
        ("[contoso.uniqueName('ABC')]", json!("abc-x")),
    ]);
    assert!(
        reason(Where::Output, "[parameters('none')]")
            .starts_with("The template parameter 'none' is not found. The place is 'outputs.x.value'.")
    );
    assert!(reason(Where::Output, "[variables('none')]").contains("variable 'none' is not found"));
    assert!(reason(Where::Output, "[variables('self')]").contains("is defined by itself"));
    assert!(reason(Where::Output, "[contoso.none()]").contains("'contoso.none' is not valid"));
    assert!(reason(Where::Output, "[contoso.endless()]").contains("calls itself without end"));
    assert!(reason(Where::Output, "[contoso.uniqueName()]").contains("takes 1 arguments and has 0"));
    assert!(reason(Where::Output, "[none()]").contains("The template function 'none' is not valid"));
    assert!(reason(Where::Output, "[copyIndex()]").contains("no such loop"));
}

#[test]
fn what_is_known_later_only_is_refused_where_it_is_needed_before() {
    let reference =
        "[reference(resourceId('Microsoft.Storage/storageAccounts', 'a'), '2025-01-01').primaryEndpoints.blob]";
    assert_eq!(evaluate(Where::Body, reference), Err(Halt::Unknown));
    assert_eq!(
        evaluate(
            Where::Output,
            "[listKeys('/subscriptions/s/resourceGroups/g/providers/N.S/a/b', '2025-01-01').keys[0]]"
        ),
        Err(Halt::Unknown)
    );
    for place in [Where::Start, Where::Variable, Where::Default] {
        assert!(reason(place, reference).contains("'reference' is not expected at this location"), "{place:?}");
    }
    assert!(reason(Where::Body, "[reference('none').x]").contains("could not find template resource"));
}
