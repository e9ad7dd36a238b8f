/* Two operations with one local cloud. The second one waits for seconds before it gives up, so this is tried with one command only.
 * Arguments: the function of the command and its settings. */

#include "check.h"

/* One local cloud serves one operation at a time; the second one is told so. */
static void two_operations_with_one_cloud(struct subject subject) {
    uint64_t first = deploy(subject, "shared", 0);
    svc_string_free(take_until(first, "plan"));
    struct outcome outcome = run(deploy(subject, "shared", 0));
    CHECK(outcome.errors == 1);
    CHECK_JSON(outcome.last_error, has(outcome.last_error, "\"code\":\"LocalStateInUse\""));
    free(outcome.last_error);
    CHECK(svc_operation_cancel(first) == SVC_OK);
    char *last = take(first);
    CHECK_JSON(last, has(last, "Nothing was changed."));
    svc_string_free(last);
    CHECK(take(first) == NULL);
    CHECK(svc_operation_close(first) == SVC_OK);
    outcome = run(deploy(subject, "shared", 0));
    CHECK_JSON(outcome.last_error, outcome.errors == 0);
}

int main(int count, char **arguments) {
    alarm(ALARM_SECONDS);
    struct subject subject = subject_from(count, arguments);
    two_operations_with_one_cloud(subject);
    free(subject.settings);
    return 0;
}
