// Watchers: timelines that have what one viewer sees of a game (kifu/watch.h).
#include "seen_help.h"
#include "suite.h"

START_TEST(W02_each_viewer_has_the_masked_state_after_each_input)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        table_of table;
        uint64_t random = seed;
        sit_down(&table, seed, NULL);
        tell_all(&table, 0, seed % 2 ? KIFU_SEEN_PLAYED : KIFU_SEEN_WHOLE);
        table.bytes = table.messages = 0;
        while (!game_is_over(table.referee)) {
            random_move(table.referee, &random);
            tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
        }
        ck_assert_double_lt((double)table.bytes / (double)table.messages, 40);
        stand_up(&table);
    }
}
END_TEST

// A view that counts, and looks whether what it is shown is the state that it must be.
typedef struct watched {
    const kifu_timeline *referee;
    int viewer;
    uint32_t acts, redraws, deaths;
    uint32_t last;
} watched;

static double act_e_draw(void *context, kifu_timeline *timeline, const duel_state *state, const duel_e_draw *draw)
{
    watched *own = (watched *)context;
    (void)state, (void)draw;
    ck_assert_uint_ge(kifu_event_count(timeline), own->last);
    own->last = kifu_event_count(timeline);
    own->acts++;
    return 0.5;
}

static double act_e_die(void *context, kifu_timeline *timeline, const duel_state *state, const duel_e_die *die)
{
    watched *own = (watched *)context;
    (void)timeline;
    ck_assert_int_eq(state->cards[die->card].zone, DUEL_ZONE_GONE);
    own->deaths++;
    return 0;
}

static void redraw(void *context, kifu_timeline *timeline)
{
    (void)timeline;
    ((watched *)context)->redraws++;
}

START_TEST(W02_act_shows_each_event_once_with_its_state)
{
    table_of table;
    uint64_t random = 5;
    watched own = {.last = 0};
    const duel_view view = {.base = {.context = &own, .redraw = redraw}, .act_e_draw = act_e_draw, .act_e_die = act_e_die};
    sit_down(&table, 3, &(kifu_options){.view = &view.base});
    for (int i = 1; i < VIEWERS; i++)
        kifu_set_quiet(table.watchers[i], true);
    tell_all(&table, 0, KIFU_SEEN_PLAYED);
    while (!game_is_over(table.referee)) {
        random_move(table.referee, &random);
        tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
        ck_assert_double_eq(kifu_delay(table.watchers[0]), 0);
    }
    ck_assert_uint_eq(own.acts, count_events(table.referee, DUEL_E_DRAW));
    ck_assert_uint_eq(own.deaths, count_events(table.referee, DUEL_E_DIE));
    ck_assert_uint_gt(own.deaths, 0);
    ck_assert_uint_eq(own.redraws, 0);
    stand_up(&table);
}
END_TEST

START_TEST(W02_undo_redo_and_jumps_are_shown_as_such)
{
    for (uint64_t seed = 1; seed < 30; seed++) {
        table_of table;
        uint64_t random = seed;
        sit_down(&table, seed, NULL);
        must(table.referee, kifu_keep_variations(table.referee));
        tell_all(&table, 0, KIFU_SEEN_WHOLE);
        while (!game_is_over(table.referee) && kifu_event_count(table.referee) < 400) {
            random = random * UINT64_C(6364136223846793005) + 1;
            const uint32_t before = kifu_event_count(table.referee), how = (uint32_t)(random >> 40) % 8;
            if (how == 0 && kifu_can_undo(table.referee, NULL)) {
                must(table.referee, kifu_undo(table.referee));
                tell_all(&table, kifu_event_count(table.referee), KIFU_SEEN_UNDONE);
            } else if (how == 1 && kifu_can_redo(table.referee, NULL)) {
                must(table.referee, kifu_redo(table.referee));
                tell_all(&table, before, KIFU_SEEN_REDONE);
            } else if (how == 2 && kifu_line_count(table.referee) > 1) {
                kifu_line line;
                uint32_t shared = before;
                for (uint32_t i = 0; kifu_line_at(table.referee, i, &line); i++)
                    shared = line.parent != line.id && line.from < shared ? line.from : shared;
                ck_assert(kifu_line_at(table.referee, (uint32_t)(random >> 50) % kifu_line_count(table.referee), &line));
                must(table.referee, kifu_go_to(table.referee, line.id, line.from + line.count, true));
                tell_all(&table, shared, KIFU_SEEN_JUMPED);
            } else {
                random_move(table.referee, &random);
                tell_all(&table, before, KIFU_SEEN_PLAYED);
            }
        }
        stand_up(&table);
    }
}
END_TEST

START_TEST(W02_a_watcher_joins_anywhere_and_goes_on)
{
    table_of table;
    uint64_t random = 9;
    sit_down(&table, 4, NULL);
    for (uint32_t inputs = 0; !game_is_over(table.referee); inputs++) {
        const uint32_t before = kifu_event_count(table.referee);
        random_move(table.referee, &random);
        for (int i = 0; i < VIEWERS; i++) {
            kifu_timeline *late = new_watcher(table.rules[i], NULL), *left = table.watchers[i];
            const uint32_t count = kifu_event_count(table.referee), from = inputs % 2 ? before : count * (inputs % 7) / 7;
            write_message(&table, i - 1, from, KIFU_SEEN_WHOLE);
            must(late, kifu_watch(late, table.message.data, table.message.size));
            table.watchers[i] = late;
            is_masked(&table, i);
            must(late, kifu_verify_replay(late, NULL));
            // One that has missed all of it, too.
            table.watchers[i] = left;
            must(left, kifu_watch(left, table.message.data, table.message.size));
            is_masked(&table, i);
            ck_assert_uint_eq(kifu_first_event(left), from);
            table.watchers[i] = late;
            kifu_destroy(left);
        }
    }
    stand_up(&table);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W02_each_viewer_has_the_masked_state_after_each_input,
        W02_act_shows_each_event_once_with_its_state,
        W02_undo_redo_and_jumps_are_shown_as_such,
        W02_a_watcher_joins_anywhere_and_goes_on,
    };
    return run_suite("watch", tests, sizeof tests / sizeof *tests);
}
