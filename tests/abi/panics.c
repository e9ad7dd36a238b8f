/* A defect in the library: the operation ends with an error, the call returns, the process lives. Linked to the library
 * of panicking.rs. That nothing is printed is checked by whoever runs this. */

#include "check.h"

uint64_t svc_new_panicking(const char *request);
int32_t svc_panic_in_call(uint64_t operation);

static void panic_in_an_operation(void) {
    uint64_t operation = svc_new_panicking("bad luck");
    char *message = take(operation);
    CHECK(message != NULL);
    CHECK_JSON(message, is_event(message, "verbose"));
    svc_string_free(message);
    message = take(operation);
    CHECK(message != NULL);
    CHECK_JSON(message, is_event(message, "error"));
    CHECK_JSON(message, has(message, "\"terminating\":true"));
    CHECK_JSON(message, has(message, "\"code\":\"InternalError\""));
    CHECK_JSON(message, has(message, "the request was bad luck"));
    svc_string_free(message);
    CHECK(take(operation) == NULL);
    CHECK(svc_operation_cancel(operation) == SVC_OK);
    CHECK(svc_operation_close(operation) == SVC_OK);
}

static void panic_in_a_call(void) {
    uint64_t operation = svc_new_panicking("x");
    CHECK(svc_panic_in_call(operation) == SVC_DEFECT);
    CHECK(svc_panic_in_call(operation) == SVC_DEFECT);
    /* The operation and the table of operations are as they were. */
    struct outcome outcome = run(operation);
    CHECK(outcome.errors == 1);
    free(outcome.last_error);
    CHECK(svc_panic_in_call(operation) == SVC_OK);
}

int main(void) {
    alarm(ALARM_SECONDS);
    for (int round = 0; round < 3; round++) {
        panic_in_an_operation();
        panic_in_a_call();
    }
    /* The commands still work. */
    struct outcome outcome = run(svc_new_iaas_storage("{"));
    CHECK(outcome.errors == 1);
    CHECK_JSON(outcome.last_error, has(outcome.last_error, "RequestInvalid"));
    free(outcome.last_error);
    return 0;
}
