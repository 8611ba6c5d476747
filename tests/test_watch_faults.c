// Messages that are wrong and have a right checksum, which no referee sends; and messages that are not allowed.
#include "base/crc32c.h"
#include "core/timeline.h"
#include "seen/seen.h"
#include "seen_help.h"
#include "suite.h"
#include "vault.h"
#include "wire/buffer.h"

#define must_be(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ck_abort_msg("not so: %s", #condition);                                                                    \
    } while (0)

// --- Right checksums -------------------------------------------------------------------------------------------------

static void skip_fields(kifu__bytes *bytes, const kifu_rules *rules, uint32_t type, bool sees)
{
    kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__blob blob = {.memory = &memory};
    const kifu__table *of = rules->types[type].table;
    kifu__build(&blob, 0, NULL, of->size, 8);
    bytes->good &= kifu__take_fields(bytes, of, &blob, 0, sees, 1 << 20, 2);
    kifu__free(&memory, blob.bytes);
}

static bool make_changes(kifu__bytes *bytes, unsigned char *state, uint32_t size)
{
    kifu__stretch stretch = {0};
    while (kifu__next_stretch(bytes, &stretch, size))
        memcpy(state + stretch.at, stretch.bytes, stretch.size);
    return bytes->good;
}

// Gives a message the checksum that it must have where a watcher has this state. False: it can have none.
static bool sign(const kifu_rules *rules, int viewer, const void *before, unsigned char *message, size_t size)
{
    static uint64_t room[1024];
    unsigned char *state = (unsigned char *)room;
    must_be(rules->state_size <= sizeof room);
    memcpy(state, before, rules->state_size);
    if (size < 8)
        return false;
    kifu__bytes bytes = {message + 1, message + size - 4, true};
    const bool whole = (message[0] & 15) == KIFU_SEEN_WHOLE;
    if (whole) {
        kifu__parse_bytes(&bytes, 8);
        kifu__parse_number(&bytes);
        kifu__parse_number(&bytes);
    }
    kifu__parse_number(&bytes);
    const uint32_t count = kifu__parse_number(&bytes);
    if (whole)
        memset(state, 0, rules->state_size);
    if (whole && !make_changes(&bytes, state, rules->state_size))
        return false;
    for (uint32_t i = 0; i < count && bytes.good; i++) {
        const uint32_t type = kifu__parse_number(&bytes);
        const unsigned char *flags = kifu__parse_bytes(&bytes, 1);
        if (!flags || !type || type > rules->type_count)
            return false;
        if (*flags & KIFU__HAS_CAUSE)
            kifu__parse_number(&bytes);
        if (*flags & KIFU__HAS_PLAYER)
            kifu__parse_number(&bytes);
        skip_fields(&bytes, rules, type, *flags & KIFU__SEES_HIDDEN);
        if (!make_changes(&bytes, state, rules->state_size))
            return false;
    }
    const uint32_t begin = kifu__seen_checksum(rules->game, viewer, state);
    kifu__put32(message + size - 4, kifu__crc32c(begin, message, size - 4));
    return bytes.good;
}

static void change(kifu_rng *rng, unsigned char *bytes, size_t *size)
{
    const uint32_t at = kifu_rng_below(rng, (uint32_t)*size - 4);
    switch (kifu_rng_below(rng, 4)) {
    case 0:
        bytes[at] ^= (unsigned char)(1U << kifu_rng_below(rng, 8));
        break;
    case 1:
        bytes[at] = (unsigned char)kifu_rng_next(rng);
        break;
    case 2:
        memmove(bytes + at, bytes + at + 1, *size - at - 1);
        --*size;
        break;
    default:
        memmove(bytes + at + 1, bytes + at, *size - at);
        ++*size;
    }
}

static void load_again(kifu_timeline *watcher, const kifu_rules *rules)
{
    unsigned char *bytes;
    size_t size;
    kifu_timeline *loaded;
    kifu_error error;
    const kifu_options options = {.from_state = kifu_begin_from_state};
    must(watcher, kifu_save_to_memory(watcher, NULL, &bytes, &size));
    ck_assert_msg(!kifu_load_from_memory(rules, bytes, size, &options, NULL, &loaded, &error), "%s", error.message);
    if (memcmp(kifu_state(loaded), kifu_state(watcher), rules->state_size) != 0)
        ck_abort_msg("another state was loaded");
    kifu_free_bytes(watcher, bytes);
    kifu_destroy(loaded);
}

