/* The boundary itself, for every command: bad requests, NULL, unknown ids, answers to nothing, the registry. */

#include "check.h"

/* The request ends as one terminating error with the code, whose message has the piece, and then nothing. */
static void expect_error(start_function start, const char *request, const char *code, const char *piece) {
    uint64_t operation = start(request);
    CHECK(operation != 0);
    char *message = take(operation);
    CHECK(message != NULL);
    CHECK_JSON(message, is_event(message, "error"));
    CHECK_JSON(message, has(message, "\"terminating\":true"));
    CHECK_JSON(message, has(message, code));
    CHECK_JSON(message, has(message, piece));
    svc_string_free(message);
    CHECK(take(operation) == NULL);
    CHECK(take(operation) == NULL);
    CHECK(svc_operation_close(operation) == SVC_OK);
    CHECK(svc_operation_close(operation) == SVC_UNKNOWN_OPERATION);
}

static void expect_refusal(start_function start, const char *request, const char *piece) {
    expect_error(start, request, "\"code\":\"RequestInvalid\",\"category\":\"InvalidArgument\"", piece);
}

static void bad_requests(start_function start) {
    CHECK(start(NULL) == 0);
    expect_refusal(start, "", "\"message\":");
    expect_refusal(start, "{", "\"message\":");
    expect_refusal(start, "null", "\"message\":");
    expect_refusal(start, "[]", "\"message\":");
    expect_refusal(start, "{} {}", "\"message\":");
    expect_refusal(start, "{\"größe\":1}", "größe");
    expect_refusal(start, "{\"context\":{\"clowd\":\"local\"}}", "clowd");
    expect_refusal(start, "{\"azSession\":{\"token\":\"x\"}}", "token");
    expect_refusal(start, "{\"whatIf\":\"perhaps\"}", "perhaps");
    expect_refusal(start, "{\"environment\":{\"SVC_CLOUD\":1}}", "\"message\":");
    expect_refusal(start, "{\"settingsFile\":\"/\xff\"}", "UTF-8");
    expect_refusal(start, "\xc3", "UTF-8");
    /* A surrogate, which is three proper-looking bytes. */
    expect_refusal(start, "{\"settingsFile\":\"/\xed\xa0\x80\"}", "UTF-8");
    /* Proper JSON that asks for the impossible. */
    expect_error(start, "{}", "\"code\":\"SettingsMissing\"", "\"message\":");
    expect_error(start, "{\"settings\":null}", "\"code\":\"SettingsMissing\"", "\"message\":");
    expect_error(start, "{\"settings\":{},\"settingsFile\":\"" DRIVE "/s.yml\"}", "\"code\":\"SettingsAmbiguous\"",
                 "\"message\":");
    expect_error(start, "{\"settingsFile\":\"s.yml\"}", "\"code\":\"PathNotAbsolute\"", "settingsFile");
    expect_error(start, "{\"settings\":{},\"context\":{\"subscriptionId\":\"x\"}}", "\"code\":\"SubscriptionInvalid\"",
                 "\"target\":\"subscriptionId\"");
    expect_error(start, "{\"settings\":{},\"context\":{\"environment\":\"größe\"}}",
                 "\"code\":\"EnvironmentUnknown\"", "größe");
    expect_error(start, "{\"settingsFile\":\"" DRIVE "/nonexistent/größe.yml\"}", "\"category\":\"ObjectNotFound\"", "größe.yml");
    expect_error(start, "{\"settings\":{},\"environment\":{\"SVC_ALLOW_FOREIGN_DELETES\":\"perhaps\"}}",
                 "\"code\":\"ContextInvalid\"", "perhaps");
}

