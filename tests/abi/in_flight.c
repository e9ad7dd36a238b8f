/* Cancelling while Azure works on something: the operation names it in one warning and ends. Arguments: the function of
 * the command, its settings, the endpoint of a cloud that begins to make a resource and never gets done with it, the type
 * of that resource as it stands in URLs, and how a message names it. */

#include "check.h"

/* Takes messages until the cloud has answered the request that makes the resource: from then on it works on it. */
static void wait_until_accepted(uint64_t operation, const char *type) {
    char *piece = format("/%s/", type);
    for (int accepted = 0; !accepted;) {
        char *message = take_until(operation, "verbose");
        accepted = has(message, "\"message\":\"PUT /") && has(message, piece);
        svc_string_free(message);
    }
    free(piece);
}

int main(int count, char **arguments) {
    alarm(ALARM_SECONDS);
    CHECK(count == 6);
    struct subject subject = subject_from(3, arguments);
    char *request = format("{\"settings\":%s,\"environment\":{},\"context\":{\"cloud\":\"%s\"}}", subject.settings,
                           arguments[3]);
    uint64_t operation = subject.start(request);
    free(request);

    char *plan = take_until(operation, "plan");
    char *answer = approve_all(plan);
    svc_string_free(plan);
    CHECK(svc_operation_answer(operation, answer) == SVC_OK);
    free(answer);
    wait_until_accepted(operation, arguments[4]);
    CHECK(svc_operation_cancel(operation) == SVC_OK);

    struct outcome outcome = {0};
    for (char *message = take(operation); message != NULL; message = take(operation)) {
        note(&outcome, message);
        if (is_event(message, "warning")) CHECK_JSON(message, has(message, arguments[5]));
        svc_string_free(message);
    }
    CHECK_JSON(outcome.last_error, outcome.errors == 0);
    CHECK(outcome.warnings == 1);
    CHECK(outcome.results == 0);
    CHECK(svc_operation_close(operation) == SVC_OK);
    free(subject.settings);
    return 0;
}
