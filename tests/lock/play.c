// Do functions for any game, and two commands: `write FOLDER` plays and saves, `read FOLDER` tells what the saves mean.

#include <stdio.h>
#include <string.h>

#include "any_game.h"

static bool is_ours(const char *name)
{
    return strncmp(name, "kifu.", 5) == 0;
}

// --- Do --------------------------------------------------------------------------------------------------------------

static const kifu__member *find_member(const kifu__struct *structure, const char *name)
{
    for (uint32_t i = 0; i < structure->member_count; i++) {
        if (strcmp(structure->members[i].name, name) == 0)
            return &structure->members[i];
    }
    return NULL;
}

static bool is_read(const kifu__field *field)
{
    char name[100];
    snprintf(name, sizeof name, " %s ", field->name);
    return field->offset && !strstr(game_unread, name);
}

// Of numbers that are not the default, as a Do would be written that gets a new field, with the default for old events.
static uint64_t sum_of(const kifu__table *table, const unsigned char *event)
{
    uint64_t sum = 0;
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        uint64_t bits = 0;
        if (is_read(field) && field->kind == KIFU__SCALAR)
            memcpy(&bits, event + field->offset, field->size);
        if (is_read(field) && field->kind == KIFU__SCALAR && bits != field->default_bits)
            sum += (bits + 1) * (id + 3);
    }
    return sum;
}

static void set_number(kifu_timeline *timeline, const kifu__member *member, uint64_t bits)
{
    memcpy(kifu__edit_bytes(timeline, member->offset, member->size), &bits, member->size);
}

static void set_label(kifu_timeline *timeline, const kifu__member *member, const char *label)
{
    for (uint32_t i = 0; i < member->values->label_count; i++) {
        if (strcmp(member->values->labels[i], label) == 0)
            set_number(timeline, member, (uint64_t)member->values->low + i);
    }
}

static kifu_result do_any(kifu_timeline *timeline, uint32_t type, const void *state, const void *event, void *transient)
{
    const kifu__type *described = &game_rules->types[type];
    const kifu__struct *structure = game_rules->state;
    kifu_result result = game_rules->do_event(timeline, type, state, event, transient);
    if (result || is_ours(described->table->name))
        return result;
    uint64_t sum = sum_of(described->table, event) + (uint64_t)(kifu_player(timeline) + 2) * 1000;
    if (strstr(described->table->name, "Roll"))
        sum += kifu_random_below(timeline, 6);
    const kifu__member *digest = find_member(structure, "digest"), *season = find_member(structure, "season");
    if (digest) {
        uint64_t before;
        memcpy(&before, (const unsigned char *)state + digest->offset, sizeof before);
        set_number(timeline, digest, (before ^ sum) * UINT64_C(0x9E3779B97F4A7C15));
    }
    if (season)
        set_label(timeline, season, sum % 2 ? "SUMMER" : "WINTER");
    return KIFU_OK;
}

static kifu_result replay_any(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                              uint32_t *done)
{
    kifu__core *core = (kifu__core *)timeline;
    kifu_result result = KIFU_OK;
    for (*done = 0; *done < run->count; ++*done) {
        const uint32_t *offset = run->offsets + *done;
        core->event = run->first + *done;
        result = do_any(timeline, run->types[*done], state, (const unsigned char *)offset + *offset, transient);
        if (result)
            break;
    }
    return result;
}

static const kifu_rules *any_rules(void)
{
    static kifu_rules rules;
    rules = *game_rules;
    rules.do_event = do_any;
    rules.replay = replay_any;
    return &rules;
}

// --- Writing ---------------------------------------------------------------------------------------------------------

static int complain(const char *what, const kifu_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->message);
    return 1;
}

static void submit_standard(kifu_timeline *timeline, const char *name, const void *table, uint32_t size)
{
    for (uint32_t type = 1; type <= game_rules->type_count; type++) {
        if (strcmp(game_rules->types[type].table->name, name) == 0)
            kifu__submit(timeline, type, -1, table, size);
    }
}

