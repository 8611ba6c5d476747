// What a viewer sees, as messages (kifu/seen.h): fields of all kinds, sizes, past places, and what is refused.
#include "random_event.h"
#include "seen_help.h"
#include "seen/seen.h"
#include "suite.h"

#include "core/timeline.h"
#include "vault.h"
#include "wire.h"

#include "reversi.h"

kifu_result reversi_begin(kifu_timeline *timeline, const uint64_t *seed); // Duel, too, has a game.h.

// --- Fields ----------------------------------------------------------------------------------------------------------

typedef struct pair {
    const kifu_rules *rules;
    kifu_timeline *referee, *watcher;
    kifu_buffer message;
    int viewer;
} pair;

static pair new_pair(const kifu_rules *game, int viewer)
{
    const kifu_rules *rules = kifu_watch_rules(game, viewer);
    ck_assert_ptr_nonnull(rules);
    return (pair){
        .rules = rules, .viewer = viewer, .referee = new_watcher(game, NULL), .watcher = new_watcher(rules, NULL)};
}

static void free_pair(pair *pair)
{
    kifu_free_buffer(&pair->message);
    kifu_destroy(pair->referee);
    kifu_destroy(pair->watcher);
    kifu_free_watch_rules(pair->rules);
}

static void pass(pair *pair, uint32_t from, kifu_seen_how how)
{
    must(pair->referee, kifu_seen_since(pair->referee, pair->viewer, from, how, &pair->message));
    must(pair->watcher, kifu_watch(pair->watcher, pair->message.data, pair->message.size));
}

// The same event, but for the offset to its vtable and what is behind its fields.
static void same_event(const pair *pair, uint32_t index, bool sees)
{
    kifu_event one, other;
    kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__blob a = {.memory = &memory}, b = {.memory = &memory};
    ck_assert(kifu_event_at(pair->referee, index, &one));
    ck_assert(kifu_event_at(pair->watcher, index, &other));
    kifu__add_event(&a, kifu_timeline_rules(pair->referee), &one, sees);
    kifu__add_event(&b, kifu_timeline_rules(pair->watcher), &other, sees);
    ck_assert_uint_eq(a.size, b.size);
    ck_assert_mem_eq(a.bytes, b.bytes, a.size);
    kifu__free(&memory, a.bytes);
    kifu__free(&memory, b.bytes);
}

START_TEST(W02_fields_of_all_kinds_arrive)
{
    static uint64_t room[RANDOM_EVENT_ROOM / 8];
    pair pair = new_pair(&wire_rules, -1);
    kifu_rng rng;
    kifu_rng_seed(&rng, 5, 5);
    for (uint32_t i = 0; i < 600; i++) {
        const uint32_t type = 1 + kifu_rng_below(&rng, wire_rules.type_count);
        const uint32_t size = random_event(&rng, wire_rules.types[type].table, (unsigned char *)room);
        kifu__submit(pair.referee, type, -1, room, size);
        must(pair.referee, kifu_run(pair.referee));
        pass(&pair, i, KIFU_SEEN_PLAYED);
        same_event(&pair, i, true);
    }
    unsigned char *bytes;
    size_t size;
    kifu_timeline *loaded;
    kifu_error error;
    must(pair.watcher, kifu_save_to_memory(pair.watcher, NULL, &bytes, &size));
    ck_assert_msg(!kifu_load_from_memory(pair.rules, bytes, size, NULL, NULL, &loaded, &error), "%s", error.message);
    kifu_free_bytes(pair.watcher, bytes);
    kifu_destroy(pair.watcher);
    pair.watcher = loaded;
    for (uint32_t i = 0; i < 600; i++)
        same_event(&pair, i, true);
    free_pair(&pair);
}
END_TEST

static void begin_vault(kifu_timeline *vault)
{
    vault_submit_e_reset_game(vault);
    vault_submit_e_add_player(vault, 0, 1);
    vault_submit_e_add_player(vault, 1, 2);
    vault_submit_e_initialize(vault, NULL);
    vault_submit_e_start_round(vault);
    must(vault, kifu_run(vault));
}

