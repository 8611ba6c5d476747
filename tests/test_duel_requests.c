// Duel by requests, as a referee runs them: a card is paid before anything reacts, and the rules judge what a move has
// led to, whatever program has sent it.

#include "duel_help.h"
#include "referee_help.h"
#include "suite.h"

static void add(kifu_timeline *timeline, kifu_buffer *batch, kifu_result result, kifu_buffer *event)
{
    must(timeline, result);
    must(timeline, kifu_add_bytes(timeline, batch, event->data, event->size));
}

// The Rite, paid with a field and a creature, at the enemy.
static void build_rite(kifu_timeline *timeline, uint32_t rite, uint32_t field, uint32_t creature, kifu_buffer *batch)
{
    const uint8_t target = (uint8_t)(TARGET_PLAYER + (uint32_t)rules_enemy(current(timeline)));
    kifu_buffer event = {0};
    add(timeline, batch, duel_build_p_announce(timeline, &event, (uint8_t)rite), &event);
    add(timeline, batch, duel_build_p_tap(timeline, &event, (uint8_t)field), &event);
    add(timeline, batch, duel_build_p_sacrifice(timeline, &event, (uint8_t)creature), &event);
    add(timeline, batch, duel_build_p_play(timeline, &event, target), &event);
    kifu_free_buffer(&event);
}

static void lose_all_but_one(kifu_timeline *timeline, int player)
{
    const int life = duel_get_state(timeline)->sides[player].life;
    duel_submit_e_lose_life(timeline, (uint8_t)player, (uint8_t)(life - 1));
    must(timeline, kifu_run(timeline));
}

// The dying Martyr's gift makes the Vampire take the enemy's last life: but the Rite is paid before anybody reacts.
START_TEST(W06_a_card_is_paid_by_a_batch_before_anything_reacts)
{
    for (int quiet = 0; quiet < 2; quiet++) {
        for (int defers = 0; defers < 2; defers++) {
            const kifu_options options = {.quiet = quiet, .defer_batches = defers};
            uint32_t rite;
            kifu_timeline *timeline = new_game_with(DUEL_KIND_RITE, &options, &rite);
            const int me = current(timeline), enemy = rules_enemy(me);
            const uint32_t field = put(timeline, me, DUEL_KIND_FIELD), martyr = put(timeline, me, DUEL_KIND_MARTYR);
            put(timeline, me, DUEL_KIND_VAMPIRE);
            lose_all_but_one(timeline, enemy);
            make_ready(timeline);
            const snapshot before = take(timeline);
            kifu_buffer batch = {0};
            build_rite(timeline, rite, field, martyr, &batch);
            const kifu_result result = kifu_run_request(timeline, me, batch.data, batch.size);
            if (defers) {
                must(timeline, result);
                duel_move move = play(rite, TARGET_PLAYER + (uint32_t)enemy);
                move.sacrifice = (uint8_t)martyr;
                const snapshot requested = take(timeline);
                ck_assert_int_eq(requested.state.game.phase, KIFU_PHASE_GAME_OVER);
                ck_assert_int_eq(requested.state.sides[enemy].life, 1 - RITE_DAMAGE - 1);
                ck_assert_uint_eq(kifu_chain_start(timeline, requested.events - 1), before.events);
                kifu_timeline *fork;
                kifu_error error;
                must(timeline, kifu_fork(timeline, before.events, &(kifu_options){.quiet = true}, &fork, &error));
                add_triggers(fork);
                make(fork, move);
                ck_assert_mem_eq(duel_get_state(fork), &requested.state, sizeof requested.state);
                kifu_destroy(fork);
            } else {
                ck_assert_int_ne(result, KIFU_OK);
                ck_assert_ptr_nonnull(strstr(kifu_last_error(timeline)->message, "in the batch, event 4 of 4"));
                same(timeline, &before);
            }
            kifu_free_buffer(&batch);
            kifu_destroy(timeline);
        }
    }
}
END_TEST

