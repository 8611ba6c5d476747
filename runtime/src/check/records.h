/// The calls that come from outside and change the game, in order, for `kifu_verify_rules`, which makes them again.
///
/// An input is recorded when it runs, as it was submitted: while it waits it changes nothing, and may be dropped. A
/// transaction that is rolled back leaves no records, so a search costs no memory. Every function wants the timeline's
/// own records; `timeline->records` is NULL where nothing is recorded.
#ifndef KIFU_SRC_RECORDS_H
#define KIFU_SRC_RECORDS_H

#include <kifu/timeline.h>

#include "base/memory.h"
#include "core/queue.h"

typedef enum kifu__call {
    KIFU__CALL_RUN,       ///< Something is about to run: an input, which nobody has changed yet; NULL: a consequence.
    KIFU__CALL_BEGIN,     ///< A transaction has begun; the flags say of which kind.
    KIFU__CALL_COMMIT,    ///< The last one was committed,
    KIFU__CALL_ROLL_BACK, ///< or rolled back.
    KIFU__CALL_UNDO,      ///< Is about to be made, as the next.
    KIFU__CALL_REDO,
    KIFU__CALL_OVERRIDE ///< A waiting consequence has other flags now.
} kifu__call;

/// One of them; what belongs to it follows.
typedef struct kifu__record {
    uint8_t call;      ///< A kifu__call.
    uint8_t flags;     ///< BEGIN: of which kind. OVERRIDE: the new ones.
    uint32_t executed; ///< How many events had happened.
    uint32_t steps;    ///< How many consequences had run since the record before it.
    uint32_t size;     ///< Of what follows: of a RUN the input as it was submitted, a `kifu__proposal` with its blob.
    uint64_t number;   ///< RUN: the actor whose action it is. OVERRIDE: which of the consequences.
                       ///< BEGIN: where the transaction around it began, as in `kifu__records.open`.
} kifu__record;

typedef struct kifu__records {
    unsigned char *bytes; ///< One `kifu__record` behind the other.
    uint32_t size;
    uint32_t capacity;
    uint32_t steps;   ///< How many consequences have run since the last record.
    uint32_t running; ///< Where the input lies that ran last; KIFU_NONE: what ran last was a consequence.
    uint32_t open;    ///< Where the BEGIN of the transaction lies that is open; KIFU_NONE: none is.
    bool lost;        ///< Something was not recorded: the game cannot be played again.
} kifu__records;

/// NULL without memory.
kifu__records *kifu__records_new(const kifu__memory *memory);

/// NULL is allowed.
void kifu__records_free(kifu__records *records, const kifu__memory *memory);

/// A call was made. `proposal`: of RUN and OVERRIDE.
void kifu__records_called(kifu_timeline *timeline, kifu__records *records, kifu__call call, kifu__proposal *proposal,
                          unsigned flags);

/// What was about to run did not happen, because memory ran out or the sync test found something; played again, it
/// would. `waits`: it still does.
void kifu__records_not_run(kifu_timeline *timeline, kifu__records *records, bool waits);

/// The game came to where it is by something that was not recorded: from now on nothing is.
void kifu__records_lose(kifu_timeline *timeline, kifu__records *records);

#endif
