/// What a module of another language calls besides Kifu's public calls: options as flags, so that it need not know the
/// layout of their structs, and many events or states in one call.
#include <string.h>

#include "foreign.h"
#ifdef KIFU_FOREIGN_ZSTD
#include <kifu/zstd.h>
#endif

static const kifu_codec *codec(void)
{
#ifdef KIFU_FOREIGN_ZSTD
    return kifu_zstd();
#else
    return &kifu_compact;
#endif
}

static kifu_options options_of(uint32_t flags, uint64_t seed)
{
    kifu_options options;
    memset(&options, 0, sizeof options);
    options.seed = seed;
    options.keep_variations = flags & KIFU__FOREIGN_VARIATIONS ? kifu_keep_variations : NULL;
    options.keep_notes = flags & KIFU__FOREIGN_NOTES ? kifu_keep_notes : NULL;
    options.from_state = kifu_begin_from_state;
    options.quiet = true; // There is no view.
    return options;
}

static kifu_load_options load_options_of(uint32_t flags)
{
    kifu_load_options options;
    memset(&options, 0, sizeof options);
    options.fast = (flags & KIFU__FOREIGN_FAST) != 0;
    options.allow_changed = (flags & KIFU__FOREIGN_ALLOW_CHANGED) != 0;
    options.recover = flags & KIFU__FOREIGN_RECOVER ? kifu_recover : NULL;
    options.codec = codec();
    return options;
}

kifu_result kifu__foreign_create(const kifu_rules *rules, uint32_t flags, uint64_t seed, kifu_timeline **timeline,
                                 kifu_error *error)
{
    const kifu_options options = options_of(flags, seed);
    return kifu_create(rules, &options, timeline, error);
}

kifu_result kifu__foreign_load(const kifu_rules *rules, const char *path, const void *bytes, size_t size,
                               uint32_t flags, kifu_timeline **timeline, kifu_error *error)
{
    const kifu_options options = options_of(flags, 0);
    const kifu_load_options load_options = load_options_of(flags);
    return path ? kifu_load(rules, path, &options, &load_options, timeline, error)
                : kifu_load_from_memory(rules, bytes, size, &options, &load_options, timeline, error);
}

kifu_result kifu__foreign_read(const kifu_rules *rules, const char *path, uint32_t flags, const kifu_timeline **save,
                               kifu_error *error)
{
    const kifu_load_options load_options = load_options_of(flags);
    return kifu_read_save(rules, path, NULL, &load_options, save, error);
}

kifu_result kifu__foreign_save(kifu_timeline *timeline, const char *path, const char *title, uint32_t flags,
                               unsigned char **bytes, size_t *size)
{
    kifu_save_options options;
    memset(&options, 0, sizeof options);
    options.title = title;
    options.overwrite = (flags & KIFU__FOREIGN_OVERWRITE) != 0;
    options.codec = flags & KIFU__FOREIGN_PACKED ? codec() : NULL;
    return path ? kifu_save(timeline, path, &options) : kifu_save_to_memory(timeline, &options, bytes, size);
}

kifu_result kifu__foreign_react(kifu_timeline *timeline, kifu_reaction *react, void *context)
{
    kifu_observer observer;
    memset(&observer, 0, sizeof observer);
    observer.react = react;
    observer.context = context;
    return kifu_observe(timeline, &observer);
}

/// Bytes of a row of this type: itself and the event's struct, filled up so that each row can have 64-bit numbers.
static size_t row_size(const kifu_rules *rules, uint32_t type)
{
    return sizeof(kifu__foreign_row) + (rules->types[type].table->size + (size_t)7) / 8 * 8;
}

