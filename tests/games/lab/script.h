#ifndef SCRIPT_H
#define SCRIPT_H

#include "lab.h"

/// Does what each letter of the script says:
///   + -      adds one to, takes one from the total
///   0 … 9    writes the digit to the trace
///   p        writes the player's number to the trace
///   r        draws a random number
///   (…)      submits EDo with the script inside
///   […]      submits ETry with the script inside
///   l        submits EDo "l": never ends
///   f        fails
///   o        edits out of range
///   u        calls kifu_undo
///   m        sets an impossible mood, as an event
///   @        submits ESeal
///   b        begins a transaction
///   c        commits it
///   k        rolls it back
///   v        reveals hidden information
///   w        says that undo continues
///   s 0 … 9  makes that player current
///   a 0 … 9  looks at the state after so many events, as no Do may
kifu_result script_run(kifu_timeline *timeline, const lab_state *state, const char *script);

/// Submits a PDo.
static inline kifu_ticket lab_do(kifu_timeline *timeline, int player, const char *script, uint8_t times)
{
    return lab_submit_p_do(timeline, player, &(lab_p_do_args){.script = script, .times = times});
}

#endif