// What was begun is taken back, and all that waited with it.
START_TEST(W06_a_batch_whose_reactions_wait_happens_whole_or_not_at_all)
{
    const kifu_options options = {.defer_batches = true, .judge_request = duel_judge_request};
    uint32_t rite;
    kifu_timeline *timeline = new_game_with(DUEL_KIND_RITE, &options, &rite);
    const int me = current(timeline);
    const uint32_t field = put(timeline, me, DUEL_KIND_FIELD), martyr = put(timeline, me, DUEL_KIND_MARTYR);
    make_ready(timeline);
    const snapshot before = take(timeline);
    kifu_buffer batch = {0};
    build_rite(timeline, rite, field, field, &batch); // A field is no creature.
    ck_assert_int_eq(kifu_run_request(timeline, me, batch.data, batch.size), KIFU_REJECTED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(timeline)), "sacrifice one of your creatures");
    same(timeline, &before);
    must(timeline, kifu_begin(timeline, 0)); // inside of another one, too
    ck_assert_int_eq(kifu_run_request(timeline, me, batch.data, batch.size), KIFU_REJECTED);
    ck_assert_uint_eq(kifu_open_transactions(timeline), 1);
    must(timeline, kifu_roll_back(timeline));
    same(timeline, &before);
    batch.size = 0;
    build_rite(timeline, rite, field, martyr, &batch);
    must(timeline, kifu_run_request(timeline, me, batch.data, batch.size));
    ck_assert_int_eq(duel_get_state(timeline)->sides[me].life, START_LIFE + 1);
    kifu_free_buffer(&batch);
    kifu_destroy(timeline);
}
END_TEST

// Who begins may attack a Briar, which costs the last life.
static kifu_result begin_at_the_end(void *context, kifu_timeline *timeline, uint32_t seats)
{
    const uint64_t seed = 1;
    (void)context, (void)seats;
    must(timeline, duel_begin(timeline, &seed));
    put(timeline, rules_enemy(current(timeline)), DUEL_KIND_BRIAR);
    put(timeline, current(timeline), DUEL_KIND_HEALER);
    lose_all_but_one(timeline, current(timeline));
    make_ready(timeline);
    return kifu_run(timeline);
}

START_TEST(W07_a_forged_client_is_refused_what_only_the_outcome_forbids)
{
    for (int judges = 0; judges < 2; judges++) {
        world world = {
            .rules = &duel_rules,
            .options = {.begin = begin_at_the_end,
                        .timeline = {.observers = duel_triggers, .judge_request = judges ? duel_judge_request : NULL}}};
        const kifu_loopback_faults faults = {.seed = 1};
        kifu_token tokens[2];
        guest *guests[2];
        create_world(&world, &faults);
        open_game(&world, "game", 2, tokens);
        for (int i = 0; i < 2; i++)
            guests[i] = add_guest(&world, "game", tokens[i].text);
        pass_all_until(&world, world.now + 2000);
        kifu_timeline *seen = kifu_client_timeline(guests[0]->client);
        const int me = current(seen), enemy = rules_enemy(me);
        const uint8_t healer = (uint8_t)find(seen, me, DUEL_KIND_HEALER, DUEL_ZONE_PLAY);
        const uint8_t briar = (uint8_t)find(seen, enemy, DUEL_KIND_BRIAR, DUEL_ZONE_PLAY);
        const uint32_t before = kifu_event_count(seen);
        kifu_buffer attack = {0};
        must(seen, duel_build_p_attack(seen, &attack, &healer, 1, briar));
        must_be(!kifu_client_request(guests[me]->client, attack.data, attack.size, world.now));
        pass_all_until(&world, world.now + 2000);
        ck_assert_int_eq(guests[me]->answer, judges ? KIFU_ANSWER_REFUSED : KIFU_ANSWER_DONE);
        if (judges)
            ck_assert_str_eq(guests[me]->words, "you may not do what costs you your last life");
        ck_assert_int_eq(kifu_event_count(seen) == before, judges);
        kifu_free_buffer(&attack);
        destroy_world(&world);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W06_a_card_is_paid_by_a_batch_before_anything_reacts,
        W06_a_batch_whose_reactions_wait_happens_whole_or_not_at_all,
        W07_a_forged_client_is_refused_what_only_the_outcome_forbids,
    };
    return run_suite("duel by requests", tests, sizeof tests / sizeof *tests);
}
