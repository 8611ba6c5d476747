// What a view is told: listeners keep copies of the state, or of a part of it, change by change.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

// The whole state, and any two parts; then the elements of an array, if the state has one.
enum { PARTS = 3, FOLLOWERS = 4 };

struct fuzz_follower {
    fuzz *fuzz;
    unsigned char *shown; // the part, as the listener was told of it; of a pool, zeros where no entity is
    uint32_t offset, size;
    const kifu__member *array; // whose elements it follows; NULL: none
};

// The part, as the follower should know it.
static void copy_part(const fuzz_follower *follower, const void *state, unsigned char *part)
{
    const kifu__member *array = follower->array;
    memcpy(part, (const unsigned char *)state + follower->offset, follower->size);
    for (uint32_t i = 0; array && array->pool && i < array->count; i++) {
        kifu_slot slot;
        memcpy(&slot, part + (size_t)i * array->size, sizeof slot);
        if (!(slot.generation & 1))
            memset(part + (size_t)i * array->size, 0, array->size);
    }
}

static void redraw(void *context, kifu_timeline *timeline)
{
    fuzz *fuzz = context;
    if (timeline == fuzz->table.timeline && fuzz->table.followers && fuzz->seeking)
        kifu_fuzz__redraw(fuzz);
}

void kifu_fuzz__redraw(fuzz *fuzz)
{
    fuzz_table *table = &fuzz->table;
    const unsigned char *state = kifu_state(table->timeline);
    for (uint32_t i = 0; i < PARTS; i++) // but for elements: their listener is called
        memcpy(table->followers[i].shown, state + table->followers[i].offset, table->followers[i].size);
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

// Of the whole state it says which field; of a part, that it is inside.
static void describe(const fuzz *fuzz, const fuzz_follower *follower, const void *found, const void *expected,
                     char *text, size_t size)
{
    unsigned char *whole = malloc(fuzz->rules->state_size), *other = malloc(fuzz->rules->state_size);
    if (!whole || !other)
        abort();
    memcpy(whole, kifu_state(fuzz->table.timeline), fuzz->rules->state_size);
    memcpy(other, whole, fuzz->rules->state_size);
    memcpy(whole + follower->offset, found, follower->size);
    memcpy(other + follower->offset, expected, follower->size);
    kifu_fuzz__difference(fuzz->rules, whole, other, text, size);
    free(whole);
    free(other);
}

static void listen(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    fuzz_follower *follower = context;
    fuzz *fuzz = follower->fuzz;
    (void)state;
    if (timeline != fuzz->table.timeline)
        return;
    // Told when the run has ended: then there is more to say of it.
    if (!*fuzz->misled && memcmp(change->before, follower->shown, follower->size) != 0)
        describe(fuzz, follower, change->before, follower->shown, fuzz->misled, sizeof fuzz->misled);
    memcpy(follower->shown, change->after, follower->size);
    fuzz->table.behind = fuzz->table.quiet;
    if (change->event % 8 == 1)
        kifu_hold(timeline, 0.3);
}

static void listen_each(void *context, kifu_timeline *timeline, const void *state, const kifu_element_change *change)
{
    fuzz_follower *follower = context;
    fuzz *fuzz = follower->fuzz;
    const kifu__member *array = follower->array;
    unsigned char *mine = follower->shown + (size_t)change->index * array->size;
    (void)state;
    if (timeline != fuzz->table.timeline)
        return;
    kifu_slot slot = {0};
    if (array->pool)
        memcpy(&slot, mine, sizeof slot);
    if (!*fuzz->misled && (change->before ? memcmp(change->before, mine, array->size) != 0 : slot.generation != 0))
        snprintf(fuzz->misled, sizeof fuzz->misled, "element %u of %s was another for its listener",
                 (unsigned)change->index, array->name);
    if (change->after)
        memcpy(mine, change->after, array->size);
    else
        memset(mine, 0, array->size);
}

// An array of the state, by the game's seed.
static const kifu__member *choose_array(const fuzz *fuzz)
{
    const kifu__struct *state = fuzz->rules->state;
    for (uint32_t i = 0; i < state->member_count; i++) {
        const kifu__member *member = &state->members[(i + fuzz->plan->seed) % state->member_count];
        if (member->count)
            return member;
    }
    return NULL;
}

static void follow_elements(fuzz *fuzz, fuzz_follower *follower)
{
    const kifu__member *array = choose_array(fuzz);
    *follower = (fuzz_follower){.fuzz = fuzz, .array = array};
    if (!array)
        return;
    follower->offset = array->offset;
    follower->size = array->size * array->count;
    follower->shown = malloc(follower->size);
    if (!follower->shown)
        abort();
    copy_part(follower, kifu_state(fuzz->table.timeline), follower->shown);
    if (kifu_observe(fuzz->table.timeline, &(kifu_observer){.listen_each = listen_each,
                                                            .offset = follower->offset,
                                                            .size = follower->size,
                                                            .context = follower}))
        kifu_fuzz__fail(fuzz, "no listener", "kifu_observe: %s", kifu_last_error(fuzz->table.timeline)->message);
}

void kifu_fuzz__follow(fuzz *fuzz)
{
    fuzz_table *table = &fuzz->table;
    const unsigned char *state = kifu_state(table->timeline);
    uint32_t whole = fuzz->rules->state_size;
    table->quiet = table->options.quiet;
    table->behind = table->quiet;
    table->followers = calloc(FOLLOWERS, sizeof *table->followers);
    if (!table->followers)
        abort();
    follow_elements(fuzz, &table->followers[PARTS]);
    for (uint32_t i = 0; i < PARTS; i++) {
        fuzz_follower *follower = &table->followers[i];
        *follower = (fuzz_follower){.fuzz = fuzz, .size = whole};
        if (i) {
            follower->offset = kifu_fuzz__below(fuzz, whole);
            follower->size = 1 + kifu_fuzz__below(fuzz, whole - follower->offset);
        }
        follower->shown = malloc(follower->size);
        if (!follower->shown)
            abort();
        memcpy(follower->shown, state + follower->offset, follower->size);
        if (kifu_observe(table->timeline, &(kifu_observer){.listen = listen,
                                                           .offset = follower->offset,
                                                           .size = follower->size,
                                                           .rank = i == 1 ? KIFU_RANK_INTERNAL : KIFU_RANK_ORDINARY,
                                                           .context = follower}))
            kifu_fuzz__fail(fuzz, "no listener", "kifu_observe: %s", kifu_last_error(table->timeline)->message);
    }
}

void kifu_fuzz__unfollow(fuzz_table *table)
{
    for (uint32_t i = 0; table->followers && i < FOLLOWERS; i++)
        free(table->followers[i].shown);
    free(table->followers);
    table->followers = NULL;
}

void kifu_fuzz__check_shown(fuzz *fuzz, const char *after)
{
    const fuzz_table *table = &fuzz->table;
    const unsigned char *state = kifu_state(table->timeline);
    if (*fuzz->misled)
        kifu_fuzz__explain(fuzz, "a change without a call",
                           "%s: something changed, and no listener was called, as when a Do writes past the edit "
                           "functions: before the next change, %s",
                           after, fuzz->misled);
    for (uint32_t i = 0; i < FOLLOWERS && !table->quiet && !table->behind; i++) {
        const fuzz_follower *follower = &table->followers[i];
        unsigned char *expected = malloc(follower->size + 1);
        if (!expected)
            abort();
        copy_part(follower, state, expected);
        const bool same = !follower->size || memcmp(follower->shown, expected, follower->size) == 0;
        char text[300];
        if (!same)
            describe(fuzz, follower, follower->shown, expected, text, sizeof text);
        free(expected);
        if (same)
            continue;
        kifu_fuzz__fail(fuzz, "a listener without a call",
                        "%s: a listener for bytes %u to %u of the state was not called for all changes: for it, %s",
                        after, (unsigned)follower->offset, (unsigned)(follower->offset + follower->size - 1), text);
    }
}
