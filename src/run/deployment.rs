//! The documents of a deployment.

use serde_json::Value;

use super::failure::{Failure, failure};
use super::prepare::document_of;
use crate::commands::{Command, command_of};
use crate::protocol::{Code, Request};

/// The only document of a deployment, as a request for its command.
pub(super) fn only(mut request: Request) -> Result<(&'static Command, Request), Failure> {
    if request.settings_file.is_some() {
        return Err(failure(Code::RequestInvalid, "New-SvcDeployment takes settingsFiles, not settingsFile."));
    }
    let several = || failure(Code::RequestInvalid, "Several documents in one run are not supported yet.");
    match (request.settings_files.take().as_deref(), &mut request.settings) {
        (None, None) => {}
        (Some([file]), None) => request.settings_file = Some(file.clone()),
        (None, Some(Value::Array(objects))) => match objects.as_mut_slice() {
            [object] => request.settings = Some(object.take()),
            _ => return Err(several()),
        },
        (None, Some(_)) => {}
        (Some(_), _) => return Err(several()),
    }
    let settings = request.settings.clone();
    let command = command_of(&document_of(&mut request)?)?;
    request.settings = settings;
    Ok((command, request))
}
