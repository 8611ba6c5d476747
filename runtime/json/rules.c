// From a schema to rules: the game that it is.

#include "json/rules.h"

#include <stdarg.h>
#include <stdio.h>

#include <kifu/kifu.h>

#include "base/error.h"

// More than any game has; without a bound, a hostile schema could take for ever.
enum { MOST_OBJECTS = 10000 };

bool kifu__maker_fail(kifu__maker *maker, const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!maker->result)
        maker->result =
            kifu__error(maker->error, KIFU_DAMAGED, "the schema of the save is none that Kifu writes: %s", text);
    return false;
}

bool kifu__maker_no_memory(kifu__maker *maker)
{
    if (!maker->result)
        maker->result = kifu__error(maker->error, KIFU_NO_MEMORY, "out of memory for the schema of a save");
    return false;
}

void *kifu__maker_new(kifu__maker *maker, size_t count, size_t size)
{
    void *made = kifu__arena_new(maker->arena, count, size);
    if (!made)
        kifu__maker_no_memory(maker);
    return made;
}

// --- The game --------------------------------------------------------------------------------------------------------

static kifu_verdict check_nothing(kifu_timeline *timeline, uint32_t type, const void *state, void *event)
{
    (void)timeline, (void)type, (void)state, (void)event;
    return kifu_accept();
}

static kifu_result do_nothing(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                              void *transient)
{
    (void)timeline, (void)type, (void)state, (void)event, (void)transient;
    return KIFU_OK;
}

static kifu_result replay_nothing(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                                  uint32_t *done)
{
    (void)timeline, (void)state, (void)transient;
    *done = run->count;
    return KIFU_OK;
}

static double show_nothing(const kifu_view *view, kifu_timeline *timeline, uint32_t type, const void *state,
                           const void *event, const void *transient)
{
    (void)view, (void)timeline, (void)type, (void)state, (void)event, (void)transient;
    return 0;
}

static const kifu__r_enum *find_union(const kifu__maker *maker, const char *name)
{
    for (uint32_t i = 0; i < maker->enum_count; i++) {
        const kifu__r_enum *each = (const kifu__r_enum *)kifu__r_at(&maker->schema->enums, i);
        if (each->is_union && !strcmp(kifu__r_text(&each->name), name))
            return each;
    }
    return NULL;
}

// The union's member with this id.
static const kifu__r_value *find_member(const kifu__r_enum *events, uint32_t id)
{
    for (uint32_t i = 0; i < kifu__length(&events->values); i++) {
        const kifu__r_value *value = (const kifu__r_value *)kifu__r_at(&events->values, i);
        if (value->value == (int64_t)id)
            return value;
    }
    return NULL;
}

static bool make_types(kifu__maker *maker, const kifu__r_enum *events, kifu_rules *rules)
{
    uint32_t count = 0;
    while (count < UINT8_MAX && find_member(events, count + 1))
        count++;
    kifu__type *types = (kifu__type *)kifu__maker_new(maker, count + 1, sizeof *types);
    if (!types)
        return false;
    for (uint32_t id = 1; id <= count; id++) {
        const kifu__r_value *value = find_member(events, id);
        const kifu__r_type *type = (const kifu__r_type *)kifu__follow(&value->type);
        const uint32_t index = type && type->base == KIFU__BASE_OBJECT ? (uint32_t)type->index : UINT32_MAX;
        if (index >= maker->object_count || maker->is_listed[index] ||
            ((const kifu__r_object *)kifu__r_at(&maker->schema->objects, index))->is_struct)
            return kifu__maker_fail(maker, "the event %.100s is no table, or is in the union twice",
                                    kifu__r_text(&value->name));
        maker->is_listed[index] = 1;
        maker->order[maker->order_count++] = index;
        types[id].table = &maker->tables[index];
        kifu__read_attributes(&((const kifu__r_object *)kifu__r_at(&maker->schema->objects, index))->attributes,
                              &types[id]);
    }
    rules->types = types;
    rules->type_count = count;
    return count || kifu__maker_fail(maker, "it has no events");
}

