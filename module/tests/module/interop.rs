//! The bindings declare the exported functions as the C header does.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use svc_engine::run::registry::{COMPARE, NEW, SCHEMA, TEMPLATE, TEST, all_commands};
use tree_sitter::{Node, Parser};

use crate::script::{child, children, find};
use crate::{module, read, root, skipped};

/// The functions of the ABI that are the same whatever the commands are.
const CALLS: &str = "
uint32_t svc_abi_version(void);
uint64_t svc_export_settings(const char *request);
int32_t svc_operation_next(uint64_t op, uint32_t timeout_ms, char **message);
int32_t svc_operation_answer(uint64_t op, const char *answer);
int32_t svc_operation_cancel(uint64_t op);
int32_t svc_operation_close(uint64_t op);
void svc_string_free(char *text);
";

/// Name, and the types of the result and the arguments in C#.
type Signatures = BTreeMap<String, Vec<String>>;

/// The C# type of a C type; a name behind it does not matter.
fn c_sharp_type(c_type: &str) -> &'static str {
    let compact: String = c_type.split_whitespace().collect();
    let known = [
        ("constchar*", "byte[]"),
        ("char**", "out IntPtr"),
        ("char*", "IntPtr"),
        ("uint64_t", "ulong"),
        ("uint32_t", "uint"),
        ("int32_t", "int"),
        ("void", "void"),
    ];
    known
        .into_iter()
        .find(|(known, _)| compact.starts_with(known))
        .unwrap_or_else(|| panic!("no C# type is known for {c_type}"))
        .1
}

/// The functions that C declarations declare. Comments and preprocessor lines are passed over.
fn c_signatures(header: &str) -> Signatures {
    let mut code = String::new();
    for part in header.split("/*") {
        code.push_str(part.split_once("*/").map_or(part, |(_, code)| code));
    }
    let code: String =
        code.lines().filter(|line| !line.trim_start().starts_with('#')).map(|line| format!("{line} ")).collect();
    let mut signatures = Signatures::new();
    for declaration in code.split(';') {
        let Some((head, arguments)) = declaration.split_once('(') else { continue };
        let name = head.split([' ', '*']).rfind(|word| !word.is_empty()).unwrap();
        let result = head.trim().strip_suffix(name).unwrap().rsplit(['{', '"']).next().unwrap();
        let arguments = arguments.split_once(')').unwrap().0;
        let mut types = vec![c_sharp_type(result).to_owned()];
        types.extend(arguments.split(',').map(c_sharp_type).filter(|name| *name != "void").map(str::to_owned));
        signatures.insert(name.to_owned(), types);
    }
    signatures
}

fn parse(text: &str) -> tree_sitter::Tree {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_c_sharp::LANGUAGE.into()).unwrap();
    parser.parse(text, None).unwrap()
}

/// The functions that `Interop.cs` imports.
fn imported(text: &str) -> Signatures {
    let tree = parse(text);
    let content = |node: Node<'_>| text[node.byte_range()].to_owned();
    find(tree.root_node(), "method_declaration")
        .into_iter()
        .filter(|method| {
            find(*method, "attribute").into_iter().any(|node| {
                content(node).starts_with("DllImport(Library, CallingConvention = CallingConvention.Cdecl)")
            })
        })
        .map(|method| {
            let mut types = vec![content(method.child_by_field_name("returns").unwrap())];
            types.extend(children(method.child_by_field_name("parameters").unwrap(), "parameter").map(|parameter| {
                let name = content(parameter.child_by_field_name("type").unwrap());
                child(parameter, "modifier").map_or(name.clone(), |modifier| format!("{} {name}", content(modifier)))
            }));
            (content(method.child_by_field_name("name").unwrap()), types)
        })
        .collect()
}

