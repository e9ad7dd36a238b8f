/* An export: the document of what a command has made, and what is wrong with a request for one; and a comparison with what was made. Arguments: the function of the
 * bastion hosts and their settings, which deploy to the resource group of the landing zone. */

#include "check.h"

/* Starts an export from the local cloud that is kept in this state file. */
static uint64_t export_settings(const char *component, const char *group, const char *more, const char *state) {
    char folder[4096];
    CHECK(getcwd(folder, sizeof folder) != NULL);
    char *path = state_file(state);
    char *request = format("{\"component\":\"%s\",\"resourceGroup\":\"%s\"%s,\"baseDirectory\":\"%s\",\"environment\":{},"
                           "\"context\":{\"cloud\":\"local\",\"localStateFile\":\"%s\"}}",
                           component, group, more, folder, path);
    uint64_t operation = svc_export_settings(request);
    free(request);
    free(path);
    CHECK(operation != 0);
    return operation;
}

/* The document comes once, at the end, and asks nothing. */
static void document_is_said(void) {
    uint64_t operation = export_settings("bastionHosts", "rg-landing-zone", "", "export");
    char *document = take_until(operation, "document");
    CHECK_JSON(document, has(document, "\"component\":\"bastionHosts\"") && has(document, "bastionHostName: boundary"));
    CHECK_JSON(document, !has(document, "\"files\""));
    svc_string_free(document);
    CHECK(take(operation) == NULL);
    CHECK(svc_operation_close(operation) == SVC_OK);
}

/* With names as they are the naming files come with the document. */
static void names_are_said(void) {
    uint64_t operation = export_settings("storage", "rg-landing-zone", ",\"names\":true", "export");
    char *document = take_until(operation, "document");
    CHECK_JSON(document, has(document, "storageAccountName: stlandingzone"));
    CHECK_JSON(document, has(document, "\"files\":[{\"path\":\"_names/generators.yml\",\"text\":\""));
    svc_string_free(document);
    CHECK(take(operation) == NULL);
    CHECK(svc_operation_close(operation) == SVC_OK);
}

/* A comparison with the same settings says in one message that nothing differs, and asks nothing. */
static void comparison_is_said(struct subject subject) {
    subject.start = svc_compare_deployment;
    uint64_t operation = deploy(subject, "export", 0);
    char *drift = take_until(operation, "drift");
    CHECK_JSON(drift, has(drift, "\"hasDifferences\":false") && has(drift, "\"differences\":[]"));
    svc_string_free(drift);
    CHECK(take(operation) == NULL);
    CHECK(svc_operation_close(operation) == SVC_OK);
}

/* The check of the same settings finds nothing and says nothing; of wrong ones it has the finding, and contacts nobody. */
static void test_is_said(struct subject subject) {
    subject.start = svc_test_settings;
    uint64_t operation = deploy(subject, "export", 0);
    struct outcome outcome = run(operation);
    CHECK_JSON(outcome.last_error, outcome.errors == 0);
    free(outcome.last_error);
    CHECK(svc_test_settings(NULL) == 0);
}

/* What is made for people who write documents is said in one message, of this component. */
static void said_once(uint64_t operation, const char *component, const char *text) {
    char *document = take_until(operation, "document");
    CHECK_JSON(document, has(document, component) && has(document, text));
    svc_string_free(document);
    CHECK(take(operation) == NULL);
    CHECK(svc_operation_close(operation) == SVC_OK);
}

static void helpers_are_said(void) {
    said_once(svc_new_settings("{\"component\":\"storage\"}"), "\"component\":\"storage\"", "storageAccountName: ");
    said_once(svc_get_settings_schema("{\"name\":\"storage\"}"), "\"component\":\"storage\"", "\\\"storageAccounts\\\"");
    said_once(svc_get_settings_schema("{\"name\":\"_names/tokens.yml\"}"), "\"component\":\"_names/tokens.yml\"", "environments");
    CHECK(svc_new_settings(NULL) == 0 && svc_get_settings_schema(NULL) == 0);
}

static void refused(uint64_t operation, const char *code) {
    struct outcome outcome = run(operation);
    CHECK(outcome.errors == 1);
    CHECK_JSON(outcome.last_error, has(outcome.last_error, code) && has(outcome.last_error, "\"terminating\":true"));
    free(outcome.last_error);
}

int main(int count, char **arguments) {
    alarm(ALARM_SECONDS);
    struct subject subject = subject_from(count, arguments);
    struct outcome outcome = run(deploy(subject, "export", 0));
    CHECK_JSON(outcome.last_error, outcome.errors == 0);
    CHECK(outcome.failed == 0);
    document_is_said();
    names_are_said();
    comparison_is_said(subject);
    test_is_said(subject);
    helpers_are_said();
    refused(svc_new_settings("{\"component\":\"storge\"}"), "\"code\":\"RequestInvalid\"");
    refused(svc_get_settings_schema("{\"name\":\"storge\"}"), "\"code\":\"RequestInvalid\"");
    refused(svc_get_settings_schema("{\"name\":\"tags\",\"folder\":\"/\"}"), "\"code\":\"RequestInvalid\"");
    refused(svc_new_settings("{\"component\":\"storage\",\"path\":\"here\"}"), "\"code\":\"PathNotAbsolute\"");
    refused(svc_test_settings("{\"settings\":[{\"component\":\"storage\"}],\"environment\":{}}"), "\"code\":\"Missing\"");
    CHECK(svc_export_settings(NULL) == 0);
    CHECK(svc_compare_deployment(NULL) == 0);
    refused(svc_compare_deployment("{"), "\"code\":\"RequestInvalid\"");
    refused(svc_export_settings("{"), "\"code\":\"RequestInvalid\"");
    refused(svc_export_settings("{\"component\":\"storage\"}"), "resourceGroup");
    refused(export_settings("elsewhere", "rg-landing-zone", "", "export"), "\"code\":\"RequestInvalid\"");
    refused(export_settings("storage", "nowhere", "", "export"), "\"code\":\"NothingToExport\"");
    free(subject.settings);
    return 0;
}