// The struct that is the game's state: the one that is marked so, in the game's namespace if there are several; without
// one, the model is outside the state.
static const kifu__r_object *find_state(const kifu__maker *maker, const char *game, uint32_t *index)
{
    const kifu__r_object *found = NULL;
    const size_t length = strlen(game);
    for (uint32_t i = 0; i < maker->object_count; i++) {
        const kifu__r_object *each = (const kifu__r_object *)kifu__r_at(&maker->schema->objects, i);
        const char *name = kifu__r_text(&each->name);
        const bool own = !strncmp(name, game, length) && name[length] == '.';
        if (each->is_struct && kifu__r_attribute(&each->attributes, "state") && (!found || own)) {
            found = each;
            *index = i;
        }
    }
    for (uint32_t i = 0; i < maker->object_count && !found; i++) {
        const kifu__r_object *each = (const kifu__r_object *)kifu__r_at(&maker->schema->objects, i);
        if (each->is_struct && !strcmp(kifu__r_text(&each->name), "kifu.Game")) {
            found = each;
            *index = i;
        }
    }
    return found;
}

static const kifu__member *find_struct(const kifu__struct *structure, const char *name, const char *type)
{
    for (uint32_t i = 0; i < structure->member_count; i++) {
        const kifu__member *member = &structure->members[i];
        if (member->structure && (!name || !strcmp(member->name, name)) && !strcmp(member->structure->name, type))
            return member;
    }
    return NULL;
}

static bool make_state(kifu__maker *maker, kifu_rules *rules, uint32_t *index)
{
    const kifu__r_object *source = find_state(maker, rules->name, index);
    rules->state = source ? kifu__make_struct(maker, *index) : NULL;
    if (!rules->state)
        return kifu__maker_fail(maker, "it has no state");
    const kifu__struct *game =
        !strcmp(rules->state->name, "kifu.Game") ? rules->state : rules->state->members->structure;
    if (!game || strcmp(game->name, "kifu.Game") != 0 || game->size != sizeof(kifu_game))
        return kifu__maker_fail(maker, "its state does not begin with a kifu.Game");
    rules->state_size = rules->state->size;
    return true;
}

static uint8_t id_of(const kifu_rules *rules, const char *name)
{
    for (uint32_t id = 1; id <= rules->type_count; id++) {
        if (!strcmp(rules->types[id].table->name, name))
            return (uint8_t)id;
    }
    return 0;
}

static const kifu__pool *make_pool(kifu__maker *maker, const kifu__member *member)
{
    kifu__pool *pool = (kifu__pool *)kifu__maker_new(maker, 1, sizeof *pool);
    if (pool)
        *pool = (kifu__pool){
            .name = member->name, .offset = member->offset, .stride = member->size, .count = member->count};
    return pool;
}

// What the turn loop needs of the game; a game without it has none.
static void make_turns(kifu__maker *maker, kifu_rules *rules, const kifu__r_object *source)
{
    const kifu__member *turns = find_struct(rules->state, "turns", "kifu.Turns");
    kifu__turn_rules *made = (kifu__turn_rules *)kifu__maker_new(maker, 1, sizeof *made);
    if (made)
        made->begin_turn = id_of(rules, "kifu.EBeginTurn");
    if (!made || !turns || !made->begin_turn)
        return;
    made->turns_offset = turns->offset;
    made->timed = &kifu__timed;
    const kifu__r_field **fields = kifu__fields_by_id(maker, source);
    for (uint32_t i = 0; i < rules->state->member_count && fields; i++) {
        const kifu__member *member = &rules->state->members[i];
        const kifu__r_field *field = fields[i];
        const kifu__member *actor = member->structure ? find_struct(member->structure, "actor", "kifu.Actor") : NULL;
        if (!member->pool || !member->count || !member->structure)
            continue;
        if (actor && kifu__r_attribute(&field->attributes, "actors") && !made->actors) {
            made->actors = make_pool(maker, member);
            made->actor_offset = actor->offset;
            made->frames = &kifu__action_frames;
            made->spend_energy = id_of(rules, "kifu.ESpendEnergy");
        }
        if (!strcmp(member->structure->name, "kifu.Timer") && !made->timers) {
            made->timers = make_pool(maker, member);
            made->schedule = id_of(rules, "kifu.ESchedule");
        }
    }
    rules->turns = made;
}

// What the types say of their tables.
static void finish_types(kifu__type *types, const kifu_rules *rules)
{
    for (uint32_t id = 1; id <= rules->type_count; id++) {
        const kifu__table *table = types[id].table;
        types[id].id = (uint8_t)id;
        types[id].align = table->align;
        types[id].size = table->size;
        types[id].vtable_at = (uint32_t)((table->vtable - rules->vtables) * 2);
    }
}

