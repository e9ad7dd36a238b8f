//! The documents of a deployment.

use serde_json::Value;

use super::failure::{Failure, failure};
use super::prepare::document_of;
use crate::commands::{Command, command_of};
use crate::protocol::{Code, ErrorReport, Request};

/// The only document of a deployment, as a request for its command.
pub(super) fn only(mut request: Request) -> Result<(&'static Command, Request), Failure> {
    if request.settings_file.is_some() {
        return Err(failure(Code::RequestInvalid, "New-SvcDeployment takes settingsFiles, not settingsFile."));
    }
    let several = || failure(Code::RequestInvalid, "Several documents in one run are not supported yet.");
    match (request.settings_files.take().as_deref(), &mut request.settings) {
        (None, None) => {}
        (Some([file]), None) => request.settings_files = Some(vec![file.clone()]),
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

/// Refuses the member that only a deployment takes.
pub(super) fn refuse_files(request: Request) -> Result<Request, Failure> {
    if request.settings_files.is_none() {
        return Ok(request);
    }
    let message = "settingsFiles is for New-SvcDeployment; other commands take one document.";
    let recommendation = Some("Use settingsFile, or New-SvcDeployment for several documents.".to_owned());
    Err(Box::new(ErrorReport { recommendation, ..ErrorReport::terminating(Code::RequestInvalid, message) }))
}
