#include "contest.h"

#include <stdlib.h>
#include <string.h>

#include "core/go.h"
#include "measure.h"

// Events of a timeline's beginning: EResetGame, four EAddPlayer, EInitialize, EStartRound.
enum { PLAYERS = HANDS };

void contest_open(contest *contest, uint32_t count, void (*make)(item *items, uint32_t count, uint64_t seed))
{
    *contest = (struct contest){.count = count};
    contest->items = malloc(count * sizeof *contest->items);
    contest->pb_room = (size_t)count * 128;
    contest->pb = malloc(contest->pb_room);
    must(contest->items && contest->pb, "out of memory");
    make(contest->items, count, 20);
    contest->sum = sum_items(contest->items, count);
    contest->flat = flat_new((size_t)count * 32 + 1024, count);
    flat_append(contest->flat, contest->items, count);
    contest->pb_size = pb_append(contest->pb, contest->pb_room, contest->items, count);
    must(contest->pb_size > 0, "nanopb did not encode");
    append_to_log(contest);
}

void contest_close(contest *contest)
{
    if (contest->log_open)
        kifu__log_close(&contest->log);
    flat_free(contest->flat);
    free(contest->pb);
    free(contest->items);
}

// As baseline_flatbuffers.cpp has it.
#if defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

// What the generator knows of the types of mix.fbs, which have nothing that is aligned to more than 4.
static ALWAYS_INLINE kifu__type type_of(uint8_t id)
{
    return (kifu__type){.id = id, .align = 4, .vtable_at = mix_rules.types[id].vtable_at};
}

static void *new_room(kifu__log *log, uint32_t size)
{
    must(!kifu__log_grow(log, size), "no room for an event");
    return kifu__log_room(log, size, 4);
}

// Where the next event will lie, with room for the longest.
static ALWAYS_INLINE void *room(kifu__log *log, uint32_t size)
{
    void *event = kifu__log_room(log, size, 4);
    return event ? event : new_room(log, size);
}

static ALWAYS_INLINE void enter(kifu__log *log, uint8_t id, void *event, uint32_t size, kifu__mark mark)
{
    const kifu__type type = type_of(id);
    kifu__log_seal(log, &type, event, size, mark);
}

// Each event is written where it will lie, as the generated play functions do.
static ALWAYS_INLINE void append_item(kifu__log *log, const item *item)
{
    const kifu__mark mark = {.player = item->player, .flags = KIFU_UNDOABLE};
    switch (item->type) {
    case ITEM_MOVE: {
        mix_p_move *move = room(log, sizeof *move);
        *move = (mix_p_move){.unit = item->as.move.unit, .x = item->as.move.x, .y = item->as.move.y};
        enter(log, MIX_P_MOVE, move, sizeof *move, mark);
        break;
    }
    case ITEM_DAMAGE: {
        mix_e_damage *damage = room(log, sizeof *damage);
        *damage = (mix_e_damage){.source = item->as.damage.source,
                                 .target = item->as.damage.target,
                                 .amount = item->as.damage.amount,
                                 .kind = item->as.damage.kind};
        enter(log, MIX_E_DAMAGE, damage, sizeof *damage, mark);
        break;
    }
    case ITEM_DRAW: {
        typedef struct {
            mix_e_draw draw;
            uint32_t count;
            uint16_t cards[MOST_CARDS];
        } draw;
        draw *event = room(log, sizeof *event);
        event->draw =
            (mix_e_draw){.hand = item->as.draw.hand, .cards = {sizeof event->draw - offsetof(mix_e_draw, cards)}};
        event->count = item->as.draw.count;
        memcpy(event->cards, item->as.draw.cards, sizeof event->cards);
        const uint32_t size = (uint32_t)sizeof event->draw + 4 + (item->as.draw.count + 1U) / 2 * 4;
        enter(log, MIX_E_DRAW, event, size, mark);
        break;
    }
    case ITEM_ROUND: {
        mix_e_round *round = room(log, sizeof *round);
        *round = (mix_e_round){.number = item->as.round.number};
        enter(log, MIX_E_ROUND, round, sizeof *round, mark);
        break;
    }
    case ITEM_CHAT: {
        typedef struct {
            mix_p_chat chat;
            uint32_t length;
            char text[sizeof phrases[0]];
        } chat;
        chat *event = room(log, sizeof *event);
        const uint32_t text_size = (item->as.chat.length + 4U) / 4 * 4;
        event->chat = (mix_p_chat){.text = {sizeof event->chat - offsetof(mix_p_chat, text)}};
        event->length = item->as.chat.length;
        memcpy(event->text, phrases[item->as.chat.phrase], text_size);
        enter(log, MIX_P_CHAT, event, (uint32_t)sizeof event->chat + 4 + text_size, mark);
        break;
    }
    default:
        must(false, "no such event");
    }
}

