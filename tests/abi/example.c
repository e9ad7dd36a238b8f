/* Deploys storage accounts to the local cloud and prints what the library says.
 *
 *     cc tests/abi/example.c -I ffi/include -L target/debug -lsvc_deploy -Wl,-rpath,target/debug -o example
 *     ./example "$PWD/storage.yml" "$PWD/cloud.json"
 *
 * Both paths must be absolute. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svc_deploy.h"

/* Approves the actions of a plan that need no confirmation. A real program reads the message with a JSON library
 * and asks its user about the others. */
static void approve(uint64_t operation, const char *plan) {
    size_t size = strlen(plan) + 64, length;
    char *answer = malloc(size);
    if (answer == NULL) return;
    length = (size_t)sprintf(answer, "{\"id\":%ld,\"approved\":[", atol(strstr(plan, "\"id\":") + 5));
    const char *action = strstr(plan, "{\"index\":"), *next, *separator = "";
    for (; action != NULL; action = next) {
        next = strstr(action + 1, "{\"index\":");
        const char *ask = strstr(action, "\"confirm\":\"always\"");
        if (ask != NULL && (next == NULL || ask < next)) continue;
        length += (size_t)sprintf(answer + length, "%s%ld", separator, atol(strchr(action, ':') + 1));
        separator = ",";
    }
    strcpy(answer + length, "]}");
    svc_operation_answer(operation, answer);
    free(answer);
}

int main(int count, char **arguments) {
    if (count != 3 || svc_abi_version() != SVC_ABI_VERSION) return 2;

    char request[4096];
    snprintf(request, sizeof request,
             "{\"settingsFile\":\"%s\",\"context\":{\"cloud\":\"local\",\"localStateFile\":\"%s\"}}", arguments[1],
             arguments[2]);
    uint64_t operation = svc_new_iaas_storage(request);

    int failed = 0;
    for (;;) {
        char *message = NULL;
        int32_t status = svc_operation_next(operation, 100, &message);
        if (status == SVC_TIMEOUT) continue; /* Time to look for Ctrl+C, and to call svc_operation_cancel. */
        if (status != SVC_OK) break;         /* SVC_FINISHED. */
        puts(message);
        if (strncmp(message, "{\"event\":\"plan\"", 15) == 0) approve(operation, message);
        if (strncmp(message, "{\"event\":\"error\"", 16) == 0) failed = 1;
        svc_string_free(message);
    }
    svc_operation_close(operation);
    return failed;
}
