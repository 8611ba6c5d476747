/// One input of whatever tries the bytes of events: libFuzzer's program, and a suite of our own. The game is `wire`,
/// with events that players may play.
#ifndef TESTS_BYTES_INPUT_H
#define TESTS_BYTES_INPUT_H

#include <stdio.h>

#include "bytes_help.h"
#include "official.h"
#include "wire/buffer.h"
#include "wire.h"

/// Ends the program, so that both libFuzzer and a suite see it.
#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

typedef struct trial {
    kifu__type types[16];
    kifu_rules rules;
    kifu_timeline *timeline;
    kifu_buffer first, second;
    unsigned long accepted, refused, laxer;
} trial;

static inline void begin_trial(trial *trial)
{
    kifu_error error;
    if (!trial->rules.name)
        trial->rules = rules_of_players(&wire_rules, trial->types);
    kifu_destroy(trial->timeline);
    MUST(!kifu_create(&trial->rules, NULL, &trial->timeline, &error));
}

static inline void end_trial(trial *trial)
{
    kifu_destroy(trial->timeline);
    kifu_free_buffer(&trial->first);
    kifu_free_buffer(&trial->second);
}

/// What was accepted happens, and what is then in the log is accepted again, and has the same bytes again.
static inline void play_accepted(trial *trial)
{
    kifu_timeline *timeline = trial->timeline;
    MUST(!kifu_run(timeline));
    const uint32_t event = kifu_event_count(timeline) - 1;
    MUST(!kifu_event_bytes(timeline, event, &trial->first));
    MUST(official_verifies(trial->first.data, trial->first.size));
    MUST(!submit_copy(timeline, 2, trial->first.data, trial->first.size, 3, NULL));
    MUST(!kifu_run(timeline));
    MUST(!kifu_event_bytes(timeline, event + 1, &trial->second));
    MUST(trial->first.size == trial->second.size);
    MUST(!memcmp(trial->first.data, trial->second.data, trial->first.size));
}

/// A request is executed whole, or nothing has changed.
static inline void try_request(kifu_timeline *timeline, const unsigned char *bytes, size_t size, bool official)
{
    const uint32_t before = kifu_event_count(timeline);
    const uint64_t hash = kifu_state_hash(timeline);
    const kifu_result result = kifu_run_request(timeline, 2, bytes, size);
    const uint32_t after = kifu_event_count(timeline);
    MUST(!kifu_pending_count(timeline) && !kifu_open_transactions(timeline));
    if (result)
        MUST(after == before && kifu_state_hash(timeline) == hash && strlen(kifu_last_error(timeline)->message) > 10);
    else if (memcmp(bytes, "\0\0\0", 4)) // else it was an undo or a redo
        MUST(official && after > before && after <= before + KIFU_MOST_IN_BATCH);
}

/// Whatever is accepted, the official verifier accepts, too. The identifier is put in its place, since nobody finds it
/// by chance. Whether the bytes were accepted.
static inline bool try_bytes(trial *trial, const unsigned char *data, size_t size)
{
    const uint32_t identifier = kifu_file_identifier(&wire_rules);
    if (!trial->timeline || kifu_event_count(trial->timeline) > 200)
        begin_trial(trial);
    unsigned char *copy = malloc(size ? size : 1);
    if (size)
        memcpy(copy, data, size);
    if (size >= 8)
        memcpy(copy + 4, &identifier, 4);
    const kifu_result result = submit_copy(trial->timeline, 2, copy, size, (unsigned)(size % 8), NULL);
    const bool official = size >= 8 && official_verifies(copy, size);
    kifu_timeline *fork;
    MUST(!kifu_fork(trial->timeline, kifu_event_count(trial->timeline), NULL, &fork, NULL));
    try_request(fork, copy, size, official);
    kifu_destroy(fork);
    free(copy);
    MUST(kifu_pending_count(trial->timeline) == !result);
    if (!result) {
        MUST(official);
        trial->accepted++;
        play_accepted(trial);
        return true;
    }
    const kifu_error *error = kifu_last_error(trial->timeline);
    MUST(error->result == result && strlen(error->message) > 10);
    MUST(result == KIFU_DAMAGED || result == KIFU_INVALID_EVENT || result == KIFU_UNKNOWN_EVENT ||
         result == KIFU_REJECTED || result == KIFU_TOO_LARGE || result == KIFU_NEWER_GAME ||
         (result == KIFU_OTHER_GAME && size < 8));
    trial->refused++;
    trial->laxer += official;
    return false;
}

#endif
