// kifu verify, and check-saves of a game's own program: many files, one line for each that is not as it should be.

#include "tool/command.h"

#include <stdlib.h>

#include <inttypes.h>

typedef struct tally {
    uint32_t all, bad;
    uint32_t unread; // Of the others, those whose frames are whole, but which this program cannot read further.
    uint32_t bare;   // Of the others, those that have nothing to compare with.
    bool first;      // The next one that is printed as JSON.
} tally;

static void report(const kifu__line *line, const char *path, const char *message, tally *tally)
{
    if (kifu__is_interrupted()) // Then it is not known.
        return;
    kifu__printer printer = kifu__stdout_printer(!line->json);
    tally->bad++;
    if (line->json) {
        kifu__print(&printer, tally->first ? "[\n{\"file\": " : ",\n{\"file\": ");
        kifu__print_string(&printer, path, strlen(path));
        kifu__print(&printer, ", \"problem\": ");
        kifu__print_string(&printer, message, strlen(message));
        kifu__print(&printer, "}");
    } else {
        kifu__print_name(&printer, path);
        kifu__print(&printer, ": ");
        kifu__print(&printer, kifu__style('r'));
        kifu__print_name(&printer, message);
        kifu__print(&printer, kifu__style('0'));
        kifu__print(&printer, "\n");
    }
    tally->first = false;
    (void)kifu__print_end(&printer);
    fflush(stdout);
}

// --- Whether it is sound ---------------------------------------------------------------------------------------------

bool kifu__is_ours(const kifu__line *line, const kifu__game_file *file)
{
    return line->rules && !file->is_json && !strcmp(file->identity.game, line->rules->name);
}

// What the load does not do: other lines are executed, and the checks are asked, if the command line says so.
static kifu_result verify_loaded(const kifu__line *line, kifu_timeline *timeline, bool in_state, kifu_error *error)
{
    kifu_result result = KIFU_OK;
    kifu_set_progress(timeline, kifu__goes_on, line->work);
    if (in_state && kifu_line_count(timeline) > 1)
        result = kifu_verify_replay(timeline, NULL);
    if (!result && line->checks)
        result = kifu_verify_checks(timeline, NULL, NULL, NULL);
    if (result)
        *error = *kifu_last_error(timeline);
    return result;
}

// Executes it, where the program has the rules. `recover`: it is a log file that was not closed.
static kifu_result execute(const kifu__line *line, const kifu__file_bytes *bytes, bool recover,
                           kifu_difference *changed, kifu_error *error)
{
    kifu_timeline *timeline = NULL;
    kifu_options options = line->options ? *line->options : (kifu_options){0};
    kifu_recovery recovery;
    const kifu_load_options how = {
        .codec = kifu__tool_codec(),
        .changed = changed,
        .recover = recover ? kifu_recover : NULL,
        .recovery = recover ? &recovery : NULL,
        .memory = line->memory,
        .progress = kifu__goes_on,
        .context = line->work,
    };
    options.view = NULL;
    options.quiet = true;
    options.keep_variations = kifu_keep_variations;
    options.from_state = kifu_begin_from_state;
    kifu_result result = kifu_load_from_memory(line->rules, bytes->at, bytes->size, &options, &how, &timeline, error);
    if (!result)
        result = verify_loaded(line, timeline, !options.reset, error);
    if (result)
        kifu__explain_load(error);
    kifu_destroy(timeline);
    return result;
}

// A game as JSON is a save that is not made yet.
static kifu_result execute_json(const kifu__line *line, kifu__game_file *file, kifu_error *error)
{
    kifu__file_bytes bytes;
    kifu_result result = kifu__make_save(file, &bytes, error);
    if (!result)
        result = execute(line, &bytes, false, NULL, error);
    free(bytes.at);
    return result;
}

// What is wrong, in `error`. `*unread`: the schema or the codec is not there, so only the frames were verified.
static kifu_result check(const kifu__line *line, const char *path, bool *unread, kifu_error *error)
{
    kifu__open_options options = kifu__opening(line, path);
    kifu__game_file file = {.path = path};
    kifu__file_bytes bytes;
    options.so_far = true;
    kifu_result result = kifu__read_bytes(path, &bytes, error);
    if (!result)
        result = kifu__open_bytes(path, &bytes, &options, &file, error);
    *unread = (result == KIFU_NO_CODEC || (result == KIFU_UNKNOWN_EVENT && !file.has_schema)) && file.frames.ended &&
              !file.frames.why.result;
    // A log file that was not closed is as it should be.
    const bool recover = !result && file.recovery.why.result;
    if (*unread)
        result = KIFU_OK;
    else if (recover && file.recovery.dropped)
        result = error->result;
    else if (recover)
        kifu__complain(line, path, file.recovery.why.message);
    const bool ours = !*unread && line->rules && file.identity.game && !strcmp(file.identity.game, line->rules->name);
    if (!result && ours)
        result = file.is_json ? execute_json(line, &file, error) : execute(line, &bytes, recover, NULL, error);
    kifu__close_game(&file);
    free(bytes.at);
    return result;
}

