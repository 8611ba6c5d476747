// Two timelines that save to the same files, have log files, and load them, while somebody else cuts files off, changes
// them, removes them and puts older ones in their place; and what a listing says of the folder. What the calls say, and
// what the files are, is pinned.

#include <dirent.h>
#include <utime.h>

#include "pinned_help.h"

enum { TIMELINES = 2, FILES = 2, POSITIONS = 4, STEPS_OF_WALK = 150, WALKS = 40 };

static const char *const paths[FILES] = {"a.kifu", "b.kifu"};

typedef struct walk {
    report *report;
    const subject *subject;
    kifu_rng rng;
    kifu_timeline *timelines[TIMELINES], *follower;
    kifu_stream_position positions[POSITIONS];
    save backup;
    int64_t seconds; // What the last file that was changed has for its time.
} walk;

static uint32_t draw(walk *walk, uint32_t bound)
{
    return kifu_rng_below(&walk->rng, bound);
}

// Not where the folder is: it has another name each time.
static void say_result(walk *walk, const char *what, kifu_result result, const kifu_error *error)
{
    char message[sizeof error->message] = "", folder[1000];
    if (result) {
        snprintf(message, sizeof message, "%s", error->message);
        must_be(error->result == result && getcwd(folder, sizeof folder));
        for (char *at; (at = strstr(message, folder)) != NULL;)
            memmove(at, at + strlen(folder), strlen(at + strlen(folder)) + 1);
    }
    walk->report->taken += !result;
    walk->report->refused += result != KIFU_OK;
    say(walk->report, "%s: %s %s", what, kifu_result_text(result), message);
}

// --- What timelines do -----------------------------------------------------------------------------------------------

static void play(walk *walk, kifu_timeline *timeline)
{
    kifu_line line;
    switch (draw(walk, 8)) {
    case 0:
        (void)!kifu_undo(timeline);
        break;
    case 1:
        (void)!kifu_redo(timeline);
        break;
    case 2:
        if (kifu_line_at(timeline, draw(walk, kifu_line_count(timeline)), &line))
            (void)!kifu_go_to(timeline, line.id, draw(walk, 2) ? KIFU_WHERE_LEFT : line.from, true);
        break;
    case 3:
        (void)!kifu_set_note(timeline, kifu_event_count(timeline) - 1, "a", draw(walk, 3) ? "text" : NULL);
        break;
    case 4:
        walk->subject->submit(timeline, draw(walk, 2));
        break;
    default:
        walk->subject->submit(timeline, draw(walk, 2));
        (void)!kifu_run(timeline);
    }
}

// Draws are made one after the other: in an initializer, a compiler chooses their order.
static void save_to(walk *walk, kifu_timeline *timeline)
{
    kifu_save_options options = {.title = draw(walk, 2) ? "title" : NULL};
    options.codec = draw(walk, 3) ? NULL : &kifu_compact;
    options.without_schema = draw(walk, 2);
    options.overwrite = !draw(walk, 4);
    const char *path = paths[draw(walk, FILES)];
    say_result(walk, "save", kifu_save(timeline, path, &options), kifu_last_error(timeline));
}

static void open_log(walk *walk, kifu_timeline *timeline)
{
    kifu_save_options options = {.title = draw(walk, 4) ? NULL : "title", .without_schema = true};
    options.overwrite = !draw(walk, 4);
    const char *path = paths[draw(walk, FILES)];
    say_result(walk, "open", kifu_log_open(timeline, path, &options), kifu_last_error(timeline));
}

static void close_log(walk *walk, kifu_timeline *timeline)
{
    const kifu_save_options options = {.title = "closed", .codec = draw(walk, 2) ? &kifu_compact : NULL};
    const bool with = draw(walk, 2);
    say_result(walk, "close", kifu_log_close(timeline, with ? &options : NULL), kifu_last_error(timeline));
}

static void load_it(walk *walk, kifu_timeline **timeline)
{
    const kifu_options options = options_of(walk->subject, !draw(walk, 5));
    kifu_recovery recovery = {0};
    kifu_load_options how = {.recover = draw(walk, 4) ? kifu_recover : NULL, .codec = &kifu_compact};
    how.fast = draw(walk, 2);
    how.recovery = how.recover ? &recovery : NULL;
    const char *path = paths[draw(walk, FILES)];
    kifu_timeline *loaded;
    kifu_error error;
    const kifu_result result = kifu_load(walk->subject->rules, path, &options, &how, &loaded, &error);
    say_result(walk, "load", result, &error);
    if (result)
        return;
    say(walk->report, "but for %llu bytes: %s", (unsigned long long)recovery.dropped, recovery.why.message);
    kifu_destroy(*timeline);
    *timeline = loaded;
}

// Each but the first is of the first timeline.
static void pass_changes_on(walk *walk, kifu_timeline *timeline)
{
    const uint32_t number = draw(walk, POSITIONS);
    kifu_changes changes;
    const kifu_result result = kifu_changes_since(timeline, number ? &walk->positions[number] : NULL, &changes);
    say_result(walk, "changes", result, kifu_last_error(timeline));
    if (result)
        return;
    say(walk->report, "%u bytes, %d, until %u", (unsigned)(changes.whole ? 1 : changes.size), changes.whole,
        changes.until.commit);
    if (changes.size) {
        const kifu_result applied = kifu_apply_changes(walk->follower, changes.bytes, changes.size);
        say_result(walk, "apply", applied, kifu_last_error(walk->follower));
    }
    walk->positions[draw(walk, POSITIONS)] = changes.until;
    kifu_free_bytes(timeline, changes.bytes);
}