START_TEST(W02_hidden_fields_of_events_reach_those_who_see_them_and_secret_ones_no_one)
{
    for (int viewer = -1; viewer < 2; viewer++) {
        pair pair = new_pair(&vault_rules, viewer);
        const vault_card card = {.kind = VAULT_KIND_IRON, .marks = {7, 8, 9}};
        begin_vault(pair.referee);
        const uint32_t first = kifu_event_count(pair.referee);
        vault_submit_e_deal(pair.referee, 1, 2, &card, &card, 1);
        vault_submit_p_choose(
            pair.referee, 1,
            &(vault_p_choose_args){.goal = 5, .word = "late", .has_bid = true, .bid = -4, .salt = 77, .times = 6});
        must(pair.referee, kifu_run(pair.referee));
        pass(&pair, 0, KIFU_SEEN_WHOLE);
        vault_state seen;
        vault_seen(vault_get_state(pair.referee), viewer, &seen);
        ck_assert_mem_eq(vault_get_state(pair.watcher), &seen, sizeof seen);
        kifu_event event;
        ck_assert(kifu_event_at(pair.watcher, first, &event));
        const vault_e_deal *deal = (const vault_e_deal *)event.table;
        ck_assert_int_eq(deal->to, 1);
        ck_assert_uint_eq(deal->card.kind, viewer == 1 ? VAULT_KIND_IRON : VAULT_KIND_NONE);
        ck_assert_int_eq(deal->card.marks[2], viewer == 1 ? 9 : 0);
        ck_assert_uint_eq(vault_e_deal_left_count(deal), 0);
        ck_assert(kifu_event_at(pair.watcher, first + 1, &event));
        const vault_p_choose *choose = (const vault_p_choose *)event.table;
        ck_assert_uint_eq(choose->goal, viewer == 1 ? 5 : 3);
        ck_assert_int_eq(choose->has_bid, viewer == 1);
        ck_assert_uint_eq(choose->salt, 0);
        ck_assert_int_eq(choose->times, 6);
        ck_assert_int_eq(vault_p_choose_word(choose) != NULL, viewer == 1);
        ck_assert(viewer != 1 || !strcmp(vault_p_choose_word(choose), "late"));
        // It does not depend on what is hidden how large the message is.
        const uint32_t size = pair.message.size;
        must(pair.referee, kifu_undo(pair.referee));
        vault_submit_p_choose(pair.referee, 1,
                              &(vault_p_choose_args){.goal = 200, .word = "a longer word", .times = 6});
        must(pair.referee, kifu_run(pair.referee));
        must(pair.referee, kifu_seen_since(pair.referee, viewer, 0, KIFU_SEEN_WHOLE, &pair.message));
        if (viewer == 0)
            ck_assert_uint_eq(pair.message.size, size);
        // Player -1 is no viewer: this is dealt to no one.
        must(pair.watcher, kifu_watch(pair.watcher, pair.message.data, pair.message.size));
        vault_submit_e_deal(pair.referee, -1, 2, &card, &card, 1);
        must(pair.referee, kifu_run(pair.referee));
        pass(&pair, first + 2, KIFU_SEEN_PLAYED);
        ck_assert(kifu_event_at(pair.watcher, first + 2, &event));
        ck_assert_uint_eq(((const vault_e_deal *)event.table)->card.kind, VAULT_KIND_NONE);
        free_pair(&pair);
    }
}
END_TEST

// --- Sizes -----------------------------------------------------------------------------------------------------------

