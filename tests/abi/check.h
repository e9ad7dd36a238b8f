/* What the C programs share: checks that say what failed, taking messages, and just enough JSON.
 *
 * A program prints nothing and returns 0 when all is well. Every wait is bounded: a message has PATIENCE_MS to come, and
 * an alarm ends a program that hangs. Messages are appended to the file that SVC_ABI_MESSAGES names, one a line, where
 * the Rust test checks them against the schema. */

#ifndef CHECK_H
#define CHECK_H

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef _WIN32
#include "on_windows.h"
#else
#include <dlfcn.h>
/* What an absolute path begins with, before its first slash. */
#define DRIVE ""
#endif

#include "svc_deploy.h"

#define PATIENCE_MS 60000u
#define ALARM_SECONDS 400u

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) fail(__FILE__, __LINE__, #condition, NULL);                                                  \
    } while (0)

/* The same, and shows the JSON it was about. */
#define CHECK_JSON(json, condition)                                                                                    \
    do {                                                                                                               \
        if (!(condition)) fail(__FILE__, __LINE__, #condition, json);                                                  \
    } while (0)

static inline _Noreturn void fail(const char *file, int line, const char *what, const char *json) {
    fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
    if (json != NULL) fprintf(stderr, "%s\n", json);
    exit(1);
}

/* The function that starts a command. */
typedef uint64_t (*start_function)(const char *request);

static inline start_function find_start(const char *name) {
    start_function start;
    void *program = dlopen(NULL, RTLD_NOW);
    CHECK(program != NULL);
    void *symbol = dlsym(program, name);
    if (symbol == NULL) fail(__FILE__, __LINE__, name, "is not exported");
    /* C has no cast from an object pointer to a function pointer. */
    memcpy(&start, &symbol, sizeof start);
    CHECK(dlclose(program) == 0);
    return start;
}

static inline char *format(const char *pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    int length = vsnprintf(NULL, 0, pattern, arguments);
    va_end(arguments);
    CHECK(length >= 0);
    char *text = malloc((size_t)length + 1);
    CHECK(text != NULL);
    va_start(arguments, pattern);
    vsnprintf(text, (size_t)length + 1, pattern, arguments);
    va_end(arguments);
    return text;
}

/* The messages are compact JSON, so a member can be looked for as text. Texts for people have their quotation marks
 * escaped and are never mistaken for a member. */
static inline int has(const char *json, const char *piece) { return strstr(json, piece) != NULL; }

static inline int is_event(const char *json, const char *event) {
    char piece[64];
    snprintf(piece, sizeof piece, "{\"event\":\"%s\"", event);
    return strncmp(json, piece, strlen(piece)) == 0;
}

/* The number of the first member with this name. */
static inline long long number(const char *json, const char *member) {
    char piece[64];
    snprintf(piece, sizeof piece, "\"%s\":", member);
    const char *found = strstr(json, piece);
    CHECK_JSON(json, found != NULL);
    char *end = NULL;
    long long value = strtoll(found + strlen(piece), &end, 10);
    CHECK_JSON(json, end != found + strlen(piece));
    return value;
}

static inline long long occurrences(const char *json, const char *piece) {
    long long count = 0;
    for (const char *found = strstr(json, piece); found != NULL; found = strstr(found + strlen(piece), piece)) count++;
    return count;
}

/* How many actions a plan has. */
static inline long long actions_of(const char *plan) { return occurrences(plan, "{\"index\":"); }

static inline void record(const char *message) {
    static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    const char *path = getenv("SVC_ABI_MESSAGES");
    if (path == NULL) return;
    pthread_mutex_lock(&gate);
    FILE *file = fopen(path, "a");
    CHECK(file != NULL);
    CHECK(fprintf(file, "%s\n", message) > 0);
    CHECK(fclose(file) == 0);
    pthread_mutex_unlock(&gate);
}

/* The next message, which svc_string_free frees; NULL at the end. */
static inline char *take(uint64_t operation) {
    char *message = (char *)"what was here before is not looked at";
    int32_t status = svc_operation_next(operation, PATIENCE_MS, &message);
    if (status == SVC_FINISHED) {
        CHECK(message == NULL);
        return NULL;
    }
    CHECK(status == SVC_OK);
    CHECK(message != NULL);
    CHECK_JSON(message, message[0] == '{' && message[strlen(message) - 1] == '}');
    record(message);
    return message;
}

/* Takes messages up to one with this event and returns it; an error or the end before it is a failure. */
static inline char *take_until(uint64_t operation, const char *event) {
    for (;;) {
        char *message = take(operation);
        CHECK(message != NULL);
        if (is_event(message, event)) return message;
        CHECK_JSON(message, !is_event(message, "error"));
        svc_string_free(message);
    }
}

/* What an operation said until its end. */
struct outcome {
    long long plans, actions, resources, reported, errors, results, warnings;
    long long created, modified, unchanged, deleted, skipped, failed;
    char *last_error; /* NULL, or text of malloc */
};

static inline void note(struct outcome *outcome, const char *message) {
    /* After a terminating error there is nothing more, after the result only the one that says that something failed. */
    CHECK_JSON(message, outcome->last_error == NULL || !has(outcome->last_error, "\"terminating\":true"));
    CHECK_JSON(message, outcome->results == 0 || has(message, "\"code\":\"DeploymentFailed\""));
    if (is_event(message, "plan")) {
        outcome->plans++;
        outcome->actions = actions_of(message);
        CHECK_JSON(message, number(message, "format") == 1);
        CHECK_JSON(message, occurrences(message, "\"confirm\":\"normal\"") + occurrences(message, "\"confirm\":\"always\"") ==
                                outcome->actions);
    } else if (is_event(message, "resource")) {
        outcome->resources++;
    } else if (is_event(message, "unchanged")) {
        outcome->reported++;
    } else if (is_event(message, "warning")) {
        outcome->warnings++;
    } else if (is_event(message, "error")) {
        outcome->errors++;
        free(outcome->last_error);
        outcome->last_error = format("%s", message);
    } else if (is_event(message, "result")) {
        outcome->results++;
        outcome->created = number(message, "created");
        outcome->modified = number(message, "modified");
        outcome->unchanged = number(message, "unchanged");
        outcome->deleted = number(message, "deleted");
        outcome->skipped = number(message, "skipped");
        outcome->failed = number(message, "failed");
    } else {
        CHECK_JSON(message, is_event(message, "verbose") || is_event(message, "debug") || is_event(message, "progress") ||
                                is_event(message, "target") || is_event(message, "kept"));
    }
}

/* The answer that approves every action of a plan; free frees it. */
static inline char *approve_all(const char *plan) {
    char *answer = format("{\"id\":%lld,\"approved\":[", number(plan, "id"));
    long long count = actions_of(plan);
    for (long long index = 0; index < count; index++) {
        char *longer = format("%s%s%lld", answer, index == 0 ? "" : ",", index);
        free(answer);
        answer = longer;
    }
    char *whole = format("%s]}", answer);
    free(answer);
    return whole;
}

/* Takes all messages up to the end, approves what is planned, and closes the operation. */
static inline struct outcome run(uint64_t operation) {
    struct outcome outcome = {0};
    CHECK(operation != 0);
    for (char *message = take(operation); message != NULL; message = take(operation)) {
        note(&outcome, message);
        if (is_event(message, "plan")) {
            char *answer = approve_all(message);
            CHECK(svc_operation_answer(operation, answer) == SVC_OK);
            free(answer);
        }
        svc_string_free(message);
    }
    CHECK(svc_operation_close(operation) == SVC_OK);
    return outcome;
}

/* The command and the settings that a program was given: the name of a function, and the path of a JSON document. */
struct subject {
    start_function start;
    char *settings; /* text of malloc */
};

static inline struct subject subject_from(int count, char **arguments) {
    if (count != 3) fail(__FILE__, __LINE__, "usage: <program> <function> <settings file>", NULL);
    struct subject subject = {find_start(arguments[1]), malloc(1 << 16)};
    CHECK(subject.settings != NULL);
    FILE *file = fopen(arguments[2], "r");
    if (file == NULL) fail(__FILE__, __LINE__, arguments[2], "cannot be read");
    size_t length = fread(subject.settings, 1, 1 << 16, file);
    CHECK(length > 0 && length < 1 << 16);
    subject.settings[length] = '\0';
    CHECK(fclose(file) == 0);
    return subject;
}

/* The path of a state file in this folder; free frees it. Its name has letters beyond ASCII on purpose. A new one begins
 * as a copy of the landing zone that the Rust test put here, which the settings may depend on. */
static inline char *state_file(const char *state) {
    char folder[4096], resources[1 << 16];
    CHECK(getcwd(folder, sizeof folder) != NULL);
    char *path = format("%s/zürich-%s.json", folder, state);
    FILE *copy = fopen(path, "wx");
    if (copy == NULL) return path; /* An operation before this one has made it. */
    FILE *landing_zone = fopen("landing-zone.json", "r");
    CHECK(landing_zone != NULL);
    size_t length = fread(resources, 1, sizeof resources, landing_zone);
    CHECK(length > 0 && length < sizeof resources);
    CHECK(fwrite(resources, 1, length, copy) == length);
    CHECK(fclose(landing_zone) == 0);
    CHECK(fclose(copy) == 0);
    return path;
}

/* Starts the deployment of the settings to the local cloud that is kept in this state file. */
static inline uint64_t deploy(struct subject subject, const char *state, int what_if) {
    char folder[4096];
    CHECK(getcwd(folder, sizeof folder) != NULL);
    char *path = state_file(state);
    char *request = format("{\"settings\":%s,\"baseDirectory\":\"%s\",\"whatIf\":%s,\"environment\":{},"
                           "\"context\":{\"cloud\":\"local\",\"localStateFile\":\"%s\"}}",
                           subject.settings, folder, what_if ? "true" : "false", path);
    uint64_t operation = subject.start(request);
    free(request);
    free(path);
    CHECK(operation != 0);
    return operation;
}

#endif
