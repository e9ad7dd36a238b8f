/*
 * Times the C ABI of Svc Deploy as a host sees it: from the start of an operation to a message.
 *
 *   first_message LIBRARY REQUEST-FILE UNTIL TIMES
 *
 * UNTIL is `first` (the first message), `plan` (the plan) or `load` (the first message, and the time that loading the
 * library takes is part of it). Prints the sum of the times in nanoseconds. The rest of each operation is not timed.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PATIENCE_MS = 60000, OK = 0, END = 2 };

static uint64_t (*start)(const char *);
static int32_t (*next)(uint64_t, uint32_t, char **);
static int32_t (*answer)(uint64_t, const char *);
static int32_t (*close_operation)(uint64_t);
static void (*free_text)(char *);

static void fail(const char *what, const char *detail) {
    fprintf(stderr, "%s: %s\n", what, detail);
    exit(1);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void *function(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (found == NULL) fail("the library has no function", name);
    return found;
}

static void load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fail("the library cannot be loaded", dlerror());
    *(void **)&start = function(library, "svc_new_iaas_storage");
    *(void **)&next = function(library, "svc_operation_next");
    *(void **)&answer = function(library, "svc_operation_answer");
    *(void **)&close_operation = function(library, "svc_operation_close");
    *(void **)&free_text = function(library, "svc_string_free");
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail("the request cannot be opened", path);
    char *text = calloc(1, 65536);
    if (text == NULL || fread(text, 1, 65535, file) == 0) fail("the request cannot be read", path);
    fclose(file);
    return text;
}

/* Runs one operation to its end; gives the moment at which the message came. */
static uint64_t run(const char *request, int until_plan) {
    uint64_t operation = start(request), came = 0;
    int32_t status;
    char *message = NULL;
    while ((status = next(operation, PATIENCE_MS, &message)) == OK) {
        uint64_t here = now();
        int is_plan = strstr(message, "\"event\":\"plan\"") != NULL;
        if (came == 0 && (is_plan || !until_plan)) came = here;
        if (strstr(message, "\"event\":\"error\"") != NULL) fail("the operation failed", message);
        free_text(message);
        /* The plan is the only question under whatIf, so its id is 1. */
        if (is_plan && answer(operation, "{\"id\":1,\"approved\":[]}") != OK) fail("the plan", "takes no answer");
    }
    if (status != END || came == 0) fail("the operation", "ended without the message");
    if (close_operation(operation) != OK) fail("the operation", "cannot be closed");
    return came;
}

int main(int count, char **arguments) {
    if (count != 5) fail("usage", "first_message LIBRARY REQUEST-FILE first|plan|load TIMES");
    char *request = read_file(arguments[2]);
    int with_load = strcmp(arguments[3], "load") == 0, until_plan = strcmp(arguments[3], "plan") == 0;
    uint64_t loading = now(), sum = 0;
    load(arguments[1]);
    for (long times = strtol(arguments[4], NULL, 10); times > 0; times--) {
        uint64_t begin = with_load ? loading : now();
        sum += run(request, until_plan) - begin;
    }
    printf("%llu\n", (unsigned long long)sum);
    free(request);
    return 0;
}
