/// The commands, and what they share.
#ifndef KIFU_TOOL_COMMAND_H
#define KIFU_TOOL_COMMAND_H

#include <stdio.h>

#include "tool/game_file.h"

/// Exit statuses.
enum { KIFU__EXIT_WELL = 0, KIFU__EXIT_NO = 1, KIFU__EXIT_TROUBLE = 2, KIFU__EXIT_INTERRUPTED = 130 };

/// How far a command is.
typedef struct kifu__work {
    uint32_t number, count; ///< This file of so many.
    uint32_t next;          ///< The bar is drawn again at so many percent.
    const char *what;       ///< NULL: nothing is said of it.
    const struct kifu__line *line;
    void (*before)(int); ///< What SIGINT did before.
} kifu__work;

/// A command line, taken apart.
typedef struct kifu__line {
    const char *program;         ///< For messages: "kifu".
    const kifu_rules *rules;     ///< Of the game whose program this is; NULL: of none.
    const kifu_options *options; ///< For its timelines; NULL: none.
    const char **files;
    uint32_t file_count;
    const char *output; ///< NULL: not given.
    const char *schema;
    const char *type;      ///< Of events to be listed.
    uint32_t from, to, at; ///< Numbers of events; KIFU_NONE: not given.
    uint32_t of_line;      ///< Number of a line of the game; KIFU_NONE: not given.
    int player;            ///< -2: not given.
    int level;             ///< Of zstd; 0: without it; -1: its usual one.
    const char *title;     ///< Of a page; NULL: not given.
    uint64_t states;       ///< So many bytes the states in a page may have.
    uint64_t drawings;     ///< So many bytes the drawings in a page may have.
    bool play;             ///< A page in which the game is played on.
    uint64_t memory;       ///< So many bytes a file may take; 0: as `kifu_load_options.memory` says.
    kifu__work *work;
    bool json, json_lines, in_place, quiet, no_schema, no_state, undone, checks, all;
} kifu__line;

typedef struct kifu__command {
    const char *name;
    const char *arguments; ///< "FILE…"
    const char *what;      ///< One line.
    const char *options;   ///< Letters of those that it has, as command.c lists them.
    uint32_t least, most;  ///< How many files.
    bool of_game;          ///< Only a game's own program has it.
    int (*run)(const kifu__line *line);
} kifu__command;

int kifu__info(const kifu__line *line);
int kifu__events(const kifu__line *line);
int kifu__tree(const kifu__line *line);
int kifu__json(const kifu__line *line);
int kifu__diff(const kifu__line *line);
int kifu__verify(const kifu__line *line);
int kifu__recover(const kifu__line *line);
int kifu__pack_save(const kifu__line *line);
int kifu__unpack_save(const kifu__line *line);
int kifu__html(const kifu__line *line);
int kifu__show_state(const kifu__line *line);
int kifu__bisect(const kifu__line *line);
int kifu__check_saves(const kifu__line *line);

// --- Games of the program (verify.c, replay.c) -----------------------------------------------------------------------

/// The program is that of the game in the file, which is a save.
bool kifu__is_ours(const kifu__line *line, const kifu__game_file *file);

/// The game as the program's rules make it now, whatever the save says of states. `recover`: what is whole of it. The
/// caller destroys the timeline.
kifu_result kifu__load_as_now(const kifu__line *line, const kifu__file_bytes *bytes, bool recover,
                              kifu_timeline **timeline, kifu_error *error);

/// How many proposals and actions wait (info.c).
uint32_t kifu__waiting(const kifu_timeline *timeline);

// --- Lines of a game and their notes (lines.c) -----------------------------------------------------------------------

/// The line that the command line asks for, or the current one. False: complained.
bool kifu__choose_line(const kifu__line *line, const kifu_timeline *timeline, kifu_line *chosen);

/// Event number `index` on the way to the end of line `id`, and in `*owner` the line to which it belongs. False: there
/// is none.
bool kifu__event_on_way(const kifu_timeline *timeline, uint32_t id, uint32_t index, kifu_event *event, uint32_t *owner);

uint32_t kifu__count_notes(const kifu_timeline *timeline);

