/* What a host may read beside the plan: what the run is for, and what stays as it is. Arguments: the function of the
 * command and its settings, those of a storage account. */

#include "check.h"

/* The same settings with another word in the place of the first one; free frees it. */
static char *with_replication(const char *settings, const char *replication) {
    const char *member = "\"accountType\": \"Standard\"";
    const char *found = strstr(settings, member);
    CHECK_JSON(settings, found != NULL);
    return format("%.*s%s, \"replication\": \"%s\"%s", (int)(found - settings), settings, member, replication,
                  found + strlen(member));
}

/* The target comes once, before anything else is told of the cloud, and the plan has the same. */
static void target_is_said(struct subject subject) {
    uint64_t operation = deploy(subject, "reports", 0);
    char *target = take_until(operation, "target");
    CHECK_JSON(target, has(target, "\"cloud\":\"local\"") && has(target, "\"endpoint\":\"http://127.0.0.1:"));
    CHECK_JSON(target, has(target, "\"subscriptionId\":\"") && has(target, "\"description\":\""));
    CHECK_JSON(target, !has(target, "\"identity\""));
    char *plan = take_until(operation, "plan");
    const char *endpoint = strstr(target, "\"endpoint\":\"");
    char *same = format("%.*s", (int)(strchr(endpoint + 12, ',') - endpoint), endpoint);
    CHECK_JSON(plan, has(plan, "\"target\":{") && has(plan, same));
    free(same);
    char *answer = approve_all(plan);
    CHECK(svc_operation_answer(operation, answer) == SVC_OK);
    free(answer);
    svc_string_free(plan);
    svc_string_free(target);
    CHECK(run(operation).failed == 0);
}

/* What Azure cannot change is told with both values, is counted, and is no plan. */
static void kept_is_said(struct subject subject) {
    uint64_t operation = deploy(subject, "reports", 0);
    char *kept = take_until(operation, "kept");
    CHECK_JSON(kept, has(kept, "\"path\":\"sku.name\""));
    CHECK_JSON(kept, has(kept, "\"wanted\":\"\\\"Standard_ZRS\\\"\""));
    CHECK_JSON(kept, has(kept, "\"existing\":\"\\\"Standard_LRS\\\"\""));
    CHECK_JSON(kept, has(kept, "\"resourceId\":\"/subscriptions/") && has(kept, "\"reason\":\""));
    svc_string_free(kept);
    char *result = take_until(operation, "result");
    CHECK_JSON(result, number(result, "kept") == 1 && number(result, "modified") == 0 && has(result, "\"sentence\":\"Result: "));
    svc_string_free(result);
    CHECK(take(operation) == NULL);
    CHECK(svc_operation_close(operation) == SVC_OK);
}

/* A host that knows neither event, such as the one of check.h, gets on without them. */
static void ignored(struct subject subject) {
    struct outcome outcome = run(deploy(subject, "reports", 1));
    CHECK_JSON(outcome.last_error, outcome.errors == 0);
    CHECK(outcome.plans == 0 && outcome.results == 1);
}

int main(int count, char **arguments) {
    alarm(ALARM_SECONDS);
    struct subject subject = subject_from(count, arguments);
    char *settings = subject.settings;
    subject.settings = with_replication(settings, "LRS");
    target_is_said(subject);
    free(subject.settings);
    subject.settings = with_replication(settings, "ZRS");
    kept_is_said(subject);
    ignored(subject);
    free(subject.settings);
    free(settings);
    return 0;
}