size_t kifu__foreign_rows(const kifu_timeline *timeline, uint32_t file, uint32_t *counts, unsigned char *rows,
                          size_t size)
{
    const kifu_rules *rules = kifu_timeline_rules(timeline);
    const uint32_t first = kifu_first_event(timeline), end = kifu_event_count(timeline);
    unsigned char *at[256] = {0};
    kifu_event event;
    memset(counts, 0, (rules->type_count + (size_t)1) * sizeof *counts);
    for (uint32_t i = first; i < end && kifu_event_at(timeline, i, &event); i++)
        counts[event.type]++;
    size_t needed = 0;
    for (uint32_t type = 1; type <= rules->type_count; type++) {
        at[type] = rows + needed;
        needed += counts[type] * row_size(rules, type);
    }
    if (needed > size)
        return needed;
    memset(rows, 0, needed);
    for (uint32_t i = first; i < end && kifu_event_at(timeline, i, &event); i++) {
        const kifu__foreign_row row = {(uintptr_t)event.table, file,       event.index, event.player, event.cause,
                                       event.rules_version,    event.flags};
        memcpy(at[event.type], &row, sizeof row);
        memcpy(at[event.type] + sizeof row, event.table, rules->types[event.type].table->size);
        at[event.type] += row_size(rules, event.type);
    }
    return needed;
}

kifu_result kifu__foreign_states(kifu_timeline *timeline, uint32_t first, uint32_t count, unsigned char *states)
{
    const size_t size = kifu_timeline_rules(timeline)->state_size;
    kifu_cursor *cursor;
    kifu_result result = count ? kifu_cursor_open(timeline, first, &cursor) : KIFU_OK;
    if (result || !count)
        return result;
    for (uint32_t i = 0; i < count && !result; i++) {
        if (i > 0)
            result = kifu_cursor_forward(cursor);
        memcpy(states + i * size, kifu_cursor_state(cursor), size);
    }
    kifu_cursor_close(cursor);
    return result;
}

const char *kifu__foreign_result_name(kifu_result result)
{
#define KIFU__FOREIGN_NAME(name, text) #name,
    static const char *const names[] = {KIFU_RESULTS(KIFU__FOREIGN_NAME)};
#undef KIFU__FOREIGN_NAME
    return (unsigned)result < sizeof names / sizeof *names ? names[result] : "?";
}

#define PLACE(type, member) (uint32_t) offsetof(type, member)

const uint32_t kifu__foreign_layout[] = {sizeof(kifu_error),
                                         PLACE(kifu_error, event),
                                         PLACE(kifu_error, offset),
                                         PLACE(kifu_error, reason),
                                         PLACE(kifu_error, message),
                                         sizeof(kifu_event),
                                         PLACE(kifu_event, type),
                                         PLACE(kifu_event, name),
                                         PLACE(kifu_event, table),
                                         PLACE(kifu_event, cause),
                                         PLACE(kifu_event, player),
                                         PLACE(kifu_event, flags),
                                         PLACE(kifu_event, rules_version),
                                         sizeof(kifu_move),
                                         PLACE(kifu_move, size),
                                         PLACE(kifu_move, type),
                                         PLACE(kifu_move, player),
                                         sizeof(kifu_moves),
                                         PLACE(kifu_moves, count),
                                         PLACE(kifu_moves, timeline),
                                         PLACE(kifu_moves, player),
                                         PLACE(kifu_moves, added),
                                         PLACE(kifu_moves, kept),
                                         sizeof(kifu_line),
                                         PLACE(kifu_line, parent),
                                         PLACE(kifu_line, from),
                                         PLACE(kifu_line, count),
                                         PLACE(kifu_line, main),
                                         PLACE(kifu_line, current),
                                         sizeof(kifu__foreign_row),
                                         PLACE(kifu__foreign_row, file),
                                         PLACE(kifu__foreign_row, event),
                                         PLACE(kifu__foreign_row, player),
                                         PLACE(kifu__foreign_row, cause),
                                         PLACE(kifu__foreign_row, rules_version),
                                         PLACE(kifu__foreign_row, flags)};
const uint32_t kifu__foreign_layout_count = sizeof kifu__foreign_layout / sizeof *kifu__foreign_layout;