START_TEST(W02_an_input_takes_some_30_bytes)
{
    table_of table;
    uint64_t random = 3;
    sit_down(&table, 2, NULL);
    tell_all(&table, 0, KIFU_SEEN_PLAYED);
    table.bytes = table.messages = 0;
    while (!game_is_over(table.referee)) {
        random_move(table.referee, &random);
        tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
    }
    ck_assert_uint_gt(table.messages, 100);
    ck_assert_double_lt((double)table.bytes / (double)table.messages, 30);
    // An undo, which has no events.
    write_message(&table, 0, kifu_event_count(table.referee), KIFU_SEEN_UNDONE);
    ck_assert_uint_lt(table.message.size, 12);
    stand_up(&table);

    pair pair = new_pair(&reversi_rules, 1);
    const uint64_t seed = 3;
    must(pair.referee, reversi_begin(pair.referee, &seed));
    pass(&pair, 0, KIFU_SEEN_PLAYED);
    uint32_t bytes = 0, inputs = 0;
    for (kifu_moves moves = {0};; inputs++) {
        const uint32_t before = kifu_event_count(pair.referee);
        must(pair.referee, kifu_list_moves(pair.referee, kifu_current_player(kifu_get_game(pair.referee)), &moves));
        if (moves.count)
            kifu_submit_move(pair.referee, &moves.items[inputs * 7 % moves.count]);
        const bool over = !moves.count;
        kifu_free_moves(&moves);
        if (over)
            break;
        must(pair.referee, kifu_run(pair.referee));
        pass(&pair, before, KIFU_SEEN_PLAYED);
        bytes += pair.message.size;
    }
    ck_assert_uint_gt(inputs, 40);
    ck_assert_uint_lt(bytes / inputs, 40);
    free_pair(&pair);
}
END_TEST

// --- Places ----------------------------------------------------------------------------------------------------------

static void same_messages(kifu_timeline *one, kifu_timeline *other, int viewer, uint32_t from, kifu_seen_how how)
{
    kifu_buffer a = {0}, b = {0};
    must(one, kifu_seen_since(one, viewer, from, how, &a));
    must(other, kifu_seen_since(other, viewer, from, how, &b));
    ck_assert_uint_eq(a.size, b.size);
    ck_assert_mem_eq(a.data, b.data, a.size);
    kifu_free_buffer(&a);
    kifu_free_buffer(&b);
}

// By the journal, or by executing events: a game that was loaded has no journal of them, nor has one that shows the
// past.
START_TEST(W02_a_message_depends_on_the_log_alone)
{
    table_of table;
    uint64_t random = 4;
    sit_down(&table, 5, NULL);
    while (!game_is_over(table.referee))
        random_move(table.referee, &random);
    kifu_timeline *loaded = reload(table.referee, true);
    const uint32_t count = kifu_event_count(loaded);
    for (uint32_t from = 0; from <= count; from += count / 8) {
        for (int viewer = -1; viewer < 2; viewer++) {
            same_messages(table.referee, loaded, viewer, from, KIFU_SEEN_PLAYED);
            same_messages(table.referee, loaded, viewer, from, KIFU_SEEN_WHOLE);
            must(loaded, kifu_seek(loaded, (from * 7 + 3) % count));
            same_messages(table.referee, loaded, viewer, from, KIFU_SEEN_PLAYED);
            must(loaded, kifu_seek(loaded, KIFU_PRESENT));
        }
    }
    kifu_destroy(loaded);
    stand_up(&table);
}
END_TEST

START_TEST(W02_a_game_that_has_forgotten_its_past_is_watched_from_there)
{
    table_of table;
    uint64_t random = 4;
    sit_down(&table, 5, NULL);
    for (int i = 0; i < 20; i++)
        random_move(table.referee, &random);
    must(table.referee, kifu_forget(table.referee, 40));
    const uint32_t first = kifu_first_event(table.referee);
    ck_assert_int_eq(kifu_seen_since(table.referee, 0, first - 1, KIFU_SEEN_WHOLE, &table.message), KIFU_MISUSE);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(table.referee)->message, "forgotten"));
    tell_all(&table, first, KIFU_SEEN_WHOLE);
    while (!game_is_over(table.referee)) {
        random_move(table.referee, &random);
        tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
    }
    stand_up(&table);
}
END_TEST

