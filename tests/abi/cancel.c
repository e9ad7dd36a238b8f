/* Cancelling and closing in every state of an operation. Arguments: the function of the command and its settings. */

#include "check.h"

enum state { STARTED, PLANNED, APPROVED, FINISHED };

/* An operation that is brought into a state. The local cloud is a new one for every operation. */
static uint64_t brought_to(enum state state, struct subject subject) {
    static int clouds = 0;
    char *cloud = format("cancel-%d", clouds++);
    uint64_t operation = deploy(subject, cloud, 0);
    free(cloud);
    if (state >= PLANNED) {
        char *plan = take_until(operation, "plan");
        if (state >= APPROVED) {
            char *answer = approve_all(plan);
            CHECK(svc_operation_answer(operation, answer) == SVC_OK);
            free(answer);
        }
        svc_string_free(plan);
    }
    if (state == FINISHED) {
        svc_string_free(take_until(operation, "result"));
        CHECK(take(operation) == NULL);
    }
    return operation;
}

/* The operation ends by itself, whatever it was about to do. */
static void cancelled(enum state state, struct subject subject, int times) {
    uint64_t operation = brought_to(state, subject);
    for (int time = 0; time < times; time++) CHECK(svc_operation_cancel(operation) == SVC_OK);
    struct outcome outcome = {0};
    for (char *message = take(operation); message != NULL; message = take(operation)) {
        note(&outcome, message);
        svc_string_free(message);
    }
    if (state == PLANNED) {
        /* Nobody approved anything. */
        CHECK(outcome.plans == 0);
        CHECK(outcome.resources == 0);
    }
    if (state == FINISHED) CHECK(outcome.errors == 0 && outcome.warnings == 0);
    free(outcome.last_error);
    CHECK(svc_operation_cancel(operation) == SVC_OK);
    CHECK(take(operation) == NULL);
    CHECK(svc_operation_close(operation) == SVC_OK);
    CHECK(svc_operation_cancel(operation) == SVC_UNKNOWN_OPERATION);
}

/* The id is gone at once. */
static void closed(enum state state, struct subject subject, int cancel_first) {
    uint64_t operation = brought_to(state, subject);
    if (cancel_first) CHECK(svc_operation_cancel(operation) == SVC_OK);
    CHECK(svc_operation_close(operation) == SVC_OK);
    CHECK(svc_operation_close(operation) == SVC_UNKNOWN_OPERATION);
    CHECK(svc_operation_cancel(operation) == SVC_UNKNOWN_OPERATION);
    char *message = NULL;
    CHECK(svc_operation_next(operation, 0, &message) == SVC_UNKNOWN_OPERATION);
    CHECK(svc_operation_answer(operation, "{\"id\":1,\"approved\":[0]}") == SVC_UNKNOWN_OPERATION);
}

/* A cancelled plan leaves the cloud as it was: the next run plans the same. */
static void cancelled_plan_changes_nothing(struct subject subject) {
    uint64_t operation = deploy(subject, "cancelled-plan", 0);
    char *plan = take_until(operation, "plan");
    long long planned = actions_of(plan);
    svc_string_free(plan);
    CHECK(svc_operation_cancel(operation) == SVC_OK);
    for (char *message = take(operation); message != NULL; message = take(operation)) svc_string_free(message);
    CHECK(svc_operation_close(operation) == SVC_OK);
    struct outcome outcome = run(deploy(subject, "cancelled-plan", 1));
    CHECK_JSON(outcome.last_error, outcome.errors == 0);
    CHECK(outcome.actions == planned);
}

/* What was interrupted half-way is completed by the next run. */
static void interrupted_run_is_completed(struct subject subject) {
    uint64_t operation = deploy(subject, "interrupted", 0);
    char *plan = take_until(operation, "plan");
    char *answer = approve_all(plan);
    svc_string_free(plan);
    CHECK(svc_operation_answer(operation, answer) == SVC_OK);
    free(answer);
    svc_string_free(take_until(operation, "resource"));
    CHECK(svc_operation_cancel(operation) == SVC_OK);
    for (char *message = take(operation); message != NULL; message = take(operation)) svc_string_free(message);
    CHECK(svc_operation_close(operation) == SVC_OK);
    struct outcome outcome = run(deploy(subject, "interrupted", 0));
    CHECK_JSON(outcome.last_error, outcome.errors == 0);
    outcome = run(deploy(subject, "interrupted", 0));
    CHECK(outcome.plans == 0 && outcome.results == 1);
}

int main(int count, char **arguments) {
    alarm(ALARM_SECONDS);
    struct subject subject = subject_from(count, arguments);
    for (enum state state = STARTED; state <= FINISHED; state++) {
        cancelled(state, subject, 1);
        cancelled(state, subject, 2);
        closed(state, subject, 0);
        closed(state, subject, 1);
    }
    cancelled_plan_changes_nothing(subject);
    interrupted_run_is_completed(subject);
    free(subject.settings);
    return 0;
}
