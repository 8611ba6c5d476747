// Watchers: timelines that have what one viewer sees of a game (kifu/watch.h), also where memory runs out.
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
    const duel_view view = {
        .base = {.context = &own, .redraw = redraw}, .act_e_draw = act_e_draw, .act_e_die = act_e_die};
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
                ck_assert(
                    kifu_line_at(table.referee, (uint32_t)(random >> 50) % kifu_line_count(table.referee), &line));
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

static void tell_one(kifu_timeline *watcher, kifu_timeline *referee, uint32_t from, kifu_seen_how how)
{
    kifu_buffer message = {0};
    must(referee, kifu_seen_since(referee, 0, from, how, &message));
    must(watcher, kifu_watch(watcher, message.data, message.size));
    kifu_free_buffer(&message);
    ck_assert_uint_eq(kifu_event_count(watcher), kifu_event_count(referee));
    ck_assert_uint_eq(kifu_watched(watcher), kifu_event_count(referee));
}

START_TEST(W02_a_watcher_comes_again_to_a_line_that_it_has_left)
{
    const kifu_options keeps = {.quiet = true, .keep_variations = kifu_keep_variations};
    kifu_timeline *referee = new_game(5, &keeps);
    const kifu_rules *rules = kifu_watch_rules(&duel_rules, 0);
    kifu_timeline *watcher = new_watcher(rules, &keeps);
    const int player = current(referee);
    const uint32_t begun = kifu_event_count(referee);
    duel_submit_p_end_turn(referee, player);
    must(referee, kifu_run(referee));
    const uint32_t ended = kifu_event_count(referee);
    tell_one(watcher, referee, 0, KIFU_SEEN_WHOLE);

    must(referee, kifu_go_to(referee, 0, begun, true));
    tell_one(watcher, referee, begun, KIFU_SEEN_JUMPED);
    duel_submit_p_end_turn(referee, player);
    must(referee, kifu_step(referee));
    tell_one(watcher, referee, begun, KIFU_SEEN_PLAYED);
    must(referee, kifu_go_to(referee, 0, ended, true));
    tell_one(watcher, referee, begun + 1, KIFU_SEEN_JUMPED);
    kifu_destroy(referee);
    kifu_destroy(watcher);
    kifu_free_watch_rules(rules);
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
            const uint32_t count = kifu_event_count(table.referee),
                           from = inputs % 2 ? before : count * (inputs % 7) / 7;
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

// --- What is refused -------------------------------------------------------------------------------------------------

static kifu_result watch(kifu_timeline *watcher, const kifu_buffer *message)
{
    return kifu_watch(watcher, message->data, message->size);
}

// All of a watcher that can be seen.
static snapshot picture(const kifu_timeline *watcher)
{
    snapshot taken;
    memset(&taken, 0, sizeof taken);
    taken = take(watcher);
    return taken;
}

START_TEST(W02_a_gap_is_told_and_the_whole_closes_it)
{
    table_of table;
    uint64_t random = 11;
    sit_down(&table, 6, NULL);
    kifu_timeline *watcher = table.watchers[1];
    const uint32_t begin = kifu_event_count(table.referee);
    random_move(table.referee, &random);
    write_message(&table, 0, begin, KIFU_SEEN_PLAYED);
    ck_assert_int_eq(watch(watcher, &table.message), KIFU_GAP);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(watcher)->message, "ask for KIFU_SEEN_WHOLE"));
    ck_assert_uint_eq(kifu_event_count(watcher), 0);
    write_message(&table, 0, 0, KIFU_SEEN_WHOLE);
    must(watcher, watch(watcher, &table.message));
    is_masked(&table, 1);
    // An undo that is missed: what comes then begins in front of what is here.
    const uint32_t before = kifu_event_count(table.referee);
    if (kifu_can_undo(table.referee, NULL)) {
        must(table.referee, kifu_undo(table.referee));
        const uint32_t place = kifu_event_count(table.referee);
        duel_submit_p_resign(table.referee, current(table.referee));
        must(table.referee, kifu_run(table.referee));
        write_message(&table, 0, place, KIFU_SEEN_PLAYED);
        const snapshot was = picture(watcher);
        ck_assert_int_eq(watch(watcher, &table.message), KIFU_GAP);
        same(watcher, &was);
        ck_assert_uint_eq(kifu_event_count(watcher), before);
        write_message(&table, 0, place, KIFU_SEEN_WHOLE);
        must(watcher, watch(watcher, &table.message));
        is_masked(&table, 1);
    }
    stand_up(&table);
}
END_TEST

