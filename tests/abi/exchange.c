/* The whole exchange, against a local cloud: what is planned is made, a second run finds nothing to do, and what-if
 * changes nothing. Arguments: the function of the command and its settings. */

#include "check.h"

/* What-if on a new cloud: there is a plan, and approving it changes nothing. */
static long long what_if(struct subject subject) {
    struct outcome outcome = run(deploy(subject, "exchange", 1));
    CHECK_JSON(outcome.last_error, outcome.errors == 0);
    CHECK(outcome.plans == 1);
    CHECK(outcome.actions > 0);
    CHECK(outcome.resources == 0);
    CHECK(outcome.created + outcome.modified + outcome.deleted == outcome.actions);
    return outcome.actions;
}

/* The first run makes what is planned; each action is reported once. */
static void first_run(struct subject subject, long long planned) {
    struct outcome outcome = run(deploy(subject, "exchange", 0));
    CHECK_JSON(outcome.last_error, outcome.errors == 0);
    CHECK(outcome.plans == 1);
    CHECK(outcome.actions == planned);
    CHECK(outcome.resources == planned);
    CHECK(outcome.results == 1);
    CHECK(outcome.created + outcome.modified + outcome.deleted == planned);
    CHECK(outcome.skipped == 0 && outcome.failed == 0);
}

/* Nothing to ask, nothing to do. */
static void second_run(struct subject subject, long long planned, int what_if) {
    struct outcome outcome = run(deploy(subject, "exchange", what_if));
    CHECK_JSON(outcome.last_error, outcome.errors == 0);
    CHECK(outcome.plans == 0);
    CHECK(outcome.resources == 0 && outcome.reported == 0);
    CHECK(outcome.results == 1);
    CHECK(outcome.unchanged == planned);
    CHECK(outcome.created + outcome.modified + outcome.deleted + outcome.skipped + outcome.failed == 0);
}

/* Nothing approved: nothing made, everything skipped. */
static void nothing_approved(struct subject subject, long long planned) {
    uint64_t operation = deploy(subject, "refused", 0);
    char *plan = take_until(operation, "plan");
    char *answer = format("{\"id\":%lld,\"approved\":[]}", number(plan, "id"));
    CHECK(svc_operation_answer(operation, answer) == SVC_OK);
    free(answer);
    svc_string_free(plan);
    struct outcome outcome = run(operation);
    CHECK_JSON(outcome.last_error, outcome.errors == 0);
    CHECK(outcome.plans == 0 && outcome.resources == 0);
    CHECK(outcome.results == 1);
    CHECK(outcome.skipped == planned);
    /* It is all still to be made. */
    outcome = run(deploy(subject, "refused", 1));
    CHECK(outcome.actions == planned);
}

/* Where a request has an environment, the process's own variables are not looked at. */
static void environment_of_the_request(void) {
    CHECK(setenv("SVC_CLOUD", "nowhere", 1) == 0);
    CHECK(setenv("SVC_SUBSCRIPTION_ID", "nobody", 1) == 0);
    CHECK(setenv("SVC_LOCAL_STATE_FILE", "/nonexistent/state.json", 1) == 0);
    CHECK(setenv("SVC_PROJECT_ROOT", "/nonexistent", 1) == 0);
}

int main(int count, char **arguments) {
    alarm(ALARM_SECONDS);
    struct subject subject = subject_from(count, arguments);
    environment_of_the_request();
    long long planned = what_if(subject);
    CHECK(what_if(subject) == planned);
    first_run(subject, planned);
    second_run(subject, planned, 0);
    second_run(subject, planned, 1);
    nothing_approved(subject, planned);
    free(subject.settings);
    return 0;
}
