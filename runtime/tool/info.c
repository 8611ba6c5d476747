// kifu info

#include "tool/command.h"

#include <inttypes.h>
#include <time.h>

#define KIFU__FORMAT "format 1.0" // Saves of another one are not read.

// "2026-11-22 10:20:30 UTC"
static void write_time(int64_t seconds, char *text, size_t size)
{
    const time_t time = (time_t)seconds;
    const struct tm *parts = gmtime(&time);
    if (!parts || !strftime(text, size, "%Y-%m-%d %H:%M:%S UTC", parts))
        snprintf(text, size, "%" PRId64 " seconds after 1970", seconds);
}

static const char *kind_of(const kifu__game_file *file)
{
    return file->is_json ? "JSON" : file->frames.packed ? "packed" : file->frames.is_log ? "log file" : "plain";
}

uint32_t kifu__waiting(const kifu_timeline *timeline)
{
    const kifu__turn_rules *turns = timeline->rules->turns;
    const uint32_t actions = turns && turns->actors ? turns->timed->actions(timeline, NULL).count : 0;
    return timeline->consequences.count + timeline->inputs.count + actions;
}

// --- For people ------------------------------------------------------------------------------------------------------

static void print_name(kifu__printer *printer, const char *name)
{
    kifu__print_format(printer, "  %s%-10s%s ", kifu__style('d'), name, kifu__style('0'));
}

static void print_head(kifu__printer *printer, const kifu__game_file *file)
{
    char time[60];
    kifu__print(printer, kifu__style('b'));
    kifu__print_name(printer, strcmp(file->path, "-") != 0 ? file->path : "standard input");
    kifu__print(printer, kifu__style('0'));
    kifu__print(printer, ": a game of ");
    kifu__print_name(printer, file->identity.game);
    kifu__print(printer, "\n");
    if (file->title) {
        print_name(printer, "title");
        kifu__print_name(printer, file->title);
        kifu__print(printer, "\n");
    }
    for (uint32_t i = 0; i < file->player_count; i++) {
        if (!i)
            print_name(printer, "players");
        kifu__print(printer, i ? ", " : "");
        kifu__print_name(printer, file->players[i]);
    }
    kifu__print(printer, file->player_count ? "\n" : "");
    write_time(file->saved_at, time, sizeof time);
    print_name(printer, "saved");
    kifu__print_format(printer, "%s\n", time);
}

static void print_game(kifu__printer *printer, const kifu__game_file *file)
{
    const kifu_timeline *timeline = file->timeline;
    const uint32_t executed = kifu_event_count(timeline);
    print_name(printer, "events");
    kifu__print_format(printer, "%" PRIu32, executed);
    if (timeline->log.begin)
        kifu__print_format(printer, ", of which the first %" PRIu32 " are forgotten", timeline->log.begin);
    if (timeline->log.branch->end != executed)
        kifu__print_format(printer, ", and %" PRIu32 " undone", timeline->log.branch->end - executed);
    if (kifu__waiting(timeline))
        kifu__print_format(printer, ", and %" PRIu32 " waiting", kifu__waiting(timeline));
    kifu__print(printer, "\n");
    const uint32_t notes = kifu__count_notes(timeline);
    if (kifu_line_count(timeline) > 1) {
        print_name(printer, "lines");
        kifu__print_format(printer, "%" PRIu32 ", and line %" PRIu32 " is the current one\n", kifu_line_count(timeline),
                           kifu_current_line(timeline));
    }
    if (notes) {
        print_name(printer, "notes");
        kifu__print_format(printer, "%" PRIu32 "\n", notes);
    }
    print_name(printer, "state");
    kifu__print_format(printer, "%s, %" PRIu32 " bytes; %" PRIu32 " hashes along the way\n",
                       file->state      ? "in the file"
                       : file->has_hash ? "only its hash"
                                        : "not in the file",
                       file->rules->state_size, timeline->log.branch->checkpoint_count);
}

static void print_file(kifu__printer *printer, const kifu__game_file *file)
{
    print_name(printer, "rules");
    kifu__print_format(printer, "version %" PRIu32 ", schema %016" PRIx64 "%s\n", file->identity.rules_version,
                       file->identity.fingerprint, file->has_schema ? "" : ", which is not in the file");
    print_name(printer, "file");
    kifu__print_format(printer, "%" PRIu64 " bytes, ", file->size);
    if (file->is_json)
        kifu__print(printer, "JSON\n");
    else if (file->frames.packed) {
        kifu__print(printer, file->codec[0] ? "packed by " : "compact");
        kifu__print_name(printer, file->codec);
        kifu__print(printer, ", " KIFU__FORMAT "\n");
    } else
        kifu__print_format(printer, "%s, " KIFU__FORMAT "\n",
                           file->frames.is_log ? "a log file that was not closed" : "plain");
    if (file->thumbnail) {
        print_name(printer, "thumbnail");
        kifu__print_format(printer, "%" PRIu32 " bytes\n", file->thumbnail_size);
    }
}