// --- What others do --------------------------------------------------------------------------------------------------

// At another time than before, however quick it was; in place of the file, into which a timeline may still look.
static void write_by_another(walk *walk, const char *path, const save *file)
{
    walk->seconds++;
    struct utimbuf times = {.actime = walk->seconds, .modtime = walk->seconds};
    write_bytes("new", file->bytes, file->size);
    ck_assert(!utime("new", &times) && !rename("new", path));
}

static void interfere(walk *walk)
{
    const char *path = paths[draw(walk, FILES)];
    const uint32_t what = draw(walk, 6);
    if (what == 0)
        unlink(path);
    if (what == 1 && walk->backup.size)
        write_by_another(walk, path, &walk->backup);
    if (access(path, F_OK) || what < 2)
        return;
    save file = {.bytes = NULL};
    file.bytes = read_bytes(path, &file.size);
    if (what == 2) { // A copy, to be put there later.
        free(walk->backup.bytes);
        walk->backup = file;
        return;
    }
    if (what == 3 && file.size > 20)
        file.size -= 1 + draw(walk, 20);
    else if (what == 4 && file.size)
        file.bytes[draw(walk, (uint32_t)file.size)] ^= 16;
    write_by_another(walk, path, &file);
    free(file.bytes);
}

// --- What is there ---------------------------------------------------------------------------------------------------

static bool say_info(void *context, const kifu_save_info *info)
{
    walk *walk = (struct walk *)context;
    if (info->error)
        say_result(walk, info->path, info->error->result, info->error);
    else
        say(walk->report, "%s: %s, %s, %u events, %u bytes of schema, %lld", info->path, info->game,
            info->title ? info->title : "", info->event_count, info->schema_size, (long long)info->saved_at);
    return true;
}

static void list(walk *walk)
{
    kifu_error error;
    if (draw(walk, 2))
        say_result(walk, "list", kifu_list_saves(".", say_info, walk, NULL, &error), &error);
    else
        say_result(walk, "info", kifu_read_save_info(paths[0], say_info, walk, NULL, &error), &error);
}

static void say_files(walk *walk)
{
    for (int i = 0; i < 2 * FILES; i++) {
        char path[60];
        snprintf(path, sizeof path, "%s%s", paths[i / 2], i % 2 ? ".kept" : "");
        if (access(path, F_OK))
            continue;
        size_t size;
        unsigned char *bytes = read_bytes(path, &size);
        say(walk->report, "%s has %zu bytes, %08x", path, size, sum_of(0, bytes, size));
        free(bytes);
    }
    for (int i = 0; i < TIMELINES; i++)
        say(walk->report, "timeline %d: %08x, kept %s", i, sum_of_game(walk->timelines[i]),
            kifu_kept_path(walk->timelines[i]) ? "one" : "none");
}

static void step(walk *walk)
{
    kifu_timeline **timeline = &walk->timelines[draw(walk, TIMELINES)];
    switch (draw(walk, 20)) {
    case 0:
    case 1:
        save_to(walk, *timeline);
        break;
    case 2:
    case 3:
        open_log(walk, *timeline);
        break;
    case 4:
        close_log(walk, *timeline);
        break;
    case 5:
    case 6:
    case 7:
        load_it(walk, timeline);
        break;
    case 8:
    case 9:
        pass_changes_on(walk, walk->timelines[0]);
        break;
    case 10:
    case 11:
        interfere(walk);
        break;
    case 12:
        list(walk);
        break;
    case 13:
    case 14:
    case 15: {
        play(walk, *timeline);
        const kifu_result result = kifu_log_append(*timeline);
        say_result(walk, "append", result, kifu_last_error(*timeline));
        if (result == KIFU_MISUSE)
            open_log(walk, *timeline);
        break;
    }
    default:
        play(walk, *timeline);
    }
    fixed_time++;
}

static void walk_once(report *report, const subject *subject, uint32_t number)
{
    char *folder = new_folder(), before[1000];
    stream_number = 1;
    fixed_time = 1700000000;
    const kifu_options options = options_of(subject, false);
    walk walk = {.report = report, .subject = subject};
    ck_assert(getcwd(before, sizeof before) && !chdir(folder));
    kifu_rng_seed(&walk.rng, number, 5);
    walk.follower = subject->begin(&options);
    for (int i = 0; i < TIMELINES; i++)
        walk.timelines[i] = subject->begin(&options);
    for (uint32_t i = 0; i < STEPS_OF_WALK; i++) {
        step(&walk);
        say_files(&walk);
    }
    for (int i = 0; i < TIMELINES; i++)
        kifu_destroy(walk.timelines[i]);
    kifu_destroy(walk.follower);
    free(walk.backup.bytes);
    ck_assert_int_eq(chdir(before), 0);
    remove_folder(folder);
}

START_TEST(F56_two_timelines_and_others_write_the_same_files)
{
    report report = open_report("file_walks");
    stream_step = 2;
    for (uint32_t number = 0; number < WALKS; number++) {
        if (!begin_group(&report, "%s, walk %u", subjects[number % 2].name, number))
            continue;
        walk_once(&report, &subjects[number % 2], number);
        end_group(&report);
    }
    close_report(&report);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {F56_two_timelines_and_others_write_the_same_files};
    return run_suite("file_walks", tests, sizeof tests / sizeof *tests);
}