/// The first note at an event; then the next one there. False: there is no other.
bool kifu__note_there(const kifu_timeline *timeline, uint32_t line, uint32_t event, kifu_note *note);

/// The notes at an event: `!? "A comment" clock "1:30"`, or as members of a JSON object. `before` each.
void kifu__print_notes(kifu__printer *printer, const kifu_timeline *timeline, uint32_t line, uint32_t event,
                       const char *before);

// --- Input (open.c) --------------------------------------------------------------------------------------------------

/// As kifu__open_game, or complains. Of a log file that was not closed, what was written to it, too. It says on
/// standard error that a log file was not closed; and refuses one where the file itself is to be replaced.
bool kifu__open_or_complain(const kifu__line *line, const char *path, kifu__game_file *file);

/// Whether the game begins with its first event. False: complained.
bool kifu__has_beginning(const kifu__line *line, const kifu__game_file *file);

// --- Output (output.c) -----------------------------------------------------------------------------------------------

/// "kifu: game.kifu: what is wrong", to standard error. What a terminal could obey is replaced. `path` may be NULL.
/// KIFU__EXIT_TROUBLE.
int kifu__complain(const kifu__line *line, const char *path, const char *message);

/// The same with a format.
int kifu__complain_of(const kifu__line *line, const char *path, const char *format, ...) KIFU__PRINTF(3, 4);

/// Whether both paths lead to the same file.
bool kifu__is_same_file(const char *a, const char *b);

/// A kifu_text_writer to the FILE that is the context.
kifu_result kifu__write_to_stream(void *context, const char *text, size_t size);

/// A printer to standard output.
kifu__printer kifu__stdout_printer(bool plain);

/// Flushes standard output. `status`, or, if not all could be written, KIFU__EXIT_TROUBLE with a complaint.
int kifu__end_output(const kifu__line *line, int status);

/// The words of the command line as UTF-8; from then on, standard input and output pass bytes as they are. On Windows
/// they are new, where they are those of the process, and stay until it ends.
char **kifu__plain_words(int argc, char **argv);

/// The last part of a program's path, without the ".exe" of Windows. It may write to `path`.
const char *kifu__program_name(char *path);

bool kifu__is_terminal(FILE *stream);

/// How many characters a line of standard output has; 0: it is no terminal.
uint32_t kifu__width(void);

/// The escape sequence of a style for standard output: 'b' bold, 'd' dim, 'r' red, 'g' green, '0' none, '1' to '4' of
/// players; "" if it is no terminal, or the environment's NO_COLOR asks for none.
const char *kifu__style(char style);

/// Prints a text of which a terminal obeys nothing.
void kifu__put_safely(FILE *stream, const char *text);

// --- Long work (progress.c) ------------------------------------------------------------------------------------------

/// Shows on a terminal how far long work is; `done` = `all` removes it.
void kifu__show_progress(const kifu__line *line, uint32_t done, uint32_t all, const char *what);

/// Removes the bar, because something is printed or nothing hears of Ctrl-C any more.
void kifu__hide_progress(void);

/// A kifu_progress: shows how far this file is. `context` is the line's work. False after Ctrl-C.
bool kifu__goes_on(void *context, uint64_t done, uint64_t total);

/// How a command opens a file.
kifu__open_options kifu__opening(const kifu__line *line, const char *path);

/// For a whole command: Ctrl-C cancels what says how far it is, and ends the program elsewhere. The end: `status`, or
/// KIFU__EXIT_INTERRUPTED.
void kifu__begin_work(kifu__work *work);
int kifu__end_work(const kifu__work *work, int status);
bool kifu__is_interrupted(void);

/// Calls `visit` for a file, or for each save (*.kifu) in a folder and the folders in it, in the order of their names.
/// False: complained.
typedef struct kifu__paths {
    char **items;
    uint32_t count, capacity;
} kifu__paths;
bool kifu__find_saves(const kifu__line *line, const char *path, kifu__paths *paths);
void kifu__free_paths(kifu__paths *paths);

/// `text` ends in `.kifu`.
bool kifu__is_save_name(const char *text);

#endif
