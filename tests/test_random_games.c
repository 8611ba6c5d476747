// Random games of the lab: inputs, undo, redo, saves in any order. After each step the timeline must be where an
// independent history says, and where a replay of its save ends.

#include "lab_help.h"
#include "suite.h"

static uint32_t draw(kifu_rng *rng, uint32_t below)
{
    return kifu_rng_below(rng, below);
}

// A random script: edits, draws, nested consequences, now and then one that fails, is rejected or seals.
static void write_script(kifu_rng *rng, char *script, int depth)
{
    static const char letters[] = "++-rrp0123";
    int length = 1 + (int)draw(rng, 4);
    char *end = script + strlen(script);
    for (int i = 0; i < length && strlen(script) < 60; i++) {
        uint32_t kind = draw(rng, 40);
        if (kind < 8 && depth < 3) {
            bool try = draw(rng, 2);
            end = script + strlen(script);
            strcpy(end, try ? "[" : "(");
            if (try && draw(rng, 3) == 0)
                strcat(script, "!");
            write_script(rng, script, depth + 1);
            strcat(script, try ? "]" : ")");
        } else {
            end = script + strlen(script);
            end[0] = kind == 39 ? 'f' : letters[draw(rng, sizeof letters - 1)];
            end[1] = '\0';
        }
    }
}

// What the timeline must look like again: enough to tell any two moments apart.
typedef struct moment {
    uint32_t events;
    uint32_t pending;
    uint64_t state;
    uint64_t log;
} moment;

static moment now(const kifu_timeline *lab)
{
    moment moment = {kifu_event_count(lab), kifu_pending_count(lab), kifu_state_hash(lab), 14695981039346656037u};
    kifu_event event;
    for (uint32_t i = 0; i < moment.events + moment.pending; i++) {
        if (!kifu_event_at(lab, i, &event))
            ck_assert(kifu_pending_at(lab, i - moment.events, &event));
        char text[200];
        const char *script = event.type == LAB_P_DO    ? lab_p_do_script((const lab_p_do *)event.table)
                             : event.type == LAB_E_DO  ? lab_e_do_script((const lab_e_do *)event.table)
                             : event.type == LAB_E_TRY ? lab_e_try_script((const lab_e_try *)event.table)
                                                       : "";
        snprintf(text, sizeof text, "%u %u %d %u %s", event.type, event.cause, event.player, event.flags, script);
        for (const char *c = text; *c; c++)
            moment.log = (moment.log ^ (unsigned char)*c) * 1099511628211u;
    }
    return moment;
}

static void must_be(const kifu_timeline *lab, moment expected, const char *what)
{
    moment found = now(lab);
    ck_assert_msg(memcmp(&found, &expected, sizeof found) == 0,
                  "%s: %u events, %u pending, state %llx, log %llx; expected %u, %u, %llx, %llx", what, found.events,
                  found.pending, (unsigned long long)found.state, (unsigned long long)found.log, expected.events,
                  expected.pending, (unsigned long long)expected.state, (unsigned long long)expected.log);
}

// The history as the tests keep it: moments[0] to moments[undoable] can be gone back to, the rest is for redo.
enum { MOST = 400 };
typedef struct history {
    moment moments[MOST];
    uint32_t at;    // the current one
    uint32_t count; // of them
} history;

static void check_saved(kifu_timeline *lab, const history *past)
{
    unsigned char *bytes;
    size_t size;
    lab_must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_msg(!kifu_load_from_memory(&lab_rules, bytes, size, NULL, NULL, &loaded, &error), "%s", error.message);
    must_be(loaded, past->moments[past->at], "loaded");
    for (uint32_t back = past->at; back > 0; back--) {
        lab_must(loaded, kifu_undo(loaded));
        moment before = past->moments[back - 1];
        must_be(loaded, before, "undone after load");
    }
    for (uint32_t forth = 0; forth + 1 < past->count; forth++) {
        lab_must(loaded, kifu_redo(loaded));
        must_be(loaded, past->moments[forth + 1], "redone after load");
    }
    kifu_destroy(loaded);
    kifu_free_bytes(lab, bytes);
}

static void play_one(uint64_t seed, unsigned long steps)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, seed, 11);
    kifu_options options = {.seed = seed + 1, .max_consequences = 40};
    kifu_timeline *lab = lab_new(&options);
    lab_submit_e_initialize(lab, NULL);
    lab_must(lab, kifu_run(lab));
    history *past = malloc(sizeof *past);
    *past = (history){.count = 1};
    past->moments[0] = now(lab);

    while (steps--) {
        uint32_t choice = draw(&rng, 10);
        if (choice < 6 && past->at + 1 < MOST) {
            char script[200] = "";
            write_script(&rng, script, 0);
            lab_do(lab, (int)draw(&rng, 4) - 1, script, (uint8_t)(1 + draw(&rng, 2)));
            uint32_t before = kifu_event_count(lab);
            kifu_result result;
            while ((result = kifu_run(lab)) != KIFU_OK)
                ck_assert_msg(result == KIFU_FAILED || result == KIFU_RUNAWAY || result == KIFU_MISUSE, "%s",
                              kifu_last_error(lab)->message);
            if (kifu_event_count(lab) > before) {
                past->moments[++past->at] = now(lab);
                past->count = past->at + 1;
            } else { // the input failed: all is as before, but that redo ended
                must_be(lab, past->moments[past->at], "failed");
                past->count = past->at + 1;
            }
        } else if (choice < 8) {
            bool possible = past->at > 0;
            ck_assert_int_eq(kifu_can_undo(lab, NULL) > 0, possible);
            ck_assert_int_eq(kifu_undo(lab), possible ? KIFU_OK : KIFU_NOTHING_TO_UNDO);
            past->at -= possible;
            must_be(lab, past->moments[past->at], "undone");
        } else if (choice < 9) {
            bool possible = past->at + 1 < past->count;
            ck_assert_int_eq(kifu_can_redo(lab, NULL) > 0, possible);
            ck_assert_int_eq(kifu_redo(lab), possible ? KIFU_OK : KIFU_NOTHING_TO_REDO);
            past->at += possible;
            must_be(lab, past->moments[past->at], "redone");
        } else if (draw(&rng, 8) == 0) {
            check_saved(lab, past);
        }
    }
    check_saved(lab, past);
    free(past);
    kifu_destroy(lab);
}

START_TEST(S03_random_games_come_back_from_undo_redo_and_load)
{
    unsigned long steps = fuzz_steps(6000);
    for (uint64_t seed = fuzz_seed(); steps > 0; seed++) {
        unsigned long some = steps < 200 ? steps : 200;
        play_one(seed, some);
        steps -= some;
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {S03_random_games_come_back_from_undo_redo_and_load};
    return run_suite("random games", tests, sizeof tests / sizeof *tests);
}
