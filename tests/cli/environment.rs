//! Variables of the environment that hold paths.

use std::process::Stdio;

use super::support::*;

#[test]
fn relative_paths_in_variables_start_where_svc_was_started() {
    let folder = Folder::new();
    let run = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command =
            folder.command(&[&["New-SvcIaasStorage", "-SettingsFile", "storage.yml"], arguments].concat());
        command.envs(variables.iter().copied());
        finish(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    };
    let output = run(&["-Cloud", "local", "-Confirm:$false"], &[("SVC_LOCAL_STATE_FILE", "state.json")]);
    assert_eq!(output.status, 0, "{output:?}");
    assert!(folder.path("state.json").is_file());

    let application = [("AZURE_TENANT_ID", "contoso"), ("AZURE_CLIENT_ID", "deployer")];
    let certificate = [&application[..], &[("AZURE_CLIENT_CERTIFICATE_PATH", "deployer.pem")]].concat();
    let output = run(&["-Cloud", "public"], &certificate);
    let expected = format!("'{}' does not exist.", folder.path("deployer.pem").display());
    assert!(output.stderr.contains(&expected), "{output:?}");

    folder.write("authorities.pem", "no certificate\n");
    let output = run(&["-Cloud", "public"], &[("SSL_CERT_FILE", "authorities.pem")]);
    assert!(output.stderr.contains("authorities.pem' cannot be read: the file has none."), "{output:?}");
}