// A message of events, changed and signed again and again: it is refused, or leads to a game that is sound.
static void try_messages(const kifu_rules *rules, int viewer, const kifu_buffer *begin, const kifu_buffer *message,
                         unsigned long tries, uint64_t seed)
{
    const kifu_options options = {.from_state = kifu_begin_from_state};
    kifu_timeline *watcher = new_watcher(rules, &options);
    kifu_rng rng;
    unsigned taken = 0, signed_right = 0;
    kifu_rng_seed(&rng, seed, 3);
    must(watcher, kifu_watch(watcher, begin->data, begin->size));
    for (unsigned long i = 0; i < tries; i++) {
        size_t size = message->size;
        unsigned char *bytes = malloc(size + 8);
        memcpy(bytes, message->data, size);
        for (uint32_t changes = 1 + kifu_rng_below(&rng, 3); changes && size > 10; changes--)
            change(&rng, bytes, &size);
        signed_right += sign(rules, viewer, kifu_state(watcher), bytes, size);
        unsigned char *exact = malloc(size);
        memcpy(exact, bytes, size);
        const uint64_t hash = kifu_state_hash(watcher);
        const uint32_t count = kifu_event_count(watcher);
        const kifu_result result = kifu_watch(watcher, exact, size);
        if (result) {
            must_be(hash == kifu_state_hash(watcher) && count == kifu_event_count(watcher));
            must_be(result != KIFU_NO_MEMORY && result != KIFU_FAILED && result != KIFU_MISUSE);
        } else {
            taken++;
            must_be(kifu__state_holds(rules, (const unsigned char *)kifu_state(watcher), 0, rules->state_size));
            must(watcher, kifu_verify_replay(watcher, NULL));
            load_again(watcher, rules);
            must(watcher, kifu_watch(watcher, begin->data, begin->size));
        }
        free(exact);
        free(bytes);
    }
    ck_assert_uint_gt(signed_right, tries / 10);
    ck_assert_uint_gt(taken, 0);
    kifu_destroy(watcher);
}

START_TEST(W02_wrong_messages_with_a_right_checksum_do_no_harm)
{
    table_of table;
    uint64_t random = 13;
    kifu_buffer begin = {0};
    sit_down(&table, 8, NULL);
    for (int i = 0; i < 20; i++)
        random_move(table.referee, &random);
    const uint32_t before = kifu_event_count(table.referee);
    must(table.referee, kifu_seen_since(table.referee, 0, 0, KIFU_SEEN_WHOLE, &begin));
    for (int i = 0; i < 4; i++)
        random_move(table.referee, &random);
    const unsigned long tries = fuzz_steps(4000);
    write_message(&table, 0, before, KIFU_SEEN_PLAYED);
    try_messages(table.rules[1], 0, &begin, &table.message, tries, 1);
    write_message(&table, 0, before, KIFU_SEEN_JUMPED);
    try_messages(table.rules[1], 0, &begin, &table.message, tries, 2);
    write_message(&table, 0, before, KIFU_SEEN_WHOLE);
    try_messages(table.rules[1], 0, &begin, &table.message, tries, 3);
    kifu_free_buffer(&begin);
    stand_up(&table);
}
END_TEST

// Strings, structs, optional and hidden fields.
START_TEST(W02_wrong_fields_with_a_right_checksum_do_no_harm)
{
    kifu_timeline *vault = new_watcher(&vault_rules, NULL);
    const kifu_rules *rules = kifu_watch_rules(&vault_rules, 1);
    const vault_card cards[] = {{.kind = VAULT_KIND_IRON, .marks = {7, 8, 9}}, {.kind = VAULT_KIND_GOLD}};
    kifu_buffer begin = {0}, message = {0};
    vault_submit_e_reset_game(vault);
    vault_submit_e_add_player(vault, 0, 1);
    vault_submit_e_add_player(vault, 1, 2);
    vault_submit_e_initialize(vault, NULL);
    vault_submit_e_start_round(vault);
    must(vault, kifu_run(vault));
    must(vault, kifu_seen_since(vault, 1, 0, KIFU_SEEN_WHOLE, &begin));
    const uint32_t before = kifu_event_count(vault);
    for (uint8_t i = 0; i < 5; i++) {
        vault_submit_e_deal(vault, i % 2 ? 1 : -1, i, cards, cards, i % 3);
        vault_submit_p_choose(
            vault, 1, &(vault_p_choose_args){.goal = i, .word = "late", .has_bid = i % 2, .bid = -4, .times = 6});
    }
    must(vault, kifu_run(vault));
    must(vault, kifu_seen_since(vault, 1, before, KIFU_SEEN_PLAYED, &message));
    try_messages(rules, 1, &begin, &message, fuzz_steps(6000), 4);
    kifu_free_buffer(&begin);
    kifu_free_buffer(&message);
    kifu_destroy(vault);
    kifu_free_watch_rules(rules);
}
END_TEST

// --- Misuse ----------------------------------------------------------------------------------------------------------

#define REFUSED(timeline, call, words)                                                                                 \
    do {                                                                                                               \
        ck_assert_int_eq((call), KIFU_MISUSE);                                                                         \
        ck_assert_msg(strstr(kifu_last_error(timeline)->message, (words)) != NULL, "%s",                               \
                      kifu_last_error(timeline)->message);                                                             \
    } while (0)

static kifu_result in_act;

static double asks(void *context, kifu_timeline *timeline, const duel_state *state, const duel_p_end_turn *event)
{
    (void)state, (void)event;
    in_act = kifu_seen_since(timeline, 0, 0, KIFU_SEEN_PLAYED, (kifu_buffer *)context);
    return 0;
}

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
        W02_wrong_messages_with_a_right_checksum_do_no_harm,
        W02_wrong_fields_with_a_right_checksum_do_no_harm,
        W02_calls_for_messages_that_are_not_allowed,
    };
    return run_suite("watch_faults", tests, sizeof tests / sizeof *tests);
}
