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

enum { MOST_INPUTS = 60, MOST_EVENTS = 900, MOST_STEPS = 100000 };

// --- Two worlds -----------------------------------------------------------------------------------------------------

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

// How the game was at some time while it was played; NULL: it was not then.
static unsigned char *state_before(worlds *worlds)
{
    kifu_timeline *timeline = worlds->fuzz->table.timeline;
    const uint32_t size = worlds->fuzz->rules->state_size, first = kifu_first_event(timeline);
    unsigned char *state = malloc(size);
    if (!state)
        abort();
    const kifu_game *game = (const kifu_game *)(const void *)state;
    const uint32_t place = first + draw(worlds, kifu_event_count(timeline) - first + 1);
    if (!kifu_state_at(timeline, place, state, size) && game->phase == KIFU_PHASE_PLAY)
        return state;
    free(state);
    return NULL;
}

// Exchanges what the viewer never saw in the first world. False: nothing changes by it.
static bool exchange(worlds *worlds, unsigned char *state)
{
    char first[sizeof worlds->exchanged / 2];
    unsigned char *before = state_before(worlds);
    const uint32_t moved = kifu_fuzz__exchange(worlds->fuzz->rules, &worlds->rng, worlds->seen, before, state,
                                               worlds->moved, first, sizeof first);
    free(before);
    snprintf(worlds->exchanged, sizeof worlds->exchanged, moved > 1 ? "%s, and %" PRIu32 " more are exchanged" : "%s",
             first, moved - 1);
    worlds->fuzz->progress->exchanged += moved;
    return moved > 0;
}

// Masked states differ after event `index`: where.
static bool states_differ(worlds *worlds, uint32_t index, char *text, size_t size)
{
    const uint32_t room = worlds->fuzz->rules->state_size;
    unsigned char *states = malloc(4 * (size_t)room);
    bool differ = false;
    if (!states)
        abort();
    for (uint32_t i = 0; i < 2; i++) {
        kifu_timeline *timeline = i ? worlds->other.timeline : worlds->one.timeline;
        unsigned char *state = states + i * room, *masked = states + (2 + i) * room;
        if (kifu_state_at(timeline, index + 1, state, room))
            abort();
        memcpy(masked, state, room);
        worlds->hiding->mask(state, worlds->viewer, masked);
    }
    differ = memcmp(states + 2 * room, states + 3 * room, room) != 0;
    if (differ)
        kifu_fuzz__difference(worlds->fuzz->rules, states + 3 * room, states + 2 * room, text, size);
    free(states);
    return differ;
}

// What is other in the second world, from event number `index` on.
static void find_difference(worlds *worlds, uint32_t index, char *text, size_t size)
{
    kifu_timeline *one = worlds->one.timeline, *other = worlds->other.timeline;
    kifu_event a, b;
    char field[300];
    for (; kifu_event_at(one, index, &a) && kifu_event_at(other, index, &b); index++) {
        const char *what = a.type != b.type ? "is another event" : a.flags != b.flags ? "has other flags" : NULL;
        if (!what && !worlds->hiding->seen_by[a.type].kind &&
            kifu_fuzz__digest(worlds->fuzz->rules, &a, 0, NULL) != kifu_fuzz__digest(worlds->fuzz->rules, &b, 0, NULL))
            what = "has other fields";
        if (what) {
            snprintf(text, size, "event %" PRIu32 " (%s) %s", index, a.name, what);
            return;
        }
        if (states_differ(worlds, index, field, sizeof field)) {
            snprintf(text, size, "after event %" PRIu32 " (%s), %s", index, a.name, field);
            return;
        }
    }
    snprintf(text, size, "there are %" PRIu32 " events, and %" PRIu32, kifu_event_count(one), kifu_event_count(other));
}

// Whether the viewer sees the hidden fields of an event.
static bool sees_fields(const worlds *worlds, const kifu_event *event)
{
    const kifu__seen_by *seen_by = &worlds->hiding->seen_by[event->type];
    int64_t player = 0;
    if (seen_by->kind != 2)
        return seen_by->kind == 1 && event->player == worlds->viewer;
    const unsigned char *place = (const unsigned char *)event->table + seen_by->offset;
    const uint32_t sizes[] = {[KIFU__I8] = 1,  [KIFU__U8] = 1,  [KIFU__I16] = 2, [KIFU__U16] = 2,
                              [KIFU__I32] = 4, [KIFU__U32] = 4, [KIFU__I64] = 8, [KIFU__U64] = 8};
    memcpy(&player, place, sizes[seen_by->scalar]); // A negative number is no player's.
    return player == worlds->viewer;
}