static void submit_beginning(kifu_timeline *timeline)
{
    const kifu_e_reset_game reset = {0};
    const kifu_e_initialize initialize = {.has_seed = true, .seed = 7};
    const kifu_e_start_round round = {0};
    submit_standard(timeline, "kifu.EResetGame", &reset, sizeof reset);
    for (uint8_t i = 0; i < 2; i++) {
        const kifu_e_add_player player = {.position = i, .color = 0x404040U * i};
        submit_standard(timeline, "kifu.EAddPlayer", &player, sizeof player);
    }
    submit_standard(timeline, "kifu.EInitialize", &initialize, sizeof initialize);
    submit_standard(timeline, "kifu.EStartRound", &round, sizeof round);
}

enum { LAST = 3 }; // The round that waits in a save: the game ends in it.

// With `timed`, in the game turn after next.
static void submit_all(kifu_timeline *timeline, uint32_t round, bool timed)
{
    for (uint32_t type = 1; type <= game_rules->type_count; type++) {
        const kifu__type *described = &game_rules->types[type];
        if (strcmp(described->table->name, "kifu.EEndGame") == 0 && round == LAST)
            any_submit(timeline, type, -1, 0);
        if (is_ours(described->table->name) || described->superseded_by)
            continue;
        const kifu_ticket ticket = any_submit(timeline, type, described->is_player ? (int)round % 2 : -1, round);
        if (timed)
            kifu_postpone(timeline, ticket, 2, type);
    }
}

static bool has_actors(void)
{
    return game_rules->turns && game_rules->turns->actors;
}

// The last event of the union is what actors do.
static kifu_result act(kifu_timeline *timeline, bool set_another)
{
    kifu_turn turn = {.status = KIFU_TURN_BEGAN};
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < 10 && !result && turn.status != KIFU_TURN_NEEDS_INPUT; i++)
        result = kifu_take_turn(timeline, NULL, NULL, &turn);
    for (uint32_t i = 0; i < (set_another ? 2 : 1) && !result; i++) {
        result = kifu_set_action(timeline, turn.actor, any_submit(timeline, game_rules->type_count, 0, i));
        if (!result && !i)
            result = kifu_take_turn(timeline, NULL, NULL, &turn);
        if (!result && !i)
            result = kifu_run(timeline);
    }
    return result;
}

static kifu_result play(kifu_timeline *timeline, const char *redo, const char *waits)
{
    submit_beginning(timeline);
    if (game_rules->turns && game_rules->turns->timers)
        submit_all(timeline, 0, true);
    for (uint32_t round = 0; round < LAST; round++)
        submit_all(timeline, round, false);
    kifu_result result;
    do
        result = kifu_run(timeline);
    while (result == KIFU_REJECTED); // There may be no second player.
    if (!result && has_actors())
        result = act(timeline, false);
    const bool undone = !result && kifu_can_undo(timeline, NULL);
    if (undone)
        result = kifu_undo(timeline);
    if (!result)
        result = kifu_save(timeline, redo, NULL);
    if (undone && !result)
        result = kifu_redo(timeline);
    if (result)
        return result;
    if (has_actors())
        result = act(timeline, true);
    else
        submit_all(timeline, LAST, false);
    return result ? result : kifu_save(timeline, waits, NULL);
}

static int write_saves(const char *redo, const char *waits)
{
    kifu_timeline *timeline;
    kifu_error error;
    if (kifu_create(any_rules(), NULL, &timeline, &error))
        return complain("kifu_create", &error);
    const int status = play(timeline, redo, waits) ? complain("play", kifu_last_error(timeline)) : 0;
    kifu_destroy(timeline);
    return status;
}

// --- Reading ---------------------------------------------------------------------------------------------------------

static uint32_t tell_log(const char *stage, const kifu_timeline *timeline, uint32_t first)
{
    kifu_event event;
    for (; first < kifu_event_count(timeline); first++) {
        if (kifu_event_at(timeline, first, &event))
            tell_event(stage, first, &event);
    }
    return first;
}

