// Random games of the lab: inputs, failures, undo, redo, seek, transactions, marks, forks, saves, in any order and
// depth. At each step the timeline must be what a plain model of it says, and a view that only listens must have
// followed.

#include <check.h>

#include "history_help.h"
#include "lab_help.h"
#include "lab_model.h"
#include "suite.h"

typedef struct game {
    kifu_rng rng;
    kifu_timeline *lab;
    lab_model *model;
    kifu_options options;
    follower eye;
    bool view; // it listens, and triggers run
    unsigned long step;
} game;

static uint32_t draw(game *game, uint32_t below)
{
    return kifu_rng_below(&game->rng, below);
}

// --- The same in both? -----------------------------------------------------------------------------------------------

static void must_be_event(const kifu_event *event, const model_proposal *is)
{
    ck_assert_uint_eq(event->type, is->type);
    ck_assert_uint_eq(event->cause, is->cause);
    ck_assert_int_eq(event->player, is->player);
    ck_assert_uint_eq(event->flags, is->flags);
    const char *script = NULL;
    if (event->type == LAB_P_DO) {
        script = lab_p_do_script((const lab_p_do *)event->table);
        ck_assert_int_eq(((const lab_p_do *)event->table)->times, is->amount);
    } else if (event->type == LAB_E_DO)
        script = lab_e_do_script((const lab_e_do *)event->table);
    else if (event->type == LAB_E_TRY)
        script = lab_e_try_script((const lab_e_try *)event->table);
    else if (event->type == LAB_P_ADD)
        ck_assert_int_eq(((const lab_p_add *)event->table)->amount, is->amount);
    if (script)
        ck_assert_str_eq(script, is->script);
}

static void must_agree(kifu_timeline *lab, const lab_model *model, bool whole)
{
    ck_assert_uint_eq(kifu_event_count(lab), model->first + model->count);
    ck_assert_uint_eq(kifu_present(lab), model->first + model->count);
    ck_assert_mem_eq(lab_get_state(lab), model_state(model), sizeof(lab_state));
    ck_assert_uint_eq(kifu_open_transactions(lab), model->open);
    kifu_event event;
    for (uint32_t i = whole || model->count < 8 ? 0 : model->count - 8; i < model->count; i++) {
        ck_assert(kifu_event_at(lab, model->first + i, &event));
        must_be_event(&event, &model->events[i].is);
    }
    ck_assert(!kifu_event_at(lab, model->first + model->count, &event));
    ck_assert_uint_eq(kifu_pending_count(lab), model->consequences.count + model->inputs.count);
    for (uint32_t i = 0; i < kifu_pending_count(lab); i++) {
        ck_assert(kifu_pending_at(lab, i, &event));
        must_be_event(&event, i < model->consequences.count ? &model->consequences.all[i]
                                                            : &model->inputs.all[i - model->consequences.count]);
    }
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), model_can_undo(model));
    ck_assert_uint_eq(kifu_can_redo(lab, NULL), model_can_redo(model));
}

static const lab_state *state_after(const lab_model *model, uint32_t count) // counted from the model's first event
{
    return count ? &model->events[count - 1].after : &model->start;
}

static bool in_mark(const lab_model *model)
{
    for (uint32_t i = 0; i < model->open; i++)
        if (model->kinds[i] == MODEL_MARK)
            return true;
    return false;
}

static void check(game *game)
{
    must_agree(game->lab, game->model, game->step % 16 == 0);
    if (game->view && !in_mark(game->model))
        must_have_followed(&game->eye, game->lab);
}

// --- Inputs ----------------------------------------------------------------------------------------------------------

