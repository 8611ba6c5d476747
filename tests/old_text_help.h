/// Games whose strings need not be UTF-8, as in releases before that was refused.
#ifndef TESTS_OLD_TEXT_HELP_H
#define TESTS_OLD_TEXT_HELP_H

#include <kifu/kifu.h>

#include "checks.h"

enum { MOST_TYPES = 40, MOST_FIELDS = 20 };

/// Rules as an earlier release had them: any bytes are text.
typedef struct old_rules {
    kifu_rules rules;
    kifu__type types[MOST_TYPES];
    kifu__table tables[MOST_TYPES];
    kifu__field fields[MOST_TYPES][MOST_FIELDS];
} old_rules;

static inline void make_old(old_rules *old, const kifu_rules *rules)
{
    old->rules = *rules;
    old->rules.types = old->types;
    int changed = 0;
    for (uint32_t type = 1; type <= rules->type_count; type++) {
        ck_assert_uint_lt(type, MOST_TYPES);
        old->types[type] = rules->types[type];
        old->tables[type] = *rules->types[type].table;
        for (uint32_t id = 0; id < old->tables[type].field_count; id++) {
            ck_assert_uint_lt(id, MOST_FIELDS);
            kifu__field *field = &old->fields[type][id];
            *field = old->tables[type].fields[id];
            if (field->kind != KIFU__STRING)
                continue;
            ck_assert(field->texts == kifu__texts_hold);
            field->texts = NULL;
            changed++;
        }
        old->tables[type].fields = old->fields[type];
        old->types[type].table = &old->tables[type];
    }
    ck_assert_int_gt(changed, 0);
}

#endif
