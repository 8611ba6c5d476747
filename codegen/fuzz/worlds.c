// Non-interference: two worlds that differ only in what a viewer does not see must look the same to this viewer.
//
// From the present, some inputs are played in a copy of the game. Hidden values that the viewer has not seen in the end
// are then exchanged with others like them, in a second copy from the same present, and the same is played there. The
// viewer must get the same messages, byte for byte, the same lists of moves and the same answers. A world in which
// another player, who knows these values, may not do the same, or in which the viewer gets to see one of them, says
// nothing from there on.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { MOST_INPUTS = 60, MOST_EVENTS = 900, MOST_STEPS = 100000, MOST_PARTS = 32, MOST_ARRAYS = 16 };

// --- What can be exchanged
// --------------------------------------------------------------------------------------------

// A hidden or secret field of the elements of a row.
typedef struct part {
    uint32_t at, size; // Of the first element, in the state.
    uint32_t first;    // Number of its first value;
    uint32_t values;   // so many has one element. 0: it is secret.
} part;

// Elements of an array, whose values can be exchanged.
typedef struct row {
    uint32_t start, stride, count;
    bool pool;
    char name[80];
    uint32_t part_count;
    part parts[MOST_PARTS];
} row;

typedef struct rows {
    row *items;
    uint32_t count, room;
} rows;

typedef struct array {
    uint32_t at, count, stride;
    bool pool;
} array;

// The arrays on the way to a field, and whether the field is one of them.
static uint32_t find_arrays(const kifu_rules *rules, const kifu__hidden_field *field, array *arrays, bool *own)
{
    const kifu__struct *in = rules->state;
    const char *name = field->field;
    uint32_t at = 0, count = 0;
    *own = false;
    while (in) {
        const size_t length = strcspn(name, ".");
        const kifu__member *member = in->members, *end = member + in->member_count;
        while (member < end && (strncmp(member->name, name, length) != 0 || member->name[length]))
            member++;
        if (member == end || count == MOST_ARRAYS)
            abort();
        at += member->offset;
        if (member->count)
            arrays[count++] = (array){at, member->count, member->size, member->pool};
        *own = member->count && !name[length];
        in = name[length] ? member->structure : NULL;
        name += length + 1;
    }
    return count;
}

static row *row_at(rows *rows, uint32_t start, const array *inner, const char *name)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->items[i].start == start && rows->items[i].stride == inner->stride)
            return &rows->items[i];
    }
    rows->items = kifu_fuzz__grow(rows->items, &rows->room, rows->count + 1, sizeof *rows->items);
    row *row = &rows->items[rows->count++];
    *row = (struct row){.start = start, .stride = inner->stride, .count = inner->count, .pool = inner->pool};
    snprintf(row->name, sizeof row->name, "%.*s", (int)(strlen(name) < 79 ? strlen(name) : 79), name);
    return row;
}

static void add_field(rows *rows, const kifu_rules *rules, const kifu__hidden_field *field)
{
    array arrays[MOST_ARRAYS];
    bool own;
    const uint32_t all = find_arrays(rules, field, arrays, &own), count = all - own;
    if (!count)
        return;
    const array *inner = &arrays[count - 1];
    const uint32_t values = own ? arrays[count].count : 1;
    uint32_t outside = 1;
    for (uint32_t i = 0; i + 1 < count; i++)
        outside *= arrays[i].count;
    for (uint32_t number = 0; number < outside; number++) {
        uint32_t shift = 0;
        for (uint32_t i = count - 1, left = number; i-- > 0; left /= arrays[i].count)
            shift += left % arrays[i].count * arrays[i].stride;
        row *row = row_at(rows, inner->at + shift, inner, field->field);
        if (row->part_count == MOST_PARTS)
            abort();
        row->parts[row->part_count++] = (part){.at = field->offset + shift,
                                               .size = field->size * values,
                                               .first = field->first + number * inner->count * values,
                                               .values = field->secret ? 0 : values};
    }
}

static bool has_bit(const uint64_t *bits, uint32_t number)
{
    return bits[number / 64] >> number % 64 & 1;
}

// Whether something of an element is among the values.
static bool has_any(const row *row, uint32_t element, const uint64_t *bits)
{
    for (uint32_t i = 0; i < row->part_count; i++) {
        const part *part = &row->parts[i];
        for (uint32_t value = 0; value < part->values; value++) {
            if (has_bit(bits, part->first + element * part->values + value))
                return true;
        }
    }
    return false;
}

