// The rules of a watcher, made of the game's: each event has one field more, `seen`, behind all of the game's, which
// says how the masked state changed with it. Do makes this change. An event without it is predicted: then the game's
// own Do runs, and the state is masked again.

#include <stdio.h>

#include "seen/seen.h"

#include <kifu/watch.h>

#include "core/go.h"
#include "wire/buffer.h"

// --- What they call --------------------------------------------------------------------------------------------------

static kifu_verdict check_watched(kifu_timeline *timeline, uint32_t type, const void *state, void *event)
{
    const kifu_rules *game = timeline->rules->game;
    const char *why = kifu__may_predict(timeline, type);
    if (why)
        return kifu_reject(why);
    return game->types[type].has_check ? game->check(timeline, type, state, event) : kifu_accept();
}

static kifu_result make_seen(kifu_timeline *timeline, const kifu_ref *seen)
{
    const kifu_rules *rules = timeline->rules;
    const unsigned char *bytes = (const unsigned char *)kifu__elements(seen);
    kifu__bytes delta = {bytes, bytes + kifu__length(seen), true};
    const kifu__bytes whole = delta;
    kifu__stretch stretch = {0};
    if (timeline->core.phase != KIFU__REPLAYING)
        return kifu_fail(timeline, "an event that was seen cannot be played");
    while (kifu__next_stretch(&delta, &stretch, rules->state_size))
        memcpy(kifu__edit_bytes(timeline, stretch.at, stretch.size), stretch.bytes, stretch.size);
    if (!delta.good || !kifu__delta_holds(whole, rules, timeline->core.state))
        return kifu_fail(timeline, "what was seen of it leads to a state that cannot be");
    return KIFU_OK;
}

// What the viewer does not see of what Do has made.
static void mask_again(kifu_timeline *timeline)
{
    unsigned char *masked = timeline->scratch;
    kifu__mask(timeline->rules->game, timeline->core.state, kifu__watch_rules_of(timeline)->viewer, masked);
    for (uint32_t at = 0; at < timeline->rules->state_size; at += 8) {
        if (memcmp(masked + at, timeline->core.state + at, 8) != 0)
            memcpy(kifu__edit_bytes(timeline, at, 8), masked + at, 8);
    }
}

static kifu_result predict(kifu_timeline *timeline, uint32_t type, const void *event, void *transient)
{
    const kifu_rules *game = timeline->rules->game;
    const kifu_rng before = kifu__game(timeline)->rng;
    const bool live = timeline->core.phase == KIFU__DOING;
    if (live && game->types[type].flags & KIFU_REVEALS)
        return kifu__leave_for_answer(timeline);
    if (live)
        kifu__before_prediction(timeline);
    const kifu_result result = game->do_event(timeline, type, timeline->core.state, event, transient);
    if (result)
        return result;
    if (live && (timeline->running.flags & KIFU_REVEALS || kifu__prediction_reveals(timeline) ||
                 memcmp(&before, &kifu__game(timeline)->rng, sizeof before) != 0))
        return kifu__leave_for_answer(timeline);
    mask_again(timeline);
    return KIFU_OK;
}

static kifu_result do_watched_event(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                                    void *transient)
{
    if (!type || type > timeline->rules->type_count)
        return KIFU_UNKNOWN_EVENT;
    const kifu_ref *seen = kifu__seen_of(timeline->rules, type, event);
    (void)state;
    return seen->offset ? make_seen(timeline, seen) : predict(timeline, type, event, transient);
}

static kifu_result replay(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                          uint32_t *done)
{
    timeline->core.unkept = run->offsets + run->count;
    for (*done = 0; *done < run->count; ++*done) {
        const uint32_t *offset = &run->offsets[*done];
        timeline->core.event = run->first + *done;
        const kifu_result result =
            do_watched_event(timeline, run->types[*done], state, (const unsigned char *)offset + *offset, transient);
        if (result)
            return result;
    }
    return KIFU_OK;
}

// --- Making them -----------------------------------------------------------------------------------------------------

// Tables of the game and their copies. Events come first, so that they are known as such where others lead to them.
typedef struct made_table {
    const kifu__table *of;
    kifu__table table;
    kifu__field *fields;
} made_table;

typedef struct making {
    const kifu_rules *game;
    kifu__memory memory;
    made_table *tables;
    uint32_t count, capacity, events;
    uint32_t vtables_size; // In bytes.
    kifu__type *types;
    uint16_t *vtables;
    bool failed;
} making;

static made_table *find_made_table(const making *making, const kifu__table *of)
{
    for (uint32_t i = 0; i < making->count; i++) {
        if (making->tables[i].of == of)
            return &making->tables[i];
    }
    return NULL;
}

static void add_table(making *making, const kifu__table *of)
{
    if (making->failed || find_made_table(making, of))
        return;
    made_table *grown = (made_table *)kifu__grow(&making->memory, making->tables, &making->capacity,
                                                 (uint64_t)making->count + 1, sizeof *grown);
    making->failed = !grown;
    if (!grown)
        return;
    making->tables = grown;
    grown[making->count++] = (made_table){.of = of, .table = *of};
}