static void write_script(game *game, char *script, int depth)
{
    static const char letters[] = "+++---rrp0";
    int length = 1 + (int)draw(game, 4);
    for (int i = 0; i < length && strlen(script) < 40; i++) {
        uint32_t kind = draw(game, 60);
        char text[2] = {letters[draw(game, sizeof letters - 1)], '\0'};
        if (kind < 12 && depth < 3) {
            bool try = kind % 2;
            strcat(script, try ? "[" : "(");
            if (try && draw(game, 3) == 0)
                strcat(script, "!");
            write_script(game, script, depth + 1);
            strcat(script, try ? "]" : ")");
            continue;
        }
        if (kind < 24 && depth < 5) {
            strcat(script, "b");
            write_script(game, script, depth + 1);
            strcat(script, kind % 2 ? "c" : "k");
            continue;
        }
        if (kind == 24)
            text[0] = 'f';
        if (kind == 25)
            text[0] = "bck"[draw(game, 3)]; // most probably misuse
        if (kind == 26 && draw(game, 4) == 0)
            text[0] = '@';
        strcat(script, text);
    }
}

static void submit(game *game)
{
    int player = (int)draw(game, 4) - 1;
    if (draw(game, 4) == 0) {
        int amount = 1 + (int)draw(game, 5);
        lab_submit_p_add(game->lab, player, amount);
        model_push(&game->model->inputs, LAB_P_ADD, KIFU_NONE, player, amount, "");
        return;
    }
    char script[200] = "";
    uint32_t kind = draw(game, 20);
    if (kind < 2)
        strcat(script, kind ? "v" : "!");
    write_script(game, script, 0);
    if (strlen(script) >= MODEL_SCRIPT)
        return;
    uint8_t times = draw(game, 10) ? 1 : (uint8_t)(1 + draw(game, 5));
    lab_submit_p_do(game->lab, player, script, times);
    model_push(&game->model->inputs, LAB_P_DO, KIFU_NONE, player, times, script);
}

// --- Steps -----------------------------------------------------------------------------------------------------------

static void must_have_ended(kifu_timeline *lab, kifu_result result, kifu_result expected)
{
    bool same = result == expected || (expected == KIFU_FAILED && result == KIFU_MISUSE);
    ck_assert_msg(same, "%s, expected %s: %s", kifu_result_text(result), kifu_result_text(expected),
                  kifu_last_error(lab)->message);
}

static void run_all(kifu_timeline *lab, lab_model *model)
{
    kifu_result result;
    do {
        result = kifu_run(lab);
        must_have_ended(lab, result, model_run(model));
    } while (result);
}

static void play(game *game)
{
    uint32_t inputs = 1 + draw(game, 3);
    for (uint32_t i = 0; i < inputs && game->model->inputs.count < 10; i++)
        submit(game);
    if (draw(game, 3)) {
        run_all(game->lab, game->model);
        return;
    }
    for (uint32_t steps = draw(game, 8); steps > 0; steps--)
        must_have_ended(game->lab, kifu_step(game->lab), model_step(game->model));
}

static void undo(game *game)
{
    if (game->model->undone_count == MODEL_UNDONE)
        return;
    if (!model_can_undo(game->model)) {
        ck_assert_int_eq(kifu_undo(game->lab), KIFU_NOT_UNDOABLE);
        return;
    }
    must(game->lab, kifu_undo(game->lab));
    model_undo(game->model);
}

static void redo(game *game)
{
    if (!model_can_redo(game->model)) {
        ck_assert_int_eq(kifu_redo(game->lab), KIFU_NOTHING_TO_REDO);
        return;
    }
    must(game->lab, kifu_redo(game->lab));
    model_redo(game->model);
}

static void look_back(game *game)
{
    const lab_model *model = game->model;
    for (int i = 0; i < 3; i++) {
        uint32_t count = draw(game, model->count + 1);
        lab_state state;
        must(game->lab, kifu_state_at(game->lab, model->first + count, &state, sizeof state));
        ck_assert_mem_eq(&state, state_after(model, count), sizeof state);
    }
}