static bool is_hidden(const row *row, uint32_t element, const uint64_t *seen, const unsigned char *state)
{
    uint16_t generation = 1;
    bool any = false;
    if (row->pool) // A free slot has no values.
        memcpy(&generation, state + row->start + (size_t)element * row->stride, sizeof generation);
    for (uint32_t i = 0; i < row->part_count; i++)
        any |= row->parts[i].values > 0;
    return any && generation % 2 && !has_any(row, element, seen);
}

// --- Two worlds
// -------------------------------------------------------------------------------------------------------

typedef struct input {
    kifu_moves moves;      // What the player may choose from;
    const kifu_move *move; // which of them; NULL: none,
    kifu_buffer bytes;     // but an event in bytes;
    uint32_t type;         // or, if that is empty, a random event of this type
    kifu_rng rng;          // by these numbers. Of type 0: none.
    int player;
    char name[60];
    uint32_t before; // So many events there were.
    uint64_t list;   // Digest of what the viewer could choose from.
    kifu_result result;
    char answer[sizeof((kifu_error *)0)->message];
    kifu_buffer message; // What the viewer got.
} input;

typedef struct worlds {
    fuzz *fuzz;
    const kifu__hiding *hiding;
    kifu_rng rng;
    int viewer;
    uint32_t words;              // Of a bit for each value.
    uint64_t *bits, *seen, *now; // Rows of that many: for one look; what the viewer has seen in a world; what moved.
    uint64_t *moved;
    fuzz_table base, one, other;
    input inputs[MOST_INPUTS];
    uint32_t count;
    rows rows;
    char exchanged[200];
} worlds;

static const char *viewer_text(const worlds *worlds, char *text, size_t size)
{
    if (worlds->viewer < 0)
        snprintf(text, size, "a spectator");
    else
        snprintf(text, size, "player %d", worlds->viewer);
    return text;
}

static void look(worlds *worlds, const kifu_timeline *timeline, int viewer, uint64_t *into)
{
    memset(worlds->bits, 0, worlds->words * sizeof *worlds->bits);
    worlds->hiding->visible(kifu_state(timeline), viewer, worlds->bits);
    for (uint32_t i = 0; i < worlds->words; i++)
        into[i] |= worlds->bits[i];
}

static bool any_of(const worlds *worlds, const uint64_t *bits)
{
    bool found = false;
    for (uint32_t i = 0; i < worlds->words; i++)
        found |= (bits[i] & worlds->moved[i]) != 0;
    return found;
}

static void copy(worlds *worlds, const kifu_timeline *timeline, fuzz_table *into)
{
    fuzz *fuzz = worlds->fuzz;
    kifu_error error;
    kifu_options options = fuzz->table.options;
    options.view = NULL;
    options.quiet = true;
    options.sync_test = NULL;
    options.record_inputs = NULL;
    if (fuzz->hooks.options)
        fuzz->hooks.options(&options);
    *into = (fuzz_table){.options = options};
    if (kifu_fork(timeline, KIFU_WITHOUT_PAST, &options, &into->timeline, &error))
        kifu_fuzz__fail(fuzz, "a fork that failed", "kifu_fork without a past: %s", error.message);
    kifu_fuzz__prepare(fuzz, into->timeline);
}

// Runs what was submitted, and looks after each event.
static kifu_result run(worlds *worlds, kifu_timeline *timeline, uint64_t *seen, char *answer)
{
    kifu_result first = KIFU_OK;
    uint32_t left = MOST_STEPS;
    answer[0] = '\0';
    do {
        const kifu_result result = kifu_step(timeline);
        if (result && !first) {
            first = result;
            memcpy(answer, kifu_last_error(timeline)->message, sizeof kifu_last_error(timeline)->message);
        }
        look(worlds, timeline, worlds->viewer, seen);
    } while (kifu_pending_count(timeline) && left--);
    return first;
}

static uint64_t list_for(worlds *worlds, kifu_timeline *timeline, int player, kifu_moves *moves)
{
    uint64_t sum = 0;
    if (player < 0 || !worlds->fuzz->rules->list || kifu_list_moves(timeline, player, moves))
        return 0;
    for (uint32_t i = 0; i < moves->count; i++) {
        const kifu_event event = {.type = moves->items[i].type, .table = moves->items[i].table};
        sum = kifu_fuzz__digest(worlds->fuzz->rules, &event, sum, NULL);
    }
    return sum + moves->count;
}

