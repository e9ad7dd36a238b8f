/* The C ABI of Svc Deploy. The manual is docs/abi.md.
 * Generated from ffi/src by `.ci/update`; do not edit. */

#ifndef SVC_DEPLOY_H
#define SVC_DEPLOY_H

#include <stdint.h>

/* The version of the library that this header came with. */
#define SVC_DEPLOY_VERSION "0.1.0"

/**
 * The version of this interface. A library that gives another number from svc_abi_version is not the one this header
 * describes.
 */
#define SVC_ABI_VERSION 1

/**
 * Done; for svc_operation_next: a message was taken.
 */
#define SVC_OK 0

/**
 * There was no message within the time. The operation is still running.
 */
#define SVC_TIMEOUT 1

/**
 * The operation has ended and all of its messages were taken.
 */
#define SVC_FINISHED 2

/**
 * No operation has this id: it was never given out, or it was closed.
 */
#define SVC_UNKNOWN_OPERATION -1

/**
 * A pointer is NULL that must not be.
 */
#define SVC_NULL_ARGUMENT -2

/**
 * The text does not answer anything that was asked.
 */
#define SVC_NOT_ASKED -3

/**
 * The library has a defect and gave up on this call. Nothing else is affected; please report it.
 */
#define SVC_DEFECT -4

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the interface that the library has. It is SVC_ABI_VERSION when header and library belong together;
 * refuse to go on when it is not.
 */
uint32_t svc_abi_version(void);

/**
 * Starts New-SvcDeployment and returns the id of the operation at once. It takes several documents, each for the command that its
 * `component` names.
 *
 * `request` is JSON in UTF-8 that ends with a zero byte; the library copies it. Whatever is wrong with it comes as an
 * error message of the operation. Returns 0 only when `request` is NULL. Every id must be given back with
 * svc_operation_close.
 */
uint64_t svc_new_deployment(const char * request);

/**
 * Starts an export, which writes the settings document of what exists in a resource group, and returns the id of the operation at once.
 *
 * `request` names the `component` of the document and the `resourceGroup`; the document is a message of the operation. Nothing is
 * changed. The rest is as with svc_new_deployment.
 */
uint64_t svc_export_settings(const char * request);

/**
 * Starts Export-SvcTemplate and returns the id of the operation at once. It makes an ARM template of one document, or of several as one
 * environment. Each document is for the command that its `component` names. Nothing is changed; the template comes in a message. The rest is as with
 * svc_new_deployment.
 */
uint64_t svc_export_template(const char * request);

/**
 * Starts Compare-SvcDeployment and returns the id of the operation at once. It takes the documents of svc_new_deployment, and says in one
 * message what exists otherwise, and who has changed it. Nothing is changed. The rest is as with svc_new_deployment.
 */
uint64_t svc_compare_deployment(const char * request);

/**
 * Starts Test-SvcSettings and returns the id of the operation at once. It takes the documents of svc_new_deployment, and says what is wrong with
 * them in one error with every finding, or nothing. Nobody is contacted. The rest is as with svc_new_deployment.
 */
uint64_t svc_test_settings(const char * request);

/**
 * Starts New-SvcSettings and returns the id of the operation at once. It sends a new settings document in one message. Nobody is contacted. The
 * rest is as with svc_new_deployment.
 */
uint64_t svc_new_settings(const char * request);

/**
 * Starts Get-SvcSettingsSchema and returns the id of the operation at once. It sends a JSON Schema in one message. Nobody is contacted. The rest is
 * as with svc_new_deployment.
 */
uint64_t svc_get_settings_schema(const char * request);

/**
 * Starts Start-SvcLocalCloud and returns the id of the operation at once. It serves a local cloud on loopback, says in one message where, and
 * goes on until svc_operation_cancel or svc_operation_close ends it. The rest is as with svc_new_deployment.
 */
uint64_t svc_start_local_cloud(const char * request);

