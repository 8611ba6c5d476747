/// What can go wrong: result codes, the error that goes with them, and the verdict of a check.
#ifndef KIFU_RESULT_H
#define KIFU_RESULT_H

#include <stdint.h>

/// Kifu calls this on a programmer's mistake that no data can cause. To replace it, define it before you include Kifu.
#ifndef KIFU_ASSERT
#include <assert.h>
#define KIFU_ASSERT(condition) assert(condition)
#endif

/// Marks a function whose result the caller must check.
#if defined(__GNUC__)
#define KIFU_WARN_UNUSED __attribute__((warn_unused_result))
#else
#define KIFU_WARN_UNUSED
#endif

/// Every result: its name, and the text that `kifu_result_text` returns.
#define KIFU_RESULTS(X)                                                                                                \
    X(KIFU_OK, "ok")                                                                                                   \
    X(KIFU_REJECTED, "the event was rejected")                                                                         \
    X(KIFU_FAILED, "a function of the game failed")                                                                    \
    X(KIFU_RUNAWAY, "one input had too many consequences or edits")                                                    \
    X(KIFU_INVALID_EVENT, "the event's fields break its schema")                                                       \
    X(KIFU_MISUSE, "this call is not allowed here")                                                                    \
    X(KIFU_NO_MEMORY, "out of memory")                                                                                 \
    X(KIFU_NOTHING_TO_UNDO, "there is nothing to undo")                                                                \
    X(KIFU_NOT_UNDOABLE, "the last events cannot be undone")                                                           \
    X(KIFU_NOTHING_TO_REDO, "there is nothing to redo")                                                                \
    X(KIFU_IO, "a file operation failed")                                                                              \
    X(KIFU_NOT_A_SAVE, "this is not a Kifu save")                                                                      \
    X(KIFU_NEWER_FORMAT, "the save's format is newer than this library")                                               \
    X(KIFU_OTHER_GAME, "the save is of another game")                                                                  \
    X(KIFU_UNKNOWN_EVENT, "the save has an event type that this version of the game does not know")                    \
    X(KIFU_DAMAGED, "the save is damaged")                                                                             \
    X(KIFU_DIVERGED, "replaying the game gave another state")                                                          \
    X(KIFU_TOO_LARGE, "a limit was exceeded")                                                                          \
    X(KIFU_NO_CODEC, "the save is packed, and its codec was not given")                                                \
    X(KIFU_CANCELLED, "the progress function cancelled it")                                                            \
    X(KIFU_UNSUPPORTED, "this build of Kifu cannot do that")                                                           \
    X(KIFU_NOT_FOUND, "there is no such file")                                                                         \
    X(KIFU_CHANGED, "another program has changed the file")                                                            \
    X(KIFU_IN_USE, "the log file is open elsewhere")                                                                   \
    X(KIFU_NEWER_GAME, "a newer version of the game wrote this")                                                       \
    X(KIFU_GAP, "changes between are missing")                                                                         \
    X(KIFU_OTHER_STREAM, "these are the changes of another stream")

/// Result of a call. KIFU_OK is 0.
typedef enum kifu_result {
#define KIFU__RESULT(name, text) name,
    KIFU_RESULTS(KIFU__RESULT)
#undef KIFU__RESULT
} kifu_result;

/// What a result means in general, as a static string. `kifu_error.message` says more.
const char *kifu_result_text(kifu_result result);

/// `kifu_error.event` if the error concerns no event.
#define KIFU_NONE UINT32_MAX

/// The first thing that went wrong in a call.
typedef struct kifu_error {
    kifu_result result; ///< What the call returned.
    uint32_t event;     ///< Number of the event that the error concerns, or KIFU_NONE.
    uint64_t offset;    ///< Byte of the file that the error concerns, or UINT64_MAX.
    uint32_t reason;    ///< Where in `message` the words for a player begin (see `kifu_error_reason`).
    char message[500];  ///< What happened, where, and what to do: English sentences without a newline at the end.
} kifu_error;

/// The part of the message to show a player. For KIFU_REJECTED and KIFU_FAILED, this is the reason that your game gave
/// to `kifu_reject` or `kifu_fail`. For a refused undo or redo, it is one of: "there is nothing to undo", "there is
/// nothing to redo", "hidden information was revealed", "the outcome was random", "what was done is final", "the past
/// is shown", "something is still happening", "what was begun is not finished" (a transaction is open), "the beginning
/// of the game stays". For other errors it is the whole message.
static inline const char *kifu_error_reason(const kifu_error *error)
{
    return error->message + error->reason;
}

/// What a check or a hook decides about a proposal.
typedef struct kifu_verdict {
    const char *reason; ///< Why it is rejected; NULL if not. The string must outlive the call; a literal does.
    uint32_t instead;   ///< Ticket of the event to try instead; 0: none.
} kifu_verdict;

/// The event may happen.
static inline kifu_verdict kifu_accept(void)
{
    kifu_verdict verdict = {0, 0};
    return verdict;
}

/// The event may not happen, because of `reason`. The string must outlive the call; a literal does.
static inline kifu_verdict kifu_reject(const char *reason)
{
    kifu_verdict verdict = {0, 0};
    verdict.reason = reason ? reason : "no reason given";
    return verdict;
}

/// Tries another event in place of this one, for the same player and cause: the one with `ticket`, which the same check
/// or hook has just submitted. `return kifu_instead(dungeon_submit_p_open(timeline, player, door));`
static inline kifu_verdict kifu_instead(uint32_t ticket)
{
    kifu_verdict verdict = {0, 0};
    verdict.instead = ticket;
    if (!ticket)
        verdict.reason = "the event to try instead could not be submitted";
    return verdict;
}

#endif
