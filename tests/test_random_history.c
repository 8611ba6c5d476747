// Random games of the lab and of cards: inputs, failures, undo, redo, seek, transactions, searches, forks, saves, in
// any depth. At each step the timeline must be what a plain model of it says, and a view that only listens must have
// followed.

#include "checks.h"
#include "cards_help.h"
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
    bool view;  // it listens, and triggers run
    bool total; // A listener follows the total alone: the core looks whether an event is for it.
    unsigned long step;
} game;

static uint32_t draw(game *game, uint32_t below)
{
    return kifu_rng_below(&game->rng, below);
}

// --- The same in both? -----------------------------------------------------------------------------------------------

static void must_be_event(const kifu_event *event, const model_proposal *is)
{
    must_be(event->type == is->type);
    must_be(event->cause == is->cause);
    must_be(event->player == is->player);
    must_be(event->flags == is->flags);
    const char *script = NULL;
    if (event->type == LAB_P_DO) {
        script = lab_p_do_script((const lab_p_do *)event->table);
        must_be(((const lab_p_do *)event->table)->times == is->amount);
    } else if (event->type == LAB_E_DO)
        script = lab_e_do_script((const lab_e_do *)event->table);
    else if (event->type == LAB_E_TRY)
        script = lab_e_try_script((const lab_e_try *)event->table);
    else if (event->type == LAB_P_ADD)
        must_be(((const lab_p_add *)event->table)->amount == is->amount);
    if (script)
        must_be(!strcmp(script, is->script));
}

static void must_agree(kifu_timeline *lab, const lab_model *model, bool whole)
{
    must_be(kifu_position(lab) == model->first + model->count);
    must_be(kifu_event_count(lab) == model->first + model->count);
    must_be(!memcmp(lab_get_state(lab), model_state(model), sizeof(lab_state)));
    must_be(kifu_open_transactions(lab) == model->open);
    kifu_event event;
    for (uint32_t i = whole || model->count < 8 ? 0 : model->count - 8; i < model->count; i++) {
        must_be(kifu_event_at(lab, model->first + i, &event));
        must_be_event(&event, &model->events[i].is);
    }
    must_be(!kifu_event_at(lab, model->first + model->count, &event));
    must_be(kifu_pending_count(lab) == model->consequences.count + model->inputs.count);
    for (uint32_t i = 0; i < kifu_pending_count(lab); i++) {
        must_be(kifu_pending_at(lab, i, &event));
        must_be_event(&event, i < model->consequences.count ? &model->consequences.all[i]
                                                            : &model->inputs.all[i - model->consequences.count]);
    }
    must_be(kifu_can_undo(lab, NULL) == model_can_undo(model));
    must_be(kifu_can_redo(lab, NULL) == model_can_redo(model));
}

static const lab_state *state_after(const lab_model *model, uint32_t count) // counted from the model's first event
{
    return count ? &model->events[count - 1].after : &model->start;
}

static bool in_mark(const lab_model *model)
{
    for (uint32_t i = 0; i < model->open; i++)
        if (model->kinds[i] == MODEL_SEARCH)
            return true;
    return false;
}

static void check(game *game)
{
    must_agree(game->lab, game->model, game->step % 16 == 0);
    if ((game->view || game->total) && !in_mark(game->model))
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
    lab_do(game->lab, player, script, times);
    model_push(&game->model->inputs, LAB_P_DO, KIFU_NONE, player, times, script);
}

// --- Steps -----------------------------------------------------------------------------------------------------------

static void must_have_ended(kifu_timeline *lab, kifu_result result, kifu_result expected)
{
    bool same = result == expected || (expected == KIFU_FAILED && result == KIFU_MISUSE);
    if (!same)
        ck_abort_msg("%s, expected %s: %s", kifu_result_text(result), kifu_result_text(expected),
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
    for (uint32_t i = 0; i < inputs && game->model->inputs.count < 10 && game->model->consequences.count < 30; i++)
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
        const kifu_result expected = refusal_of_undo(game->lab);
        ck_assert_int_eq(kifu_undo(game->lab), expected);
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
        must_be(!memcmp(&state, state_after(model, count), sizeof state));
    }
}

