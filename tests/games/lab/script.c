#include "script.h"

#include <string.h>

// Submits what is inside the brackets that start at `script`; returns their end, or that of a script that lacks it.
static const char *submit_inside(kifu_timeline *timeline, const char *script, char open, char close)
{
    char inside[256];
    size_t length = 0;
    int depth = 0;
    for (;; script++) {
        depth += (*script == open) - (*script == close);
        if (!*script || !depth)
            break;
        if ((length || *script != open || depth > 1) && length < sizeof inside - 1)
            inside[length++] = *script;
    }
    inside[length] = '\0';
    if (open == '(')
        lab_submit_e_do(timeline, inside);
    else
        lab_submit_e_try(timeline, inside);
    return *script ? script : script - 1;
}

static void write_trace(kifu_timeline *timeline, const lab_state *state, int value)
{
    *lab_edit_trace(timeline, state->length) = (uint8_t)value;
    *lab_edit_length(timeline) = (uint8_t)(state->length + 1);
}

static kifu_result add_total_at(kifu_timeline *timeline, int count)
{
    lab_state then;
    kifu_result result = kifu_state_at(timeline, (uint32_t)count, &then, sizeof then);
    if (!result)
        *lab_edit_total(timeline) += then.total;
    return result;
}

kifu_result script_run(kifu_timeline *timeline, const lab_state *state, const char *script)
{
    kifu_result result = KIFU_OK;
    for (; script && *script && !result; script++) {
        switch (*script) {
        case '+':
            *lab_edit_total(timeline) += 1;
            break;
        case '-':
            *lab_edit_total(timeline) -= 1;
            break;
        case 'p':
            write_trace(timeline, state, kifu_player(timeline));
            break;
        case 'r':
            *lab_edit_random(timeline) = kifu_random(timeline);
            break;
        case 'n':
            kifu_next_turn(timeline, &state->game);
            break;
        case '(':
            script = submit_inside(timeline, script, '(', ')');
            break;
        case '[':
            script = submit_inside(timeline, script, '[', ']');
            break;
        case 'l':
            lab_submit_e_do(timeline, "l");
            break;
        case 'f':
            return kifu_fail(timeline, "the script says so");
        case 'o':
            *lab_edit_trace(timeline, 64) = 1;
            break;
        case 'u':
            kifu_undo(timeline);
            break;
        case 'm':
            lab_submit_e_mood(timeline, 3);
            break;
        case '@':
            lab_submit_e_seal(timeline);
            break;
        case 'b':
            result = kifu_begin(timeline, 0);
            break;
        case 'c':
            result = kifu_commit(timeline);
            break;
        case 'k':
            result = kifu_roll_back(timeline);
            break;
        case 'v':
            kifu_reveal(timeline);
            break;
        case 'w':
            kifu_continue_undo(timeline);
            break;
        case 's':
            if (script[1])
                kifu_set_current_player(timeline, *++script - '0');
            break;
        case 'a':
            if (script[1])
                result = add_total_at(timeline, *++script - '0');
            break;
        default:
            write_trace(timeline, state, *script - '0');
        }
    }
    return result;
}
