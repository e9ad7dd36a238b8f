/* Calls from several threads: two that poll one operation, two operations at once, and closing and cancelling under a
 * thread that waits. Arguments: the function of the command and its settings. */

#include <time.h>

#include "check.h"

static pthread_t begin(void *(*body)(void *), void *argument) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, body, argument) == 0);
    return thread;
}

static void end(pthread_t thread) { CHECK(pthread_join(thread, NULL) == 0); }

struct poller {
    uint64_t operation;
    long long messages, resources, results;
};

static void *poll_to_the_end(void *argument) {
    struct poller *poller = argument;
    for (char *message = take(poller->operation); message != NULL; message = take(poller->operation)) {
        poller->messages++;
        poller->resources += is_event(message, "resource");
        poller->results += is_event(message, "result");
        CHECK_JSON(message, !is_event(message, "error"));
        if (is_event(message, "plan")) {
            char *answer = approve_all(message);
            CHECK(svc_operation_answer(poller->operation, answer) == SVC_OK);
            free(answer);
        }
        svc_string_free(message);
    }
    return NULL;
}

/* Each message goes to one of the two, and both see the end. */
static void two_threads_poll_one_operation(struct subject subject) {
    long long planned = run(deploy(subject, "polled", 1)).actions;
    uint64_t operation = deploy(subject, "polled", 0);
    struct poller one = {.operation = operation}, other = {.operation = operation};
    pthread_t threads[] = {begin(poll_to_the_end, &one), begin(poll_to_the_end, &other)};
    end(threads[0]);
    end(threads[1]);
    CHECK(one.resources + other.resources == planned);
    CHECK(one.results + other.results == 1);
    CHECK(svc_operation_close(operation) == SVC_OK);
}

/* Neither gets a message of the other. */
static void two_operations_at_once(struct subject subject) {
    long long planned = run(deploy(subject, "one", 1)).actions;
    struct poller one = {.operation = deploy(subject, "one", 0)}, other = {.operation = deploy(subject, "other", 0)};
    pthread_t threads[] = {begin(poll_to_the_end, &one), begin(poll_to_the_end, &other)};
    end(threads[0]);
    end(threads[1]);
    CHECK(one.resources == planned && other.resources == planned);
    CHECK(one.results == 1 && other.results == 1);
    CHECK(svc_operation_close(one.operation) == SVC_OK);
    CHECK(svc_operation_close(other.operation) == SVC_OK);
}

struct waiter {
    uint64_t operation;
    int32_t status;
};

/* Waits practically for ever, so that only the end of the operation brings the thread back. */
static void *wait_for_the_end(void *argument) {
    struct waiter *waiter = argument;
    do {
        char *message = NULL;
        waiter->status = svc_operation_next(waiter->operation, UINT32_MAX, &message);
        if (message != NULL) record(message);
        svc_string_free(message);
    } while (waiter->status == SVC_OK);
    return NULL;
}

/* While its plan waits for an answer, an operation says nothing, so the threads really wait. */
static void ended_under_two_waiting_threads(struct subject subject, int32_t (*end_it)(uint64_t), const char *state) {
    uint64_t operation = deploy(subject, state, 0);
    svc_string_free(take_until(operation, "plan"));
    struct waiter one = {.operation = operation}, other = {.operation = operation};
    pthread_t threads[] = {begin(wait_for_the_end, &one), begin(wait_for_the_end, &other)};
    /* Gives them time to get there. When they come too late, less is tried but nothing fails. */
    struct timespec pause = {.tv_nsec = 100 * 1000 * 1000};
    nanosleep(&pause, NULL);
    CHECK(end_it(operation) == SVC_OK);
    end(threads[0]);
    end(threads[1]);
    int closed = end_it == svc_operation_close;
    CHECK(one.status == SVC_FINISHED || (closed && one.status == SVC_UNKNOWN_OPERATION));
    CHECK(other.status == SVC_FINISHED || (closed && other.status == SVC_UNKNOWN_OPERATION));
    CHECK(svc_operation_close(operation) == (closed ? SVC_UNKNOWN_OPERATION : SVC_OK));
}

static void *close_it(void *argument) {
    struct waiter *waiter = argument;
    waiter->status = svc_operation_close(waiter->operation);
    return NULL;
}

/* Exactly one of several threads that close an operation closes it. */
static void closed_by_four_threads(struct subject subject) {
    enum { THREADS = 4 };
    for (int round = 0; round < 10; round++) {
        uint64_t operation = subject.start("{");
        struct waiter waiters[THREADS];
        pthread_t threads[THREADS];
        for (int index = 0; index < THREADS; index++) {
            waiters[index].operation = operation;
            threads[index] = begin(close_it, &waiters[index]);
        }
        int closed = 0;
        for (int index = 0; index < THREADS; index++) {
            end(threads[index]);
            closed += waiters[index].status == SVC_OK;
            CHECK(waiters[index].status == SVC_OK || waiters[index].status == SVC_UNKNOWN_OPERATION);
        }
        CHECK(closed == 1);
    }
}

/* Starts, takes and closes operations, and looks at ids of others. */
static void *come_and_go(void *argument) {
    struct subject *subject = argument;
    for (int round = 0; round < 50; round++) {
        uint64_t operation = subject->start("{");
        char *message = take(operation);
        CHECK(message != NULL);
        CHECK_JSON(message, has(message, "RequestInvalid"));
        svc_string_free(message);
        CHECK(take(operation) == NULL);
        CHECK(svc_operation_close(operation) == SVC_OK);
        CHECK(svc_operation_close(operation) == SVC_UNKNOWN_OPERATION);
    }
    return NULL;
}

static void many_operations_come_and_go(struct subject subject) {
    pthread_t threads[4];
    for (int index = 0; index < 4; index++) threads[index] = begin(come_and_go, &subject);
    for (int index = 0; index < 4; index++) end(threads[index]);
}

int main(int count, char **arguments) {
    alarm(ALARM_SECONDS);
    struct subject subject = subject_from(count, arguments);
    closed_by_four_threads(subject);
    many_operations_come_and_go(subject);
    two_threads_poll_one_operation(subject);
    two_operations_at_once(subject);
    ended_under_two_waiting_threads(subject, svc_operation_close, "closed");
    ended_under_two_waiting_threads(subject, svc_operation_cancel, "cancelled");
    free(subject.settings);
    return 0;
}
