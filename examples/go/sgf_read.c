#include <kifu/notes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "points.h"
#include "rules.h"
#include "sgf.h"
#include "sgf_charset.h"
#include "sgf_notes.h"
#include "sgf_root.h"

enum { NO_MOVE = 0 };

// Where a node was played, and what its children need to know of it and of each other.
typedef struct played {
    uint32_t line, count;        // after so many events of the line
    uint32_t last_child, before; // the last one of its children so far, and the child before this one; 0: none
    uint32_t edits;              // how many of its children begin with an edit
    uint32_t move;               // with which it begins, or NO_MOVE
} played;

typedef struct reader {
    sgf_tree tree;
    played *played; // by node
    kifu_timeline *timeline;
} reader;

typedef struct move {
    const char *at;
    go_stone stone; // GO_STONE_NONE: there is no move
    uint32_t point;
} move;

static kifu_result result_of(sgf_reading reading)
{
    return reading == SGF_READ ? KIFU_OK : reading == SGF_WRONG ? KIFU_REJECTED : KIFU_NO_MEMORY;
}

// What Kifu or the rules have against what the text says at a place.
static kifu_result judged(const reader *reader, kifu_result result, const char *at)
{
    if (result == KIFU_OK || result == KIFU_NO_MEMORY)
        return result;
    return result_of(sgf_wrong(&reader->tree, at, "%s", kifu_error_reason(kifu_last_error(reader->timeline))));
}

// --- Notes -----------------------------------------------------------------------------------------------------------

static bool is_played(const char *name)
{
    static const char *const names[] = {"B", "W", "AB", "AW", "AE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strcmp(name, names[i]))
            return true;
    }
    return false;
}

// At the last event.
static kifu_result take_notes(const reader *reader, const sgf_node *node, go_stone stone)
{
    const uint32_t event = kifu_event_count(reader->timeline) - 1;
    kifu_result result = KIFU_OK;
    for (uint32_t i = node->first; i < node->first + node->count && !result; i++) {
        const sgf_property *property = &reader->tree.properties[i];
        if (!is_played(property->name) && (stone || strcmp(property->name, "PL"))) // behind a move, PL only says it
            result = judged(reader, sgf_note_take(reader->timeline, event, stone, property), property->at);
    }
    return result;
}

// What the game says itself needs a note only if the text says it in another way.
static kifu_result keep_text(const reader *reader, const sgf_property *property)
{
    const go_state *state = go_get_state(reader->timeline);
    const char *at = property->at;
    const sgf_value value = sgf_next_value(&at);
    buffer text = {0}, own = {0};
    sgf_take_text(&text, &value);
    sgf_root_print(&own, property->name, &state->terms, rules_to_move(&state->game));
    kifu_result result = text.failed || own.failed ? KIFU_NO_MEMORY : KIFU_OK;
    if (!result && strcmp(text.text, own.text))
        result = kifu_set_note(reader->timeline, kifu_event_count(reader->timeline) - 1, property->name, text.text);
    free(text.text);
    free(own.text);
    return judged(reader, result, property->at);
}

// Another program would take what is written for what the text has said.
static kifu_result note_unsaid(const reader *reader)
{
    const sgf_node *root = &reader->tree.nodes[0];
    const char *komi = sgf_find(&reader->tree, root, "KM") ? "" : "KM";
    const char *rules = sgf_find(&reader->tree, root, "RU") ? "" : "RU";
    char names[8];
    snprintf(names, sizeof names, "%s%s%s", komi, *komi && *rules ? " " : "", rules);
    return *names ? judged(reader,
                           kifu_set_note(reader->timeline, kifu_event_count(reader->timeline) - 1, SGF_UNSAID, names),
                           root->at)
                  : KIFU_OK;
}

static kifu_result take_root_notes(const reader *reader)
{
    const sgf_node *root = &reader->tree.nodes[0];
    const uint32_t event = kifu_event_count(reader->timeline) - 1;
    kifu_result result = KIFU_OK;
    for (uint32_t i = root->first; i < root->first + root->count && !result; i++) {
        const sgf_property *property = &reader->tree.properties[i];
        const sgf_part part = sgf_root_part(property->name);
        if (part == SGF_KEPT)
            result = keep_text(reader, property);
        else if (part == SGF_NOTE)
            result = judged(reader, sgf_note_take(reader->timeline, event, GO_STONE_NONE, property), property->at);
    }
    return result;
}

// --- Moves and edits -------------------------------------------------------------------------------------------------