/// The classes of `Interop.cs`, each with the keys of messages that it reads, and its public properties.
pub(crate) fn classes() -> BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> {
    let text = read(&module().join("Interop.cs"));
    let tree = parse(&text);
    let content = |node: Node<'_>| text[node.byte_range()].to_owned();
    let named = |node: Node<'_>| content(node.child_by_field_name("name").unwrap());
    find(tree.root_node(), "class_declaration")
        .into_iter()
        .map(|class| {
            let calls = find(class, "invocation_expression").into_iter().map(content);
            let reads = calls.filter(|call| {
                let called = call.trim_start_matches("Svc.");
                ["Member.Text(", "Member.Number(", "Member.List("].iter().any(|read| called.starts_with(read))
            });
            let accesses = find(class, "element_access_expression").into_iter().map(content);
            let keys = reads.chain(accesses).filter_map(|read| Some(read.split('"').nth(1)?.to_owned()));
            let properties = find(class, "property_declaration").into_iter();
            let public = properties.filter(|property| content(*property).starts_with("public "));
            (named(class), (keys.collect(), public.map(named).collect()))
        })
        .collect()
}

#[test]
fn the_bindings_are_those_of_the_protocol() {
    let mut wanted = c_signatures(CALLS);
    let commands = all_commands().chain([COMPARE, TEMPLATE, TEST, NEW, SCHEMA]).map(|command| command.function());
    for function in commands.chain(["svc_start_local_cloud".to_owned()]) {
        wanted.insert(function, vec!["ulong".to_owned(), "byte[]".to_owned()]);
    }
    assert_eq!(imported(&read(&module().join("Interop.cs"))), wanted);
}

#[test]
fn the_bindings_are_those_of_the_header() {
    let path = root().join("ffi/include/svc_deploy.h");
    if !path.exists() {
        skipped(&format!("there is no {}, so the bindings were NOT COMPARED with it", path.display()));
        return;
    }
    let header = read(&path);
    let declared = c_signatures(&header);
    let text = read(&module().join("Interop.cs"));
    for (name, types) in imported(&text) {
        assert_eq!(declared.get(&name), Some(&types), "{name}");
    }
    let number = |name: &str| {
        let line = header.lines().find_map(|line| line.strip_prefix(&format!("#define {name} ")));
        line.unwrap_or_else(|| panic!("the header does not define {name}")).trim().to_owned()
    };
    for (name, constant) in [("Message", "SVC_OK"), ("Timeout", "SVC_TIMEOUT"), ("Finished", "SVC_FINISHED")] {
        assert!(text.contains(&format!("{name} = {}", number(constant))), "{constant}");
    }
    let script = read(&module().join("SvcDeploy.psm1"));
    assert!(script.contains(&format!("$script:AbiVersion = {}\n", number("SVC_ABI_VERSION"))));
}

#[test]
fn every_command_is_started_by_its_own_function() {
    let text = read(&module().join("Interop.cs"));
    for command in all_commands() {
        let case = format!("case \"{}\": id = Native.{}(text); break;", command.name, command.function());
        assert_eq!(text.matches(&case).count(), 1, "{}", command.name);
    }
}