// A watcher that undoes what the messages brought plays nothing there, and goes on with the next message.
START_TEST(W02_a_watcher_that_has_gone_back_itself_comes_along)
{
    table_of table;
    uint64_t random = 21;
    sit_down(&table, 6, NULL);
    tell_all(&table, 0, KIFU_SEEN_WHOLE);
    uint32_t undone = 0;
    while (!game_is_over(table.referee)) {
        random_move(table.referee, &random);
        tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
        kifu_timeline *watcher = table.watchers[current(table.referee) + 1];
        if (!kifu_can_undo(watcher, NULL))
            continue;
        must(watcher, kifu_undo(watcher));
        ck_assert_uint_eq(kifu_watched(watcher), kifu_event_count(table.referee));
        duel_submit_p_resign(watcher, current(table.referee));
        ck_assert_int_eq(kifu_run(watcher), KIFU_REJECTED);
        ck_assert_str_eq(kifu_error_reason(kifu_last_error(watcher)), "the game has gone on: redo first");
        undone++;
    }
    ck_assert_uint_gt(undone, 5);
    stand_up(&table);
}
END_TEST

START_TEST(W02_what_was_before_a_watcher_joined_is_a_gap)
{
    table_of table;
    uint64_t random = 21;
    sit_down(&table, 6, NULL);
    while (!kifu_can_undo(table.referee, NULL))
        random_move(table.referee, &random);
    const uint32_t count = kifu_event_count(table.referee);
    write_message(&table, 0, count, KIFU_SEEN_WHOLE);
    kifu_timeline *watcher = table.watchers[1];
    must(watcher, watch(watcher, &table.message));
    must(table.referee, kifu_undo(table.referee));
    write_message(&table, 0, kifu_event_count(table.referee), KIFU_SEEN_UNDONE);
    ck_assert_int_eq(watch(watcher, &table.message), KIFU_GAP);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(watcher)->message, "not their beginning"));
    ck_assert_uint_eq(kifu_event_count(watcher), count);
    stand_up(&table);
}
END_TEST

START_TEST(W02_a_message_twice_changes_nothing)
{
    table_of table;
    uint64_t random = 12;
    sit_down(&table, 7, NULL);
    tell_all(&table, 0, KIFU_SEEN_PLAYED);
    kifu_timeline *watcher = table.watchers[2];
    kifu_buffer older = {0};
    for (int inputs = 0; inputs < 60 && !game_is_over(table.referee); inputs++) {
        const uint32_t before = kifu_event_count(table.referee);
        random_move(table.referee, &random);
        tell_all(&table, before, KIFU_SEEN_PLAYED);
        const snapshot was = picture(watcher);
        must(watcher, watch(watcher, &table.message));
        same(watcher, &was);
        if (older.size)
            must(watcher, watch(watcher, &older)); // Of the input before.
        same(watcher, &was);
        must(table.referee, kifu_seen_since(table.referee, 1, before, KIFU_SEEN_PLAYED, &older));
    }
    kifu_free_buffer(&older);
    stand_up(&table);
}
END_TEST

