#include "sgf_root.h"

#include <ctype.h>
#include <kifu/notes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Rules -----------------------------------------------------------------------------------------------------------

// The first name of each combination is the one that is written.
static const struct {
    const char *name;
    go_ko ko;
    go_counting counting;
} rules[] = {{"Chinese", GO_KO_POSITIONAL, GO_COUNTING_AREA},
             {"NZ", GO_KO_SITUATIONAL, GO_COUNTING_AREA},
             {"AGA", GO_KO_SITUATIONAL, GO_COUNTING_TERRITORY},
             {"Japanese", GO_KO_SIMPLE, GO_COUNTING_TERRITORY},
             {"GOE", GO_KO_SITUATIONAL, GO_COUNTING_AREA},
             {"Tromp-Taylor", GO_KO_POSITIONAL, GO_COUNTING_AREA},
             {"simple ko, area", GO_KO_SIMPLE, GO_COUNTING_AREA},
             {"superko, territory", GO_KO_POSITIONAL, GO_COUNTING_TERRITORY}};

enum { RULES = sizeof rules / sizeof *rules, JAPANESE = 3 };

static bool is_same_name(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        a++, b++;
    return *a == *b;
}

// Rules of another name are those that most records have.
static void take_rules(const char *name, go_terms *terms)
{
    size_t known = JAPANESE;
    for (size_t i = 0; i < RULES; i++)
        known = is_same_name(rules[i].name, name) ? i : known;
    terms->ko = rules[known].ko;
    terms->counting = rules[known].counting;
}

static const char *rules_name(const go_terms *terms)
{
    size_t known = 0;
    while (rules[known].ko != terms->ko || rules[known].counting != terms->counting)
        known++;
    return rules[known].name;
}

// --- Reading ---------------------------------------------------------------------------------------------------------

// "19", or "19:19" for a board that could have other sides.
static sgf_reading take_size(const sgf_tree *tree, const sgf_value *value, uint8_t *size)
{
    const char *colon = memchr(value->at, ':', value->length);
    const size_t length = colon ? (size_t)(colon - value->at) : value->length;
    const sgf_value side = {value->at, length};
    double number;
    if (colon && (value->length != 2 * length + 1 || memcmp(value->at, colon + 1, length)))
        return sgf_wrong(tree, value->at, "this board is no square; a square one has 9 to 19 lines");
    const sgf_reading reading = sgf_take_number(tree, &side, LEAST_LINES, MOST_LINES, &number);
    *size = reading ? 0 : (uint8_t)number;
    return reading;
}

static sgf_reading take_first(const sgf_tree *tree, const char *name, const sgf_value *value, go_setup *setup)
{
    go_terms *terms = &setup->terms;
    double number = 0;
    sgf_reading reading = SGF_READ;
    if (!strcmp(name, "GM") && (value->length != 1 || *value->at != '1'))
        return sgf_wrong(tree, value->at, "this is another game than Go: Go is GM[1]");
    if (!strcmp(name, "SZ")) {
        reading = take_size(tree, value, &terms->size);
    } else if (!strcmp(name, "KM")) {
        reading = value->length ? sgf_take_number(tree, value, -400, 400, &number) : SGF_READ;
        terms->komi = (int16_t)(2 * number);
    } else if (!strcmp(name, "HA")) {
        reading = value->length ? sgf_take_number(tree, value, 0, 200, &number) : SGF_READ;
        terms->handicap = (uint8_t)number;
    } else if (!strcmp(name, "PL")) {
        reading = sgf_take_color(tree, value, &setup->first);
    } else if (!strcmp(name, "RU")) {
        buffer text = {0};
        sgf_take_text(&text, value);
        if (text.text)
            take_rules(text.text, terms);
        reading = text.failed ? SGF_NO_MEMORY : SGF_READ;
        free(text.text);
    }
    return reading;
}

sgf_reading sgf_root_read(const sgf_tree *tree, go_setup *setup, sgf_stones *stones)
{
    sgf_reading reading = SGF_READ;
    *setup = (go_setup){.terms = {.size = MOST_LINES, .counting = GO_COUNTING_TERRITORY}};
    for (uint32_t i = 0; i < tree->nodes[0].count && !reading; i++) {
        const char *at = tree->properties[i].at;
        const sgf_value value = sgf_next_value(&at);
        reading = take_first(tree, tree->properties[i].name, &value, setup);
    }
    if (!reading)
        reading = sgf_take_stones(tree, &tree->nodes[0], &setup->terms, stones);
    setup->black = stones->black.items;
    setup->black_count = stones->black.count;
    setup->white = stones->white.items;
    setup->white_count = stones->white.count;
    return reading;
}

// --- Writing ---------------------------------------------------------------------------------------------------------

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(name, names[i]))
            return true;
    }
    return false;
}