static sgf_reading find_move(const reader *reader, const sgf_node *node, move *move)
{
    *move = (struct move){.at = node->at};
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        const sgf_property *property = &reader->tree.properties[i];
        if (strcmp(property->name, "B") && strcmp(property->name, "W"))
            continue;
        if (move->stone || property->values > 1)
            return sgf_wrong(&reader->tree, property->at, "a node has one move");
        const char *at = property->at;
        const sgf_value value = sgf_next_value(&at);
        move->at = value.at;
        move->stone = *property->name == 'B' ? GO_STONE_BLACK : GO_STONE_WHITE;
        move->point = point_read_sgf(&go_get_state(reader->timeline)->terms, value.at, value.length);
        if (move->point == WRONG_POINT)
            return sgf_wrong(&reader->tree, value.at, "this is no point of the board");
    }
    return SGF_READ;
}

// The edit of a node. `*needed`: it has one, or its move is not possible, or not new, without one.
static sgf_reading find_edit(const reader *reader, const sgf_node *node, const move *move, sgf_stones *stones,
                             go_p_edit_args *edit, bool *needed)
{
    const go_state *state = go_get_state(reader->timeline);
    const sgf_property *first = sgf_find(&reader->tree, node, "PL");
    sgf_reading reading = sgf_take_stones(&reader->tree, node, &state->terms, stones);
    if (!reading && first && !move->stone) {
        const char *at = first->at;
        const sgf_value value = sgf_next_value(&at);
        reading = sgf_take_color(&reader->tree, &value, &edit->first);
    }
    if (move->stone && (state->stage != GO_STAGE_PLAYING || rules_to_move(&state->game) != move->stone))
        edit->first = move->stone;
    edit->black = stones->black.items;
    edit->black_count = stones->black.count;
    edit->white = stones->white.items;
    edit->white_count = stones->white.count;
    edit->empty = stones->empty.items;
    edit->empty_count = stones->empty.count;
    *needed |= !move->stone || edit->first || edit->black_count || edit->white_count || edit->empty_count;
    return reading;
}

// Whether a child of the same node before this one begins with the same move. Kifu would take both for one line.
static bool is_there(const reader *reader, const played *parent, uint32_t move)
{
    uint32_t child = parent->last_child;
    while (child && reader->played[child].move != move)
        child = reader->played[child].before;
    return child != 0;
}

static kifu_ticket submit_move(const reader *reader, const move *move)
{
    const int player = go_get_state(reader->timeline)->game.order[move->stone - 1];
    return move->point == NO_POINT ? go_submit_p_pass(reader->timeline, player)
                                   : go_submit_p_play(reader->timeline, player, (uint16_t)move->point);
}

// One undo takes back both.
static kifu_result play_edit(const reader *reader, const go_p_edit_args *edit, const move *move)
{
    kifu_timeline *timeline = reader->timeline;
    kifu_result result = kifu_begin(timeline, 0);
    if (result)
        return result;
    go_submit_p_edit(timeline, go_get_state(timeline)->game.order[0], edit);
    if (move->stone)
        kifu_override(timeline, submit_move(reader, move), true, true);
    result = kifu_run(timeline);
    if (!result)
        return kifu_commit(timeline);
    const kifu_error error = *kifu_last_error(timeline);
    kifu_roll_back(timeline);
    return judged(reader, error.result, move->at);
}

static kifu_result play_move(const reader *reader, const move *move)
{
    submit_move(reader, move);
    return judged(reader, kifu_run(reader->timeline), move->at);
}

// --- Nodes -----------------------------------------------------------------------------------------------------------

static kifu_result go_to(const reader *reader, const played *place)
{
    kifu_timeline *timeline = reader->timeline;
    if (kifu_current_line(timeline) == place->line && kifu_event_count(timeline) == place->count)
        return KIFU_OK;
    return kifu_go_to(timeline, place->line, place->count, true);
}

static void remember(const reader *reader, played *played)
{
    played->line = kifu_current_line(reader->timeline);
    played->count = kifu_event_count(reader->timeline);
}

static kifu_result play_node(reader *reader, uint32_t number)
{
    const sgf_node *node = &reader->tree.nodes[number];
    played *parent = &reader->played[node->parent], *own = &reader->played[number];
    sgf_stones stones = {.taken = {false}};
    go_p_edit_args edit = go_p_edit_defaults();
    move move;
    kifu_result result = judged(reader, go_to(reader, parent), node->at);
    if (!result)
        result = result_of(find_move(reader, node, &move));
    if (result)
        return result;
    own->move = move.stone ? move.stone * 512u + move.point : NO_MOVE;
    bool needs_edit = own->move && is_there(reader, parent, own->move);
    result = result_of(find_edit(reader, node, &move, &stones, &edit, &needs_edit));
    if (!result && needs_edit) {
        own->move = NO_MOVE;
        edit.number = parent->edits++;
        result = play_edit(reader, &edit, &move);
    } else if (!result)
        result = play_move(reader, &move);
    own->before = parent->last_child;
    parent->last_child = number;
    remember(reader, own);
    return result ? result : take_notes(reader, node, move.stone);
}