// What a watcher says to a message that was changed: an error, and then nothing has changed; or it is as without that.
static void try_changed(kifu_timeline **watcher, const kifu_rules *rules, const unsigned char *bytes, size_t size,
                        const kifu_buffer *rest, const snapshot *was, const snapshot *would)
{
    if (kifu_watch(*watcher, bytes, size)) {
        ck_assert_uint_gt(strlen(kifu_last_error(*watcher)->message), 20);
        if (memcmp(&was->state, kifu_state(*watcher), sizeof was->state) != 0 ||
            was->events != kifu_event_count(*watcher))
            ck_abort_msg("something has changed");
        return;
    }
    if (memcmp(&would->state, kifu_state(*watcher), sizeof would->state) != 0 ||
        would->events != kifu_event_count(*watcher))
        ck_abort_msg("another result");
    kifu_destroy(*watcher); // Once more.
    *watcher = new_watcher(rules, NULL);
    must(*watcher, kifu_watch(*watcher, rest->data, rest->size));
}

static void flip_and_cut(kifu_seen_how how)
{
    table_of table;
    uint64_t random = 13;
    kifu_buffer rest = {0};
    sit_down(&table, 8, NULL);
    for (int i = 0; i < 20; i++)
        random_move(table.referee, &random);
    const uint32_t before = kifu_event_count(table.referee);
    must(table.referee, kifu_seen_since(table.referee, 0, 0, KIFU_SEEN_WHOLE, &rest));
    for (int i = 0; i < 4; i++)
        random_move(table.referee, &random);
    write_message(&table, 0, before, how);
    kifu_timeline *watcher = table.watchers[1];
    must(watcher, watch(watcher, &rest));
    const snapshot was = picture(watcher);
    must(watcher, watch(watcher, &table.message));
    const snapshot would = picture(watcher);
    kifu_destroy(watcher);
    watcher = new_watcher(table.rules[1], NULL);
    must(watcher, watch(watcher, &rest));
    const size_t size = table.message.size;
    for (size_t length = 0; length < size;
         length++) { // A block of its own, so that a sanitizer sees what is behind it.
        unsigned char *bytes = malloc(length ? length : 1);
        memcpy(bytes, table.message.data, length);
        try_changed(&watcher, table.rules[1], bytes, length, &rest, &was, &would);
        free(bytes);
    }
    for (size_t i = 0; i < size * 8; i++) {
        unsigned char *bytes = malloc(size);
        memcpy(bytes, table.message.data, size);
        bytes[i / 8] ^= (unsigned char)(1u << i % 8);
        try_changed(&watcher, table.rules[1], bytes, size, &rest, &was, &would);
        free(bytes);
    }
    kifu_destroy(watcher);
    table.watchers[1] = NULL;
    kifu_free_buffer(&rest);
    stand_up(&table);
}

START_TEST(W02_each_bit_flipped_and_each_byte_cut_off_is_noticed)
{
    flip_and_cut(KIFU_SEEN_PLAYED);
    flip_and_cut(KIFU_SEEN_WHOLE);
    flip_and_cut(KIFU_SEEN_JUMPED);
}
END_TEST