/// `NativeLibrary` is younger than Mono's class library; everything else compiles there, and without a warning: PowerShell
/// takes warnings of `Add-Type` as errors.
#[test]
fn the_bindings_compile_and_say_what_was_done() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("Interop.cs");
    let text = read(&module().join("Interop.cs")).replace("NativeLibrary.Load(path)", "IntPtr.Zero");
    let text: String =
        text.lines().filter(|line| !line.contains("NativeLibrary.")).map(|line| format!("{line}\n")).collect();
    std::fs::write(&source, text).unwrap();
    std::fs::write(folder.path().join("Try.cs"), TRY).unwrap();
    let compiled = Command::new("mcs")
        .args(["-warn:4", "-warnaserror", "-out:Try.exe", "Interop.cs", "Try.cs"])
        .current_dir(folder.path())
        .output();
    match compiled {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => {
            skipped(&format!("Interop.cs was NOT COMPILED because there is no mcs (Debian: mono-mcs): {error}"))
        }
    }
    let run = Command::new("mono").arg("Try.exe").current_dir(folder.path()).output();
    match run {
        Ok(output) => assert_eq!(
            String::from_utf8_lossy(&output.stdout).lines().collect::<Vec<_>>(),
            [
                "delete storage account 'shop/one' of group: sku: (none) -> \"a\"  (storage.yml:1:2)",
                "keep storage account 'shop/one' one rg: kind: old -> new because",
                "create app 'shop' in 'rg'|    sku: \"a\", owner: \"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb...",
                "change app 'shop' in 'rg'|    sku: (none) -> \"a\"  (storage.yml:1:2)|    kind: (none) -> \"b\"|    tags.owner: (none) -> \"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\"  (tags.yml:2:3)",
                "create resource group 'rg'",
                "created storage account 'one' 1.5 0",
                "storage.yml:7:15: sku: wrong",
                "mock",
                "20 lines and more: the property Findings of the exception has all that are told. 21",
                "many|[1] failed try again",
                "a\\u{1b}[2J \\u{3a}: \\u{23}#vso[x]",
            ],
            "{}",
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => {
            skipped(&format!("the classes were NOT TRIED because there is no mono: {error}"));
            return;
        }
    }
    completes_the_publish_names(folder.path());
}

/// The completion of publish names: it is what a parser finds in the same documents, and what can be found in one that is no document yet.
fn completes_the_publish_names(program: &Path) {
    let odd = tempfile::tempdir().unwrap();
    for (name, text) in [
        (
            "a.json",
            "{\"service\": {\"publish\": {\"storage\": \"in-json\", \"vnet\": \"json-net\"}},\r\n \"publish\":\r\n  {\"slot\":\r\n \"below\"}}",
        ),
        (
            "b.yml",
            "service:\r\n  publish:  # us\r\n    storage: 'with blank' # why\r\n\r\n    vnet: \"quoted\"\r\n  other: no\r\n",
        ),
        ("c.yaml", "items:\n  - publish: {storage: flow, vnet: 'flow-net'}\n    publish: scalar\n    name: no\n"),
        ("half.yml", "service:\n  publish:\n    storage: half\n    vnet: [\n    slot:"),
        ("_names.yml", "publish:\n  storage: no\n"),
        ("notes.txt", "publish:\n  storage: no\n"),
    ] {
        std::fs::write(odd.path().join(name), text).unwrap();
    }
    let folders = [root().join("examples/environment"), root().join("examples"), odd.path().to_owned()];
    let output = Command::new("mono").arg("Try.exe").args(&folders).current_dir(program).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let [environment, examples, found] = printed.lines().collect::<Vec<_>>()[..] else { panic!("{printed}") };
    assert_eq!(environment, parsed_names(&folders[0]));
    assert_eq!(examples, parsed_names(&folders[1]));
    assert_eq!(found, "below flow flow-net half in-json json-net quoted with blank");
}

/// The publish names in the documents of a folder, by a parser.
fn parsed_names(folder: &Path) -> String {
    fn collect(value: &Value, names: &mut BTreeSet<String>) {
        if let Some(published) = value.get("publish").and_then(Value::as_object) {
            names.extend(published.values().map(|name| name.as_str().unwrap().to_owned()));
        }
        let below: Box<dyn Iterator<Item = &Value>> = match value {
            Value::Array(items) => Box::new(items.iter()),
            Value::Object(members) => Box::new(members.values()),
            _ => return,
        };
        below.for_each(|value| collect(value, names));
    }
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_document = ["yml", "yaml", "json"].iter().any(|known| path.extension().is_some_and(|own| own == *known));
        if is_document && !path.file_name().unwrap().to_str().unwrap().starts_with(['_', '.']) {
            collect(&svc_engine::run::settings_object(std::fs::read(path).unwrap()).unwrap(), &mut names);
        }
    }
    assert!(names.len() > 10, "{names:?}");
    names.into_iter().collect::<Vec<_>>().join(" ")
}