static void list_tables(making *making)
{
    const kifu_rules *game = making->game;
    for (uint32_t type = 1; type <= game->type_count; type++)
        add_table(making, game->types[type].table);
    making->events = making->count;
    for (uint32_t i = 0; i < making->count; i++) {
        const kifu__table *of = making->tables[i].of;
        for (uint32_t id = 0; id < of->field_count && !making->failed; id++) {
            if (of->fields[id].table)
                add_table(making, of->fields[id].table);
        }
    }
}

// The fields of one, and how large its vtable is.
static void copy_fields(making *making, uint32_t index)
{
    made_table *made = &making->tables[index];
    const uint32_t count = made->of->field_count, all = count + (index < making->events ? 1 : 0);
    made->fields = (kifu__field *)kifu__new(&making->memory, (all + (size_t)1) * sizeof *made->fields);
    if (!made->fields) {
        making->failed = true;
        return;
    }
    if (count)
        memcpy(made->fields, made->of->fields, count * sizeof *made->fields);
    for (uint32_t id = 0; id < count; id++) {
        kifu__field *field = &made->fields[id];
        if (field->table)
            field->table = &find_made_table(making, field->table)->table;
    }
    if (all > count && made->of->size > UINT16_MAX - sizeof(kifu_ref))
        making->failed = true;
    else if (all > count) {
        made->fields[count] = (kifu__field){.name = "seen",
                                            .kind = KIFU__VECTOR,
                                            .align = 1,
                                            .size = 1,
                                            .offset = made->of->size,
                                            .scalar = KIFU__U8,
                                            .secrecy = KIFU__SECRET};
        made->table.size = (uint16_t)(made->of->size + sizeof(kifu_ref));
        made->table.flat = false;
    }
    made->table.fields = made->fields;
    made->table.field_count = (uint16_t)all;
    making->vtables_size += 4 + 2 * all;
}

static void write_vtables(making *making)
{
    uint16_t *at = making->vtables;
    for (uint32_t i = 0; i < making->count; i++) {
        kifu__table *table = &making->tables[i].table;
        table->vtable = at;
        *at++ = (uint16_t)(4 + 2 * table->field_count);
        *at++ = table->size;
        for (uint32_t id = 0; id < table->field_count; id++)
            *at++ = table->fields[id].offset;
    }
}

static void copy_types(making *making)
{
    const kifu_rules *game = making->game;
    memcpy(making->types, game->types, (game->type_count + (size_t)1) * sizeof *making->types);
    for (uint32_t type = 1; type <= game->type_count; type++) {
        kifu__type *made = &making->types[type];
        made->table = &find_made_table(making, made->table)->table;
        made->size = made->table->size;
        made->vtable_at = (uint32_t)(made->table->vtable - making->vtables) * 2;
    }
}

static void free_made_tables(making *making)
{
    for (uint32_t i = 0; i < making->count; i++)
        kifu__free(&making->memory, making->tables[i].fields);
    kifu__free(&making->memory, making->tables);
    kifu__free(&making->memory, making->types);
    kifu__free(&making->memory, making->vtables);
}

static bool make_watch_rules(making *making)
{
    const kifu_rules *game = making->game;
    list_tables(making);
    for (uint32_t i = 0; i < making->count && !making->failed; i++)
        copy_fields(making, i);
    if (making->failed)
        return false;
    making->vtables_size = (making->vtables_size + 7) & ~UINT32_C(7);
    making->vtables = (uint16_t *)kifu__new(&making->memory, making->vtables_size);
    making->types = (kifu__type *)kifu__new(&making->memory, (game->type_count + (size_t)1) * sizeof *making->types);
    if (!making->vtables || !making->types)
        return false;
    memset(making->vtables, 0, making->vtables_size);
    write_vtables(making);
    copy_types(making);
    return true;
}

// What is made, with the rules in front.
typedef struct made_rules {
    kifu__watch_rules own;
    making making;
} made_rules;

const kifu_rules *kifu_watch_rules(const kifu_rules *game, int viewer)
{
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    if (viewer < -1 || viewer > INT8_MAX || game->game)
        return NULL;
    made_rules *made = (made_rules *)kifu__new(&memory, sizeof *made);
    if (!made)
        return NULL;
    *made = (made_rules){.own = {.rules = *game, .viewer = viewer, .memory = memory},
                         .making = {.game = game, .memory = memory}};
    if (!make_watch_rules(&made->making)) {
        free_made_tables(&made->making);
        kifu__free(&memory, made);
        return NULL;
    }
    kifu_rules *rules = &made->own.rules;
    char *name = made->own.name;
    if (viewer < 0)
        snprintf(name, sizeof made->own.name, "%.100s: what spectators see", game->name);
    else
        snprintf(name, sizeof made->own.name, "%.100s: what player %d sees", game->name, viewer);
    rules->game = game;
    rules->name = name;
    rules->fingerprint ^= UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(viewer + 2);
    rules->types = made->making.types;
    rules->vtables = made->making.vtables;
    rules->vtables_size = made->making.vtables_size;
    rules->check = check_watched;
    rules->do_event = do_watched_event;
    rules->replay = replay;
    rules->attach = kifu__attach_watching;
    return rules;
}

void kifu_free_watch_rules(const kifu_rules *rules)
{
    made_rules *made = (made_rules *)(uintptr_t)rules;
    if (!made)
        return;
    const kifu__memory memory = made->own.memory;
    free_made_tables(&made->making);
    kifu__free(&memory, made);
}
