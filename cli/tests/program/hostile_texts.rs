//! Texts of servers and documents that would move the cursor, turn the reading direction or command a pipeline.

use std::io::{Read, Write};
use std::net::TcpListener;

use super::support::*;

/// The address of a server that refuses everything with this code and message. It ends with the process of the tests.
fn refusing(code: &'static str, message: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let _ = stream.read(&mut [0; 8192]);
            let body = serde_json::json!({"error": {"code": code, "message": message}}).to_string();
            let head = format!("content-type: application/json\r\ncontent-length: {}\r\nconnection: close", body.len());
            let _ = write!(stream, "HTTP/1.1 403 Forbidden\r\n{head}\r\n\r\n{body}");
        }
    });
    format!("http://{address}")
}

#[test]
fn what_a_server_says_is_escaped_for_people_and_by_jsons_own_escapes_in_json() {
    let (code, message) =
        ("Forbidden\u{1b}[2J", "Title: \u{1b}]0;owned\u{7}\u{9b}1A, \u{202e}gpj.exe ##vso[task.complete]done");
    let endpoint = refusing(code, message);
    let folder = Folder::new();
    let arguments = ["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", &endpoint, "-Verbose", "-Debug"];
    let text = folder.svc(&arguments);
    assert_eq!(text.status, 1, "{text:?}");
    let shown = "Title: \\u{1b}]0;owned\\u{7}\\u{9b}1A, \\u{202e}gpj.exe \\u{23}#vso[task.complete]done";
    assert!(text.stderr.contains("ERROR Forbidden\\u{1b}[2J: "), "{text:?}");
    assert!(text.stderr.contains(shown), "{text:?}");
    for shown in [&text.stdout, &text.stderr] {
        assert!(!shown.contains(|character: char| character.is_control() && character != '\n'), "{text:?}");
        assert!(!shown.contains('\u{202e}') && !shown.contains("##vso["), "{text:?}");
    }
    let json = folder.svc(&[&arguments[..5], &["-Output", "json"]].concat());
    let error = json.messages().pop().unwrap();
    assert_eq!(error["code"], code);
    assert!(error["message"].as_str().unwrap().contains(message), "{error}");
    assert!(!json.stdout.contains(['\u{9b}', '\u{202e}']) && json.stdout.contains("\\u202egpj.exe"), "{}", json.stdout);
}

#[test]
fn values_of_a_document_are_escaped_for_people() {
    let folder = Folder::new();
    let value = r#""Sta\e[2Jndrd\u202E\n::stop-commands::x""#;
    folder.write("storage.yml", &DOCUMENT.replace("accountType: Standard", &format!("accountType: {value}")));
    let text = folder.deploy(&[]);
    assert_eq!(text.status, 2, "{text:?}");
    assert!(text.stderr.contains("'Sta\\u{1b}[2Jndrd\\u{202e}\n\\u{3a}:stop-commands::x' is not valid"), "{text:?}");
    assert!(!text.stderr.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    let json = folder.deploy(&["-Output", "json"]);
    let error = json.messages().pop().unwrap();
    assert!(error["message"].as_str().unwrap().contains("'Sta\u{1b}[2Jndrd\u{202e}\n::stop-commands::x'"), "{error}");
}