static void walk(game *game)
{
    const lab_model *model = game->model;
    if (model->open) {
        must_be(kifu_seek(game->lab, 0) == KIFU_MISUSE);
        return;
    }
    for (uint32_t steps = 1 + draw(game, 4); steps > 0; steps--) {
        uint32_t count = draw(game, model->count + 1);
        must(game->lab, kifu_seek(game->lab, model->first + count));
        must_be(kifu_position(game->lab) == model->first + count);
        must_be(!memcmp(lab_get_state(game->lab), state_after(model, count), sizeof(lab_state)));
        if (draw(game, 4) == 0)
            look_back(game);
        if (draw(game, 8) == 0) { // before the model's beginning, where there are only PAdd
            count = draw(game, model->first);
            must(game->lab, kifu_seek(game->lab, count));
            must_be(lab_get_state(game->lab)->total == (count ? count - 1 : 0));
        }
    }
    must(game->lab, kifu_seek(game->lab, KIFU_PRESENT));
}

static void begin(game *game)
{
    model_kind kind = (model_kind)draw(game, 3);
    if (game->model->open == MODEL_OPEN)
        return;
    static const uint32_t flags[] = {
        [MODEL_PLAIN] = 0,
        [MODEL_DEFERRED] = KIFU_DEFERRED,
        [MODEL_SEARCH] = KIFU_SEARCH,
    };
    must(game->lab, kifu_begin(game->lab, flags[kind]));
    model_begin(game->model, kind);
}