static uint32_t draw(worlds *worlds, uint32_t below)
{
    return kifu_rng_below(&worlds->rng, below);
}

static uint32_t random_type(worlds *worlds)
{
    const kifu_rules *rules = worlds->fuzz->rules;
    for (uint32_t tries = 0; tries < 60; tries++) {
        const uint32_t type = 1 + draw(worlds, rules->type_count);
        if (rules->types[type].is_player && !rules->types[type].superseded_by)
            return type;
    }
    return 0;
}

// Submits the input; its player and type are chosen, and what else it needs.
static void submit(worlds *worlds, kifu_timeline *timeline, const input *input)
{
    bool valid = true;
    kifu_result submitted = KIFU_OK;
    if (input->move)
        kifu_submit_move(timeline, input->move);
    else if (input->bytes.size)
        submitted = input->player < 0
                        ? kifu_submit_trusted_bytes(timeline, -1, input->bytes.data, input->bytes.size, NULL)
                        : kifu_submit_bytes(timeline, input->player, input->bytes.data, input->bytes.size, NULL);
    else if (input->type) {
        worlds->fuzz->rng = input->rng;
        kifu_fuzz__submit_random(worlds->fuzz, timeline, input->type, input->player, &valid);
    }
    if (submitted)
        kifu_fuzz__fail(worlds->fuzz, "no bytes", "an event in bytes was refused: %s",
                        kifu_last_error(timeline)->message);
}

// Chooses and submits an input in the first world: a likely one, or anything that the viewer may ask.
static void choose(worlds *worlds, kifu_timeline *timeline, input *input)
{
    fuzz *fuzz = worlds->fuzz;
    const kifu_game *game = kifu_get_game(timeline);
    const bool random = draw(worlds, 4) == 0;
    input->player = kifu_current_player(game);
    if (random && worlds->viewer >= 0 && draw(worlds, 4))
        input->player = worlds->viewer;
    if (!random && fuzz->rules->list) {
        list_for(worlds, timeline, input->player, &input->moves);
        if (input->moves.count)
            input->move = &input->moves.items[draw(worlds, input->moves.count)];
    } else if (!random && fuzz->hooks.input) {
        kifu_event event;
        fuzz->hooks.input(timeline, &worlds->rng);
        if (kifu_pending_at(timeline, 0, &event))
            input->player = event.player;
        snprintf(input->name, sizeof input->name, "a likely input");
        return;
    }
    if (!input->move) {
        input->type = random_type(worlds);
        kifu_rng_seed(&input->rng, draw(worlds, UINT32_MAX), draw(worlds, UINT32_MAX));
    }
    const uint32_t type = input->move ? input->move->type : input->type;
    snprintf(input->name, sizeof input->name, "%.40s of player %d",
             type ? fuzz->rules->types[type].table->name : "nothing", input->player);
    submit(worlds, timeline, input);
}

static void get_message(worlds *worlds, kifu_timeline *timeline, uint32_t from, kifu_seen_how how, kifu_buffer *message)
{
    if (kifu_seen_since(timeline, worlds->viewer, from, how, message))
        kifu_fuzz__fail(worlds->fuzz, "no message", "kifu_seen_since: %s", kifu_last_error(timeline)->message);
}

static void play_one(worlds *worlds)
{
    fuzz *fuzz = worlds->fuzz;
    kifu_timeline *timeline = worlds->one.timeline;
    const uint32_t first = kifu_event_count(timeline);
    const uint32_t wanted = 1 + draw(worlds, draw(worlds, 4) ? 12 : MOST_INPUTS);
    look(worlds, timeline, worlds->viewer, worlds->seen);
    while (worlds->count < wanted && kifu_event_count(timeline) - first < MOST_EVENTS &&
           kifu_get_game(timeline)->phase != KIFU_PHASE_GAME_OVER) {
        input *input = &worlds->inputs[worlds->count++];
        kifu_moves moves = {0};
        input->list = list_for(worlds, timeline, worlds->viewer, &moves);
        kifu_free_moves(&moves);
        input->before = kifu_event_count(timeline);
        choose(worlds, timeline, input);
        input->result = run(worlds, timeline, worlds->seen, input->answer);
        if (!input->move && !input->type && kifu_event_count(timeline) > input->before &&
            kifu_event_bytes(timeline, input->before, &input->bytes))
            kifu_fuzz__fail(fuzz, "no bytes", "kifu_event_bytes: %s", kifu_last_error(timeline)->message);
        get_message(worlds, timeline, input->before, KIFU_SEEN_PLAYED, &input->message);
        kifu_fuzz__trace(fuzz, ", %s", input->name);
    }
}