sgf_part sgf_root_part(const char *name)
{
    static const char *const said[] = {"FF", "GM", "CA", "SZ", "AB", "AW", "B", "W", SGF_UNSAID};
    static const char *const kept[] = {"KM", "RU", "HA", "PL", "RE"};
    if (is_one_of(name, said, sizeof said / sizeof *said))
        return SGF_SAID;
    return is_one_of(name, kept, sizeof kept / sizeof *kept) ? SGF_KEPT : SGF_NOTE;
}

static go_stone usual_first(const go_terms *terms)
{
    return terms->handicap ? GO_STONE_WHITE : GO_STONE_BLACK;
}

void sgf_root_print(buffer *buffer, const char *name, const go_terms *terms, go_stone first)
{
    const int komi = terms->komi;
    buffer_put(buffer, "", 0);
    if (!strcmp(name, "KM"))
        buffer_print(buffer, "%s%d%s", komi < 0 ? "-" : "", abs(komi) / 2, komi % 2 ? ".5" : "");
    else if (!strcmp(name, "RU"))
        buffer_print(buffer, "%s", rules_name(terms));
    else if (!strcmp(name, "HA") && terms->handicap)
        buffer_print(buffer, "%u", (unsigned)terms->handicap);
    else if (!strcmp(name, "PL") && first != usual_first(terms))
        buffer_print(buffer, "%c", first == GO_STONE_WHITE ? 'W' : 'B');
}

// The number in a text that may have any, for a type that has only those up to `most`.
static int16_t number_of(const char *text, double factor, int16_t most)
{
    char plain[40];
    snprintf(plain, sizeof plain, "%s", text);
    for (char *comma = strchr(plain, ','); comma && !strchr(plain, '.');)
        *comma = '.';
    const double number = factor * strtod(plain, NULL);
    return number >= -most && number <= most ? (int16_t)number : INT16_MIN;
}

// Whether another text says the same.
static bool agrees(const char *name, const char *text, const go_terms *terms, go_stone first)
{
    go_terms said = *terms;
    if (!strcmp(name, "KM"))
        said.komi = number_of(text, 2, 800);
    else if (!strcmp(name, "HA"))
        return number_of(text, 1, UINT8_MAX) == terms->handicap;
    else if (!strcmp(name, "RU"))
        take_rules(text, &said);
    else
        return (*text && strchr("Ww2", *text)) == (first == GO_STONE_WHITE);
    return said.komi == terms->komi && said.handicap == terms->handicap && said.ko == terms->ko &&
           said.counting == terms->counting;
}

// "W+Resign" says as much as "W+R", and anything as much as that nothing is known.
static bool agrees_with_result(const char *text, const char *result)
{
    return *result == '?' || (*text == *result && (strchr(text, 'R') != NULL) == (strchr(result, 'R') != NULL));
}

// A kept property: what the game says, or the note that says the same.
static void put_kept(buffer *buffer, const char *name, const char *own, const char *note, bool agrees)
{
    const char *text = note && agrees ? note : own;
    if (!text || (text == own && !*own))
        return;
    buffer_print(buffer, "%s", name);
    sgf_put_text(buffer, text);
}

static const char *note_at(const kifu_timeline *timeline, uint32_t line, uint32_t event, const char *name)
{
    kifu_note note;
    return kifu_find_note(timeline, line, event, name, &note) ? note.text : NULL;
}

bool sgf_root_unsaid(const char *names, const char *name)
{
    return names && strstr(names, name);
}

void sgf_root_put(buffer *out, const kifu_timeline *timeline, uint32_t line, const kifu_event *event,
                  const sgf_outcome *outcome)
{
    static const char *const names[] = {"KM", "RU", "HA", "PL"};
    const go_e_set_up *set_up = event->table;
    go_terms terms = set_up->terms;
    terms.komi = outcome->komi;
    buffer_print(out, "FF[4]GM[1]CA[UTF-8]SZ[%u]", (unsigned)terms.size);
    const char *unsaid = note_at(timeline, line, event->index, SGF_UNSAID);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        buffer own = {0};
        if (sgf_root_unsaid(unsaid, names[i]) && (i || terms.komi == set_up->terms.komi))
            continue;
        const char *note = note_at(timeline, line, event->index, names[i]);
        sgf_root_print(&own, names[i], &terms, set_up->first);
        put_kept(out, names[i], own.text, note, note && agrees(names[i], note, &terms, set_up->first));
        out->failed |= own.failed;
        free(own.text);
    }
    const char *result = note_at(timeline, line, event->index, "RE");
    put_kept(out, "RE", *outcome->result == '?' ? NULL : outcome->result, result,
             result && agrees_with_result(result, outcome->result));
    sgf_put_points(out, &terms, "AB", go_e_set_up_black(set_up), go_e_set_up_black_count(set_up));
    sgf_put_points(out, &terms, "AW", go_e_set_up_white(set_up), go_e_set_up_white_count(set_up));
}
