#include "nim.h"

/// For `kifu_options.draw`: in the terminal a line, in a page the stones, too.
void nim_draw(kifu_drawing *drawing)
{
    const nim_state *state = drawing->state;
    const char *says = state->game.phase == KIFU_PHASE_GAME_OVER ? "has won" : "is to move";
    kifu_draw(drawing, "  heaps %u %u %u %u: player %d %s\n", state->heaps[0], state->heaps[1], state->heaps[2],
              state->heaps[3], kifu_current_player(&state->game), says);
    for (unsigned heap = 0; heap < NIM_HEAPS_COUNT && !drawing->text; heap++) {
        kifu_draw(drawing, "\n  %u ", heap);
        for (unsigned stone = 0; stone < state->heaps[heap]; stone++)
            kifu_draw(drawing, " ●");
    }
}