START_TEST(W02_what_is_no_message_of_this_game_and_viewer_is_refused)
{
    table_of table;
    sit_down(&table, 9, NULL);
    kifu_timeline *watcher = table.watchers[1];
    write_message(&table, 1, 0, KIFU_SEEN_WHOLE);
    ck_assert_int_eq(watch(watcher, &table.message), KIFU_OTHER_GAME);
    ck_assert_str_eq(kifu_last_error(watcher)->message, "the message is for viewer 1, and this watcher is of viewer 0");
    write_message(&table, 1, 0, KIFU_SEEN_PLAYED);
    ck_assert_int_eq(watch(watcher, &table.message), KIFU_GAP);
    write_message(&table, 0, 0, KIFU_SEEN_WHOLE);
    ck_assert_int_eq(watch(table.referee, &table.message), KIFU_MISUSE);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(table.referee)->message, "is no watcher"));
    table.message.data[0] += 16;
    ck_assert_int_eq(watch(watcher, &table.message), KIFU_NEWER_FORMAT);
    table.message.data[0] -= 16;
    table.message.data[1]++;
    ck_assert_int_eq(watch(watcher, &table.message), KIFU_OTHER_GAME);
    table.message.data[1]--;
    must(watcher, watch(watcher, &table.message));
    must(watcher, kifu_begin(watcher, 0));
    ck_assert_int_eq(watch(watcher, &table.message), KIFU_MISUSE);
    must(watcher, kifu_commit(watcher));
    must(watcher, kifu_seek(watcher, 3));
    ck_assert_int_eq(watch(watcher, &table.message), KIFU_MISUSE);
    must(watcher, kifu_seek(watcher, KIFU_PRESENT));
    ck_assert_ptr_null(kifu_watch_rules(&duel_rules, -2));
    ck_assert_ptr_null(kifu_watch_rules(&duel_rules, 128));
    ck_assert_ptr_null(kifu_watch_rules(table.rules[0], 0));
    kifu_free_watch_rules(NULL);
    stand_up(&table);
}
END_TEST

// --- What else a watcher does ----------------------------------------------------------------------------------------

static kifu_timeline *reload_watcher(kifu_timeline *watcher, const kifu_rules *rules, bool fast)
{
    unsigned char *bytes;
    size_t size;
    kifu_timeline *loaded;
    kifu_error error;
    must(watcher, kifu_save_to_memory(watcher, NULL, &bytes, &size));
    ck_assert_msg(!kifu_load_from_memory(rules, bytes, size, NULL, &(kifu_load_options){.fast = fast}, &loaded, &error),
                  "%s", error.message);
    kifu_free_bytes(watcher, bytes);
    add_triggers(loaded);
    return loaded;
}

START_TEST(W02_saves_of_what_was_seen_go_on_watching_and_are_no_saves_of_the_game)
{
    table_of table;
    uint64_t random = 14;
    sit_down(&table, 10, NULL);
    tell_all(&table, 0, KIFU_SEEN_WHOLE);
    for (int inputs = 0; !game_is_over(table.referee); inputs++) {
        random_move(table.referee, &random);
        tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
        kifu_timeline **watcher = &table.watchers[inputs % 3];
        if (inputs % 5 == 0) {
            kifu_timeline *loaded = reload_watcher(*watcher, table.rules[inputs % 3], inputs % 2);
            must(loaded, kifu_verify_replay(loaded, NULL));
            kifu_destroy(*watcher);
            *watcher = loaded;
            is_masked(&table, inputs % 3);
        }
    }
    unsigned char *bytes;
    size_t size;
    kifu_timeline *loaded;
    kifu_error error;
    must(table.watchers[1], kifu_save_to_memory(table.watchers[1], NULL, &bytes, &size));
    ck_assert_int_eq(kifu_load_from_memory(&duel_rules, bytes, size, NULL, NULL, &loaded, &error), KIFU_OTHER_GAME);
    ck_assert_ptr_nonnull(strstr(error.message, "duel: what player 0 sees"));
    ck_assert_int_eq(kifu_load_from_memory(table.rules[2], bytes, size, NULL, NULL, &loaded, &error), KIFU_OTHER_GAME);
    kifu_free_bytes(table.watchers[1], bytes);
    stand_up(&table);
}
END_TEST

