#include "sgf_tree.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    sgf_tree *tree;
    const char *at;
    uint32_t depth;
    uint32_t last;              // the node that the next one follows; KIFU_NONE as long as there is none
    uint32_t begins[SGF_DEPTH]; // for each open parenthesis, `last` before it
} reader;

static const uint32_t NO_NODE = UINT32_MAX;

sgf_reading sgf_wrong(const sgf_tree *tree, const char *at, const char *format, ...)
{
    fault *fault = tree->fault;
    const char *line_begin = tree->begin;
    fault->line = 1;
    for (const char *c = tree->begin; c < at; c++) {
        if (*c == '\n') {
            fault->line++;
            line_begin = c + 1;
        }
    }
    fault->column = (uint32_t)(at - line_begin) + 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->message, sizeof fault->message, format, arguments);
    va_end(arguments);
    return SGF_WRONG;
}

static sgf_reading wrong(const reader *reader, const char *at, const char *message)
{
    return sgf_wrong(reader->tree, at, "%s", message);
}

static void skip_space(reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

// Room for one more item; NULL without memory.
static void *grow(void *items, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return items;
    const uint32_t more = *room ? 2 * *room : 64;
    void *grown = more > *room ? realloc(items, more * size) : NULL;
    if (grown)
        *room = more;
    return grown;
}

// --- Properties ------------------------------------------------------------------------------------------------------

// Over a value with its brackets. A backslash takes away the meaning of what follows it.
static sgf_reading skip_value(reader *reader)
{
    const char *begin = reader->at;
    for (reader->at++; *reader->at != ']'; reader->at++) {
        reader->at += *reader->at == '\\' && reader->at[1];
        if (!*reader->at)
            return wrong(reader, begin, "this value is not closed by ]");
    }
    reader->at++;
    skip_space(reader);
    return SGF_READ;
}

static sgf_reading read_name(reader *reader, char name[SGF_NAME])
{
    const char *begin = reader->at;
    size_t used = 0;
    for (; isalpha((unsigned char)*reader->at); reader->at++) {
        if (!isupper((unsigned char)*reader->at))
            continue;
        if (used + 1 == SGF_NAME)
            return wrong(reader, begin, "the name of this property is too long");
        name[used++] = *reader->at;
    }
    name[used] = '\0';
    skip_space(reader);
    if (*reader->at != '[')
        return wrong(reader, begin, "a property has a value in brackets: B[dd]");
    return used ? SGF_READ : wrong(reader, begin, "the name of a property has capital letters");
}

static sgf_reading read_property(reader *reader)
{
    sgf_tree *tree = reader->tree;
    sgf_property property = {.values = 0};
    sgf_reading reading = read_name(reader, property.name);
    property.at = reader->at;
    for (; !reading && *reader->at == '['; property.values++)
        reading = skip_value(reader);
    if (reading)
        return reading;
    sgf_property *properties = grow(tree->properties, tree->property_count, &tree->property_room, sizeof property);
    if (!properties)
        return SGF_NO_MEMORY;
    tree->properties = properties;
    properties[tree->property_count++] = property;
    tree->nodes[tree->node_count - 1].count++;
    return SGF_READ;
}

// --- Nodes -----------------------------------------------------------------------------------------------------------

static sgf_reading read_node(reader *reader)
{
    sgf_tree *tree = reader->tree;
    sgf_node *nodes = grow(tree->nodes, tree->node_count, &tree->node_room, sizeof *nodes);
    if (!nodes)
        return SGF_NO_MEMORY;
    tree->nodes = nodes;
    nodes[tree->node_count] = (sgf_node){
        .parent = reader->last == NO_NODE ? 0 : reader->last, .first = tree->property_count, .at = reader->at};
    reader->last = tree->node_count++;
    reader->at++;
    skip_space(reader);
    sgf_reading reading = SGF_READ;
    while (!reading && isalpha((unsigned char)*reader->at))
        reading = read_property(reader);
    return reading;
}

static sgf_reading open_variation(reader *reader)
{
    if (reader->depth == SGF_DEPTH)
        return sgf_wrong(reader->tree, reader->at, "variations are nested more than %u times", (unsigned)SGF_DEPTH);
    if (reader->depth && reader->last == NO_NODE)
        return wrong(reader, reader->at, "a game begins with a node (;)");
    reader->begins[reader->depth++] = reader->last;
    const char *begin = reader->at++;
    skip_space(reader);
    return *reader->at == ';' ? SGF_READ : wrong(reader, begin, "this variation has no node: one begins with ;");
}

// What comes next in a game: a node, a variation, or the end of one.
static sgf_reading read_next(reader *reader, bool *closed)
{
    const bool was_closed = *closed;
    *closed = *reader->at == ')';
    switch (*reader->at) {
    case ';':
        return was_closed ? wrong(reader, reader->at, "after a variation comes another one, or )") : read_node(reader);
    case '(':
        return open_variation(reader);
    case ')':
        reader->last = reader->begins[--reader->depth];
        reader->at++;
        return SGF_READ;
    case '\0':
        return wrong(reader, reader->at, "a ) is missing");
    default:
        return wrong(reader, reader->at, "here comes a node (;), a variation or )");
    }
}

sgf_reading sgf_tree_read(sgf_tree *tree, const char **text)
{
    reader reader = {.tree = tree, .at = *text + strcspn(*text, "("), .last = NO_NODE};
    if (!*reader.at)
        return wrong(&reader, *text, "there is no game: one begins with (");
    bool closed = false;
    sgf_reading reading = SGF_READ;
    do {
        reading = read_next(&reader, &closed);
        if (reader.depth)
            skip_space(&reader);
    } while (!reading && reader.depth);
    if (!reading)
        *text = reader.at;
    return reading;
}

// Behind the value that begins here with a bracket.
static const char *value_end(const char *at)
{
    for (at++; *at && *at != ']'; at++)
        at += *at == '\\' && at[1];
    return *at ? at + 1 : at;
}

const char *sgf_end(const char *text)
{
    uint32_t depth = 0;
    for (const char *at = text + strcspn(text, "("); *at;) {
        depth += *at == '(';
        depth -= *at == ')';
        at = *at == '[' ? value_end(at) : at + 1;
        if (!depth)
            return at;
    }
    return text + strlen(text);
}

void sgf_look(const char *text, const char *name, char *value, size_t room)
{
    const char *at = text + strcspn(text, "(");
    at += strspn(at, "( \t\r\n;");
    *value = '\0';
    while (isalpha((unsigned char)*at)) {
        char found[SGF_NAME] = "";
        for (size_t used = 0; isalpha((unsigned char)*at); at++) {
            if (isupper((unsigned char)*at) && used + 1 < SGF_NAME)
                found[used++] = *at;
        }
        at += strspn(at, " \t\r\n");
        if (*at == '[' && !strcmp(found, name)) {
            const char *end = value_end(at);
            snprintf(value, room, "%.*s", end > at + 1 ? (int)(end - at - 2) : 0, at + 1);
            return;
        }
        while (*at == '[') {
            at = value_end(at);
            at += strspn(at, " \t\r\n");
        }
    }
}

void sgf_tree_free(sgf_tree *tree)
{
    free(tree->nodes);
    free(tree->properties);
}

const sgf_property *sgf_find(const sgf_tree *tree, const sgf_node *node, const char *name)
{
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        if (!strcmp(tree->properties[i].name, name))
            return &tree->properties[i];
    }
    return NULL;
}

sgf_value sgf_next_value(const char **at)
{
    const char *end = *at + strcspn(*at, "[") + 1;
    sgf_value value = {.at = end};
    for (; *end != ']'; end++)
        end += *end == '\\';
    value.length = (size_t)(end - value.at);
    *at = end + 1;
    return value;
}
