/* Answers that are none, while a plan or a token is waited for: each is refused and the question stays open. Arguments:
 * the function of the command and its settings. */

#include "check.h"

static void expect_refusal(uint64_t operation, const char *pattern, long long id) {
    char *answer = format(pattern, id);
    CHECK_JSON(answer, svc_operation_answer(operation, answer) == SVC_NOT_ASKED);
    free(answer);
}

/* The plan is answered at last, and only once. */
static void answers_to_a_plan(struct subject subject) {
    uint64_t operation = deploy(subject, "answers", 0);
    char *plan = take_until(operation, "plan");
    long long id = number(plan, "id");

    expect_refusal(operation, "{\"id\":%lld,\"approved\":[0]", id);
    expect_refusal(operation, "{\"id\":%lld}", id);
    expect_refusal(operation, "{\"id\":%lld,\"approved\":null}", id);
    expect_refusal(operation, "{\"id\":%lld,\"approved\":true}", id);
    expect_refusal(operation, "{\"id\":%lld,\"approved\":[\"0\"]}", id);
    expect_refusal(operation, "{\"id\":%lld,\"approved\":[-1]}", id);
    expect_refusal(operation, "{\"id\":%lld,\"approved\":[0.5]}", id);
    expect_refusal(operation, "{\"id\":%lld,\"token\":\"x\",\"expiresOn\":1}", id);
    expect_refusal(operation, "{\"id\":\"%lld\",\"approved\":[0]}", id);
    expect_refusal(operation, "{\"id\":%lld,\"approved\":[0]}", id + 1);
    expect_refusal(operation, "{\"id\":%lld,\"approved\":[0]}", id - 1);
    expect_refusal(operation, "{\"approved\":[0]}", id);
    CHECK(svc_operation_answer(operation, "{\"id\":1,\"approved\":[],\"x\":\"\xff\"}") == SVC_NOT_ASKED);
    CHECK(svc_operation_answer(operation, NULL) == SVC_NULL_ARGUMENT);
    /* Nothing of that made the operation go on. */
    char *message = NULL;
    CHECK(svc_operation_next(operation, 0, &message) == SVC_TIMEOUT);
    CHECK(message == NULL);

    char *answer = approve_all(plan);
    svc_string_free(plan);
    CHECK(svc_operation_answer(operation, answer) == SVC_OK);
    CHECK(svc_operation_answer(operation, answer) == SVC_NOT_ASKED);
    char *resource = take_until(operation, "resource");
    svc_string_free(resource);
    CHECK(svc_operation_answer(operation, answer) == SVC_NOT_ASKED);
    char *result = take_until(operation, "result");
    svc_string_free(result);
    CHECK(take(operation) == NULL);
    CHECK(svc_operation_answer(operation, answer) == SVC_NOT_ASKED);
    CHECK(svc_operation_close(operation) == SVC_OK);
    CHECK(svc_operation_answer(operation, answer) == SVC_UNKNOWN_OPERATION);
    free(answer);
}

/* A host with an Azure session is asked for a token before anything is sent. The token never comes, so nothing is. */
static void answers_to_a_token(struct subject subject) {
    char *request = format("{\"settings\":%s,\"environment\":{},"
                           "\"azSession\":{\"subscriptionId\":\"00000000-0000-0000-0000-000000000001\","
                           "\"tenantId\":\"00000000-0000-0000-0000-000000000002\",\"cloud\":\"AzureCloud\"}}",
                           subject.settings);
    uint64_t operation = subject.start(request);
    free(request);
    char *question = take_until(operation, "token");
    CHECK_JSON(question, has(question, "\"resource\":\"https://management.azure.com"));
    CHECK_JSON(question, has(question, "\"tenantId\":\"00000000-0000-0000-0000-000000000002\""));
    long long id = number(question, "id");
    svc_string_free(question);

    expect_refusal(operation, "{\"id\":%lld}", id);
    expect_refusal(operation, "{\"id\":%lld,\"approved\":[0]}", id);
    expect_refusal(operation, "{\"id\":%lld,\"token\":\"x\"}", id);
    expect_refusal(operation, "{\"id\":%lld,\"expiresOn\":1795234355}", id);
    expect_refusal(operation, "{\"id\":%lld,\"token\":\"x\",\"expiresOn\":\"tomorrow\"}", id);
    expect_refusal(operation, "{\"id\":%lld,\"token\":1,\"expiresOn\":1795234355}", id);
    expect_refusal(operation, "{\"id\":%lld,\"error\":null}", id);
    expect_refusal(operation, "{\"id\":%lld,\"token\":\"x\",\"expiresOn\":1795234355}", id + 1);
    char *message = NULL;
    CHECK(svc_operation_next(operation, 0, &message) == SVC_TIMEOUT);

    CHECK(svc_operation_cancel(operation) == SVC_OK);
    for (message = take(operation); message != NULL; message = take(operation)) {
        CHECK_JSON(message, !is_event(message, "plan") && !is_event(message, "result"));
        svc_string_free(message);
    }
    expect_refusal(operation, "{\"id\":%lld,\"token\":\"x\",\"expiresOn\":1795234355}", id);
    CHECK(svc_operation_close(operation) == SVC_OK);
}

int main(int count, char **arguments) {
    alarm(ALARM_SECONDS);
    struct subject subject = subject_from(count, arguments);
    answers_to_a_plan(subject);
    answers_to_a_token(subject);
    free(subject.settings);
    return 0;
}
