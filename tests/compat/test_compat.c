// Saves that four versions of one game wrote (v1 to v4), loaded by each of them. Compiled once for each version.

#include <stdio.h>
#include <string.h>

#include "play.h"
#include "run_codec.h"
#include "suite.h"

// The state, in words: what the version at hand does not have is 0.
typedef struct camp {
    uint32_t events;
    uint32_t pending;
    int food, wood, stone, spirits, skill, luck, storms;
    double weight;
} camp;

static camp look(const kifu_timeline *timeline)
{
    const camp_state *state = camp_get_state(timeline);
    camp now = {
        .events = kifu_event_count(timeline),
        .pending = kifu_pending_count(timeline),
        .food = state->food,
        .wood = state->wood,
        .spirits = state->spirits,
    };
#if CAMP_VERSION >= 2
    now.skill = state->skill;
    now.luck = state->luck;
    now.storms = state->storms;
#endif
#if CAMP_VERSION >= 3
    now.stone = state->stone;
    now.weight = state->weight;
#endif
    return now;
}

static void expect(const kifu_timeline *timeline, camp then)
{
#if CAMP_VERSION < 2
    then.skill = then.luck = then.storms = 0;
#endif
#if CAMP_VERSION < 3
    then.stone = 0;
    then.weight = 0;
#endif
    camp now = look(timeline);
    ck_assert_uint_eq(now.events, then.events);
    ck_assert_uint_eq(now.pending, then.pending);
    ck_assert_int_eq(now.food, then.food);
    ck_assert_int_eq(now.wood, then.wood);
    ck_assert_int_eq(now.stone, then.stone);
    ck_assert_int_eq(now.spirits, then.spirits);
    ck_assert_int_eq(now.skill, then.skill);
    ck_assert_int_eq(now.luck, then.luck);
    ck_assert_int_eq(now.storms, then.storms);
    ck_assert_double_eq(now.weight, then.weight);
}

static kifu_result load(const char *name, bool fast, kifu_timeline **timeline, kifu_error *error)
{
    kifu_codec codec = run_codec;
    codec.packing = &kifu_small_packing;
    const kifu_load_options options = {.fast = fast, .codec = &codec};
    char path[1000];
    const char *root = getenv("KIFU_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/tests/compat/%s.kifu", root ? root : ".", name);
    return kifu_load(&camp_rules, path, NULL, &options, timeline, error);
}

// Saves and loads again, plain or packed; the first timeline is gone.
static kifu_timeline *again(kifu_timeline *timeline, bool fast)
{
    const kifu_load_options options = {.fast = fast, .codec = &run_codec};
    const kifu_save_options save = {.codec = fast ? &run_codec : NULL};
    unsigned char *bytes;
    size_t size;
    kifu_error error;
    kifu_timeline *loaded;
    ck_assert_int_eq(kifu_save_to_memory(timeline, &save, &bytes, &size), KIFU_OK);
    kifu_result result = kifu_load_from_memory(&camp_rules, bytes, size, NULL, &options, &loaded, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    kifu_free_bytes(timeline, bytes);
    kifu_destroy(timeline);
    return loaded;
}

// The save is right when loaded, when loaded from a save of the loaded game, and after `go_on` from there, in both ways
// to load.
static void loads(const char *name, camp then, kifu_result (*go_on)(kifu_timeline *), camp later)
{
    for (int way = 0; way < 6; way++) {
        kifu_timeline *timeline;
        kifu_error error;
        kifu_result result = load(name, way % 2, &timeline, &error);
        ck_assert_msg(result == KIFU_OK, "%s: %s", name, error.message);
        for (int saves = 0; saves < way / 2; saves++)
            timeline = again(timeline, way % 2);
        expect(timeline, then);
        ck_assert_int_eq(go_on(timeline), KIFU_OK);
        expect(timeline, later);
        kifu_destroy(timeline);
    }
}

// The first field that differs from the save's state, by today's rules; "": none that both versions have.
static void expect_changed(const char *name, const char *field, const char *expected, const char *actual)
{
    kifu_difference changed;
    const kifu_load_options options = {.codec = &run_codec, .changed = &changed};
    char path[1000];
    const char *root = getenv("KIFU_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/tests/compat/%s.kifu", root ? root : ".", name);
    kifu_timeline *timeline;
    ck_assert_int_eq(kifu_load(&camp_rules, path, NULL, &options, &timeline, NULL), KIFU_OK);
    ck_assert_str_eq(changed.field, field);
    ck_assert_str_eq(changed.expected, expected);
    ck_assert_str_eq(changed.actual, actual);
    ck_assert((changed.event == KIFU_NONE) == !*field);
    kifu_destroy(timeline);
}

static void refuses(const char *name, kifu_result why, const char *words)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_int_eq(load(name, false, &timeline, &error), why);
    ck_assert_ptr_null(timeline);
    ck_assert_msg(strstr(error.message, words) != NULL, "%s", error.message);
    ck_assert_uint_ne(error.offset, UINT64_MAX);
}

// --- Saves of version 1 ----------------------------------------------------------------------------------------------