/* All calls with an id that is none. */
static void unknown(uint64_t operation) {
    char *message = (char *)"stale";
    CHECK(svc_operation_next(operation, 0, &message) == SVC_UNKNOWN_OPERATION);
    CHECK(message == NULL);
    CHECK(svc_operation_next(operation, PATIENCE_MS, &message) == SVC_UNKNOWN_OPERATION);
    CHECK(svc_operation_answer(operation, "{\"id\":1,\"approved\":[]}") == SVC_UNKNOWN_OPERATION);
    CHECK(svc_operation_cancel(operation) == SVC_UNKNOWN_OPERATION);
    CHECK(svc_operation_close(operation) == SVC_UNKNOWN_OPERATION);
    /* NULL is complained about first: the pointer is wrong whatever the id is. */
    CHECK(svc_operation_next(operation, 0, NULL) == SVC_NULL_ARGUMENT);
    CHECK(svc_operation_answer(operation, NULL) == SVC_NULL_ARGUMENT);
}

static void ids(start_function start) {
    unknown(0);
    unknown(UINT64_MAX);
    uint64_t first = start("{");
    uint64_t second = start("{");
    CHECK(first != 0 && second != 0 && first != second);
    unknown(second + 1000);
    CHECK(svc_operation_close(second) == SVC_OK);
    unknown(second);
    uint64_t third = start("{");
    CHECK(third != second && third != first);
    CHECK(svc_operation_close(first) == SVC_OK);
    CHECK(svc_operation_close(third) == SVC_OK);
    unknown(first);
    unknown(third);
}

/* NULL takes no message away. */
static void null_arguments(start_function start) {
    uint64_t operation = start("{");
    for (int attempt = 0; attempt < 3; attempt++) {
        CHECK(svc_operation_next(operation, 0, NULL) == SVC_NULL_ARGUMENT);
        CHECK(svc_operation_next(operation, PATIENCE_MS, NULL) == SVC_NULL_ARGUMENT);
    }
    CHECK(svc_operation_answer(operation, NULL) == SVC_NULL_ARGUMENT);
    char *message = take(operation);
    CHECK(message != NULL);
    svc_string_free(message);
    CHECK(svc_operation_next(operation, 0, NULL) == SVC_NULL_ARGUMENT);
    CHECK(take(operation) == NULL);
    CHECK(svc_operation_close(operation) == SVC_OK);
    svc_string_free(NULL);
}

static void answers_to_nothing(start_function start) {
    static const char *const answers[] = {
        "", "{", "{}", "null", "[1]", "{\"id\":1}", "{\"id\":1,\"approved\":[]}", "{\"id\":0,\"approved\":[]}",
        "{\"id\":-1,\"approved\":[]}", "{\"id\":\"1\",\"approved\":[]}", "{\"id\":1,\"token\":\"x\",\"expiresOn\":1}",
        "{\"id\":1,\"error\":\"\xff\"}",
    };
    uint64_t operation = start("{");
    for (size_t index = 0; index < sizeof answers / sizeof *answers; index++)
        CHECK_JSON(answers[index], svc_operation_answer(operation, answers[index]) == SVC_NOT_ASKED);
    struct outcome outcome = run(operation);
    CHECK(outcome.errors == 1);
    free(outcome.last_error);
}

int main(void) {
    alarm(ALARM_SECONDS);
    CHECK(svc_abi_version() == SVC_ABI_VERSION);
    svc_string_free(NULL);

    char *registry = svc_describe();
    CHECK(registry != NULL);
    CHECK_JSON(registry, has(registry, "\"version\":\"" SVC_DEPLOY_VERSION "\""));
    CHECK_JSON(registry, has(registry, "\"contextMembers\":[{"));

    int commands = 0;
    static const char member[] = "\"function\":\"";
    for (const char *found = strstr(registry, member); found != NULL; found = strstr(found + 1, member)) {
        char *name = format("%s", found + strlen(member));
        name[strcspn(name, "\"")] = '\0';
        start_function start = find_start(name);
        bad_requests(start);
        ids(start);
        null_arguments(start);
        answers_to_nothing(start);
        free(name);
        commands++;
    }
    CHECK_JSON(registry, commands > 0);

    char *again = svc_describe();
    CHECK(again != registry && strcmp(again, registry) == 0);
    svc_string_free(again);
    svc_string_free(registry);
    return 0;
}
