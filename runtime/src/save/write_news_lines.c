// Lines, in news: where the game stands, and the lines that have changed, by number. Of each, the frames of a whole
// save.
//
// A line is sent whole, from where the current one leaves it, and not the way that the game went: a reader puts it in
// the place of its own. What a line has in common with the log of the current one is not sent. Numbers of changes on
// lines and notes say which have changed; a sum of digests shows that the others are those of the follower.

#include "history/digest.h"
#include "save/line_frames.h"

kifu_result kifu__add_digest(kifu_timeline *timeline, kifu__lines *lines, uint32_t id, kifu__blob *blob, uint64_t *sum)
{
    kifu__line *line = &lines->items[id];
    const uint32_t end = kifu__line_end(line);
    uint64_t events = 0;
    for (uint32_t event = line->from; event < end && !line->digest; event++) {
        uint32_t slot;
        const kifu__segment *segment = kifu__line_segment(timeline, line, event, &slot);
        const kifu_result result = kifu__digest_slot(timeline, segment, slot, blob, &events);
        if (result)
            return kifu__error(&timeline->error, result, "%s for a game's news", kifu_result_text(result));
    }
    if (!line->digest) {
        const struct {
            uint64_t events;
            uint32_t id, parent, from, count;
        } all = {events, id, line->parent, line->from, end - line->from};
        _Static_assert(sizeof all == 24, "no hidden padding");
        line->digest = kifu__hash_state((const unsigned char *)&all, sizeof all);
    }
    *sum += line->digest;
    return KIFU_OK;
}

// Sum of the digests of the lines that the news do not name.
static uint64_t sum_others(kifu__plan *plan, kifu__lines *lines)
{
    kifu__blob blob = {.memory = &plan->timeline->memory};
    uint64_t sum = 0;
    for (uint32_t id = 0; id < lines->count && !plan->result; id++) {
        const kifu__line *line = &lines->items[id];
        if (id != lines->current && !line->deleted && !kifu__is_news(plan->since, line))
            kifu__plan_fail(plan, kifu__add_digest(plan->timeline, lines, id, &blob, &sum));
    }
    kifu__free(blob.memory, blob.bytes);
    return sum;
}

static void add_tree(kifu__plan *plan, kifu__lines *lines, bool gave_up)
{
    const kifu__line *current = &lines->items[lines->current];
    const bool beginning = kifu__hears(plan->timeline, settles);
    const kifu__save_tree tree = {
        .others = sum_others(plan, lines),
        .current = lines->current,
        .parent = current->parent,
        .from = current->from,
        .main = lines->main,
        .next = lines->count,
        .flags = (beginning ? KIFU__BEGINNING_TREE : 0U) | (gave_up ? KIFU__GAVE_UP_LINE : 0U),
        .before = beginning ? lines->before_last : 0,
    };
    kifu__blob payload = kifu__payload_begin(plan, &kifu__save_tree_table, &tree);
    if (kifu__payload_end(plan, &kifu__save_tree_table, &payload))
        kifu__plan_add(plan, KIFU__FRAME_TREE, payload.bytes, payload.size, true);
}

static void add_deleted(kifu__plan *plan, uint32_t id)
{
    const kifu__save_line fields = {.id = id, .flags = KIFU__DELETED_LINE};
    kifu__blob payload = kifu__payload_begin(plan, &kifu__save_line_table, &fields);
    if (kifu__payload_end(plan, &kifu__save_line_table, &payload))
        kifu__plan_add(plan, KIFU__FRAME_LINE, payload.bytes, payload.size, true);
}

void kifu__plan_news_lines(kifu__plan *plan, kifu__lines *lines)
{
    const kifu__since *since = plan->since;
    const bool gave_up = since->known && lines->given_up_at > since->tree;
    if (lines->count == 1 && !gave_up)
        return;
    kifu__log_show(&plan->timeline->log);
    add_tree(plan, lines, gave_up);
    for (uint32_t id = 0; id < lines->count && !plan->result; id++) {
        const kifu__line *line = &lines->items[id];
        if (id == lines->current || !kifu__is_news(since, line))
            continue;
        if (!line->deleted)
            kifu__plan_line(plan, lines, id, kifu__line_at(lines, id));
        else if (since->known)
            add_deleted(plan, id);
    }
}