// --- What is refused -------------------------------------------------------------------------------------------------

static kifu_result in_act;

static double asks(void *context, kifu_timeline *timeline, const duel_state *state, const duel_p_end_turn *event)
{
    (void)state, (void)event;
    in_act = kifu_seen_since(timeline, 0, 0, KIFU_SEEN_PLAYED, (kifu_buffer *)context);
    return 0;
}

#define REFUSED(timeline, call, words)                                                                                 \
    do {                                                                                                               \
        ck_assert_int_eq((call), KIFU_MISUSE);                                                                         \
        ck_assert_msg(strstr(kifu_last_error(timeline)->message, (words)) != NULL, "%s",                               \
                      kifu_last_error(timeline)->message);                                                             \
    } while (0)

START_TEST(W02_calls_for_messages_that_are_not_allowed)
{
    table_of table;
    kifu_buffer *message = &table.message;
    sit_down(&table, 5, NULL);
    kifu_timeline *referee = table.referee;
    const uint32_t count = kifu_event_count(referee);
    REFUSED(referee, kifu_seen_since(referee, -2, 0, KIFU_SEEN_PLAYED, message), "a viewer is a player's number");
    REFUSED(referee, kifu_seen_since(referee, 128, 0, KIFU_SEEN_PLAYED, message), "a viewer is a player's number");
    REFUSED(referee, kifu_seen_since(referee, 0, count + 1, KIFU_SEEN_PLAYED, message), "have happened");
    REFUSED(referee, kifu_seen_since(referee, 0, count - 1, KIFU_SEEN_UNDONE, message), "the game stands after");
    tell_all(&table, 0, KIFU_SEEN_WHOLE);
    REFUSED(table.watchers[1], kifu_seen_since(table.watchers[1], 0, 0, KIFU_SEEN_PLAYED, message), "of a watcher");
    unsigned char room[64] = {9};
    kifu_buffer own = {.data = room, .capacity = 8};
    ck_assert_int_eq(kifu_seen_since(referee, 0, 0, KIFU_SEEN_WHOLE, &own), KIFU_TOO_LARGE);
    ck_assert_uint_gt(own.size, 64);
    ck_assert_uint_eq(room[0], 9);
    must(referee, kifu_seen_since(referee, 0, count, KIFU_SEEN_PLAYED, &own));
    ck_assert_ptr_eq(own.data, room);
    const kifu_rules *rules = referee->rules;
    kifu_rules large = *rules;
    large.state_size = 1U << 29;
    referee->rules = &large;
    ck_assert_int_eq(kifu_seen_since(referee, 0, count, KIFU_SEEN_PLAYED, message), KIFU_TOO_LARGE);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(referee)->message, "512 MiB"));
    referee->rules = rules;
    duel_try_p_end_turn(referee, current(referee));
    REFUSED(referee, kifu_seen_since(referee, 0, 0, KIFU_SEEN_PLAYED, message), "a try is open");
    must(referee, kifu_take_back(referee));
    kifu_buffer asked = {0};
    const duel_view view = {.base = {.context = &asked}, .act_p_end_turn = asks};
    kifu_timeline *viewed = new_game(5, &(kifu_options){.view = &view.base});
    duel_submit_p_end_turn(viewed, current(viewed));
    ck_assert_int_eq(kifu_run(viewed), KIFU_MISUSE);
    ck_assert_int_eq(in_act, KIFU_MISUSE);
    kifu_destroy(viewed);
    stand_up(&table);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W02_fields_of_all_kinds_arrive,
        W02_hidden_fields_of_events_reach_those_who_see_them_and_secret_ones_no_one,
        W02_an_input_takes_some_30_bytes,
        W02_a_message_depends_on_the_log_alone,
        W02_a_game_that_has_forgotten_its_past_is_watched_from_there,
        W02_calls_for_messages_that_are_not_allowed,
    };
    return run_suite("seen", tests, sizeof tests / sizeof *tests);
}
