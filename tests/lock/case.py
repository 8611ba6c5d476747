"""Kinds of changes between two versions of a game: what the lock says of each, and what old saves prove. The files
cases_….py are the table.

    accepted  the save of each version before means the same: the same events, values and state
    renamed   the same, with new names, which the lock reports until it is renewed
    refused   a save would be misread, or not be read at all: `harm` is found in a line of what then differs,
              "<which version's save>: <stage> <number of the event> <path>: <before> -> <after>"

`gone` are patterns of paths that may differ, `new` are values of new fields in old events.
"""

from versions import MAIN, Version  # noqa: F401

GAME = """include "kifu.fbs";
namespace nim;
enum Kind: ubyte { FOOD, WOOD, STONE }
enum Traits: ubyte (bit_flags) { FAST, STRONG, WISE }
enum Season: ubyte { SUMMER, WINTER }
struct State (state) { game: kifu.Game; digest: ulong; season: Season; traits: Traits; }
struct Spot { x: ubyte; y: ubyte; kind: Kind; z: uint; }
table Item { name: string; spot: Spot; count: ushort = 1; }
table EDeal (engine) { stones: [ushort]; items: [Item]; best: Item; spots: [Spot]; kinds: [Kind]; words: [string]; }
table PTake (player) {
  heap: ubyte;
  count: ushort = 4;
  luck: int = null;
  note: string;
  kind: Kind = WOOD;
  traits: Traits;
  done: bool;
  at: Spot;
  sum: int (transient);
}
table ERoll (engine) { sides: int = 6; }
table EGone (engine) { why: string; }
union Event { kifu.EResetGame, kifu.EAddPlayer, kifu.EInitialize, kifu.EStartRound, EDeal, PTake, ERoll, EGone }
"""

CASES = []


def edited(text, edits):
    for old, new in edits:
        if text.count(old) != 1:
            raise ValueError("%r stands %d times in the schema" % (old, text.count(old)))
        text = text.replace(old, new)
    return text


class Case:
    """`steps` are lists of edits, each of the version before. The lock decides of the version `judged`. `code` is C for
    the versions whose schema contains `uses`; Do functions do not read the fields `unread`."""

    def __init__(self, name, steps, game=GAME, judged=None, warns=False, harm=None, renames=None, gone=(), new=None,
                 code="", uses="", unread=()):
        self.name = name
        self.accepted, self.warns, self.harm = harm is None, warns, harm
        self.renames, self.gone, self.new = renames or {}, gone, new or {}
        texts = [game]
        for step in steps:
            texts.append(step if isinstance(step, dict) else edited(texts[-1], step))
        self.versions = [Version(text, self.code_for(str(text), code, uses), unread) for text in texts]
        self.judged = len(steps) if judged is None else judged

    def code_for(self, text, code, uses):
        for old, new in self.renames.items():
            code = code.replace(old, new) if new in text else code
        return code if uses and uses in text else ""


def accepted(name, *steps, **more):
    CASES.append(Case(name, steps, **more))


def renamed(name, renames, *steps, **more):
    CASES.append(Case(name, steps, warns=True, renames=renames, **more))


def refused(name, harm, *steps, **more):
    CASES.append(Case(name, steps, harm=harm, **more))
