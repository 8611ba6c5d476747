// Followers that have done something of their own before changes come: these are refused, and all stays as it was, or
// they lead to the game of the leader. What comes of it is pinned; whatever it is, the whole game leads to that of the
// leader.

#include "pinned_help.h"

typedef struct trial {
    const subject *subject;
    report *report;
    bool less;
    const kifu_changes *told;  ///< The changes of each step, of which the first is the whole game,
    kifu_changes whole[STEPS]; ///< and the whole game behind each step.
    uint32_t sums[STEPS];      ///< What it is then.
} trial;

// --- What a follower does --------------------------------------------------------------------------------------------

typedef kifu_result deed(const subject *subject, kifu_timeline *timeline, uint32_t step);

static kifu_result do_nothing(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    (void)subject, (void)timeline, (void)step;
    return KIFU_OK;
}

// How it was when it began; what the leader does needs that.
static struct {
    uint64_t hash;
    uint32_t first, lines, waiting;
    bool less;
} start;

static bool is_as_it_was(kifu_timeline *timeline)
{
    return !start.less && kifu_state_hash(timeline) == start.hash && kifu_first_event(timeline) == start.first &&
           kifu_line_count(timeline) == start.lines && kifu_pending_count(timeline) == start.waiting;
}

static kifu_result do_the_same(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    if (!is_as_it_was(timeline))
        return KIFU_MISUSE;
    subject->step(timeline, step);
    return KIFU_OK;
}

static kifu_result play_one(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    subject->submit(timeline, step % 2);
    return kifu_run(timeline);
}

static kifu_result begin_one(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    (void)step;
    subject->submit(timeline, true);
    return kifu_step(timeline);
}

static kifu_result wait_with_one(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    subject->submit(timeline, !(step % 2));
    return KIFU_OK;
}

static kifu_result run(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    (void)subject, (void)step;
    return kifu_run(timeline);
}

static kifu_result undo(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    (void)subject, (void)step;
    return kifu_undo(timeline);
}

static kifu_result redo(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    (void)subject, (void)step;
    return kifu_redo(timeline);
}

static kifu_result drop(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    (void)subject, (void)step;
    (void)kifu_drop_inputs(timeline);
    return KIFU_OK;
}

static kifu_result go_to_last_line(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    kifu_line line = {0};
    (void)subject, (void)step;
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line);)
        i++;
    return kifu_go_to(timeline, line.id, KIFU_WHERE_LEFT, true);
}

static kifu_result go_back(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    (void)subject, (void)step;
    return kifu_go_to(timeline, kifu_current_line(timeline), kifu_event_count(timeline) - 1, true);
}

static kifu_result note(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    (void)subject;
    return kifu_set_note(timeline, kifu_event_count(timeline) - 1, step % 2 ? "a" : "own", "mine");
}

static kifu_result promote(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    (void)subject, (void)step;
    return kifu_promote_line(timeline, kifu_current_line(timeline));
}

static kifu_result delete_one(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    (void)subject, (void)step;
    return kifu_delete_line(timeline, kifu_current_line(timeline) ? 0 : 1);
}

static kifu_result roll_back(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    if (kifu_begin(timeline, 0))
        return KIFU_MISUSE;
    (void)play_one(subject, timeline, step);
    return kifu_roll_back(timeline);
}

static kifu_result forget(const subject *subject, kifu_timeline *timeline, uint32_t step)
{
    (void)subject, (void)step;
    return kifu_forget(timeline, kifu_event_count(timeline) - 1);
}

static const struct {
    const char *name;
    deed *act;
} deeds[] = {{"nothing", do_nothing},  {"same", do_the_same},
             {"play", play_one},       {"begin", begin_one},
             {"wait", wait_with_one},  {"run", run},
             {"undo", undo},           {"redo", redo},
             {"drop", drop},           {"last line", go_to_last_line},
             {"back", go_back},        {"note", note},
             {"promote", promote},     {"delete", delete_one},
             {"roll back", roll_back}, {"forget", forget}};
enum { DEEDS = sizeof deeds / sizeof *deeds };

// --- What comes of it ------------------------------------------------------------------------------------------------

static kifu_timeline *follower_of(const trial *trial, uint32_t step)
{
    const kifu_options options = options_of(trial->subject, trial->less);
    kifu_timeline *follower;
    ck_assert_int_eq(kifu_create(trial->subject->rules, &options, &follower, NULL), KIFU_OK);
    for (uint32_t i = 0; i < step; i++)
        must(follower, kifu_apply_changes(follower, trial->told[i].bytes, trial->told[i].size));
    return follower;
}

