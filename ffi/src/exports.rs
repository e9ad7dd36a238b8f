//! The functions that start the single commands. Made from the registry by `.ci/update`; do not edit.

use safer_ffi::prelude::*;

use super::{Str, start};

/// Starts New-SvcCoreMonitor and returns the id of the operation at once. The rest is as with
/// svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_new_core_monitor(request: Str<'_>) -> u64 {
    start("New-SvcCoreMonitor", request)
}

/// Starts New-SvcMonitorLogAlerts and returns the id of the operation at once. The rest is as with
/// svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_new_monitor_log_alerts(request: Str<'_>) -> u64 {
    start("New-SvcMonitorLogAlerts", request)
}

/// Starts New-SvcMonitorMetricAlerts and returns the id of the operation at once. The rest is as with
/// svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_new_monitor_metric_alerts(request: Str<'_>) -> u64 {
    start("New-SvcMonitorMetricAlerts", request)
}

/// Starts New-SvcMonitorResourceHealthAlerts and returns the id of the operation at once. The rest is as with
/// svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_new_monitor_resource_health_alerts(request: Str<'_>) -> u64 {
    start("New-SvcMonitorResourceHealthAlerts", request)
}

/// Starts New-SvcIaasPrivateEndpoints and returns the id of the operation at once. The rest is as with
/// svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_new_iaas_private_endpoints(request: Str<'_>) -> u64 {
    start("New-SvcIaasPrivateEndpoints", request)
}

/// Starts New-SvcIaasStorage and returns the id of the operation at once. The rest is as with
/// svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_new_iaas_storage(request: Str<'_>) -> u64 {
    start("New-SvcIaasStorage", request)
}

/// Starts New-SvcIaasBastionHost and returns the id of the operation at once. The rest is as with
/// svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_new_iaas_bastion_host(request: Str<'_>) -> u64 {
    start("New-SvcIaasBastionHost", request)
}

/// Starts New-SvcPaasWeb and returns the id of the operation at once. The rest is as with
/// svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_new_paas_web(request: Str<'_>) -> u64 {
    start("New-SvcPaasWeb", request)
}