// Whether an event tells the viewer by its hidden fields what is other in the second world.
static bool is_told(worlds *worlds, uint32_t index)
{
    kifu_event one, other;
    for (; kifu_event_at(worlds->one.timeline, index, &one) && kifu_event_at(worlds->other.timeline, index, &other);
         index++) {
        if (one.type == other.type && sees_fields(worlds, &one) && sees_fields(worlds, &other) &&
            kifu_fuzz__digest(worlds->fuzz->rules, &one, 0, NULL) !=
                kifu_fuzz__digest(worlds->fuzz->rules, &other, 0, NULL))
            return true;
    }
    return false;
}

static void compare_messages(worlds *worlds, const char *what, uint32_t from, const kifu_buffer *one,
                             const kifu_buffer *other)
{
    char viewer[40], difference[400];
    if (one->size == other->size && memcmp(one->data, other->data, one->size) == 0)
        return;
    find_difference(worlds, from, difference, sizeof difference);
    kifu_fuzz__fail(worlds->fuzz, "a message tells what is hidden",
                    "%s gets another message after %s (%" PRIu32 " bytes, and %" PRIu32 ") where, unseen, %s: %s",
                    viewer_text(worlds, viewer, sizeof viewer), what, one->size, other->size, worlds->exchanged,
                    difference);
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
    if (is_told(worlds, input->before))
        return false;
    kifu_buffer message = {0};
    get_message(worlds, timeline, input->before, KIFU_SEEN_PLAYED, &message);
    compare_messages(worlds, input->name, input->before, &input->message, &message);
    kifu_free_buffer(&message);
    return true;
}

static void compare_whole(worlds *worlds)
{
    kifu_buffer one = {0}, other = {0};
    const uint32_t from = kifu_first_event(worlds->one.timeline);
    get_message(worlds, worlds->one.timeline, from, KIFU_SEEN_WHOLE, &one);
    get_message(worlds, worlds->other.timeline, from, KIFU_SEEN_WHOLE, &other);
    compare_messages(worlds, "all", from, &one, &other);
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
    play_both(worlds);
    for (uint32_t i = 0; i < worlds->count; i++) {
        kifu_free_moves(&worlds->inputs[i].moves);
        kifu_free_buffer(&worlds->inputs[i].bytes);
        kifu_free_buffer(&worlds->inputs[i].message);
    }
    fuzz->rng = worlds->rng;
    free(worlds->bits);
    free(worlds);
}

// --- What events show -----------------------------------------------------------------------------------------------

// Whether some player sees a hidden value after an event who did not see it before.
static bool masks_show(fuzz *fuzz, uint32_t index)
{
    const kifu__hiding *hiding = fuzz->rules->hiding;
    const uint32_t size = fuzz->rules->state_size, words = (hiding->value_count + 63) / 64;
    unsigned char *states = malloc(2 * (size_t)size);
    uint64_t *bits = malloc(2 * (size_t)words * sizeof *bits + 1);
    bool shown = false;
    if (!states || !bits)
        abort();
    const kifu_game *game = (const kifu_game *)(const void *)states;
    if (!kifu_state_at(fuzz->table.timeline, index, states, size) &&
        !kifu_state_at(fuzz->table.timeline, index + 1, states + size, size)) {
        for (int player = 0; player < game->player_count; player++) {
            memset(bits, 0, 2 * (size_t)words * sizeof *bits);
            hiding->visible(states, player, bits);
            hiding->visible(states + size, player, bits + words);
            for (uint32_t i = 0; i < words; i++)
                shown |= (bits[words + i] & ~bits[i]) != 0;
        }
    }
    free(states);
    free(bits);
    return shown;
}

void kifu_fuzz__count_revealed(fuzz *fuzz, uint32_t from)
{
    kifu_event event;
    for (; kifu_event_at(fuzz->table.timeline, from, &event); from++) {
        if (!(event.flags & KIFU_REVEALS))
            continue;
        fuzz->progress->revealed[event.type]++;
        if (fuzz->rules->types[event.type].flags & KIFU_REVEALS)
            fuzz->progress->by_mask[event.type] += masks_show(fuzz, from);
    }
}