static void walk(game *game)
{
    const lab_model *model = game->model;
    if (model->open) {
        ck_assert_int_eq(kifu_seek(game->lab, 0), KIFU_MISUSE);
        return;
    }
    for (uint32_t steps = 1 + draw(game, 4); steps > 0; steps--) {
        uint32_t count = draw(game, model->count + 1);
        must(game->lab, kifu_seek(game->lab, model->first + count));
        ck_assert_uint_eq(kifu_event_count(game->lab), model->first + count);
        ck_assert_mem_eq(lab_get_state(game->lab), state_after(model, count), sizeof(lab_state));
        if (draw(game, 4) == 0)
            look_back(game);
        if (draw(game, 8) == 0) { // before the model's beginning, where there are only PAdd
            count = draw(game, model->first);
            must(game->lab, kifu_seek(game->lab, count));
            ck_assert_int_eq(lab_get_state(game->lab)->total, count ? count - 1 : 0);
        }
    }
    must(game->lab, kifu_seek(game->lab, KIFU_PRESENT));
}

static void begin(game *game)
{
    model_kind kind = (model_kind)draw(game, 3);
    if (game->model->open == MODEL_OPEN)
        return;
    must(game->lab, kind == MODEL_PLAIN      ? kifu_begin(game->lab)
                    : kind == MODEL_DEFERRED ? kifu_begin_deferred(game->lab)
                                             : kifu_mark(game->lab));
    model_begin(game->model, kind);
}

static void end(game *game, bool keep)
{
    lab_model *model = game->model;
    if (!model->open) {
        ck_assert_int_eq(keep ? kifu_commit(game->lab) : kifu_roll_back(game->lab), KIFU_MISUSE);
        return;
    }
    if (model->kinds[model->open - 1] == MODEL_MARK) {
        ck_assert_int_eq(keep ? kifu_commit(game->lab) : kifu_roll_back(game->lab), KIFU_MISUSE);
        must(game->lab, kifu_rewind(game->lab));
        model_take_back(model);
    } else if (keep) {
        must(game->lab, kifu_commit(game->lab));
        model_commit(model);
    } else {
        must(game->lab, kifu_roll_back(game->lab));
        model_take_back(model);
    }
}

static void fork_off(game *game)
{
    const lab_model *model = game->model;
    uint32_t count = draw(game, model->count + 1);
    kifu_timeline *fork = fork_of(game->lab, model->first + count, NULL);
    ck_assert_uint_eq(kifu_event_count(fork), model->first + count);
    ck_assert_mem_eq(lab_get_state(fork), state_after(model, count), sizeof(lab_state));
    must(fork, kifu_verify_replay(fork, NULL));
    kifu_destroy(fork);

    fork = fork_of(game->lab, KIFU_PRESENT, NULL);
    lab_model *other = model_copy(model);
    other->open = other->undone_count = 0;
    other->trigger = false;
    must_agree(fork, other, true);
    if (other->count < MODEL_EVENTS - 200) {
        run_all(fork, other);
        must_agree(fork, other, true);
        while (model_can_undo(other) && other->undone_count < 5) {
            must(fork, kifu_undo(fork));
            model_undo(other);
            must_agree(fork, other, false);
        }
    }
    free(other);
    kifu_destroy(fork);
}

static kifu_result draw_when_total_changes(void *context, kifu_timeline *timeline, const void *state,
                                           const kifu_event *event, const kifu_change *change)
{
    (void)context;
    (void)state;
    (void)event;
    ck_assert_int_ne(*(const int64_t *)change->before, *(const int64_t *)change->after);
    lab_submit_e_do(timeline, "r");
    return KIFU_OK;
}

static void attach(game *game)
{
    if (!game->view)
        return;
    must(game->lab,
         kifu_add_trigger(game->lab, KIFU_FIELD(lab_state, total), KIFU_ORDINARY, draw_when_total_changes, game));
    follow_state(&game->eye, game->lab);
}