// Exchanges what the viewer never saw in the first world. False: nothing changes by it.
static bool exchange(worlds *worlds, unsigned char *state)
{
    const uint32_t size = worlds->fuzz->rules->state_size;
    unsigned char *old = malloc(size);
    uint32_t *places = NULL, room = 0, moved = 0;
    if (!old)
        abort();
    memcpy(old, state, size);
    for (uint32_t i = 0; i < worlds->rows.count; i++) {
        const row *row = &worlds->rows.items[i];
        uint32_t count = 0;
        places = kifu_fuzz__grow(places, &room, 2 * row->count, sizeof *places);
        uint32_t *from = places + row->count;
        for (uint32_t element = 0; element < row->count; element++) {
            if (is_hidden(row, element, worlds->seen, old))
                places[count] = from[count] = element, count++;
        }
        for (uint32_t left = count; left > 1; left--) {
            const uint32_t chosen = draw(worlds, left), other = from[chosen];
            from[chosen] = from[left - 1];
            from[left - 1] = other;
        }
        for (uint32_t k = 0; k < count; k++) {
            bool differs = false;
            for (uint32_t p = 0; p < row->part_count; p++) {
                const part *part = &row->parts[p];
                unsigned char *to = state + part->at + (size_t)places[k] * row->stride;
                memcpy(to, old + part->at + (size_t)from[k] * row->stride, part->size);
                differs |= memcmp(to, old + part->at + (size_t)places[k] * row->stride, part->size) != 0;
                for (uint32_t v = 0; v < part->values; v++) {
                    const uint32_t number = part->first + places[k] * part->values + v;
                    worlds->moved[number / 64] |= UINT64_C(1) << number % 64;
                }
            }
            if (differs && !moved++)
                snprintf(worlds->exchanged, sizeof worlds->exchanged, "%s of [%" PRIu32 "] is that of [%" PRIu32 "]",
                         row->name, places[k], from[k]);
        }
    }
    if (moved > 1) {
        const size_t length = strlen(worlds->exchanged);
        snprintf(worlds->exchanged + length, sizeof worlds->exchanged - length, ", and %" PRIu32 " more are exchanged",
                 moved - 1);
    }
    worlds->fuzz->progress->exchanged += moved;
    free(places);
    free(old);
    return moved > 0;
}

static void compare_messages(worlds *worlds, const char *what, const kifu_buffer *one, const kifu_buffer *other)
{
    char viewer[40];
    if (one->size == other->size && memcmp(one->data, other->data, one->size) == 0)
        return;
    uint32_t at = 0;
    while (at < one->size && at < other->size && one->data[at] == other->data[at])
        at++;
    kifu_fuzz__fail(worlds->fuzz, "a message tells what is hidden",
                    "%s gets another message after %s where, unseen, %s: %" PRIu32 " bytes and %" PRIu32
                    ", which differ at byte %" PRIu32,
                    viewer_text(worlds, viewer, sizeof viewer), what, worlds->exchanged, one->size, other->size, at);
}

