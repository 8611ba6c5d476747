// Events as messages have them: field by field, by the descriptions of their tables.

#include "seen/seen.h"
#include "wire/buffer.h"

static bool is_field_left_out(const kifu__field *field, bool sees)
{
    return !field->offset || field->secrecy == KIFU__SECRET || (field->secrecy == KIFU__CONCEALED && !sees);
}

// --- Writing ---------------------------------------------------------------------------------------------------------

// What the references of a vector lead to, or the one table.
static void add_seen_children(kifu__blob *blob, const kifu__field *field, const kifu_ref *ref, bool sees)
{
    const unsigned char *first = (const unsigned char *)ref;
    const bool one = field->kind == KIFU__TABLE;
    const uint32_t count = one ? 1 : kifu__length(ref);
    if (!one)
        first = (const unsigned char *)kifu__elements(ref);
    for (uint32_t i = 0; i < count; i++) {
        const kifu_ref *each = (const kifu_ref *)(const void *)(first + 4 * (size_t)i);
        if (field->table) {
            kifu__add_fields(blob, field->table, (const unsigned char *)kifu__follow(each), sees);
            continue;
        }
        kifu__add_number(blob, kifu__length(each));
        kifu__build(blob, 0, kifu__elements(each), kifu__length(each), 1);
    }
}

static void add_reference(kifu__blob *blob, const kifu__field *field, const kifu_ref *ref, bool sees)
{
    const uint32_t count = field->kind == KIFU__TABLE ? 0 : kifu__length(ref);
    kifu__add_number(blob, ref->offset ? count + 1 : 0);
    if (!ref->offset)
        return;
    if (field->kind == KIFU__STRING || field->kind == KIFU__VECTOR)
        kifu__build(blob, 0, kifu__elements(ref), (uint64_t)count * (field->kind == KIFU__STRING ? 1U : field->size),
                    1);
    else
        add_seen_children(blob, field, ref, sees);
}

void kifu__add_fields(kifu__blob *blob, const kifu__table *table, const unsigned char *bytes, bool sees)
{
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        const unsigned char *at = bytes + field->offset;
        if (is_field_left_out(field, sees))
            continue;
        if (field->has)
            kifu__build(blob, 0, bytes + field->has, 1, 1);
        if (kifu__is_reference(field))
            add_reference(blob, field, (const kifu_ref *)(const void *)at, sees);
        else if (!field->has || bytes[field->has])
            kifu__build(blob, 0, at, field->size, 1);
    }
}

void kifu__add_event(kifu__blob *blob, const kifu_rules *rules, const kifu_event *event, bool sees)
{
    const bool has_cause = event->cause != KIFU_NONE, has_player = event->player >= 0;
    const unsigned char flags = (unsigned char)((event->flags & KIFU__SEEN_FLAGS) | (has_cause ? KIFU__HAS_CAUSE : 0) |
                                                (has_player ? KIFU__HAS_PLAYER : 0) | (sees ? KIFU__SEES_HIDDEN : 0));
    kifu__add_number(blob, event->type);
    kifu__build(blob, 0, &flags, 1, 1);
    if (has_cause)
        kifu__add_number(blob, event->index - event->cause);
    if (has_player)
        kifu__add_number(blob, (uint32_t)event->player);
    kifu__add_fields(blob, rules->types[event->type].table, (const unsigned char *)event->table, sees);
}

// --- Reading ---------------------------------------------------------------------------------------------------------

typedef struct taking {
    kifu__bytes *bytes;
    kifu__blob *blob;
    bool sees;
    uint32_t most;
    uint32_t depth;
} taking;

static bool take_fields(taking *taking, const kifu__table *table, uint32_t at);

// Whether so much more may be built.
static bool afford(const taking *taking, uint64_t size)
{
    kifu__blob *blob = taking->blob;
    if (!blob->result && size + (blob->size - blob->start) > taking->most)
        blob->result = KIFU_TOO_LARGE;
    return !blob->result && taking->bytes->good;
}

// Elements of a vector, or a string, which has a zero behind them.
static bool take_elements(taking *taking, uint32_t ref, uint32_t count, uint32_t size, uint32_t align, uint32_t zeros)
{
    const uint64_t length = (uint64_t)count * size;
    const unsigned char *elements = kifu__parse_bytes(taking->bytes, length);
    if (!elements || !afford(taking, length + 16))
        return false;
    const uint32_t at = kifu__build_vector(taking->blob, ref, NULL, count, length + zeros, align);
    if (at && length)
        memcpy(kifu__built(taking->blob, at), elements, (size_t)length);
    return at != 0;
}

static bool take_child(taking *taking, const kifu__table *table, uint32_t ref)
{
    if (!afford(taking, table->size + 16U) || taking->depth == KIFU__MOST_DEPTH)
        return false;
    taking->depth++;
    const uint32_t at = kifu__build_table(taking->blob, ref, NULL, table->size, table->align);
    const bool good = at && take_fields(taking, table, at);
    taking->depth--;
    return good;
}

static bool take_reference(taking *taking, const kifu__field *field, uint32_t ref)
{
    const uint32_t head = kifu__parse_number(taking->bytes);
    if (!head)
        return taking->bytes->good;
    const uint32_t count = head - 1;
    switch (field->kind) {
    case KIFU__STRING:
        return take_elements(taking, ref, count, 1, 4, 1);
    case KIFU__VECTOR:
        return take_elements(taking, ref, count, field->size, field->align, 0);
    case KIFU__TABLE:
        return !count && take_child(taking, field->table, ref);
    default:
        break;
    }
    if (!afford(taking, (uint64_t)count * 4 + 16))
        return false;
    const uint32_t first = kifu__build_vector(taking->blob, ref, NULL, count, (uint64_t)count * 4, 4);
    bool good = first != 0;
    for (uint32_t i = 0; i < count && good; i++)
        good = field->table ? take_child(taking, field->table, first + 4 * i)
                            : take_elements(taking, first + 4 * i, kifu__parse_number(taking->bytes), 1, 4, 1);
    return good;
}

static bool take_inline(taking *taking, const kifu__field *field, uint32_t at)
{
    unsigned char *table = (unsigned char *)kifu__built(taking->blob, at);
    const unsigned char *has = field->has ? kifu__parse_bytes(taking->bytes, 1) : NULL;
    if (field->has && !has)
        return false;
    if (field->has)
        table[field->has] = *has;
    if (has && !*has)
        return true;
    const unsigned char *value = kifu__parse_bytes(taking->bytes, field->size);
    if (value)
        memcpy(table + field->offset, value, field->size);
    return value != NULL;
}

static bool take_fields(taking *taking, const kifu__table *table, uint32_t at)
{
    bool good = true;
    for (uint32_t id = 0; id < table->field_count && good; id++) {
        const kifu__field *field = &table->fields[id];
        if (is_field_left_out(field, taking->sees)) {
            if (field->offset && field->kind == KIFU__SCALAR && !field->has)
                memcpy((unsigned char *)kifu__built(taking->blob, at) + field->offset, &field->default_bits,
                       field->size);
        } else
            good = kifu__is_reference(field) ? take_reference(taking, field, at + field->offset)
                                             : take_inline(taking, field, at);
    }
    return good;
}

bool kifu__take_fields(kifu__bytes *bytes, const kifu__table *table, kifu__blob *blob, uint32_t at, bool sees,
                       uint32_t most, uint32_t depth)
{
    taking taking = {.bytes = bytes, .blob = blob, .sees = sees, .most = most, .depth = depth};
    return take_fields(&taking, table, at);
}