// The first node: the game begins. It may have a move, which is a step of its own.
static kifu_result play_root(reader *reader)
{
    static const uint64_t seed = 1;
    const sgf_node *root = &reader->tree.nodes[0];
    sgf_stones stones = {.taken = {false}};
    go_setup setup;
    move move;
    kifu_result result = result_of(sgf_root_read(&reader->tree, &setup, &stones));
    setup.seed = &seed;
    if (!result)
        result = judged(reader, go_begin(reader->timeline, &setup), root->at);
    if (!result)
        result = note_unsaid(reader);
    if (!result)
        result = take_root_notes(reader);
    if (!result)
        result = result_of(find_move(reader, root, &move));
    if (!result && move.stone) {
        go_p_edit_args edit = go_p_edit_defaults();
        edit.first = move.stone;
        result = rules_to_move(kifu_get_game(reader->timeline)) == move.stone ? play_move(reader, &move)
                                                                              : play_edit(reader, &edit, &move);
    }
    remember(reader, &reader->played[0]);
    return result;
}

// The stones need not say why a game ended.
static kifu_result end_game(reader *reader)
{
    const sgf_property *property = sgf_find(&reader->tree, &reader->tree.nodes[0], "RE");
    const char *at = property ? property->at : "[]";
    const sgf_value value = sgf_next_value(&at);
    kifu_line main;
    kifu_line_at(reader->timeline, 0, &main);
    kifu_result result =
        judged(reader, go_to(reader, &(played){.line = 0, .count = main.from + main.count}), reader->tree.begin);
    if (result || value.length < 3 || (*value.at != 'B' && *value.at != 'W') || value.at[1] != '+' ||
        (value.at[2] != 'R' && value.at[2] != 'r'))
        return result;
    const int loser = go_get_state(reader->timeline)->game.order[*value.at == 'B'];
    return judged(reader, go_play_p_resign(reader->timeline, loser), property->at);
}

// The tree of the game. What stands in `*text` is replaced by the same in UTF-8, if need be; `*converted` is to be
// freed.
static kifu_result read_tree(reader *reader, uint32_t game, char **converted)
{
    const char *at = reader->tree.begin;
    bool latin1 = false;
    sgf_reading reading = SGF_READ;
    sgf_tree_free(&reader->tree);
    reader->tree = (sgf_tree){.begin = reader->tree.begin, .fault = reader->tree.fault};
    for (uint32_t i = 1; i < game && strchr(at, '('); i++)
        at = sgf_end(at);
    if (game > 1 && !strchr(at, '(')) {
        sgf_wrong(&reader->tree, at, "there is no game %u: this was the last one", (unsigned)game);
        return KIFU_NOT_FOUND;
    }
    reading = sgf_tree_read(&reader->tree, &at);
    if (!reading)
        reading = sgf_charset(&reader->tree, &latin1);
    if (reading || !latin1 || *converted)
        return result_of(reading);
    *converted = sgf_from_latin1(reader->tree.begin);
    reader->tree.begin = *converted;
    return *converted ? read_tree(reader, game, converted) : KIFU_NO_MEMORY;
}

static kifu_result read_game(reader *reader)
{
    reader->played = calloc(reader->tree.node_count, sizeof *reader->played);
    if (!reader->played)
        return KIFU_NO_MEMORY;
    kifu_result result = play_root(reader);
    for (uint32_t i = 1; i < reader->tree.node_count && !result; i++)
        result = play_node(reader, i);
    return result ? result : end_game(reader);
}

kifu_result sgf_read(const char *text, uint32_t game, const kifu_options *options, kifu_timeline **timeline,
                     fault *fault)
{
    kifu_options own = *options;
    kifu_error error = {.message = "out of memory"};
    char *converted = NULL;
    *fault = (struct fault){0};
    own.quiet = true;
    own.keep_variations = kifu_keep_variations;
    own.keep_notes = kifu_keep_notes;
    reader reader = {.tree = {.begin = text, .fault = fault}};
    kifu_result result = read_tree(&reader, game, &converted);
    if (!result)
        result = kifu_create(&go_rules, &own, &reader.timeline, &error);
    if (!result)
        result = read_game(&reader);
    if (result && !fault->line)
        snprintf(fault->message, sizeof fault->message, "%.*s", (int)sizeof fault->message - 1, error.message);
    if (result) {
        kifu_destroy(reader.timeline);
        reader.timeline = NULL;
    } else
        kifu_set_quiet(reader.timeline, options->quiet);
    *timeline = reader.timeline;
    sgf_tree_free(&reader.tree);
    free(reader.played);
    free(converted);
    return result;
}