// A film shows the states that the viewer has seen.
START_TEST(W02_seek_and_film_show_what_was_seen)
{
    table_of table;
    uint64_t random = 15;
    watched own = {.last = 0};
    const duel_view view = {
        .base = {.context = &own, .redraw = redraw}, .act_e_draw = act_e_draw, .act_e_die = act_e_die};
    sit_down(&table, 11, NULL);
    kifu_timeline *watcher = new_watcher(table.rules[1], &(kifu_options){.view = &view.base});
    kifu_destroy(table.watchers[1]);
    table.watchers[1] = watcher;
    tell_all(&table, 0, KIFU_SEEN_WHOLE);
    while (!game_is_over(table.referee)) {
        random_move(table.referee, &random);
        tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
    }
    for (uint32_t place = 0; place <= kifu_event_count(watcher); place += 7) {
        duel_state true_state, expected, seen;
        must(table.referee, kifu_state_at(table.referee, place, &true_state, sizeof true_state));
        must(watcher, kifu_state_at(watcher, place, &seen, sizeof seen));
        duel_seen(&true_state, 0, &expected);
        if (place)
            ck_assert_mem_eq(&expected, &seen, sizeof seen);
        must(watcher, kifu_seek(watcher, place));
        ck_assert_mem_eq(kifu_state(watcher), &seen, sizeof seen);
    }
    must(watcher, kifu_seek(watcher, 0));
    own = (watched){.last = 0};
    must(watcher, kifu_play(watcher, 1));
    for (int frame = 0; frame < 100000 && kifu_position(watcher) < kifu_event_count(watcher); frame++)
        must(watcher, kifu_update(watcher, 0.3));
    ck_assert_uint_eq(own.acts, count_events(table.referee, DUEL_E_DRAW));
    is_masked(&table, 1);
    stand_up(&table);
}
END_TEST

START_TEST(W02_a_players_watcher_lists_the_moves_of_the_game)
{
    table_of table;
    uint64_t random = 16;
    sit_down(&table, 12, NULL);
    tell_all(&table, 0, KIFU_SEEN_WHOLE);
    while (!game_is_over(table.referee)) {
        random_move(table.referee, &random);
        tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
        const int player = current(table.referee);
        kifu_timeline *watcher = table.watchers[player + 1];
        kifu_moves here = {0}, there = {0};
        must(watcher, kifu_list_moves(watcher, player, &here));
        must(table.referee, kifu_list_moves(table.referee, player, &there));
        ck_assert_uint_eq(here.count, there.count);
        for (uint32_t i = 0; i < here.count; i++) {
            char one[200], other[200];
            ck_assert_uint_eq(here.items[i].type, there.items[i].type);
            kifu_move_text(watcher, &here.items[i], one, sizeof one);
            kifu_move_text(table.referee, &there.items[i], other, sizeof other);
            ck_assert_str_eq(one, other);
        }
        kifu_free_moves(&here);
        kifu_free_moves(&there);
        for (uint8_t card = 0; card < CARD_COUNT; card++)
            ck_assert_int_eq(duel_can_p_announce(watcher, player, card),
                             duel_can_p_announce(table.referee, player, card));
    }
    stand_up(&table);
}
END_TEST

// The bytes of a move that a watcher's program builds are those of the game.
START_TEST(W02_a_move_built_at_a_watcher_is_taken_where_the_game_is)
{
    table_of table;
    kifu_buffer bytes = {0};
    sit_down(&table, 3, NULL);
    tell_all(&table, 0, KIFU_SEEN_PLAYED);
    const int player = current(table.referee);
    kifu_timeline *watcher = table.watchers[player + 1];
    must(watcher, duel_build_p_end_turn(watcher, &bytes));
    must(table.referee, kifu_submit_bytes(table.referee, player, bytes.data, bytes.size, NULL));
    must(table.referee, kifu_run(table.referee));
    tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
    const uint8_t attackers[] = {3, 4, 5};
    must(watcher, duel_build_p_attack(watcher, &bytes, attackers, 3, 7));
    must(table.referee, kifu_submit_bytes(table.referee, player, bytes.data, bytes.size, NULL));
    kifu_event event;
    ck_assert(kifu_pending_at(table.referee, 0, &event));
    ck_assert_uint_eq(duel_p_attack_attackers_count((const duel_p_attack *)event.table), 3);
    ck_assert_mem_eq(duel_p_attack_attackers((const duel_p_attack *)event.table), attackers, 3);
    kifu_free_buffer(&bytes);
    stand_up(&table);
}
END_TEST