static void end(game *game, bool keep)
{
    lab_model *model = game->model;
    if (!model->open) {
        ck_assert_int_eq(keep ? kifu_commit(game->lab) : kifu_roll_back(game->lab), KIFU_MISUSE);
        return;
    }
    if (model->kinds[model->open - 1] == MODEL_SEARCH) {
        if (keep)
            ck_assert_int_eq(kifu_commit(game->lab), KIFU_MISUSE);
        must(game->lab, kifu_roll_back(game->lab));
        model_take_back(model);
    } else if (keep && model->count < model->before[model->open - 1]->count + 30) { // not too many to react to
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
    must_be(kifu_event_count(fork) == model->first + count);
    must_be(!memcmp(lab_get_state(fork), state_after(model, count), sizeof(lab_state)));
    must(fork, kifu_verify_replay(fork, NULL));
    kifu_destroy(fork);

    fork = fork_of(game->lab, KIFU_PRESENT, NULL);
    lab_model *other = model_copy(model);
    other->open = other->undone_count = 0;
    other->trigger = false;
    must_agree(fork, other, true);
    if (other->count < MODEL_EVENTS - 120) {
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
    if (game->total)
        follow_part(&game->eye, game->lab, offsetof(lab_state, total), sizeof(int64_t));
    if (!game->view)
        return;
    must(game->lab, kifu_observe(game->lab, &(kifu_observer){.trigger = draw_when_total_changes,
                                                             KIFU_PART(lab_state, total),
                                                             .context = game}));
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
    kifu_timeline *loaded = reload_fast(game->lab, &game->options, draw(game, 2));
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
    game->options.sync_test = draw(game, 4) == 0 ? kifu_sync_test : NULL;
    game->lab = lab_new(&game->options);
    game->view = draw(game, 3) > 0;
    game->total = !game->view && seed % 2;

    lab_submit_e_initialize(game->lab, SEEDED(seed));
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

    for (; game->step < steps && model->count < MODEL_EVENTS - 120; game->step++)
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
    unsigned long steps = fuzz_steps(25000);
    for (uint64_t seed = fuzz_seed(); steps > 0; seed++) {
        unsigned long done = play_one(seed, steps < 150 ? steps : 150);
        steps -= done < steps ? done : steps;
    }
}
END_TEST

// --- Cards: barriers -------------------------------------------------------------------------------------------------

enum { MOST_CARDS = 300, MOST_OPEN = 3 };

// The state after each event and its flags, as they were when it happened.
typedef struct table {
    kifu_timeline *cards;
    kifu_rng rng;
    cards_state states[MOST_CARDS];
    uint8_t flags[MOST_CARDS];
    uint32_t count;
    uint32_t undone[MOST_CARDS]; // how many events there were before each undo that redo can take back
    uint32_t undone_count;
    uint32_t begun[MOST_OPEN];
    struct table *before[MOST_OPEN];
    uint32_t open;
} table;

// As the schema's words say, of the flags as they are in the log.
static uint32_t expected_undo(const table *table)
{
    bool drew = false, unless = false;
    for (uint32_t event = table->count; event > (table->open ? table->begun[table->open - 1] : 0);) {
        uint8_t flags = table->flags[--event];
        if (!(flags & KIFU_UNDOABLE) || flags & KIFU_REVEALS)
            return 0;
        drew |= (flags & KIFU_RANDOM) != 0;
        unless |= (flags & KIFU_UNLESS_RANDOM) != 0;
        if (!(flags & KIFU_CONTINUE_UNDO))
            return drew && unless ? 0 : table->count - event;
    }
    return 0;
}

static void submit_card(table *table)
{
    kifu_timeline *cards = table->cards;
    const uint8_t attackers[] = {(uint8_t)kifu_rng_below(&table->rng, 8), (uint8_t)kifu_rng_below(&table->rng, 8)};
    kifu_ticket ticket = 0;
    switch (kifu_rng_below(&table->rng, 8)) {
    case 0:
        ticket = cards_submit_p_draw(cards, 0, &(cards_p_draw_args){.count = (uint8_t)kifu_rng_below(&table->rng, 3)});
        break;
    case 1:
    case 2:
        ticket = cards_submit_p_tap(cards, 0, (uint8_t)kifu_rng_below(&table->rng, 8));
        break;
    case 3:
        ticket = cards_submit_p_attack(cards, 1, attackers, 2);
        break;
    case 4:
        cards_submit_e_forbid(cards, kifu_rng_below(&table->rng, 2));
        break;
    case 5:
        ticket = cards_submit_p_roll(cards, 0, (cards_how)kifu_rng_below(&table->rng, 3));
        break;
    case 6:
        ticket = cards_submit_p_peek(cards, 0, kifu_rng_below(&table->rng, 3) == 0);
        break;
    default:
        ticket = cards_submit_p_any(cards, 0, (int)kifu_rng_below(&table->rng, 5));
    }
    if (kifu_rng_below(&table->rng, 6) == 0)
        must(cards, kifu_override(cards, ticket, kifu_rng_below(&table->rng, 2), kifu_rng_below(&table->rng, 2)));
}

static void play_card(table *table)
{
    submit_card(table);
    while (kifu_pending_count(table->cards)) {
        kifu_result result = kifu_step(table->cards);
        must_be(result == KIFU_OK || result == KIFU_REJECTED);
        if (kifu_event_count(table->cards) == table->count)
            continue;
        kifu_event event;
        must_be(kifu_event_at(table->cards, table->count, &event));
        table->flags[table->count] = event.flags;
        table->states[++table->count] = *cards_get_state(table->cards);
        must_be(kifu_event_count(table->cards) == table->count);
        table->undone_count = 0;
    }
}

static void must_be_table(kifu_timeline *cards, const table *table)
{
    must_be(kifu_event_count(cards) == table->count);
    must_be(!memcmp(cards_get_state(cards), &table->states[table->count], sizeof(cards_state)));
    must_be(kifu_can_undo(cards, NULL) == expected_undo(table));
    kifu_event event;
    for (uint32_t i = 0; i < table->count; i++) {
        must_be(kifu_event_at(cards, i, &event));
        must_be(event.flags == table->flags[i]);
    }
    must_be((kifu_can_redo(cards, NULL) > 0) == (table->undone_count > 0));
}

static void step_cards(table *table)
{
    kifu_timeline *cards = table->cards;
    uint32_t choice = kifu_rng_below(&table->rng, 20), first;
    if (choice < 9) {
        play_card(table);
    } else if (choice < 12) {
        uint32_t chain = expected_undo(table);
        const kifu_result expected = chain ? KIFU_OK : refusal_of_undo(cards);
        must_be(kifu_undo(cards) == expected);
        if (chain)
            table->undone[table->undone_count++] = table->count;
        table->count -= chain;
    } else if (choice < 14) {
        must_be(kifu_redo(cards) == (table->undone_count ? KIFU_OK : KIFU_NOTHING_TO_REDO));
        if (table->undone_count)
            table->count = table->undone[--table->undone_count];
    } else if (choice < 15 && table->open < MOST_OPEN) {
        struct table *before = malloc(sizeof *before);
        memcpy(before, table, sizeof *before);
        must(cards, kifu_begin(cards, 0));
        table->before[table->open] = before;
        table->begun[table->open++] = table->count;
        table->undone_count = 0;
    } else if (choice < 18 && table->open) {
        struct table *before = table->before[table->open - 1];
        if (choice == 15) {
            first = table->begun[--table->open];
            must(cards, kifu_commit(cards));
            if (table->count == first && !table->undone_count) {
                memcpy(table->undone, before->undone, sizeof table->undone);
                memcpy(table->states, before->states, sizeof table->states);
                memcpy(table->flags, before->flags, sizeof table->flags);
                table->undone_count = before->undone_count;
            }
            for (uint32_t i = first + 1; !table->open && i < table->count; i++)
                table->flags[i] |= KIFU_CONTINUE_UNDO;
        } else {
            kifu_rng rng = table->rng;
            must(cards, kifu_roll_back(cards));
            memcpy(table, before, sizeof *table);
            table->rng = rng;
        }
        free(before);
    } else if (choice < 19 && !table->open) {
        uint32_t count = kifu_rng_below(&table->rng, table->count + 1);
        must(cards, kifu_seek(cards, count));
        must_be(!memcmp(cards_get_state(cards), &table->states[count], sizeof(cards_state)));
        must(cards, kifu_seek(cards, KIFU_PRESENT));
    } else if (!table->open) {
        table->cards = reload_fast(cards, NULL, kifu_rng_below(&table->rng, 2));
        kifu_destroy(cards);
    }
    must_be_table(table->cards, table);
}

START_TEST(U11_random_games_keep_their_barriers)
{
    unsigned long steps = fuzz_steps(10000);
    for (uint64_t seed = fuzz_seed(); steps > 0; seed++) {
        table *table = calloc(1, sizeof *table);
        kifu_rng_seed(&table->rng, seed, 4);
        table->cards = cards_new(NULL);
        for (table->count = 0; table->count < 2; table->count++) {
            kifu_event event;
            kifu_event_at(table->cards, table->count, &event);
            table->flags[table->count] = event.flags;
        }
        must(table->cards, kifu_state_at(table->cards, 1, &table->states[1], sizeof *table->states));
        table->states[2] = *cards_get_state(table->cards);
        while (steps > 0 && table->count < MOST_CARDS - 20) {
            step_cards(table);
            steps--;
        }
        for (uint32_t i = 0; i < table->open; i++)
            free(table->before[i]);
        kifu_destroy(table->cards);
        free(table);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        U10_random_histories_are_what_a_plain_model_says,
        U11_random_games_keep_their_barriers,
    };
    return run_suite("random history", tests, sizeof tests / sizeof *tests);
}
