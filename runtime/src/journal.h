/// The journal: the old bytes of every edit, and where each event's edits begin.
#ifndef KIFU_SRC_JOURNAL_H
#define KIFU_SRC_JOURNAL_H

#include <kifu/state.h>

#include "memory.h"

typedef struct kifu__journal {
    kifu__journal_entry *entries;
    uint32_t capacity;
    uint32_t *starts; ///< For each journaled event: its first entry.
    uint32_t start_count;
    uint32_t start_capacity;
    uint32_t first_event; ///< Number of the first journaled event.
} kifu__journal;

void kifu__journal_free(kifu__journal *journal, const kifu__memory *memory);

/// Forgets everything: the next journaled event is number `first_event`.
void kifu__journal_clear(kifu__journal *journal, kifu__core *core, uint32_t first_event);

/// Opens the journal for the next event's edits. False without memory.
bool kifu__journal_open(kifu__journal *journal, kifu__core *core, const kifu__memory *memory);

/// Opens the state for a replay that keeps no journal.
void kifu__journal_open_unkept(kifu__core *core);

/// Edits are not allowed from here on.
void kifu__journal_close(kifu__core *core);

/// Makes room for more entries while open. False without memory.
bool kifu__journal_grow(kifu__journal *journal, kifu__core *core, const kifu__memory *memory);

/// Whether the state can be taken back to what it was before event `event`.
static inline bool kifu__journal_reaches(const kifu__journal *journal, uint32_t event)
{
    return event >= journal->first_event && event - journal->first_event <= journal->start_count;
}

/// Takes the state back to what it was before event `event`, which the journal must reach.
void kifu__journal_restore(kifu__journal *journal, kifu__core *core, uint32_t event);

#endif