// Where the whole game is, a request to undo says in which state it was made; a watcher has another state.
START_TEST(W06_an_undo_says_its_state_but_at_a_watcher)
{
    static const unsigned char unsaid[8] = {0};
    table_of table;
    uint64_t random = 5;
    kifu_buffer whole = {0}, watched = {0};
    sit_down(&table, 5, NULL);
    tell_all(&table, 0, KIFU_SEEN_PLAYED);
    while (!kifu_can_undo(table.referee, NULL)) {
        random_move(table.referee, &random);
        tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
    }
    must(table.referee, kifu_undo_bytes(table.referee, 1, &whole));
    must(table.watchers[1], kifu_undo_bytes(table.watchers[1], 1, &watched));
    ck_assert_mem_eq(watched.data, whole.data, 20);
    ck_assert_mem_ne(whole.data + 20, unsaid, 8);
    ck_assert_mem_eq(watched.data + 20, unsaid, 8);
    must(table.referee, kifu_run_request(table.referee, 0, watched.data, watched.size));
    kifu_free_buffer(&whole);
    kifu_free_buffer(&watched);
    stand_up(&table);
}
END_TEST

// A message that would need far more memory than it has bytes.
START_TEST(W02_a_message_has_a_budget)
{
    table_of table;
    uint64_t random = 13;
    sit_down(&table, 8, NULL);
    for (int i = 0; i < 30; i++)
        random_move(table.referee, &random);
    write_message(&table, 0, 0, KIFU_SEEN_WHOLE);
    kifu_timeline *watcher = new_watcher(table.rules[1], &(kifu_options){.changes_memory = 1000});
    ck_assert_int_eq(kifu_watch(watcher, table.message.data, table.message.size), KIFU_TOO_LARGE);
    ck_assert_uint_eq(kifu_event_count(watcher), 0);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(watcher)->message, "kifu_options.changes_memory"));
    kifu_destroy(watcher);
    stand_up(&table);
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

// A kifu_allocate of which one call fails.
typedef struct test_memory {
    long until_failure; // Negative: none does.
    bool failed;
    long blocks;
} test_memory;