static void verify_one(const kifu__line *line, const char *path, tally *tally)
{
    kifu_error error;
    bool unread;
    tally->all++;
    if (check(line, path, &unread, &error))
        report(line, path, error.message, tally);
    else
        tally->unread += unread;
}

// --- Whether it loads as it did --------------------------------------------------------------------------------------

// Of a log file that was not closed, what was written to it.
static kifu_result load_so_far(const kifu__line *line, const char *path, kifu_difference *changed, kifu_error *error)
{
    kifu__open_options options = kifu__opening(line, path);
    kifu__game_file file;
    kifu__file_bytes bytes;
    kifu_error why;
    options.so_far = true;
    kifu_result result = kifu__read_bytes(path, &bytes, error);
    if (!result)
        result = execute(line, &bytes, false, changed, error);
    if (result == KIFU_DAMAGED) {
        if (kifu__open_bytes(path, &bytes, &options, &file, &why))
            *error = why;
        else if (file.recovery.why.result)
            result = execute(line, &bytes, true, changed, error);
        kifu__close_game(&file);
    }
    free(bytes.at);
    return result;
}

static void check_one(const kifu__line *line, const char *path, tally *tally)
{
    kifu_difference changed = {.event = KIFU_NONE};
    kifu_error error;
    char message[600];
    tally->all++;
    if (load_so_far(line, path, &changed, &error))
        report(line, path, error.message, tally);
    else if (changed.event != KIFU_NONE) {
        snprintf(message, sizeof message,
                 "it loads, because rules_version was raised, and is changed: after event %" PRIu32
                 ", %s was %s and is now %s",
                 changed.event, changed.field, changed.expected, changed.actual);
        report(line, path, message, tally);
    } else
        tally->bare += changed.first == KIFU_NONE;
}

// --- All of them -----------------------------------------------------------------------------------------------------

// What is said of one save, and of several.
typedef struct words {
    const char *one_good, *good, *one_bad, *bad;
} words;

static const words is_valid = {"is valid", "are valid", "is not valid", "are not valid"},
                   loads_as_before = {"loads as before", "load as before", "does not load as before",
                                      "do not load as before"},
                   loads = {"loads", "load", "does not load as before", "do not load as before"};

static void sum_up(const tally *tally, const words *words)
{
    const unsigned all = tally->all, bad = tally->bad, unread = tally->unread, bare = tally->bare;
    if (!all)
        printf("there are no saves");
    else if (all == 1)
        printf("1 save %s", bad ? words->one_bad : words->one_good);
    else if (bad)
        printf("%u of %u saves %s", bad, all, bad == 1 ? words->one_bad : words->bad);
    else
        printf("all %u saves %s", all, words->good);
    if (unread && all == 1)
        printf("; only its checksums were verified, because the schema or the codec is missing");
    else if (unread)
        printf("; of %u only the checksums were verified, because the schema or the codec is missing", unread);
    if (bare && all == 1)
        printf("; it has no state or hash to compare with");
    else if (bare)
        printf("; %u %s no state or hash to compare with", bare, bare == 1 ? "has" : "have");
    putchar('\n');
}

static int go_over(const kifu__line *line, void (*each)(const kifu__line *line, const char *path, tally *tally),
                   const words *words)
{
    tally tally = {.first = true};
    kifu__paths paths = {0};
    bool found = true;
    for (uint32_t i = 0; i < line->file_count; i++)
        found = kifu__find_saves(line, line->files[i], &paths) && found;
    for (uint32_t i = 0; i < paths.count && !kifu__is_interrupted(); i++) {
        kifu__show_progress(line, i, paths.count, paths.items[i]);
        each(line, paths.items[i], &tally);
    }
    kifu__show_progress(line, paths.count, paths.count, "");
    kifu__free_paths(&paths);
    if (kifu__is_interrupted())
        return kifu__complain(line, NULL, "interrupted");
    if (line->json)
        fputs(tally.first ? "[]\n" : "\n]\n", stdout);
    else if (!line->quiet && (found || tally.all))
        sum_up(&tally, tally.bare ? &loads : words);
    return kifu__end_output(line, !found ? KIFU__EXIT_TROUBLE : tally.bad ? KIFU__EXIT_NO : KIFU__EXIT_WELL);
}

int kifu__verify(const kifu__line *line)
{
    return go_over(line, verify_one, &is_valid);
}

int kifu__check_saves(const kifu__line *line)
{
    return go_over(line, check_one, &loads_as_before);
}
