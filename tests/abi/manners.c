/* What a library inside somebody else's process must not do: set signal handlers, or vanish from memory while threads
 * run in it. Loads the library itself; its path is the first argument. */

#include <signal.h>

#include "check.h"

static void signal_actions(struct sigaction *actions, int count) {
    for (int number = 1; number < count; number++) {
        /* Two numbers belong to the C library and cannot be asked for. */
        if (sigaction(number, NULL, &actions[number]) != 0) memset(&actions[number], 0, sizeof *actions);
    }
}

static void *symbol(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (found == NULL) fail(__FILE__, __LINE__, name, "is not exported");
    return found;
}

int main(int count, char **arguments) {
    enum { SIGNALS = 65 };
    static struct sigaction before[SIGNALS], after[SIGNALS];
    alarm(ALARM_SECONDS);
    CHECK(count == 2);
    signal_actions(before, SIGNALS);

#ifdef __linux__
    /* Closed as often as it was opened, and still there. Tried before any call: the C library itself keeps a library
     * that a living thread has used. */
    void *briefly = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (briefly == NULL) fail(__FILE__, __LINE__, arguments[1], dlerror());
    CHECK(dlclose(briefly) == 0);
    CHECK(dlopen(arguments[1], RTLD_NOW | RTLD_NOLOAD) != NULL);
#endif

    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fail(__FILE__, __LINE__, arguments[1], dlerror());
    start_function start;
    int32_t (*next)(uint64_t, uint32_t, char **);
    int32_t (*close_operation)(uint64_t);
    void (*string_free)(char *);
    void *found = symbol(library, "svc_new_iaas_storage");
    memcpy(&start, &found, sizeof start);
    found = symbol(library, "svc_operation_next");
    memcpy(&next, &found, sizeof next);
    found = symbol(library, "svc_operation_close");
    memcpy(&close_operation, &found, sizeof close_operation);
    found = symbol(library, "svc_string_free");
    memcpy(&string_free, &found, sizeof string_free);

    uint64_t operation = start("{");
    char *message = NULL;
    CHECK(next(operation, PATIENCE_MS, &message) == SVC_OK);
    record(message);
    string_free(message);
    CHECK(next(operation, PATIENCE_MS, &message) == SVC_FINISHED);
    CHECK(close_operation(operation) == SVC_OK);

    signal_actions(after, SIGNALS);
    for (int number = 1; number < SIGNALS; number++) CHECK(before[number].sa_handler == after[number].sa_handler);
    return 0;
}
