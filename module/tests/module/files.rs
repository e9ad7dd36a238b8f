//! Every file of the module is read by something that is at least as strict as what will read it.

use serde_json::Value;
use svc_deploy_module::generated_files;

use crate::script::{Script, mistakes};
use crate::{help, views};

/// Reads a file of the module.
///
/// # Errors
/// What is wrong with it, or that nothing here can read it.
fn read_strictly(path: &str, text: &str) -> Result<(), String> {
    match path {
        _ if path.ends_with(".Types.ps1xml") => views::TYPES_GRAMMAR.read(text).map(drop),
        _ if path.ends_with(".ps1xml") => views::GRAMMAR.read(text).map(drop),
        _ if path.ends_with("-help.xml") => help::GRAMMAR.read(text).map(drop),
        _ if path.ends_with(".schema.json") => read_schema(text),
        _ if path.ends_with(".help.txt") => read_about(path, text),
        _ if path.ends_with(".psm1") || path.ends_with(".psd1") => match mistakes(Script::parse(text).root()) {
            mistakes if mistakes.is_empty() => Ok(()),
            mistakes => Err(mistakes.join("\n")),
        },
        // A compiler reads it, in another test.
        "Interop.cs" => Ok(()),
        _ => Err("nothing here reads such a file".to_owned()),
    }
}

/// A JSON Schema has to fit the schema of schemas, and each of its references leads somewhere.
fn read_schema(text: &str) -> Result<(), String> {
    let schema: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    jsonschema::meta::validate(&schema).map_err(|error| error.to_string())?;
    jsonschema::validator_for(&schema).map_err(|error| error.to_string())?;
    let mut open = vec![&schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                    let pointer = reference.strip_prefix('#').ok_or_else(|| format!("{reference} is elsewhere"))?;
                    schema.pointer(pointer).ok_or_else(|| format!("{reference} leads nowhere"))?;
                }
                open.extend(members.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    Ok(())
}

/// `Get-Help` finds a conceptual topic by its file's name and its synopsis by this heading.
fn read_about(path: &str, text: &str) -> Result<(), String> {
    let name = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".help.txt");
    if !name.starts_with("about_") {
        return Err(format!("{name} does not begin with about_"));
    }
    let begin = format!("TOPIC\n    {name}\n\nSHORT DESCRIPTION\n    ");
    if !text.starts_with(&begin) {
        return Err(format!("it does not begin with\n{begin}"));
    }
    for (index, line) in text.lines().enumerate() {
        let heading = line.chars().all(|character| character.is_ascii_uppercase() || character == ' ');
        if !heading && !line.starts_with("    ") {
            return Err(format!("line {} is neither a heading nor indented: {line}", index + 1));
        }
        if line.len() > 80 {
            return Err(format!("line {} does not fit a terminal: {line}", index + 1));
        }
    }
    Ok(())
}

#[test]
fn every_file_can_be_read() {
    for file in generated_files() {
        if let Err(problem) = read_strictly(&file.path, &file.text) {
            panic!("{}: {problem}", file.path);
        }
    }
}

#[test]
fn a_file_that_nothing_reads_is_found() {
    assert!(read_strictly("settings.toml", "").is_err());
}

#[test]
fn a_broken_schema_is_found() {
    let files = generated_files();
    let file = files.iter().find(|file| file.path == "schemas/storage.schema.json").unwrap();
    let broken = |from: &str, to: &str| {
        assert!(file.text.contains(from), "{from}");
        read_strictly(&file.path, &file.text.replacen(from, to, 1)).err().unwrap_or_else(|| panic!("{to}"))
    };
    broken("{\n", "{,\n");
    broken("\"type\": \"object\"", "\"type\": \"hashtable\"");
    broken("\"type\": \"object\"", "\"$ref\": \"#/$defs/Missing\"");
    broken("\"type\": \"object\"", "\"$ref\": \"other.schema.json\"");
}

#[test]
fn a_broken_topic_is_found() {
    let files = generated_files();
    let file = files.iter().find(|file| file.path.ends_with("about_SvcDeploy.help.txt")).unwrap();
    let broken = |from: &str, to: &str| {
        assert!(file.text.contains(from), "{from}");
        assert!(read_strictly(&file.path, &file.text.replacen(from, to, 1)).is_err(), "{to}");
    };
    broken("about_SvcDeploy", "about_Other");
    broken("SHORT DESCRIPTION", "SYNOPSIS");
    broken("\n    Each command", "\nEach command");
    broken("    Each command", &format!("    {}", "Each command ".repeat(8)));
    assert!(read_strictly("en-US/SvcDeploy.help.txt", &file.text).is_err());
}
