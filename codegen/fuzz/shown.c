// What a view is told: a listener keeps a copy of the whole state, change by change.

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static void redraw(void *context, const kifu_timeline *timeline)
{
    fuzz *fuzz = context;
    if (timeline == fuzz->table.timeline && fuzz->table.shown && fuzz->seeking)
        kifu_fuzz__redraw(fuzz);
}

void kifu_fuzz__redraw(fuzz *fuzz)
{
    fuzz_table *table = &fuzz->table;
    memcpy(table->shown, kifu_state(table->timeline), fuzz->rules->state_size);
    table->behind = table->quiet;
}

void kifu_fuzz__make_view(fuzz *fuzz)
{
    // The generated view is this, and a function for each event, which may be NULL.
    fuzz->view = calloc(1, sizeof(kifu_view) + (fuzz->rules->type_count + 1) * sizeof(void (*)(void)));
    if (!fuzz->view)
        abort();
    kifu_view view = {.context = fuzz, .redraw = redraw};
    memcpy(fuzz->view, &view, sizeof view);
}

static void listen(void *context, const kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    fuzz *fuzz = context;
    fuzz_table *table = &fuzz->table;
    (void)state;
    if (timeline != table->timeline)
        return;
    // Told when the run has ended: then there is more to say of it.
    if (!*fuzz->misled && memcmp(change->before, table->shown, fuzz->rules->state_size) != 0)
        kifu_fuzz__difference(fuzz->rules, change->before, table->shown, fuzz->misled, sizeof fuzz->misled);
    memcpy(table->shown, change->after, fuzz->rules->state_size);
    table->behind = table->quiet;
}

void kifu_fuzz__follow(fuzz *fuzz)
{
    fuzz_table *table = &fuzz->table;
    uint32_t size = fuzz->rules->state_size;
    table->quiet = table->options.quiet;
    table->behind = table->quiet;
    table->shown = malloc(size);
    if (!table->shown)
        abort();
    memcpy(table->shown, kifu_state(table->timeline), size);
    if (kifu_add_listener(table->timeline, 0, size, KIFU_ORDINARY, listen, fuzz))
        kifu_fuzz__fail(fuzz, "no listener", "kifu_add_listener: %s", kifu_last_error(table->timeline)->message);
}

void kifu_fuzz__check_shown(fuzz *fuzz, const char *after)
{
    const fuzz_table *table = &fuzz->table;
    const void *state = kifu_state(table->timeline);
    if (*fuzz->misled)
        kifu_fuzz__explain(
            fuzz, "a change that nobody was told of",
            "%s: something changed, and no listener was told, as when a Do writes past the edit functions: "
            "before the next change, %s",
            after, fuzz->misled);
    if (table->quiet || table->behind || memcmp(table->shown, state, fuzz->rules->state_size) == 0)
        return;
    char text[300];
    kifu_fuzz__difference(fuzz->rules, table->shown, state, text, sizeof text);
    kifu_fuzz__fail(fuzz, "what a listener was not told", "%s: a listener was not told of all changes: its %s", after,
                    text);
}
