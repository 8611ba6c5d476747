// What the events of the earlier releases are now.

#include <stdio.h>

#include "hooks.h"

enum { LAST = 7, MOST = 8 };

/// Before rules version 2, a `count` was in dozens.
kifu_result harbour_upcast_p_take(kifu_timeline *timeline, const harbour_p_take *take)
{
    const char *note = harbour_p_take_note(take);
    const uint32_t each = kifu_rules_version(timeline) < 2 ? 24 : 2;
    harbour_submit_p_move(timeline, kifu_player(timeline), take->heap, LAST, take->count * each, note ? &note : NULL,
                          note ? 1 : 0);
    return KIFU_OK;
}

// --- A table in a table becomes arguments ----------------------------------------------------------------------------

typedef struct crate_room {
    const char *tags[3][MOST];
    harbour_crate_args inner[2];
} crate_room;

static harbour_crate_args args_of(const harbour_crate *crate, crate_room *room, int depth)
{
    harbour_crate_args args = {
        .kind = crate->kind, .name = harbour_crate_name(crate), .tags_count = harbour_crate_tags_count(crate)};
    args.tags_count = args.tags_count < MOST ? args.tags_count : MOST;
    for (uint32_t i = 0; i < args.tags_count; i++)
        room->tags[depth][i] = harbour_crate_tags(crate, i);
    args.tags = crate->tags.offset ? room->tags[depth] : NULL;
    if (harbour_crate_inner(crate) && depth < 2) {
        room->inner[depth] = args_of(harbour_crate_inner(crate), room, depth + 1);
        args.inner = &room->inner[depth];
    }
    return args;
}

kifu_result harbour_upcast_e_load(kifu_timeline *timeline, const harbour_e_load *load)
{
    crate_room rooms[MOST];
    harbour_crate_args crates[MOST];
    const char *labels[MOST];
    uint32_t count = 0;
    if (harbour_e_load_crates_count(load) >= MOST || harbour_e_load_labels_count(load) > MOST)
        return kifu_fail(timeline, "no quay was ever that large");
    if (harbour_e_load_best(load)) {
        crates[0] = args_of(harbour_e_load_best(load), &rooms[0], 0);
        count = 1;
    }
    for (uint32_t i = 0; i < harbour_e_load_crates_count(load); i++, count++)
        crates[count] = args_of(harbour_e_load_crates(load, i), &rooms[count], 0);
    for (uint32_t i = 0; i < harbour_e_load_labels_count(load); i++)
        labels[i] = harbour_e_load_labels(load, i);
    const harbour_cargo_args cargo = {
        .crates = crates,
        .crates_count = count,
        .labels = harbour_e_load_labels_count(load) ? labels : NULL,
        .labels_count = harbour_e_load_labels_count(load),
        .weights = harbour_e_load_weights_count(load) ? harbour_e_load_weights(load) : NULL,
        .weights_count = harbour_e_load_weights_count(load),
        .kinds = &load->kind,
        .kinds_count = 1,
    };
    char luck[12];
    snprintf(luck, sizeof luck, "%d", (int)load->luck);
    harbour_submit_e_stow(timeline, &cargo, &load->spot, 1, load->has_luck ? luck : NULL);
    return KIFU_OK;
}

kifu_result harbour_upcast_e_sound(kifu_timeline *timeline, const harbour_e_sound *sound)
{
    (void)sound;
    harbour_submit_e_nothing(timeline);
    return KIFU_OK;
}

/// As the second release wrote it.
kifu_result harbour_upcast_e_bell(kifu_timeline *timeline, const harbour_e_bell *bell)
{
    harbour_submit_e_toll(timeline, bell->number, "ding");
    return KIFU_OK;
}

kifu_result harbour_upcast_e_toll(kifu_timeline *timeline, const harbour_e_toll *toll)
{
    harbour_submit_e_ring(timeline, &toll->times, 1, harbour_e_toll_text(toll));
    return KIFU_OK;
}

kifu_result harbour_upcast_p_hail(kifu_timeline *timeline, const harbour_p_hail *hail)
{
    (void)hail;
    harbour_submit_e_hail(timeline);
    return KIFU_OK;
}

kifu_result harbour_upcast_e_push(kifu_timeline *timeline, const harbour_e_push *push)
{
    harbour_submit_p_push(timeline, push->player);
    return KIFU_OK;
}

harbour_mistake *harbour_in_upcast_bad;

kifu_result harbour_upcast_e_bad(kifu_timeline *timeline, const harbour_e_bad *bad)
{
    if (harbour_in_upcast_bad)
        return harbour_in_upcast_bad(timeline, bad->what);
    harbour_submit_e_good(timeline, HARBOUR_KIND_WOOD);
    return KIFU_OK;
}