// The game goes on as what was loaded.
static void save_and_load(game *game)
{
    if (game->model->open) {
        unsigned char *bytes;
        size_t size;
        ck_assert_int_eq(kifu_save_to_memory(game->lab, NULL, &bytes, &size), KIFU_MISUSE);
        return;
    }
    kifu_options options = game->options;
    options.fast_load = draw(game, 2);
    kifu_timeline *loaded = reload(game->lab, &options);
    must_agree(loaded, game->model, true);
    kifu_timeline *old = game->lab;
    game->lab = loaded;
    attach(game);
    kifu_destroy(old);
}

static void go_quiet(game *game)
{
    if (game->model->open || game->model->inputs.count || game->model->consequences.count)
        return;
    kifu_set_quiet(game->lab, true);
    play(game);
    run_all(game->lab, game->model);
    if (draw(game, 2))
        undo(game);
    unsigned calls = game->eye.calls;
    kifu_set_quiet(game->lab, false);
    ck_assert_uint_eq(game->eye.calls, calls);
    lab_submit_p_add(game->lab, 0, 1); // with it the view is told of all
    model_push(&game->model->inputs, LAB_P_ADD, KIFU_NONE, 0, 1, "");
    run_all(game->lab, game->model);
}

static void one_step(game *game)
{
    uint32_t choice = draw(game, 40);
    if (choice < 16)
        play(game);
    else if (choice < 21)
        undo(game);
    else if (choice < 24)
        redo(game);
    else if (choice < 26)
        walk(game);
    else if (choice < 28)
        look_back(game);
    else if (choice < 31)
        begin(game);
    else if (choice < 33)
        end(game, true);
    else if (choice < 36)
        end(game, false);
    else if (choice < 37)
        fork_off(game);
    else if (choice < 38)
        save_and_load(game);
    else if (choice < 39)
        go_quiet(game);
    else if (!game->model->open)
        must(game->lab, kifu_verify_replay(game->lab, NULL));
    check(game);
}

// Up to `steps` steps, until the model is full; returns how many.
static unsigned long play_one(uint64_t seed, unsigned long steps)
{
    static const kifu_options kinds[] = {
        {.keyframe_bytes = 0},
        {.keyframe_bytes = 1},
        {.keyframe_bytes = 4 * sizeof(lab_state), .hash_interval = 1},
        {.keyframe_bytes = 20 * sizeof(lab_state), .hash_interval = 7},
    };
    game *game = calloc(1, sizeof *game);
    kifu_rng_seed(&game->rng, seed, 17);
    game->options = kinds[draw(game, 4)];
    game->options.sync_test = draw(game, 4) == 0;
    game->lab = lab_new(&game->options);
    game->view = draw(game, 3) > 0;

    lab_submit_e_initialize(game->lab, &seed);
    uint32_t before = draw(game, 3) ? draw(game, 100) : 800 + draw(game, 1000);
    for (uint32_t i = 0; i < before; i++)
        lab_submit_p_add(game->lab, 0, 1);
    lab_submit_e_seal(game->lab); // no undo beyond it
    must(game->lab, kifu_run(game->lab));
    lab_model *model = game->model = calloc(1, sizeof *model);
    model->first = before + 2;
    model->start = *lab_get_state(game->lab);
    model->trigger = game->view;
    attach(game);

    for (; game->step < steps && model->count < MODEL_EVENTS - 150; game->step++)
        one_step(game);
    while (model->open)
        end(game, draw(game, 2));
    check(game);
    walk(game);
    must(game->lab, kifu_verify_replay(game->lab, NULL));
    steps = game->step;
    kifu_destroy(game->lab);
    free(model);
    free(game);
    return steps ? steps : 1;
}

START_TEST(U10_random_histories_are_what_a_plain_model_says)
{
    unsigned long steps = fuzz_steps(8000);
    for (uint64_t seed = fuzz_seed(); steps > 0; seed++) {
        unsigned long done = play_one(seed, steps < 150 ? steps : 150);
        steps -= done < steps ? done : steps;
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {U10_random_histories_are_what_a_plain_model_says};
    return run_suite("random history", tests, sizeof tests / sizeof *tests);
}