static ALWAYS_INLINE void append_all(contest *contest, bool valid_after_each)
{
    if (contest->log_open)
        kifu__log_close(&contest->log);
    kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__log_open(&contest->log, &mix_rules, &memory);
    contest->log_open = true;
    for (uint32_t i = 0; i < contest->count; i++) {
        append_item(&contest->log, &contest->items[i]);
        if (valid_after_each)
            kifu__log_show(&contest->log);
    }
    kifu__log_show(&contest->log);
}

void append_to_log(contest *contest)
{
    append_all(contest, false);
}

void append_and_show(contest *contest)
{
    append_all(contest, true);
}

void submit_item(kifu_timeline *timeline, const item *item)
{
    switch (item->type) {
    case ITEM_MOVE:
        mix_submit_p_move(timeline, item->player, item->as.move.unit, item->as.move.x, item->as.move.y);
        break;
    case ITEM_DAMAGE:
        mix_submit_e_damage(timeline, item->as.damage.source, item->as.damage.target, item->as.damage.amount,
                            item->as.damage.kind);
        break;
    case ITEM_DRAW:
        mix_submit_e_draw(timeline, item->as.draw.hand, item->as.draw.cards, item->as.draw.count);
        break;
    case ITEM_ROUND:
        mix_submit_e_round(timeline, item->as.round.number);
        break;
    case ITEM_CHAT:
        mix_submit_p_chat(timeline, item->player, phrases[item->as.chat.phrase]);
        break;
    default:
        break;
    }
}

static kifu_result play_item(kifu_timeline *timeline, const item *item)
{
    switch (item->type) {
    case ITEM_MOVE:
        return mix_play_p_move(timeline, item->player, item->as.move.unit, item->as.move.x, item->as.move.y);
    case ITEM_DAMAGE:
        return mix_play_e_damage(timeline, item->as.damage.source, item->as.damage.target, item->as.damage.amount,
                                 item->as.damage.kind);
    case ITEM_DRAW:
        return mix_play_e_draw(timeline, item->as.draw.hand, item->as.draw.cards, item->as.draw.count);
    case ITEM_ROUND:
        return mix_play_e_round(timeline, item->as.round.number);
    case ITEM_CHAT:
        return mix_play_p_chat(timeline, item->player, phrases[item->as.chat.phrase]);
    default:
        return KIFU_FAILED;
    }
}

kifu_timeline *play_begin(const kifu_options *options)
{
    kifu_options quiet = options ? *options : (kifu_options){0};
    quiet.quiet = true;
    kifu_timeline *timeline;
    const kifu_e_initialize_args initialize = {.has_seed = true, .seed = 7, .starting_player = KIFU_BY_LOT};
    must(!kifu_create(&mix_rules, &quiet, &timeline, NULL), "no timeline");
    mix_submit_e_reset_game(timeline);
    for (uint8_t i = 0; i < PLAYERS; i++)
        mix_submit_e_add_player(timeline, i, 0xff0000U >> i);
    mix_submit_e_initialize(timeline, &initialize);
    mix_submit_e_start_round(timeline);
    must(!kifu_run(timeline), "the game did not begin");
    return timeline;
}

void play_on(kifu_timeline *timeline, const item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        submit_item(timeline, &items[i]);
        must(!kifu_run(timeline), "an event did not happen");
    }
}

void play_directly(kifu_timeline *timeline, const item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        must(!play_item(timeline, &items[i]), "an event did not happen");
}

kifu_timeline *play(const kifu_options *options, const item *items, uint32_t count)
{
    kifu_timeline *timeline = play_begin(options);
    play_on(timeline, items, count);
    return timeline;
}

const kifu_options bare_options = {.keyframe_bytes = 1, .hash_interval = UINT32_MAX};

double replay_all(kifu_timeline *timeline)
{
    kifu__drop_records(timeline, 0);
    double start = now();
    must(!kifu__go(timeline, kifu_event_count(timeline), KIFU__ANEW), "the replay failed");
    return now() - start;
}

bool is_state(const kifu_timeline *timeline, const model *model)
{
    const mix_state *state = mix_get_state(timeline);
    _Static_assert(sizeof state->units == sizeof model->units, "the same model");
    _Static_assert(sizeof state->hands == sizeof model->hands, "the same model");
    return !memcmp(state->units, model->units, sizeof model->units) &&
           !memcmp(state->hands, model->hands, sizeof model->hands) && state->number == model->number &&
           state->chat_bytes == model->chat_bytes;
}
