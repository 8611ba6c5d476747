"""The fuzzer of a game: all of it is codegen/fuzz, but for a main that says which game."""

from .templates import environment, render


def source(game, schema, stem, hooks):
    """The text of <stem>_fuzz.c; `hooks`: the game's author has defined <game>_fuzz_hooks."""
    return render(environment(), "fuzz.c.j2",
                  {"schema": schema, "header": stem + ".h", "prefix": game.prefix, "hooks": hooks})
