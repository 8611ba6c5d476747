#include <stdio.h>

#include "pgn.h"
#include "remarks.h"

enum { KEY_LENGTH = 300 };

// A tag is a note at the set-up.
static uint32_t find_set_up(const kifu_timeline *timeline)
{
    kifu_event event;
    for (uint32_t i = kifu_event_count(timeline); i > 0 && kifu_event_at(timeline, i - 1, &event); i--) {
        if (event.type == CHESS_E_SET_UP)
            return i - 1;
    }
    return KIFU_BEFORE_FIRST;
}

const char *pgn_tag(const kifu_timeline *timeline, const char *name)
{
    char key[KEY_LENGTH];
    snprintf(key, sizeof key, REMARK_TAG "%s", name);
    return kifu_note_at(timeline, find_set_up(timeline), key);
}

kifu_result pgn_set_tag(kifu_timeline *timeline, const char *name, const char *value)
{
    char key[KEY_LENGTH];
    snprintf(key, sizeof key, REMARK_TAG "%s", name);
    return kifu_set_note(timeline, find_set_up(timeline), key, value);
}