// Whether the second world goes on as the first one did.
static bool play_other(worlds *worlds, const input *input)
{
    fuzz *fuzz = worlds->fuzz;
    kifu_timeline *timeline = worlds->other.timeline;
    char viewer[40], answer[sizeof input->answer];
    kifu_moves moves = {0};
    const uint64_t list = list_for(worlds, timeline, worlds->viewer, &moves);
    kifu_free_moves(&moves);
    viewer_text(worlds, viewer, sizeof viewer);
    if (list != input->list)
        kifu_fuzz__fail(fuzz, "a list of moves tells what is hidden", "before %s, %s has other moves where, unseen, %s",
                        input->name, viewer, worlds->exchanged);
    memset(worlds->now, 0, worlds->words * sizeof *worlds->now);
    submit(worlds, timeline, input);
    const kifu_result result = run(worlds, timeline, worlds->now, answer);
    if (any_of(worlds, worlds->now)) // The viewer sees one of them.
        return false;
    if (input->player != worlds->viewer) {
        if (input->player >= 0)
            look(worlds, timeline, input->player, worlds->now);
        if (result != input->result && any_of(worlds, worlds->now)) // This player knows one.
            return false;
    }
    if (result != input->result || (input->player == worlds->viewer && strcmp(answer, input->answer) != 0))
        kifu_fuzz__fail(fuzz, "an answer tells what is hidden",
                        "%s is answered \"%.300s\", and \"%.300s\" where, unseen by %s, %s", input->name,
                        input->result ? input->answer : "yes", result ? answer : "yes", viewer, worlds->exchanged);
    kifu_buffer message = {0};
    get_message(worlds, timeline, input->before, KIFU_SEEN_PLAYED, &message);
    compare_messages(worlds, input->name, &input->message, &message);
    kifu_free_buffer(&message);
    return true;
}

static void compare_whole(worlds *worlds)
{
    kifu_buffer one = {0}, other = {0};
    const uint32_t from = kifu_first_event(worlds->one.timeline);
    get_message(worlds, worlds->one.timeline, from, KIFU_SEEN_WHOLE, &one);
    get_message(worlds, worlds->other.timeline, from, KIFU_SEEN_WHOLE, &other);
    compare_messages(worlds, "the whole", &one, &other);
    kifu_free_buffer(&one);
    kifu_free_buffer(&other);
}

static void play_both(worlds *worlds)
{
    fuzz *fuzz = worlds->fuzz;
    copy(worlds, fuzz->table.timeline, &worlds->base);
    copy(worlds, worlds->base.timeline, &worlds->one);
    play_one(worlds);
    if (exchange(worlds, ((kifu__core *)worlds->base.timeline)->state)) {
        copy(worlds, worlds->base.timeline, &worlds->other);
        uint32_t played = 0;
        while (played < worlds->count && play_other(worlds, &worlds->inputs[played]))
            played++;
        fuzz->progress->worlds++;
        fuzz->progress->parted += played < worlds->count;
        kifu_fuzz__trace(fuzz, "; %s", worlds->exchanged);
        if (played == worlds->count)
            compare_whole(worlds);
        kifu_fuzz__dispose(fuzz, &worlds->other);
    }
    kifu_fuzz__dispose(fuzz, &worlds->one);
    kifu_fuzz__dispose(fuzz, &worlds->base);
}

void kifu_fuzz__worlds(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    const kifu__hiding *hiding = fuzz->rules->hiding;
    const kifu_game *game = kifu_get_game(timeline);
    if (!hiding || !hiding->value_count || kifu_pending_count(timeline) || kifu_open_transactions(timeline) ||
        game->phase != KIFU_PHASE_PLAY || fuzz->table.options.reset)
        return;
    worlds *worlds = calloc(1, sizeof *worlds);
    if (!worlds)
        abort();
    worlds->fuzz = fuzz;
    worlds->hiding = hiding;
    worlds->words = (hiding->value_count + 63) / 64;
    worlds->bits = calloc(4 * (size_t)worlds->words, sizeof *worlds->bits);
    if (!worlds->bits)
        abort();
    worlds->seen = worlds->bits + worlds->words;
    worlds->now = worlds->seen + worlds->words;
    worlds->moved = worlds->now + worlds->words;
    worlds->rng = fuzz->rng; // That of the fuzzer makes random events.
    worlds->viewer = (int)draw(worlds, game->player_count + 1u) - 1;
    kifu_fuzz__trace(fuzz, " of viewer %d", worlds->viewer);
    for (uint32_t i = 0; i < hiding->field_count; i++)
        add_field(&worlds->rows, fuzz->rules, &hiding->fields[i]);
    play_both(worlds);
    for (uint32_t i = 0; i < worlds->count; i++) {
        kifu_free_moves(&worlds->inputs[i].moves);
        kifu_free_buffer(&worlds->inputs[i].bytes);
        kifu_free_buffer(&worlds->inputs[i].message);
    }
    fuzz->rng = worlds->rng;
    free(worlds->rows.items);
    free(worlds->bits);
    free(worlds);
}
