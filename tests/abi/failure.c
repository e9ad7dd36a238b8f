/* A resource that fails: the error of it comes after everything that was done, then the result, and last the error that has
 * it all. Arguments: the function of the command, its settings, the endpoint of a cloud that refuses one resource, and how the
 * last message begins to name it. */

#include "check.h"

int main(int count, char **arguments) {
    alarm(ALARM_SECONDS);
    CHECK(count == 5);
    struct subject subject = subject_from(3, arguments);
    char *request = format("{\"settings\":%s,\"environment\":{},\"context\":{\"cloud\":\"%s\"}}", subject.settings,
                           arguments[3]);
    struct outcome outcome = run(subject.start(request));
    free(request);

    CHECK_JSON(outcome.last_error, outcome.errors == 2);
    CHECK(outcome.results == 1);
    CHECK(outcome.failed == 1);
    CHECK(outcome.resources > 0 && outcome.resources == outcome.created + outcome.modified);
    CHECK_JSON(outcome.last_error, has(outcome.last_error, "\"terminating\":true,\"code\":\"DeploymentFailed\""));
    CHECK_JSON(outcome.last_error, has(outcome.last_error, arguments[4]));
    CHECK_JSON(outcome.last_error, has(outcome.last_error, "\"failures\":[{\"code\":\"Conflict\""));
    CHECK_JSON(outcome.last_error, occurrences(outcome.last_error, "\"seconds\":") == outcome.resources);
    free(outcome.last_error);
    free(subject.settings);
    return 0;
}