START_TEST(S03_a_save_of_version_1_with_undone_events)
{
    camp then = {.events = 9, .food = 9, .wood = 4, .spirits = 16, .skill = 6, .luck = 200, .weight = 3.5};
    camp later = then;
    later.events = 11;
    later.food = 10;
    later.skill += 3;
    later.luck += 100;
    loads("v1/undone", then, kifu_redo, later);
    loads("v1/packed", then, kifu_redo, later);
}
END_TEST

// What waits is played by the rules of now: from version 3 on, everyone eats double; but what was to be eaten already
// when the save was written, version 4 knows from then.
START_TEST(S02_a_save_of_version_1_with_waiting_events)
{
    camp then = {
        .events = 10, .pending = 2, .food = 11, .wood = 4, .spirits = 16, .skill = 9, .luck = 300, .weight = 3.5};
    camp later = then;
    later.events = 13;
    later.pending = 0;
    later.food = CAMP_VERSION >= 4 ? 8 : CAMP_VERSION >= 3 ? 7 : 9;
    later.wood = 13;
    later.skill += 3;
    later.luck += 100;
    loads("v1/waiting", then, kifu_run, later);
}
END_TEST

// --- Saves of version 2 ----------------------------------------------------------------------------------------------

START_TEST(S03_a_save_of_version_2_with_undone_events)
{
    int spirits = CAMP_VERSION >= 2 ? 51 : 16;
    camp then = {.events = 9, .food = 9, .wood = 4, .spirits = spirits, .skill = 9, .luck = 108, .weight = 3.5};
    camp later = then;
    later.events = 11;
    later.food = 10;
    later.skill += 6;
    later.luck += 100;
    loads("v2/undone", then, kifu_redo, later);
    loads("v2/packed", then, kifu_redo, later);
}
END_TEST

START_TEST(S02_a_save_of_version_2_with_waiting_events)
{
    int spirits = CAMP_VERSION >= 2 ? 51 : 16;
    camp then = {
        .events = 10, .pending = 2, .food = 11, .wood = 4, .spirits = spirits, .skill = 15, .luck = 208, .weight = 3.5};
    camp later = then;
    later.events = 13;
    later.pending = 0;
    later.food = CAMP_VERSION >= 4 ? 8 : CAMP_VERSION >= 3 ? 7 : 9;
    later.wood = 13;
    later.skill += 7;
    later.luck += 100;
    loads("v2/waiting", then, kifu_run, later);
}
END_TEST

START_TEST(S06_a_save_of_version_2_with_a_new_event_type)
{
    if (CAMP_VERSION < 2) {
        refuses("v2/storm", KIFU_UNKNOWN_EVENT, "camp.EStorm");
        return;
    }
    camp then = {
        .events = 10, .food = 9, .wood = 2, .spirits = 51, .skill = 9, .luck = 108, .storms = 1, .weight = 3.5};
    camp later = then;
    later.events = 12;
    later.food = 10;
    later.skill += 6;
    later.luck += 100;
    loads("v2/storm", then, kifu_redo, later);
}
END_TEST

// --- Saves of version 3 ----------------------------------------------------------------------------------------------

START_TEST(S03_a_save_of_version_3_with_undone_events)
{
    camp then = {.events = 9, .food = 7, .wood = 4, .spirits = 59, .skill = 9, .luck = 108, .weight = 10};
    if (CAMP_VERSION < 3) {
        then.food = 9;
        then.spirits = CAMP_VERSION == 2 ? 51 : 16;
    }
    camp later = then;
    later.events = 11;
    later.food += CAMP_VERSION < 3 ? 1 : 0;
    later.skill += 6;
    later.luck += 100;
    loads("v3/undone", then, kifu_redo, later);
    loads("v3/packed", then, kifu_redo, later);
    loads("v3/hashed", then, kifu_redo, later); // the same with what later saves have
    loads("v3/small", then, kifu_redo, later);
}
END_TEST

START_TEST(S02_a_save_of_version_3_with_waiting_events)
{
    camp then = {
        .events = 10, .pending = 2, .food = 9, .wood = 4, .spirits = 59, .skill = 15, .luck = 208, .weight = 10};
    if (CAMP_VERSION < 3) {
        then.food = 11;
        then.spirits = CAMP_VERSION == 2 ? 51 : 16;
    }
    camp later = then;
    later.events = 13;
    later.pending = 0;
    later.food = CAMP_VERSION >= 3 ? 5 : 9;
    later.wood = 13;
    later.skill += 7;
    later.luck += 100;
    loads("v3/waiting", then, kifu_run, later);
}
END_TEST

START_TEST(S06_a_save_of_version_3_with_a_known_new_event_type)
{
    if (CAMP_VERSION < 2) {
        refuses("v3/storm", KIFU_UNKNOWN_EVENT, "camp.EStorm");
        return;
    }
    camp then = {.events = 10, .food = 7, .wood = 2, .spirits = 59, .skill = 9, .luck = 108, .storms = 1, .weight = 10};
    if (CAMP_VERSION < 3) {
        then.food = 9;
        then.spirits = 51;
    }
    camp later = then;
    later.events = 12;
    later.food += CAMP_VERSION < 3 ? 1 : 0;
    later.skill += 6;
    later.luck += 100;
    loads("v3/storm", then, kifu_redo, later);
}
END_TEST