/// Makes one object of each kind from a message and says it.
const TRY: &str = r#"
using System; using System.Collections; using System.Linq;
static class Try
{
    static Hashtable Of(params object[] pairs)
    {
        var table = new Hashtable();
        for (int index = 0; index < pairs.Length; index += 2) table[pairs[index]] = pairs[index + 1];
        return table;
    }
    static void Main(string[] folders)
    {
        if (folders.Length > 0)
        {
            foreach (string folder in folders) Console.WriteLine(string.Join(" ", SvcDeploy.PublishNames.InFolder(folder)));
            return;
        }
        var change = Of("path", "sku", "before", null, "after", "\"a\"", "origin", "storage.yml:1:2");
        var planned = new Svc.PlannedAction(Of("action", "delete", "label", "storage account", "fullName", "shop/one", "resourceGroup", "group", "changes", new object[] { change }));
        Console.WriteLine(planned + " of " + planned.ResourceGroupName + ": " + planned.Changes[0]);
        var kept = new Svc.PlannedAction(Of("label", "storage account", "name", "one", "fullName", "shop/one", "resourceGroup", "rg", "resourceId", "/subscriptions/s/resourceGroups/rg/x", "path", "kind", "wanted", "new", "existing", "old", "reason", "because"), "keep");
        Console.WriteLine(kept + " " + kept.Name + " " + kept.ResourceGroup + ": " + kept.Changes[0] + " " + kept.Reason);
        var owner = Of("path", "tags.owner", "after", '"' + new string('b', 61) + '"', "origin", "tags.yml:2:3");
        var changes = new object[] { change, Of("path", "kind", "after", "\"b\""), owner };
        foreach (string action in new[] { "create", "modify" })
            Console.WriteLine(string.Join("|", new Svc.PlannedAction(Of("action", action, "label", "app", "fullName", "shop", "resourceGroup", "rg", "changes", changes)).Lines()));
        var group = Of("action", "create", "type", "Microsoft.Resources/resourceGroups", "label", "resource group", "fullName", "rg", "resourceGroup", "rg");
        Console.WriteLine(string.Join("|", new Svc.PlannedAction(group).Lines()));
        var done = new Svc.DeployedResource(Of("label", "storage account", "fullName", "one", "seconds", 1.5), "create");
        Console.WriteLine(done + " " + done.Seconds.Value.ToString(System.Globalization.CultureInfo.InvariantCulture) + " " + done.Properties.Count);
        Console.WriteLine(new Svc.Finding(Of("file", "storage.yml", "line", 7L, "column", 15L, "path", "sku", "message", "wrong")));
        Console.WriteLine(new SvcDeploy.DeploymentException("mock").Message);
        var findings = Enumerable.Range(1, 21).Select(number => (object)Of("path", "p", "message", "m")).ToArray();
        string text = string.Join("\n", new[] { "many" }.Concat(Enumerable.Range(1, 21).Select(number => "[" + number + "] p: m")));
        var invalid = new SvcDeploy.DeploymentException(Of("message", text, "findings", findings), false);
        string[] lines = invalid.Message.Split('\n');
        Console.WriteLine((lines.Length - 2) + " lines " + lines[lines.Length - 1] + " " + invalid.Findings.Length);
        var failed = new SvcDeploy.DeploymentException(Of("message", "many", "failures", new object[] { Of("message", "failed", "recommendation", "try again") }), true);
        Console.WriteLine(failed.Message.Replace('\n', '|'));
        Console.WriteLine(SvcDeploy.ShownText.Of("a\u001b[2J :: ##vso[x]".Replace(" ::", "\n::")).Replace("\n", " "));
    }
}
"#;
