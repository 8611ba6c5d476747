// Events as bytes: built one by one, as for another machine, and verified and submitted there.

#include "contest.h"
#include "measure.h"

static kifu_buffer buffer;

static kifu_result build_item(kifu_timeline *timeline, const item *item)
{
    switch (item->type) {
    case ITEM_MOVE:
        return mix_build_p_move(timeline, &buffer, item->as.move.unit, item->as.move.x, item->as.move.y);
    case ITEM_DAMAGE:
        return mix_build_e_damage(timeline, &buffer, item->as.damage.source, item->as.damage.target,
                                  item->as.damage.amount, item->as.damage.kind);
    case ITEM_DRAW:
        return mix_build_e_draw(timeline, &buffer, item->as.draw.hand, item->as.draw.cards, item->as.draw.count);
    case ITEM_ROUND:
        return mix_build_e_round(timeline, &buffer, item->as.round.number);
    case ITEM_CHAT:
        return mix_build_p_chat(timeline, &buffer, phrases[item->as.chat.phrase]);
    default:
        return KIFU_FAILED;
    }
}

static double run_built(void *context)
{
    contest *contest = context;
    kifu_timeline *timeline = play_begin(NULL);
    double start = now();
    for (uint32_t i = 0; i < contest->count; i++)
        must(!build_item(timeline, &contest->items[i]), "an event was not built");
    const double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

static double run_sent(void *context)
{
    contest *contest = context;
    kifu_timeline *timeline = play_begin(NULL);
    double start = now();
    for (uint32_t i = 0; i < contest->count; i++) {
        must(!build_item(timeline, &contest->items[i]), "an event was not built");
        must(!kifu_submit_bytes(timeline, 0, buffer.data, buffer.size, NULL), "an event was refused");
        if (i % 256 == 255)
            must(!kifu_drop_inputs(timeline), "the inputs were not dropped");
    }
    const double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

static double run_flat_built(void *context)
{
    contest *contest = context;
    double start = now();
    must(flat_append_each(contest->pb, contest->pb_room, contest->items, contest->count) > 0, "nothing was built");
    return now() - start;
}

static double run_flat_sent(void *context)
{
    contest *contest = context;
    double start = now();
    must(flat_verify_each(contest->items, contest->count), "an event is broken");
    return now() - start;
}

void byte_rows(const scale *scale)
{
    contest contest;
    heading("Events as bytes: each a FlatBuffer of its own");
    contest_open(&contest, scale->events, make_mix);
    contender built[] = {{"kifu", run_built, 0}, {"libflatbuffers", run_flat_built, 0}};
    compare(built, 2, &contest, scale->rounds, contest.count);
    row("mix, random order: built", "%6.1f ns, libflatbuffers %6.1f: %6.2f x as fast", built[0].ns, built[1].ns,
        last_ratio(1, 0));
    contest_close(&contest);
    contest_open(&contest, scale->events, make_moves);
    contender moves[] = {{"kifu", run_built, 0},
                         {"libflatbuffers", run_flat_built, 0},
                         {"kifu sent", run_sent, 0},
                         {"libflatbuffers sent", run_flat_sent, 0}};
    compare(moves, 4, &contest, scale->rounds, contest.count);
    row("moves alone: built", "%6.1f ns, libflatbuffers %6.1f: %6.2f x as fast", moves[0].ns, moves[1].ns,
        last_ratio(1, 0));
    row("    built, and verified and submitted", "%6.1f ns, libflatbuffers, not submitted %6.1f: %6.2f x as fast",
        moves[2].ns, moves[3].ns, last_ratio(3, 2));
    contest_close(&contest);
    kifu_free_buffer(&buffer);
}