static void tell_undo(kifu_timeline *timeline)
{
    kifu_error error;
    for (uint32_t i = 0;; i++) {
        const uint32_t chain = kifu_can_undo(timeline, &error);
        printf("undo %u = %u events%s%s\n", (unsigned)i, (unsigned)chain, chain ? "" : ": ",
               chain ? "" : kifu_error_reason(&error));
        if (!chain || kifu_undo(timeline))
            return;
    }
}

static void tell_redo(kifu_timeline *timeline, uint32_t first)
{
    while (kifu_can_redo(timeline, NULL)) {
        if (kifu_redo(timeline)) {
            printf("redo = %s\n", kifu_last_error(timeline)->message);
            return;
        }
    }
    tell_log("redo", timeline, first);
    tell_state("redo", timeline);
}

static void tell_waiting(kifu_timeline *timeline, uint32_t first)
{
    kifu_event event;
    for (uint32_t i = 0; kifu_pending_at(timeline, i, &event); i++)
        tell_event("waits", i, &event);
    while (kifu_run(timeline))
        printf("ran = %s\n", kifu_last_error(timeline)->message);
    tell_log("ran", timeline, first);
    tell_state("ran", timeline);
}

// Timed events and actions that were set happen.
static void tell_turns(kifu_timeline *timeline, uint32_t first)
{
    const kifu_e_begin_turn begin = {0};
    kifu_turn turn;
    for (uint32_t i = 0; i < 10 && has_actors(); i++) {
        if (kifu_take_turn(timeline, NULL, NULL, &turn) || kifu_run(timeline))
            printf("turn = %s\n", kifu_last_error(timeline)->message);
    }
    for (uint32_t i = 0; i < 3 && !has_actors(); i++)
        submit_standard(timeline, "kifu.EBeginTurn", &begin, sizeof begin);
    while (kifu_run(timeline))
        printf("turn = %s\n", kifu_last_error(timeline)->message);
    tell_log("turn", timeline, first);
}

static kifu_timeline *load(const char *stage, const char *path, bool fast)
{
    const kifu_load_options options = {.fast = fast};
    kifu_timeline *timeline = NULL;
    kifu_error error;
    if (kifu_load(any_rules(), path, NULL, &options, &timeline, &error))
        printf("%s load = %s\n", stage, error.message);
    return timeline;
}

// What this version saves of it, it can load.
static void tell_again(kifu_timeline *timeline, const char *path)
{
    char again[420];
    snprintf(again, sizeof again, "%s.again", path);
    const kifu_result result = kifu_save(timeline, again, NULL);
    kifu_timeline *loaded = result ? NULL : load("again", again, false);
    if (result)
        printf("again save = %s\n", kifu_last_error(timeline)->message);
    if (loaded)
        tell_log("again", loaded, 0);
    kifu_destroy(loaded);
    remove(again);
}

static int read_saves(const char *redo, const char *waits)
{
    kifu_timeline *timeline = load("log", redo, false);
    if (timeline) {
        const uint32_t count = tell_log("log", timeline, 0);
        tell_state("log", timeline);
        tell_again(timeline, redo);
        tell_redo(timeline, count);
        tell_undo(timeline);
        kifu_destroy(timeline);
    }
    timeline = load("fast", redo, true);
    if (timeline) {
        tell_state("fast", timeline);
        kifu_destroy(timeline);
    }
    timeline = load("waits", waits, false);
    if (timeline) {
        tell_waiting(timeline, kifu_event_count(timeline));
        tell_turns(timeline, kifu_event_count(timeline));
        kifu_destroy(timeline);
    }
    return 0;
}

int main(int count, char **arguments)
{
    char redo[400], waits[400];
    if (count != 3) {
        fprintf(stderr, "usage: %s write|read FOLDER\n", arguments[0]);
        return 2;
    }
    snprintf(redo, sizeof redo, "%s/redo.kifu", arguments[2]);
    snprintf(waits, sizeof waits, "%s/waits.kifu", arguments[2]);
    return strcmp(arguments[1], "write") == 0 ? write_saves(redo, waits) : read_saves(redo, waits);
}