static void print_text(const kifu__game_file *file, const char *problem)
{
    kifu__printer printer = kifu__stdout_printer(true);
    print_head(&printer, file);
    if (file->timeline)
        print_game(&printer, file);
    else {
        print_name(&printer, "events");
        kifu__print_format(&printer, "%" PRIu32 ", as the header says\n", file->listed_events);
    }
    print_file(&printer, file);
    if (problem) {
        print_name(&printer, "problem");
        kifu__print(&printer, kifu__style('r'));
        kifu__print_name(&printer, problem);
        kifu__print(&printer, kifu__style('0'));
        kifu__print(&printer, "\n");
    }
    (void)kifu__print_end(&printer); // The stream remembers it.
}

// --- For programs ----------------------------------------------------------------------------------------------------

static void print_string(kifu__printer *printer, const char *name, const char *text, bool *first)
{
    if (!text)
        return;
    kifu__print_key(printer, name, first);
    kifu__print_string(printer, text, strlen(text));
}

static void print_number(kifu__printer *printer, const char *name, uint64_t number, bool *first)
{
    kifu__print_key(printer, name, first);
    kifu__print_format(printer, "%" PRIu64, number);
}

static void print_json(const kifu__game_file *file, const char *problem, bool first_file)
{
    kifu__printer printer = kifu__stdout_printer(false);
    bool first = true;
    kifu__print(&printer, first_file ? "{" : ",\n{");
    print_string(&printer, "file", file->path, &first);
    print_string(&printer, "problem", problem, &first);
    if (file->identity.game) {
        print_string(&printer, "game", file->identity.game, &first);
        print_string(&printer, "title", file->title, &first);
        kifu__print_key(&printer, "players", &first);
        for (uint32_t i = 0; i < file->player_count; i++) {
            kifu__print(&printer, i ? ", " : "[");
            kifu__print_string(&printer, file->players[i], strlen(file->players[i]));
        }
        kifu__print(&printer, file->player_count ? "]" : "[]");
        kifu__print_key(&printer, "saved_at", &first);
        kifu__print_format(&printer, "\"%" PRId64 "\"", file->saved_at);
        print_number(&printer, "rules_version", file->identity.rules_version, &first);
        kifu__print_key(&printer, "fingerprint", &first);
        kifu__print_u64(&printer, file->identity.fingerprint);
        print_number(&printer, "events", file->timeline ? kifu_event_count(file->timeline) : file->listed_events,
                     &first);
    }
    if (file->timeline) {
        const kifu_timeline *timeline = file->timeline;
        print_number(&printer, "undone", timeline->log.branch->end - kifu_event_count(timeline), &first);
        print_number(&printer, "waiting", kifu__waiting(timeline), &first);
        print_number(&printer, "lines", kifu_line_count(timeline), &first);
        print_number(&printer, "notes", kifu__count_notes(timeline), &first);
        print_number(&printer, "hashes", timeline->log.branch->checkpoint_count, &first);
        print_number(&printer, "state_size", file->rules->state_size, &first);
        kifu__print_key(&printer, "has_state", &first);
        kifu__print(&printer, file->state ? "true" : "false");
    }
    kifu__print_key(&printer, "has_schema", &first);
    kifu__print(&printer, file->has_schema ? "true" : "false");
    if (file->identity.game)
        print_string(&printer, "kind", kind_of(file), &first);
    if (file->codec[0])
        print_string(&printer, "codec", file->codec, &first);
    print_number(&printer, "size", file->size, &first);
    kifu__print(&printer, "}");
    (void)kifu__print_end(&printer);
}

// --- A file ----------------------------------------------------------------------------------------------------------

// What the header says counts even where the rest cannot be read, because then it is all that there is.
static int inform(const kifu__line *line, const char *path, bool first)
{
    kifu__open_options options = kifu__opening(line, path), good = options;
    kifu__game_file file;
    kifu_error error;
    const char *problem = NULL;
    good.recover = options.so_far = true;
    if (kifu__open_game(path, &options, &file, &error)) {
        kifu_error ignored;
        problem = error.message;
        const bool again = strcmp(path, "-") != 0 && !file.is_json;
        if (again) {
            kifu__close_game(&file);
            if (kifu__open_game(path, &good, &file, &ignored)) {
                kifu__close_game(&file);
                (void)kifu__open_head(path, &file, &ignored);
            }
        }
    } else if (file.recovery.dropped) // A log file is never whole, and loses nothing by it if it was not cut off.
        problem = error.message;
    const bool known = file.identity.game != NULL;
    if (line->json)
        print_json(&file, problem, first);
    else if (known)
        print_text(&file, problem);
    else
        kifu__complain(line, path, problem);
    kifu__close_game(&file);
    return !problem ? KIFU__EXIT_WELL : known ? KIFU__EXIT_NO : KIFU__EXIT_TROUBLE;
}

int kifu__info(const kifu__line *line)
{
    int status = KIFU__EXIT_WELL;
    fputs(line->json ? "[" : "", stdout);
    for (uint32_t i = 0; i < line->file_count; i++) {
        const int its = inform(line, line->files[i], i == 0);
        status = its > status ? its : status;
    }
    fputs(line->json ? "]\n" : "", stdout);
    return kifu__end_output(line, status);
}