// Returns whether they were taken.
static bool apply(const trial *trial, kifu_timeline *follower, const char *how, const kifu_changes *changes)
{
    const kifu_stream_position at = kifu_followed(follower);
    const uint32_t before = sum_of_game(follower);
    if (!kifu_apply_changes(follower, changes->bytes, changes->size)) {
        trial->report->taken++;
        say(trial->report, "%s: taken, %08x", how, sum_of_game(follower));
        return true;
    }
    say_refused(trial->report, how, kifu_last_error(follower));
    must_be(kifu_last_error(follower)->result != KIFU_DAMAGED); // Who has parted is told so: the changes are good.
    must_be(same_positions(at, kifu_followed(follower)) && sum_of_game(follower) == before);
    return false;
}

// Others follow the follower. They may know fewer hashes than that.
static void pass_behind(const trial *trial, kifu_timeline *follower, kifu_timeline *behind)
{
    if (!behind)
        return;
    must(behind, pass_on(follower, behind));
    must_be(kifu_state_hash(follower) == kifu_state_hash(behind));
    must_be(kifu_line_count(follower) == kifu_line_count(behind));
    say(trial->report, "behind it: %08x", sum_of_game(behind));
}

static void follow_after(const trial *trial, uint32_t step, uint32_t first, uint32_t second)
{
    const bool is_followed = step % 3 == 1 && !trial->less;
    kifu_timeline *follower = follower_of(trial, step), *behind = is_followed ? follower_of(trial, 0) : NULL;
    char how[100];
    pass_behind(trial, follower, behind);
    start.less = trial->less;
    start.hash = kifu_state_hash(follower);
    start.first = kifu_first_event(follower);
    start.lines = kifu_line_count(follower);
    start.waiting = kifu_pending_count(follower);
    const kifu_result one = deeds[first].act(trial->subject, follower, step);
    const kifu_result other = deeds[second].act(trial->subject, follower, step);
    snprintf(how, sizeof how, "%s (%s), %s (%s)", deeds[first].name, kifu_result_text(one), deeds[second].name,
             kifu_result_text(other));
    say(trial->report, "%s: %08x", how, sum_of_game(follower));
    if (apply(trial, follower, how, &trial->told[step]) && step + 1 < STEPS)
        apply(trial, follower, "the next ones", &trial->told[step + 1]);
    pass_behind(trial, follower, behind);
    must(follower, kifu_apply_changes(follower, trial->whole[step].bytes, trial->whole[step].size));
    must_be(trial->less || sum_of_game(follower) == trial->sums[step]);
    say(trial->report, "the whole game: %08x", sum_of_game(follower));
    if (step + 1 < STEPS && !trial->told[step + 1].whole)
        apply(trial, follower, "the next ones", &trial->told[step + 1]);
    pass_behind(trial, follower, behind);
    kifu_destroy(behind);
    use_tree(follower);
    say(trial->report, "then: %08x, %s", sum_of_game(follower), kifu_last_error(follower)->message);
    kifu_destroy(follower);
}

static void follow_all(report *report, const subject *subject)
{
    const kifu_options options = options_of(subject, false);
    kifu_timeline *timeline = subject->begin(&options);
    kifu_changes told[STEPS];
    trial trial = {.subject = subject, .report = report, .told = told};
    fixed_time = 1700000000;
    for (uint32_t i = 0; i < STEPS; i++) {
        subject->step(timeline, i);
        told[i] = changes_since(timeline, i ? &told[i - 1].until : NULL);
        trial.whole[i] = changes_since(timeline, NULL);
        trial.sums[i] = sum_of_game(timeline);
    }
    for (uint32_t step = 1; step < STEPS; step++) {
        for (int less = 0; less < 2; less++) {
            trial.less = less;
            if (!begin_group(report, "%s, step %u%s", subject->name, step, less ? " without lines" : ""))
                continue;
            for (uint32_t i = 0; i < DEEDS * DEEDS; i++)
                follow_after(&trial, step, i / DEEDS, i % DEEDS);
            end_group(report);
        }
    }
    for (uint32_t i = 0; i < STEPS; i++) {
        free(told[i].bytes);
        free(trial.whole[i].bytes);
    }
    kifu_destroy(timeline);
}

START_TEST(R05_what_comes_of_changes_after_deeds_of_its_own)
{
    report report = open_report("parted_followers");
    stream_step = 2;
    for (uint32_t i = 0; i < SUBJECTS; i++)
        follow_all(&report, &subjects[i]);
    close_report(&report);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {R05_what_comes_of_changes_after_deeds_of_its_own};
    return run_suite("parted_followers", tests, sizeof tests / sizeof *tests);
}