static void *test_allocate(void *context, void *block, size_t size)
{
    test_memory *memory = (test_memory *)context;
    if (!size) {
        memory->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    if (memory->until_failure == 0) {
        memory->failed = true;
        memory->until_failure = -1;
        return NULL;
    }
    memory->until_failure -= memory->until_failure > 0;
    memory->blocks += !block;
    return realloc(block, size);
}

typedef struct told {
    kifu_buffer messages[4];
} told;

static void take_all(kifu_timeline *watcher, const told *told, int count)
{
    for (int i = 0; i < count; i++)
        must(watcher, kifu_watch(watcher, told->messages[i].data, told->messages[i].size));
}

// Whatever fails, the watcher is as it was, and takes the message then.
START_TEST(W02_a_watcher_without_memory_is_as_before)
{
    table_of table;
    uint64_t random = 5;
    told told = {.messages = {{0}}};
    sit_down(&table, 8, NULL);
    kifu_timeline *referee = table.referee;
    must(referee, kifu_seen_since(referee, 1, 0, KIFU_SEEN_WHOLE, &told.messages[0]));
    uint32_t before = kifu_event_count(referee);
    const uint32_t first = before;
    for (int i = 0; i < 30; i++)
        random_move(referee, &random);
    do {
        must(referee, kifu_seen_since(referee, 1, first, KIFU_SEEN_PLAYED, &told.messages[1]));
        before = kifu_event_count(referee);
        random_move(referee, &random);
    } while (!kifu_can_undo(referee, NULL));
    must(referee, kifu_seen_since(referee, 1, before, KIFU_SEEN_PLAYED, &told.messages[2]));
    must(referee, kifu_undo(referee));
    must(referee, kifu_seen_since(referee, 1, kifu_event_count(referee), KIFU_SEEN_UNDONE, &told.messages[3]));
    duel_state seen;
    duel_seen(duel_get_state(referee), 1, &seen);
    for (int at = 0; at < 4; at++) {
        bool failed = true;
        for (long nth = 0; failed; nth++) {
            test_memory memory = {.until_failure = -1};
            kifu_timeline *watcher =
                new_watcher(table.rules[2], &(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
            take_all(watcher, &told, at);
            const uint64_t hash = kifu_state_hash(watcher);
            const uint32_t count = kifu_event_count(watcher);
            memory.until_failure = nth;
            const kifu_result result = kifu_watch(watcher, told.messages[at].data, told.messages[at].size);
            failed = memory.failed;
            memory.until_failure = -1;
            ck_assert_msg(!result || result == KIFU_NO_MEMORY, "%d, %ld: %s", at, nth,
                          kifu_last_error(watcher)->message);
            if (result) {
                ck_assert(hash == kifu_state_hash(watcher) && count == kifu_event_count(watcher));
                must(watcher, kifu_watch(watcher, told.messages[at].data, told.messages[at].size));
            }
            for (int i = at + 1; i < 4; i++)
                must(watcher, kifu_watch(watcher, told.messages[i].data, told.messages[i].size));
            ck_assert_mem_eq(kifu_state(watcher), &seen, sizeof seen);
            must(watcher, kifu_verify_replay(watcher, NULL));
            kifu_destroy(watcher);
            ck_assert_int_eq(memory.blocks, 0);
        }
    }
    for (int i = 0; i < 4; i++)
        kifu_free_buffer(&told.messages[i]);
    stand_up(&table);
}
END_TEST

START_TEST(W02_a_referee_without_memory_writes_nothing)
{
    for (long nth = 0, failed = 1; failed; nth++) {
        test_memory memory = {.until_failure = -1};
        kifu_timeline *referee = new_game(3, &(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
        kifu_buffer message = {0}, again = {0};
        memory.until_failure = nth;
        const kifu_result result = kifu_seen_since(referee, 0, 0, KIFU_SEEN_WHOLE, &message);
        failed = memory.failed;
        memory.until_failure = -1;
        ck_assert_int_eq(result, failed ? KIFU_NO_MEMORY : KIFU_OK);
        must(referee, kifu_seen_since(referee, 0, 0, KIFU_SEEN_WHOLE, &again));
        if (!result)
            ck_assert_mem_eq(message.data, again.data, again.size);
        kifu_free_buffer(&message);
        kifu_free_buffer(&again);
        kifu_destroy(referee);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W02_each_viewer_has_the_masked_state_after_each_input,
        W02_act_shows_each_event_once_with_its_state,
        W02_undo_redo_and_jumps_are_shown_as_such,
        W02_a_watcher_comes_again_to_a_line_that_it_has_left,
        W02_a_watcher_joins_anywhere_and_goes_on,
        W02_a_gap_is_told_and_the_whole_closes_it,
        W02_a_watcher_that_has_gone_back_itself_comes_along,
        W02_what_was_before_a_watcher_joined_is_a_gap,
        W02_a_message_twice_changes_nothing,
        W02_each_bit_flipped_and_each_byte_cut_off_is_noticed,
        W02_what_is_no_message_of_this_game_and_viewer_is_refused,
        W02_saves_of_what_was_seen_go_on_watching_and_are_no_saves_of_the_game,
        W02_seek_and_film_show_what_was_seen,
        W02_a_players_watcher_lists_the_moves_of_the_game,
        W02_a_move_built_at_a_watcher_is_taken_where_the_game_is,
        W06_an_undo_says_its_state_but_at_a_watcher,
        W02_a_message_has_a_budget,
        W02_a_watcher_without_memory_is_as_before,
        W02_a_referee_without_memory_writes_nothing,
    };
    return run_suite("watch", tests, sizeof tests / sizeof *tests);
}
