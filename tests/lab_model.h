/// The lab once more, as plain as can be: a timeline that keeps a copy of the state after each event, and a copy of all
/// of itself for each transaction. What it says, Kifu must say.
#ifndef LAB_MODEL_H
#define LAB_MODEL_H

#include <stdlib.h>
#include <string.h>

#include "history_help.h"
#include "lab.h"

enum { MODEL_EVENTS = 300, MODEL_WAITING = 128, MODEL_UNDONE = 12, MODEL_OPEN = 5, MODEL_SCRIPT = 80 };

typedef struct model_proposal {
    uint32_t type; ///< LAB_P_DO, LAB_E_DO, LAB_E_TRY, LAB_P_ADD or LAB_E_SEAL.
    uint32_t cause;
    int player;
    int amount; ///< `times` of PDo, `amount` of PAdd.
    uint8_t flags;
    char script[MODEL_SCRIPT];
} model_proposal;

typedef struct model_event {
    model_proposal is;
    lab_state after;
} model_event;

typedef struct model_queue {
    uint32_t count;
    model_proposal all[MODEL_WAITING];
} model_queue;

typedef struct model_undone {
    uint32_t count; ///< Of the events before the undo.
    model_queue consequences, inputs;
} model_undone;

typedef enum model_kind { MODEL_PLAIN, MODEL_DEFERRED, MODEL_SEARCH } model_kind;

typedef struct lab_model {
    uint32_t first;  ///< Number of the first event that it knows.
    lab_state start; ///< The state before that one.
    model_event events[MODEL_EVENTS];
    uint32_t count; ///< Of the events that happened.
    model_queue consequences, inputs;
    model_undone undone[MODEL_UNDONE];
    uint32_t undone_count;
    bool trigger; ///< An event that changes the total has EDo "r" as a last consequence.
    uint32_t open;
    model_kind kinds[MODEL_OPEN];
    struct lab_model *before[MODEL_OPEN]; ///< What it was when the transaction began.
} lab_model;

static inline const lab_state *model_state(const lab_model *model)
{
    return model->count ? &model->events[model->count - 1].after : &model->start;
}

static inline void model_push(model_queue *queue, uint32_t type, uint32_t cause, int player, int amount,
                              const char *script)
{
    must_be(queue->count < MODEL_WAITING);
    must_be(strlen(script) < MODEL_SCRIPT);
    model_proposal *pushed = &queue->all[queue->count++];
    memset(pushed, 0, sizeof *pushed);
    *pushed = (model_proposal){.type = type, .cause = cause, .player = player, .amount = amount};
    pushed->flags = type == LAB_P_DO || type == LAB_P_ADD ? KIFU_UNDOABLE
                    : type == LAB_E_SEAL                  ? KIFU_CONTINUE_UNDO
                                                          : KIFU_UNDOABLE | KIFU_CONTINUE_UNDO;
    strcpy(pushed->script, script);
}

static inline void model_pop(model_queue *queue)
{
    memmove(queue->all, queue->all + 1, --queue->count * sizeof *queue->all);
}

// --- Do --------------------------------------------------------------------------------------------------------------

typedef struct model_do {
    lab_model *model;
    lab_state state;
    const model_proposal *event;
    uint8_t flags;
    struct {
        lab_state state;
        uint32_t waiting;
    } before[12];
    uint32_t open;
    bool failed;
} model_do;

static inline void model_write(model_do *run, int value)
{
    if (run->state.length >= sizeof run->state.trace)
        run->failed = true;
    else
        run->state.trace[run->state.length++] = (uint8_t)value;
}

static inline const char *model_submit_inside(model_do *run, const char *script, char open, char close)
{
    char inside[MODEL_SCRIPT] = "";
    int depth = 0;
    const char *end = script;
    do
        depth += (*end == open) - (*end == close);
    while (depth && *++end);
    memcpy(inside, script + 1, (size_t)(end - script - 1));
    model_push(&run->model->consequences, open == '(' ? LAB_E_DO : LAB_E_TRY, run->model->first + run->model->count, -1,
               0, inside);
    return end;
}

static inline void model_run_script(model_do *run, const char *script)
{
    model_queue *waiting = &run->model->consequences;
    for (; *script && !run->failed; script++) {
        switch (*script) {
        case '+':
        case '-':
            run->state.total += *script == '+' ? 1 : -1;
            break;
        case 'p':
            model_write(run, run->event->player);
            break;
        case 'r':
            run->state.random = kifu_rng_next(&run->state.game.rng);
            break;
        case '(':
            script = model_submit_inside(run, script, '(', ')');
            break;
        case '[':
            script = model_submit_inside(run, script, '[', ']');
            break;
        case '@':
            model_push(waiting, LAB_E_SEAL, run->model->first + run->model->count, -1, 0, "");
            break;
        case 'v':
            run->flags |= KIFU_REVEALS;
            break;
        case 'b':
            run->before[run->open].state = run->state;
            run->before[run->open++].waiting = waiting->count;
            break;
        case 'c':
        case 'k':
            if (!run->open) {
                run->failed = true;
                break;
            }
            run->open--;
            if (*script == 'k') {
                run->state = run->before[run->open].state;
                waiting->count = run->before[run->open].waiting;
            }
            break;
        case 'f':
            run->failed = true;
            break;
        default:
            model_write(run, *script - '0');
        }
    }
}