/**
 * Waits for the next message of an operation, at most `timeout_ms` milliseconds; 0 only looks.
 *
 * Returns SVC_OK and sets `*message` to JSON text, which the caller frees with svc_string_free. Returns SVC_TIMEOUT
 * when nothing came, SVC_FINISHED when nothing will come any more, SVC_UNKNOWN_OPERATION, or SVC_NULL_ARGUMENT when
 * `message` is NULL; `*message` is then NULL. What `*message` held before is not looked at.
 *
 * Several threads may wait for one operation: each message goes to one of them, the end to all. A thread that waits
 * while another one closes the operation gets what is left of its messages and then the end, at most two seconds later.
 */
int32_t svc_operation_next(uint64_t operation, uint32_t timeout_ms, char * *message);

/**
 * Answers a message that has an `id`. `answer` is JSON in UTF-8 that ends with a zero byte and repeats the `id`; the
 * library copies it.
 *
 * Returns SVC_OK, SVC_UNKNOWN_OPERATION, SVC_NULL_ARGUMENT, or SVC_NOT_ASKED when no message with this id waits for an
 * answer or the text is not an answer to it. A question that got no proper answer stays open.
 */
int32_t svc_operation_answer(uint64_t operation, const char * answer);

/**
 * Asks an operation to stop and returns at once. The operation tells in one warning what Azure is still working on and
 * ends within two seconds; take its messages until SVC_FINISHED to see it. An operation that has ended does not mind.
 *
 * Returns SVC_OK or SVC_UNKNOWN_OPERATION.
 */
int32_t svc_operation_cancel(uint64_t operation);

/**
 * Gives an operation back: forgets its id and its messages, and cancels it when it is still running. Never waits.
 *
 * Returns SVC_OK, or SVC_UNKNOWN_OPERATION also when it was closed before. Ids are never used again.
 */
int32_t svc_operation_close(uint64_t operation);

/**
 * Describes the commands, their parameters and the members of the context as JSON text, which the caller frees with
 * svc_string_free. Never NULL, unless the library has a defect.
 */
char * svc_describe(void);

/**
 * Frees text that svc_operation_next or svc_describe gave. NULL is fine.
 */
void svc_string_free(char * text);

/**
 * Starts New-SvcCoreMonitor and returns the id of the operation at once. The rest is as with
 * svc_new_deployment.
 */
uint64_t svc_new_core_monitor(const char * request);

/**
 * Starts New-SvcMonitorLogAlerts and returns the id of the operation at once. The rest is as with
 * svc_new_deployment.
 */
uint64_t svc_new_monitor_log_alerts(const char * request);

/**
 * Starts New-SvcMonitorMetricAlerts and returns the id of the operation at once. The rest is as with
 * svc_new_deployment.
 */
uint64_t svc_new_monitor_metric_alerts(const char * request);

/**
 * Starts New-SvcMonitorResourceHealthAlerts and returns the id of the operation at once. The rest is as with
 * svc_new_deployment.
 */
uint64_t svc_new_monitor_resource_health_alerts(const char * request);

/**
 * Starts New-SvcIaasPrivateEndpoints and returns the id of the operation at once. The rest is as with
 * svc_new_deployment.
 */
uint64_t svc_new_iaas_private_endpoints(const char * request);

/**
 * Starts New-SvcIaasStorage and returns the id of the operation at once. The rest is as with
 * svc_new_deployment.
 */
uint64_t svc_new_iaas_storage(const char * request);

/**
 * Starts New-SvcIaasBastionHost and returns the id of the operation at once. The rest is as with
 * svc_new_deployment.
 */
uint64_t svc_new_iaas_bastion_host(const char * request);

/**
 * Starts New-SvcPaasWeb and returns the id of the operation at once. The rest is as with
 * svc_new_deployment.
 */
uint64_t svc_new_paas_web(const char * request);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SVC_DEPLOY_H */
