#include "uci.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ai.h"
#include "coordinates.h"
#include "fen.h"
#include "game.h"
#include "moves.h"
#include "perft.h"

enum { LEVELS = 10, MOST_PERFT = 12 };

typedef struct uci {
    const uci_input *input;
    kifu_timeline *timeline;
    uint32_t level;
    bool searching;
    bool waits; // "go infinite": the best move waits for "stop"
    bool stop, quit;
} uci;

// --- Words of a line -------------------------------------------------------------------------------------------------

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t");
}

static size_t word_length(const char *at)
{
    return strcspn(at, " \t\r\n"); // a line that was peeked at has its end
}

static bool is_word(const char *at, const char *word)
{
    return word_length(at) == strlen(word) && !strncmp(at, word, strlen(word));
}

static const char *next_word(const char *at)
{
    return skip_space(at + word_length(at));
}

// What follows a word of the line; NULL: the word is not there.
static const char *find_word(const char *line, const char *word)
{
    for (const char *at = skip_space(line); *at; at = next_word(at)) {
        if (is_word(at, word))
            return next_word(at);
    }
    return NULL;
}

static double number_behind(const char *line, const char *word)
{
    const char *at = find_word(line, word);
    return at ? strtod(at, NULL) : 0;
}

// From 0 to 4294967295, whatever number is there.
static uint32_t count_behind(const char *line, const char *word)
{
    const double number = number_behind(line, word);
    return !(number > 0) ? 0 : number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

// --- Position --------------------------------------------------------------------------------------------------------

static kifu_timeline *begin(const char *fen)
{
    kifu_timeline *timeline;
    fault fault = {0};
    kifu_error error;
    if (kifu_create(&chess_rules, &(kifu_options){.quiet = true, .seed = 1}, &timeline, &error)) {
        printf("info string %s\n", error.message);
        return NULL;
    }
    const kifu_result result = chess_begin(timeline, &(chess_setup){.fen = fen}, &fault);
    if (!result && fault.line)
        printf("info string position: FEN, column %" PRIu32 ": %s\n", fault.column, fault.message);
    if (!result)
        return timeline;
    if (fault.line)
        printf("info string position: FEN, column %" PRIu32 ": %s\n", fault.column, fault.message);
    else
        printf("info string position: %s\n", kifu_last_error(timeline)->message);
    kifu_destroy(timeline);
    return NULL;
}

// Plays "e2e4 e7e5"; false: one of them cannot be played.
static bool play_moves(kifu_timeline *timeline, const char *moves)
{
    unsigned number = 1;
    for (const char *at = moves; *at; at = next_word(at), number++) {
        const int length = (int)word_length(at);
        chess_move move;
        if (!coordinates_read(at, (size_t)length, &move)) {
            printf("info string position: move %u, %.*s: a move is written as e2e4, or e7e8q\n", number, length, at);
            return false;
        }
        const int player = kifu_current_player(kifu_get_game(timeline));
        if (chess_play_p_move(timeline, player, move.from, move.to, move.promotion)) {
            printf("info string position: move %u, %.*s: %s\n", number, length, at,
                   kifu_error_reason(kifu_last_error(timeline)));
            return false;
        }
    }
    return true;
}

// Where something is wrong, the position of before stays.
static void set_position(uci *uci, const char *arguments)
{
    const char *moves = find_word(arguments, "moves"), *fen = find_word(arguments, "fen");
    if (!fen && !is_word(arguments, "startpos")) {
        printf("info string position: startpos or fen comes behind it\n");
        return;
    }
    char text[2 * FEN_LENGTH] = "";
    if (fen) {
        const size_t length = moves ? (size_t)(strstr(fen, "moves") - fen) : strlen(fen);
        snprintf(text, sizeof text, "%.*s", length < sizeof text ? (int)length : (int)sizeof text - 1, fen);
    }
    kifu_timeline *timeline = begin(fen ? text : NULL);
    if (timeline && (!moves || play_moves(timeline, moves))) {
        kifu_destroy(uci->timeline);
        uci->timeline = timeline;
        return;
    }
    kifu_destroy(timeline);
}

static void show_position(const uci *uci)
{
    static const char letters[] = ".PNBRQK..pnbrqk";
    const chess_position *position = &chess_get_state(uci->timeline)->position;
    char fen[FEN_LENGTH];
    for (uint32_t i = 0; i < SQUARES; i++)
        printf("%c%s", letters[position->board[i ^ 56]], i % 8 == 7 ? "\n" : " ");
    fen_write(position, fen);
    printf("Fen: %s\nKey: %016" PRIx64 "\n", fen, position_key(position));
}

// --- Thinking --------------------------------------------------------------------------------------------------------

static void obey(uci *uci, const char *line);

// Other commands wait until the move is found.
static bool asked_to_stop(void *context)
{
    static const char *const urgent[] = {"isready", "stop", "ponderhit", "quit"};
    uci *uci = context;
    const char *line;
    while (!uci->stop && (line = uci->input->peek_line(uci->input->context))) {
        bool obeyed = false;
        for (size_t i = 0; i < sizeof urgent / sizeof *urgent; i++)
            obeyed |= is_word(skip_space(line), urgent[i]);
        if (!obeyed)
            break;
        obey(uci, uci->input->next_line(uci->input->context));
    }
    uci->quit |= uci->waits && uci->input->is_over(uci->input->context); // nobody can stop it any more
    return uci->stop || uci->quit;
}

static void tell(void *context, const ai_report *report)
{
    (void)context;
    const uint64_t milliseconds = (uint64_t)(report->seconds * 1e3);
    printf("info depth %" PRIu32, report->depth);
    if (report->score > AI_MATE - 1000 || report->score < 1000 - AI_MATE)
        printf(" score mate %d",
               report->score > 0 ? (AI_MATE - report->score + 1) / 2 : -(AI_MATE + report->score) / 2);
    else
        printf(" score cp %d", report->score);
    printf(" nodes %" PRIu64 " nps %.0f time %" PRIu64 " pv", report->tries,
           (double)report->tries / (report->seconds > 1e-6 ? report->seconds : 1e-6), milliseconds);
    for (uint32_t i = 0; i < report->line_length; i++) {
        char text[COORDINATES_LENGTH];
        coordinates_write(report->line[i], text);
        printf(" %s", text);
    }
    printf("\n");
    fflush(stdout);
}

// A share of the time that is left, so that it is enough for the rest of the game.
static double seconds_for(const uci *uci, const char *arguments)
{
    const bool white = position_to_move(&chess_get_state(uci->timeline)->position) == CHESS_SIDE_WHITE;
    const double left = number_behind(arguments, white ? "wtime" : "btime") / 1e3;
    const double more = number_behind(arguments, white ? "winc" : "binc") / 1e3;
    const double moves = number_behind(arguments, "movestogo");
    const double given = number_behind(arguments, "movetime") / 1e3;
    if (given > 0)
        return given;
    if (!find_word(arguments, white ? "wtime" : "btime"))
        return 0;
    const double share = left / (moves > 0 ? moves + 1 : 30) + more * 0.7;
    const double most = left * 0.8 - 0.05;
    const double seconds = share < most ? share : most;
    return seconds > 0.005 ? seconds : 0.005;
}

// What follows "searchmoves", up to a word that is no move. What is not legal is said, and left out; the same move
// twice, too.
static uint32_t read_only(const uci *uci, const char *arguments, chess_move only[MOST_MOVES])
{
    uint32_t count = 0;
    const char *at = find_word(arguments, "searchmoves");
    chess_move move;
    for (at = at ? at : ""; *at && coordinates_read(at, word_length(at), &move) && count < MOST_MOVES;
         at = next_word(at)) {
        const char *why = move_fault(&chess_get_state(uci->timeline)->position, move);
        bool there = false;
        for (uint32_t i = 0; i < count; i++)
            there |= only[i].from == move.from && only[i].to == move.to && only[i].promotion == move.promotion;
        if (why)
            printf("info string searchmoves: %.*s: %s\n", (int)word_length(at), at, why);
        else if (!there)
            only[count++] = move;
    }
    return count;
}

static void go(uci *uci, const char *arguments)
{
    chess_move only[MOST_MOVES];
    const bool waits = find_word(arguments, "infinite") || find_word(arguments, "ponder");
    ai_limits limits = {.depth = count_behind(arguments, "depth"),
                        .tries = count_behind(arguments, "nodes"),
                        .seconds = waits ? 0 : seconds_for(uci, arguments),
                        .stop = asked_to_stop,
                        .report = tell,
                        .context = uci};
    limits.only = only;
    limits.only_count = read_only(uci, arguments, only);
    if (find_word(arguments, "mate"))
        limits.depth = 2 * (count_behind(arguments, "mate") & INT32_MAX);
    if (!waits && !limits.depth && !limits.tries && limits.seconds <= 0)
        limits.seconds = 1;
    if (uci->level < LEVELS && (!limits.depth || limits.depth > uci->level))
        limits.depth = uci->level;
    chess_move best;
    kifu_error error;
    char text[COORDINATES_LENGTH] = "0000";
    uci->stop = false;
    uci->searching = true;
    uci->waits = waits;
    if (ai_choose(uci->timeline, &limits, &best, &error))
        printf("info string go: %s\n", error.message);
    else
        coordinates_write(best, text);
    fflush(stdout);
    while (waits && !uci->stop && !uci->quit) { // it has found all that it can
        const char *line = uci->input->next_line(uci->input->context);
        if (line)
            obey(uci, line);
        else
            uci->quit = true;
    }
    uci->searching = false;
    printf("bestmove %s\n", text);
}

static void go_perft(uci *uci, const char *arguments)
{
    const double depth = number_behind(arguments, "perft");
    chess_move moves[MOST_MOVES];
    uint64_t counts[MOST_MOVES], games = 0;
    kifu_result result = KIFU_OK;
    if (depth < 1 || depth > MOST_PERFT) {
        printf("info string go perft: its depth is a number from 1 to %d\n", MOST_PERFT);
        return;
    }
    const uint32_t count = chess_divide(uci->timeline, (uint32_t)depth, moves, counts, &result);
    for (uint32_t i = 0; i < count && !result; i++) {
        char text[COORDINATES_LENGTH];
        coordinates_write(moves[i], text);
        printf("%s: %" PRIu64 "\n", text, counts[i]);
        games += counts[i];
    }
    printf("\nNodes searched: %" PRIu64 "\n", games);
}

// --- Commands --------------------------------------------------------------------------------------------------------

static void introduce(void)
{
    printf("id name Kifu chess\nid author the Kifu project\n"
           "option name Level type spin default %d min 1 max %d\nuciok\n",
           LEVELS, LEVELS);
}

static void set_option(uci *uci, const char *arguments)
{
    const char *name = find_word(arguments, "name"), *value = find_word(arguments, "value");
    const long level = value ? strtol(value, NULL, 10) : 0;
    if (!name || !is_word(name, "Level"))
        printf("info string setoption: there is one option: name Level\n");
    else if (level < 1 || level > LEVELS)
        printf("info string setoption: Level is a number from 1 to %d\n", LEVELS);
    else
        uci->level = (uint32_t)level;
}

static void obey_idle(uci *uci, const char *command)
{
    const char *arguments = next_word(command);
    if (is_word(command, "uci"))
        introduce();
    else if (is_word(command, "ucinewgame"))
        set_position(uci, "startpos");
    else if (is_word(command, "position"))
        set_position(uci, arguments);
    else if (is_word(command, "setoption"))
        set_option(uci, arguments);
    else if (is_word(command, "go") && find_word(arguments, "perft"))
        go_perft(uci, arguments);
    else if (is_word(command, "go"))
        go(uci, arguments);
    else if (is_word(command, "d"))
        show_position(uci);
    else if (*command && !is_word(command, "debug") && !is_word(command, "register"))
        printf("info string %.*s: this is no command that I know\n", (int)word_length(command), command);
}

static void obey(uci *uci, const char *line)
{
    const char *command = skip_space(line);
    if (is_word(command, "isready"))
        printf("readyok\n");
    else if (is_word(command, "stop") || is_word(command, "ponderhit"))
        uci->stop = true;
    else if (is_word(command, "quit"))
        uci->stop = uci->quit = true;
    else if (!uci->searching)
        obey_idle(uci, command);
    else if (*command)
        printf("info string %.*s: not while I think\n", (int)word_length(command), command);
    fflush(stdout);
}

int uci_run(const uci_input *input)
{
    uci uci = {.input = input, .timeline = begin(NULL), .level = LEVELS};
    if (!uci.timeline)
        return 1;
    const char *line;
    while (!uci.quit && (line = input->next_line(input->context)))
        obey(&uci, line);
    kifu_destroy(uci.timeline);
    return 0;
}