// --- Running ---------------------------------------------------------------------------------------------------------

static inline bool model_waits_for_commit(const lab_model *model)
{
    for (uint32_t i = 0; i < model->open; i++)
        if (model->kinds[i] == MODEL_DEFERRED)
            return true;
    return false;
}

static inline void model_trigger(lab_model *model, uint32_t event)
{
    const lab_state *before = event ? &model->events[event - 1].after : &model->start;
    if (model->trigger && before->total != model->events[event].after.total)
        model_push(&model->consequences, LAB_E_DO, model->first + event, -1, 0, "r");
}

/// One proposal. KIFU_OK: it happened, or was a consequence that was rejected, or none waits; else why it did not.
static inline kifu_result model_step(lab_model *model)
{
    model_queue *queue = model->consequences.count ? &model->consequences : &model->inputs;
    if (!queue->count)
        return KIFU_OK;
    model_proposal next = queue->all[0];
    if (next.script[0] == '!' && next.type != LAB_E_DO) {
        model_pop(queue);
        return next.type == LAB_P_DO ? KIFU_REJECTED : KIFU_OK;
    }
    if (next.type == LAB_P_DO && next.amount > 3)
        next.amount = 3;
    model_pop(queue);
    model->undone_count = 0;

    uint32_t waiting = model->consequences.count;
    model_do run = {.model = model, .state = *model_state(model), .event = &next};
    if (next.type == LAB_P_ADD)
        run.state.total += next.amount;
    else
        for (int times = next.type == LAB_P_DO ? next.amount : 1; times > 0; times--)
            model_run_script(&run, next.script);
    if (run.failed || run.open) {
        model->consequences.count = waiting;
        return KIFU_FAILED;
    }
    must_be(model->count < MODEL_EVENTS);
    bool drew = memcmp(&run.state.game.rng, &model_state(model)->game.rng, sizeof run.state.game.rng) != 0;
    next.flags |= run.flags | (drew ? KIFU_RANDOM : 0);
    model_event *event = &model->events[model->count++];
    event->is = next;
    event->after = run.state;
    if (!model_waits_for_commit(model))
        model_trigger(model, model->count - 1);
    return KIFU_OK;
}

static inline kifu_result model_run(lab_model *model)
{
    kifu_result result = KIFU_OK;
    while (!result && (model->consequences.count || model->inputs.count))
        result = model_step(model);
    return result;
}

// --- Undo and redo ---------------------------------------------------------------------------------------------------

static inline uint32_t model_can_undo(const lab_model *model)
{
    uint32_t floor = model->open ? model->before[model->open - 1]->count : 0;
    for (uint32_t event = model->count; event > floor;) {
        uint8_t flags = model->events[--event].is.flags;
        if (!(flags & KIFU_UNDOABLE) || flags & KIFU_REVEALS)
            return 0;
        if (!(flags & KIFU_CONTINUE_UNDO))
            return model->count - event;
    }
    return 0;
}

static inline uint32_t model_can_redo(const lab_model *model)
{
    if (!model->undone_count || model->consequences.count || model->inputs.count)
        return 0;
    return model->undone[model->undone_count - 1].count - model->count;
}

static inline void model_undo(lab_model *model)
{
    must_be(model->undone_count < MODEL_UNDONE);
    model_undone *undone = &model->undone[model->undone_count++];
    undone->count = model->count;
    undone->consequences = model->consequences;
    undone->inputs = model->inputs;
    model->count -= model_can_undo(model);
    model->consequences.count = model->inputs.count = 0;
}

static inline void model_redo(lab_model *model)
{
    const model_undone *undone = &model->undone[--model->undone_count];
    model->count = undone->count;
    model->consequences = undone->consequences;
    model->inputs = undone->inputs;
}

// --- Transactions ----------------------------------------------------------------------------------------------------

static inline lab_model *model_copy(const lab_model *model)
{
    lab_model *copy = (lab_model *)malloc(sizeof *copy);
    must_be(copy);
    memcpy(copy, model, sizeof *copy);
    return copy;
}

static inline void model_begin(lab_model *model, model_kind kind)
{
    must_be(model->open < MODEL_OPEN);
    model->before[model->open] = model_copy(model);
    model->kinds[model->open++] = kind;
    model->undone_count = 0;
}

static inline void model_take_back(lab_model *model)
{
    lab_model *before = model->before[model->open - 1];
    memcpy(model, before, sizeof *model);
    free(before);
}

static inline void model_commit(lab_model *model)
{
    lab_model *before = model->before[model->open - 1];
    model_kind kind = model->kinds[--model->open];
    if (kind == MODEL_DEFERRED && !model_waits_for_commit(model)) {
        for (uint32_t event = before->count; event < model->count; event++)
            model_trigger(model, event);
        model->undone_count = 0;
    }
    if (model->count == before->count && !model->undone_count) { // nothing that would have ended redo
        memcpy(model->undone, before->undone, sizeof model->undone);
        memcpy(&model->events[model->count], &before->events[model->count],
               (MODEL_EVENTS - model->count) * sizeof *model->events);
        model->undone_count = before->undone_count;
    }
    if (!model->open)
        for (uint32_t event = before->count + 1; event < model->count; event++)
            model->events[event].is.flags |= KIFU_CONTINUE_UNDO;
    free(before);
}

#endif