static bool make_game(kifu__maker *maker, kifu_rules *rules)
{
    const kifu__r_enum *events = find_union(maker, rules->union_name);
    uint32_t state = 0;
    if (!events)
        return kifu__maker_fail(maker, "it has no union %.100s", rules->union_name);
    if (!make_types(maker, events, rules) || !kifu__make_tables(maker, &rules->vtables, &rules->vtables_size) ||
        !make_state(maker, rules, &state))
        return false;
    finish_types((kifu__type *)(uintptr_t)rules->types, rules);
    make_turns(maker, rules, (const kifu__r_object *)kifu__r_at(&maker->schema->objects, state));
    return true;
}

static bool make_room(kifu__maker *maker)
{
    const uint32_t objects = maker->object_count, enums = maker->enum_count;
    maker->structs = (kifu__struct *)kifu__maker_new(maker, objects, sizeof *maker->structs);
    maker->struct_states = (uint8_t *)kifu__maker_new(maker, objects, 1);
    maker->tables = (kifu__table *)kifu__maker_new(maker, objects, sizeof *maker->tables);
    maker->table_aligns = (uint32_t *)kifu__maker_new(maker, objects, sizeof *maker->table_aligns);
    maker->is_listed = (uint8_t *)kifu__maker_new(maker, objects, 1);
    maker->order = (uint32_t *)kifu__maker_new(maker, objects, sizeof *maker->order);
    maker->enums = (kifu__enum *)kifu__maker_new(maker, enums, sizeof *maker->enums);
    maker->enum_states = (uint8_t *)kifu__maker_new(maker, enums, 1);
    return !maker->result;
}

// The schema goes on living as long as the rules, which have its names.
static bool keep_schema(kifu__maker *maker, const uint8_t *bfbs, uint32_t size)
{
    const kifu__memory memory = kifu__memory_of(maker->arena->memory.allocate, maker->arena->memory.context);
    kifu__blob room = {.memory = &memory};
    maker->result = kifu__reflect(bfbs, size, &room, &maker->schema, maker->error);
    unsigned char *kept = maker->result ? NULL : (unsigned char *)kifu__maker_new(maker, room.size, 1);
    if (kept) {
        memcpy(kept, room.bytes, room.size);
        maker->schema = (const kifu__r_schema *)(const void *)kept;
        maker->object_count = kifu__length(&maker->schema->objects);
        maker->enum_count = kifu__length(&maker->schema->enums);
    }
    kifu__free(&memory, room.bytes);
    return kept && ((maker->object_count <= MOST_OBJECTS && maker->enum_count <= MOST_OBJECTS) ||
                    kifu__maker_fail(maker, "it has more than %d types", MOST_OBJECTS));
}

kifu_result kifu__make_rules(kifu__arena *arena, const void *bfbs, uint32_t size, const kifu__identity *identity,
                             uint64_t most_state, const kifu_rules **rules, kifu_error *error)
{
    kifu__maker maker = {.arena = arena, .error = error};
    kifu_rules *made = (kifu_rules *)kifu__maker_new(&maker, 1, sizeof *made);
    uint8_t *copy = (uint8_t *)kifu__maker_new(&maker, size, 1);
    if (maker.result)
        return maker.result;
    memcpy(copy, bfbs, size);
    *made = (kifu_rules){
        .name = identity->game,
        .union_name = identity->union_name,
        .rules_version = identity->rules_version,
        .fingerprint = identity->fingerprint,
        .bfbs = copy,
        .bfbs_size = size,
        .check = check_nothing,
        .do_event = do_nothing,
        .replay = replay_nothing,
        .act = show_nothing,
    };
    if (keep_schema(&maker, copy, size) && make_room(&maker))
        make_game(&maker, made);
    if (!maker.result && made->state_size > most_state)
        maker.result = kifu__error(error, KIFU_TOO_LARGE,
                                   "the schema of the save describes a state of %u bytes, which is more than "
                                   "kifu_load_options.memory allows for a file of this size; raise it if you trust "
                                   "the file",
                                   (unsigned)made->state_size);
    *rules = made;
    return maker.result;
}
