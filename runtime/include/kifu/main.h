/// The command `kifu` inside a game's own program. `kifu.h` does not include this header; a program that does links the
/// library `kifu::tool`:
///
///     target_link_libraries(nim_app PRIVATE nim kifu::tool)
///
///     if (argc > 1 && strcmp(argv[1], "tool") == 0)      // nim_app tool info game.kifu
///         return kifu_main(&nim_rules, &(kifu_options){.draw = nim_draw}, argc - 1, argv + 1);
#ifndef KIFU_MAIN_H
#define KIFU_MAIN_H

#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Runs the command in `argv`, and returns the exit status: 0; 1: files differ, or are not sound; 2: trouble, or a
/// mistake in the command. `argv[1]` is the command, `info` for instance; without one, the call prints a list of the
/// commands. Besides the commands of `kifu`, a game's program has `bisect` and `check-saves`, its `state` can show any
/// event, and its `verify` executes the saves of the game.
///
/// `options` (may be NULL) are those of the timelines that it makes: observers, `reset` for a model outside the state,
/// and `draw`, by which `html` draws the state after each event (drawing.h). Their view is not called. The command
/// prints to standard output and standard error.
int kifu_main(const kifu_rules *rules, const kifu_options *options, int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
