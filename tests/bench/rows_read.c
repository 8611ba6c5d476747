/// Reading: verifying bytes from anywhere, and looking at every field.
#include <stdio.h>

#include "contest.h"
#include "measure.h"
#include "wire/table.h"

/// As load does: each segment by itself, from its bytes alone.
static void verify_log(const contest *contest)
{
    for (uint32_t i = 0; i < contest->log.branch->segment_count; i++) {
        const kifu__segment *segment = &contest->log.branch->segments[i];
        const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size};
        kifu__segment verified;
        bool castable = true;
        kifu_result result =
            kifu__verify_segment(&buffer, &mix_rules, segment->first, false, NULL, 0, &verified, &castable);
        must(!result && castable && verified.count == segment->count, "a segment was not verified");
    }
}

static uint64_t sum_segment(const kifu__segment *segment)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < segment->count; i++) {
        const void *table = kifu__segment_table(segment, i);
        switch (segment->types[i]) {
        case MIX_P_MOVE: {
            const mix_p_move *move = table;
            sum += sum_move(move->unit, move->x, move->y);
            break;
        }
        case MIX_E_DAMAGE: {
            const mix_e_damage *damage = table;
            sum += sum_damage(damage->source, damage->target, damage->amount, damage->kind);
            break;
        }
        case MIX_E_DRAW: {
            const mix_e_draw *draw = table;
            sum += sum_draw(draw->hand, mix_e_draw_cards(draw), mix_e_draw_cards_count(draw));
            break;
        }
        case MIX_E_ROUND: {
            const mix_e_round *round = table;
            sum += round->number;
            break;
        }
        case MIX_P_CHAT: {
            const mix_p_chat *chat = table;
            sum += sum_text(mix_p_chat_text(chat), mix_p_chat_text_length(chat));
            break;
        }
        default:
            break;
        }
    }
    return sum;
}

static double run_verify(void *context)
{
    double start = now();
    verify_log(context);
    return now() - start;
}

static double run_verify_flat(void *context)
{
    const contest *contest = context;
    size_t size;
    const unsigned char *bytes = flat_bytes(contest->flat, &size);
    double start = now();
    must(flat_verify(bytes, size), "libflatbuffers did not verify its buffer");
    return now() - start;
}

/// The official verifier on Kifu's own segments: the very same bytes.
static double run_verify_same(void *context)
{
    const contest *contest = context;
    double start = now();
    for (uint32_t i = 0; i < contest->log.branch->segment_count; i++) {
        const kifu__segment *segment = &contest->log.branch->segments[i];
        must(flat_verify(segment->bytes, segment->size), "libflatbuffers did not verify a segment");
    }
    return now() - start;
}

static double run_read(void *context)
{
    const contest *contest = context;
    double start = now();
    uint64_t sum = 0;
    verify_log(contest);
    for (uint32_t i = 0; i < contest->log.branch->segment_count; i++)
        sum += sum_segment(&contest->log.branch->segments[i]);
    must(sum == contest->sum, "a wrong sum of the log");
    return now() - start;
}

static double run_read_flat(void *context)
{
    const contest *contest = context;
    size_t size;
    const unsigned char *bytes = flat_bytes(contest->flat, &size);
    double start = now();
    must(flat_verify(bytes, size), "libflatbuffers did not verify its buffer");
    must(flat_sum(bytes) == contest->sum, "a wrong sum by libflatbuffers");
    return now() - start;
}

static double run_read_pb(void *context)
{
    const contest *contest = context;
    uint64_t sum;
    double start = now();
    must(pb_sum(contest->pb, contest->pb_size, &sum) && sum == contest->sum, "a wrong sum by nanopb");
    return now() - start;
}

/// The sum alone over plain structs: what reading costs any contender in branches not predicted.
static double run_read_items(void *context)
{
    const contest *contest = context;
    double start = now();
    must(sum_items(contest->items, contest->count) == contest->sum, "a wrong sum of structs");
    return now() - start;
}

static void rows(const char *what, contest *contest, const scale *scale, double goal)
{
    char text[100];
    contender verify[] = {{"kifu", run_verify, 0},
                          {"libflatbuffers", run_verify_flat, 0},
                          {"libflatbuffers, same bytes", run_verify_same, 0}};
    compare(verify, 3, contest, scale->rounds, contest->count);
    snprintf(text, sizeof text, "%s: verify", what);
    row(text, "%6.1f ns, libflatbuffers %6.1f: %6.2f x as fast", verify[0].ns, verify[1].ns, last_ratio(1, 0));
    row("    the official verifier on Kifu's own bytes", "%6.1f ns, libflatbuffers %6.1f: %6.2f x as fast",
        verify[0].ns, verify[2].ns, last_ratio(2, 0));
    contender read[] = {{"kifu", run_read, 0},
                        {"libflatbuffers", run_read_flat, 0},
                        {"nanopb", run_read_pb, 0},
                        {"structs", run_read_items, 0}};
    compare(read, 4, contest, scale->rounds, contest->count);
    snprintf(text, sizeof text, "%s: verify all, then read all", what);
    const double kifu = read[0].ns, flat = read[1].ns, ratio = last_ratio(1, 0);
    goal_row(text, ratio, false, goal, "%6.1f ns, libflatbuffers %6.1f: %6.2f x as fast", kifu, flat, ratio);
    row("    nanopb", "%6.1f ns, nanopb %14.1f: %6.2f x as fast", kifu, read[2].ns, last_ratio(2, 0));
    row("    plain structs, read without verifying", "%6.1f ns: %.2f x as fast as libflatbuffers", read[3].ns,
        last_ratio(1, 3));
}

void read_rows(const scale *scale)
{
    contest contest;
    heading("Read: verify bytes that may come from anywhere, then sum every field");
    contest_open(&contest, scale->events, make_mix);
    rows("mix, random order", &contest, scale, 2.2);
    contest_close(&contest);
    contest_open(&contest, scale->events, make_steady_mix);
    rows("mix, repeating order", &contest, scale, 3);
    contest_close(&contest);
    contest_open(&contest, scale->events, make_moves);
    rows("moves alone", &contest, scale, 4);
    contest_close(&contest);
}
