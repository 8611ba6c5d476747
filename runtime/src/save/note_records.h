/// Notes, as records (schema/FORMAT.md, "Notes").
#ifndef KIFU_SRC_NOTE_RECORDS_H
#define KIFU_SRC_NOTE_RECORDS_H

#include "history/notes.h"
#include "save/saved.h"

/// Adds the notes of a timeline to a plan (write_notes.c).
void kifu__plan_notes(kifu__plan *plan, kifu__part *part, kifu__saving what);

#endif
