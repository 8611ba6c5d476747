// What a viewer sees, as messages (kifu/seen.h): fields of all kinds, sizes and past places.
#include "random_event.h"
#include "seen_help.h"
#include "suite.h"
#include "text_help.h"

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

// But for what a watcher's event has besides: which of the hidden fields are seen.
static char *json_of(kifu_timeline *timeline, uint32_t index)
{
    static const char empty[] = ", \"fields\": {}";
    gathered json = {0};
    must(timeline, kifu_json_event(timeline, index, gather, &json));
    char *seen = strstr(json.text, "\"seen\": [");
    if (seen) {
        const char *end = strchr(seen, ']') + 1;
        seen -= seen[-1] == ' ' ? 2 : 0;
        memmove(seen, end, strlen(end) + 1);
    }
    char *fields = strstr(json.text, empty);
    if (fields)
        memmove(fields, fields + strlen(empty), strlen(fields + strlen(empty)) + 1);
    return json.text;
}

// The same event, whatever it lies in.
static void same_event(const pair *pair, uint32_t index)
{
    char *here = json_of(pair->referee, index), *there = json_of(pair->watcher, index);
    ck_assert_str_eq(here, there);
    free(here);
    free(there);
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
        same_event(&pair, i);
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
        same_event(&pair, i);
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

int main(void)
{
    const TTest *const tests[] = {
        W02_fields_of_all_kinds_arrive,
        W02_hidden_fields_of_events_reach_those_who_see_them_and_secret_ones_no_one,
        W02_an_input_takes_some_30_bytes,
        W02_a_message_depends_on_the_log_alone,
        W02_a_game_that_has_forgotten_its_past_is_watched_from_there,
    };
    return run_suite("seen", tests, sizeof tests / sizeof *tests);
}