START_TEST(S05_a_save_of_version_3_with_a_new_enum_value)
{
    if (CAMP_VERSION < 3) {
        refuses("v3/stone", KIFU_DAMAGED, "camp.Kind");
        refuses("v3/stone", KIFU_DAMAGED, "another version");
        return;
    }
    camp then = {.events = 11, .food = 5, .wood = 4, .stone = 2, .spirits = 59, .skill = 10, .luck = 208, .weight = 10};
    camp later = then;
    later.events = 13;
    later.skill += 6;
    later.luck += 100;
    loads("v3/stone", then, kifu_redo, later);
}
END_TEST

// --- Saves of version 4 ----------------------------------------------------------------------------------------------

START_TEST(S03_saves_of_version_4_have_no_superseded_events)
{
    if (CAMP_VERSION < 4) {
        refuses("v4/undone", KIFU_UNKNOWN_EVENT, "camp.PHarvest");
        refuses("v4/waiting", KIFU_UNKNOWN_EVENT, "type 8");
        return;
    }
    camp then = {.events = 9, .food = 7, .wood = 4, .spirits = 59, .skill = 9, .luck = 108, .weight = 10};
    camp later = then;
    later.events = 11;
    later.skill += 6;
    later.luck += 100;
    loads("v4/undone", then, kifu_redo, later);
    camp waiting = {
        .events = 10, .pending = 2, .food = 9, .wood = 4, .spirits = 59, .skill = 15, .luck = 208, .weight = 10};
    later = waiting;
    later.events = 13;
    later.pending = 0;
    later.food = 5;
    later.wood = 13;
    later.skill += 7;
    later.luck += 100;
    loads("v4/waiting", waiting, kifu_run, later);
}
END_TEST

// Later versions left the old rules as they were, for old events. An older one does not know the newer rules, by which
// everyone eats double and is glad of other things.
START_TEST(F12_a_save_of_another_version_says_whether_the_rules_changed)
{
    expect_changed("v1/packed", "", "", "");
    if (CAMP_VERSION >= 2)
        expect_changed("v2/packed", "", "", "");
    else
        expect_changed("v2/packed", "spirits", "51", "16");
    if (CAMP_VERSION >= 3)
        expect_changed("v3/packed", "", "", "");
    else
        expect_changed("v3/packed", "food", "7", "9");
}
END_TEST

// An older version that loaded a newer save knows what it knows, and so does the save that it writes.
START_TEST(the_header_says_who_wrote_it)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_int_eq(load("v1/undone", false, &timeline, &error), KIFU_OK);
    kifu_event event;
    ck_assert(kifu_event_at(timeline, 8, &event));
    ck_assert_uint_eq(event.rules_version, 1);
    ck_assert_str_eq(event.name, CAMP_VERSION >= 4 ? "camp.PDiscover" : "camp.PFind");
    ck_assert_int_eq(event.player, 0);
    ck_assert(kifu_event_at(timeline, 5, &event));
    ck_assert_uint_eq(event.cause, 4);
    kifu_destroy(timeline);
}
END_TEST

// Events, a redo, what waited and ran: as the process left it.
START_TEST(S03_a_log_file_of_version_3_is_recovered)
{
    kifu_recovery recovery;
    const kifu_load_options options = {.recover = kifu_recover, .recovery = &recovery};
    char path[1000];
    const char *root = getenv("KIFU_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/tests/compat/v3/log.kifu", root ? root : ".");
    kifu_timeline *timeline;
    kifu_error error;
    kifu_result result = kifu_load(&camp_rules, path, NULL, &options, &timeline, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    ck_assert_uint_eq(recovery.dropped, 0);
    ck_assert_uint_eq(kifu_event_count(timeline), 11);
    ck_assert_uint_eq(kifu_pending_count(timeline), 0);
    ck_assert_uint_eq(kifu_can_redo(timeline, NULL), 2);
    ck_assert_int_eq(kifu_redo(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_redo(timeline), KIFU_NOTHING_TO_REDO);
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S03_a_save_of_version_1_with_undone_events,
        F12_a_save_of_another_version_says_whether_the_rules_changed,
        S02_a_save_of_version_1_with_waiting_events,
        S03_a_save_of_version_2_with_undone_events,
        S02_a_save_of_version_2_with_waiting_events,
        S06_a_save_of_version_2_with_a_new_event_type,
        S03_a_save_of_version_3_with_undone_events,
        S02_a_save_of_version_3_with_waiting_events,
        S06_a_save_of_version_3_with_a_known_new_event_type,
        S05_a_save_of_version_3_with_a_new_enum_value,
        S03_saves_of_version_4_have_no_superseded_events,
        S03_a_log_file_of_version_3_is_recovered,
        the_header_says_who_wrote_it,
    };
    return run_suite("compat", tests, sizeof tests / sizeof *tests);
}
