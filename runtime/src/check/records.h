/// The calls that come from outside and change the game, in order, for `kifu_verify_rules`, which makes them again.
///
/// An input is recorded when it runs, as it was submitted: while it waits it changes nothing, and may be dropped. A
/// transaction that is rolled back leaves no records, so a search costs no memory.
#ifndef KIFU_SRC_CHECK_RECORDS_H
#define KIFU_SRC_CHECK_RECORDS_H

#include "core/timeline.h"

/// One call; what belongs to it follows.
typedef struct kifu__recorded_call {
    uint8_t call;      ///< A kifu__call.
    uint8_t flags;     ///< BEGIN: of which kind. OVERRIDE: the new ones.
    uint32_t executed; ///< How many events had happened.
    uint32_t steps;    ///< How many consequences had run since the record before it.
    uint32_t size;     ///< Of what follows: of a RUN the input as it was submitted, a `kifu__proposal` with its blob.
    uint64_t number;   ///< RUN: the actor whose action it is. OVERRIDE: which of the consequences.
                       ///< BEGIN: where the transaction around it began, as in `kifu__records.open`.
} kifu__recorded_call;

typedef struct kifu__records {
    kifu__part part;
    unsigned char *bytes; ///< One `kifu__recorded_call` behind the other.
    uint32_t size;
    uint32_t capacity;
    uint32_t steps;   ///< How many consequences have run since the last record.
    uint32_t running; ///< Where the input is that ran last; KIFU_NONE: a consequence ran last.
    uint32_t open;    ///< Where the BEGIN of the open transaction is; KIFU_NONE: none is open.
    bool lost;        ///< Something was not recorded: the game cannot be played again.
} kifu__records;

/// Of a timeline; NULL: nothing is recorded.
const kifu__records *kifu__records_of(const kifu_timeline *timeline);

#endif
