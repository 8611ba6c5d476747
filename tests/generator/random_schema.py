"""Schemas drawn at random: all that a schema may have, with names and comments that C could take for something else."""

import random
import re

from random_words import BACK, COMMENTS, FRONT, PLAIN, SPACES, WORDS  # It says where kifuc is.
from kifuc import names

SCALARS = {"bool": 1, "byte": 1, "ubyte": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8,
           "float": 4, "double": 8}
BORDERS = [0, 1, 2, 7] + [2 ** bits + more for bits in (3, 7, 8, 15, 16, 31, 32, 63, 64) for more in (-1, 0)]
COUNTS = [1, 2, 3, 4, 7, 8, 9, 16, 255, 256, 257]


class Maker:
    """Draws the files of one schema."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.types = {}  # Kind → full names; "struct" also has sizes.
        self.sizes = {}
        self.values = {}  # Of an enum.
        self.used = {}  # Scope → names in C.
        self.declared = set()  # Names of types, which no field may have.
        self.large = self.chance(0.1)

    def chance(self, probability):
        return self.random.random() < probability

    # --- Names and comments ---

    def derived(self):
        """A name that the generated C has, too."""
        name = names.snake(self.random.choice(sorted(self.declared)))
        if self.chance(0.6):
            name = self.random.choice(FRONT) + name
        if self.chance(0.6):
            name += self.random.choice(BACK)
        return names.prefix(self.namespace) + "_" + name if self.chance(0.3) else name

    def word(self):
        if self.declared and self.chance(0.1):
            return self.derived()
        word = self.random.choice(WORDS if self.chance(0.5) else PLAIN)
        shape = self.random.randrange(12)
        if shape == 0:
            word = word.upper()
        elif shape == 1:
            word = "".join(each.capitalize() for each in re.split("_+", word)) or "X"
        elif shape == 2:
            word += self.random.choice(["_", "_2", "2", "Count", "_length", "_args", "_all"])
        elif shape == 3:
            word = self.random.choice(["_", "has_", "x", "p_"]) + word
        elif shape == 4:
            word += "_" + self.random.choice(PLAIN)
        return word if re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", word) and not word.startswith("__") else "x" + word.strip("_")

    def name(self, scope, prefix=""):
        """A name that is new in its scope, in C, too; rarely one that is not."""
        used = self.used.setdefault(scope, set())
        while True:
            name = prefix + self.word()
            low = names.snake(name)
            if name in SCALARS or name in ("string", "true", "false", "null", "inf", "nan") or name in self.declared:
                continue
            if low.rstrip("_") not in used or self.chance(0.002):
                used.add(low.rstrip("_"))
                return name

    def type_name(self, namespace, prefix="", capital=0.8):
        while True:
            name = self.name("types", prefix)
            if not prefix and self.chance(capital):
                name = name[:1].upper() + name[1:]
            if name not in self.declared and name != "Event":
                self.declared.add(name)
                return name, (namespace + "." if namespace else "") + name

    def comment(self, pad=""):
        if not self.chance(0.2):
            return ""
        lines = []
        for _ in range(self.random.randint(1, 3)):
            line = " ".join(self.random.choice(COMMENTS + PLAIN) for _ in range(self.random.randint(0, 4)))
            lines.append(pad + self.random.choice(["///", "/// ", "// ", "///\t"]) + line + "\n")
        if self.chance(0.002):
            lines.append(pad + "/// carriage\rreturn\n")
        if self.chance(0.2):
            lines.insert(0, pad + "/* \"quoted ' and // more */\n")
        return "".join(lines)

    # --- Types ---

    def number(self, kind):
        """A default at some border of its type."""
        if kind == "bool":
            return self.random.choice(["true", "false"])
        if kind in ("float", "double"):
            return self.random.choice("0 1 -1.5 1e10 3.40282347e38 -1e-45 nan inf -inf 0.1 16777217".split())
        low, high = self.range_of(kind)
        fitting = [sign * each for each in BORDERS for sign in (1, -1) if low <= sign * each <= high] + [low, high]
        return str(self.random.choice(fitting))

    @staticmethod
    def range_of(kind):
        bits = 8 * SCALARS[kind]
        return (0, 2 ** bits - 1) if kind.startswith("u") else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)

    def enum(self, namespace):
        name, full = self.type_name(namespace)
        kind = self.random.choice([each for each in SCALARS if each not in ("bool", "float", "double")])
        flags = kind.startswith("u") and self.chance(0.4)
        scope = "enum " + full
        if flags:
            count = self.random.choice([1, 2, 8 * SCALARS[kind]])
            values = [self.name(scope) for _ in range(count)]
            text = ", ".join(values)
        else:
            low, high = self.range_of(kind)
            numbers = {each for each in (self.random.choice([-1, 1]) * self.random.choice(BORDERS) for _ in range(
                self.random.choice([1, 2, 5, 40]))) if low <= each <= high} | ({0} if self.chance(0.99) else {1})
            values = [(self.name(scope), each) for each in sorted(numbers)]
            text = ", ".join("\n%s  %s = %d" % (self.comment("  "), *each) for each in values)
        self.types.setdefault("enum", []).append(full)
        self.sizes[full] = SCALARS[kind]
        self.values[full] = values if flags else [value for value, _ in values]
        return "%senum %s: %s%s { %s }\n" % (self.comment(), name, kind, " (bit_flags)" if flags else "", text)

    def inline(self):
        """A scalar, an enum or a struct: its name and size."""
        kinds = ["scalar"] * 4 + [each for each in ("enum", "struct") if each in self.types]
        kind = self.random.choice(kinds)
        name = self.random.choice(list(SCALARS) if kind == "scalar" else self.types[kind])
        return name, SCALARS.get(name) or self.sizes[name]

    def struct(self, namespace):
        name, full = self.type_name(namespace)
        text, size, room = "", 0, 10 ** 6 if self.large else 20000
        for _ in range(self.random.choice([1, 2, 3, 6, 12])):
            kind, each = self.inline()
            field = self.name("struct " + full)
            if self.chance(0.4):
                count = self.random.choice(COUNTS + [65535] * self.large)
                if size + each * count < room:
                    each *= count
                    kind = "[%s:%d]" % (kind, count)
            if size + each > room:
                break
            size += each + 8
            text += self.comment("  ") + "  %s: %s%s;\n" % (field, kind, " (deprecated)" if self.chance(0.0005) else self.secrecy(0.03))
        if not text:
            text = "  x: int;\n"
        self.types.setdefault("struct", []).append(full)
        self.sizes[full] = size + 8
        return "%sstruct %s%s {\n%s}\n" % (self.comment(), name, " (force_align: 8)" if self.chance(0.01) else "", text)

    def secrecy(self, chance):
        """Of a field of a struct: in a game that hides something, some are hidden or secret."""
        return self.random.choice([" (hidden)", " (secret)"]) if self.hides and self.chance(chance) else ""

    def field(self, full, is_event):
        """A field of a table."""
        name = self.name("table " + full)
        kind, size = self.inline()
        scalar, attributes, default = kind in SCALARS, [], ""
        shape = self.random.randrange(10)
        if shape < 2:
            kind, scalar = self.random.choice(["string", "[string]"]), False
        elif shape < 4:
            kind, scalar = "[%s]" % kind, False
        elif shape < 6 and "table" in self.types:
            kind, scalar = self.random.choice(["%s", "[%s]"]) % self.random.choice(self.types["table"]), False
        elif size > 60000:
            kind, scalar = "int", True
        if kind in self.values and self.chance(0.4):
            default = " = " + self.random.choice(self.values[kind] + ["null"])
        elif scalar and self.chance(0.3):
            default = " = " + (self.number(kind) if self.chance(0.7) else "null")
        elif self.chance(0.1):
            attributes.append("deprecated")
        elif not scalar and kind[0] in "[s" and kind != "short" and self.chance(0.15):
            attributes.append("required")
        elif is_event and kind in self.sizes.keys() | SCALARS.keys() and self.chance(0.1):
            attributes.append("transient")
        if is_event and not {"required", "transient"} & set(attributes) and self.secrecy(0.3):
            attributes.append(self.random.choice(["hidden", "secret"]))
        if kind == "string" and self.chance(0.1):
            attributes.append("shared")
        end = " (%s)" % ", ".join(attributes) if attributes else ""
        return self.comment("  ") + "  %s: %s%s%s;\n" % (name, kind, default, end)

    def fields(self, full, is_event):
        count = self.random.choice([0, 1, 2, 3, 5, 8, 20] + [130, 260] * (self.large and self.chance(0.2)))
        return "".join(self.field(full, is_event) for _ in range(count))

    def table(self, namespace):
        name, full = self.type_name(namespace)
        if self.chance(0.3):
            self.types.setdefault("table", []).append(full)  # It may hold itself.
        text = self.fields(full, False)
        if full not in self.types.setdefault("table", []):
            self.types["table"].append(full)
        return "%stable %s {\n%s}\n" % (self.comment(), name, text)

    def event(self, namespace):
        player = self.chance(0.5)
        name, full = self.type_name(namespace, "P" if player else "E")
        attributes = ["player" if player else "engine"]
        if self.types.get("event") and self.chance(0.08):
            attributes.append('superseded_by: "%s"' % self.random.choice(self.types["event"]))
        else:
            if self.chance(0.3):
                attributes.append('undoable: "%s"' % self.random.choice(["true", "false", "unless_random", "never"]))
            elif self.chance(0.2):
                attributes.append("reveals")
            if not player and self.chance(0.3):
                attributes.append("check")
            if player and self.chance(0.3):
                attributes.append("listed")
            for attribute in ("hooks", "tags"):
                if self.chance(0.2):
                    found = {names.snake(each): each for each in (self.word() for _ in range(3)) if each[0] != "_"}
                    attributes.append('%s: "%s"' % (attribute, " ".join(found.values()) or "x"))
        self.types.setdefault("event", []).append(full)
        fields = self.fields(full, True)
        if "hidden" in fields and "superseded" not in attributes[-1]:
            fields += "" if player else "  seer: byte;\n"
            attributes.append('seen_by: "%s"' % ("player" if player else "seer"))
        return "%stable %s (%s) {\n%s}\n" % (self.comment(), name, ", ".join(attributes), fields)

    # --- The game ---

    def state(self):
        name, full = self.type_name(self.namespace)
        fields = ["  game: kifu.Game;\n"]
        self.used["struct " + full] = {"game", "turns"}
        pools = [] if not self.types.get("struct") or not self.chance(0.4) else [False, True][:self.random.randint(1, 2)]
        before = ""
        self.turns = bool(pools) and pools[-1] or self.chance(0.2)
        if self.turns:
            fields.append("  turns: kifu.Turns;\n")
        for actors in pools:
            element, _ = self.type_name(self.namespace)
            before += "struct %s { slot: kifu.Slot; %s %s: %s; }\n" % (
                element, "actor: kifu.Actor;" if actors else "", self.name("element"), self.inline()[0])
            fields.append("  %s: [%s:%d] (pool%s);\n" % (self.name("struct " + full), element, self.random.choice(COUNTS),
                                                       ", actors" if actors else ""))
        self.timers = self.turns and self.chance(0.5)
        if self.timers:
            fields.append("  %s: [kifu.Timer:%d] (pool);\n" % (self.name("struct " + full), self.random.choice(COUNTS)))
        self.actors = bool(pools) and pools[-1]
        for _ in range(self.random.choice([0, 1, 3, 8])):
            kind, size = self.inline()
            count = self.random.choice(COUNTS)
            array = size * count < 10 ** 6 and self.chance(0.5)
            fields.append(self.comment("  ") + "  %s: %s%s;\n" % (
                self.name("struct " + full), "[%s:%d]" % (kind, count) if array else kind, self.secrecy(0.5)))
        return before + "%sstruct %s (state) {\n%s}\n" % (self.comment(), name, "".join(fields))

    def part(self, namespace):
        """Declarations of one namespace."""
        kinds = [self.enum] * 2 + [self.struct] * 3 + [self.table] * 2 + [self.event] * 3
        text = "namespace %s;\n" % namespace if namespace else ""
        return text + "".join(self.random.choice(kinds)(namespace) for _ in range(self.random.choice([0, 1, 3, 6, 10])))

    def space(self):
        """A namespace."""
        if self.chance(0.8):
            return self.random.choice(["nim", "combat", "board.myGame", "Nim", "a"] if self.chance(0.6) else SPACES)
        return re.sub("^(_|(?i:kifu))", "x", self.word()) or "x"

    def files(self):
        """Name → text; the game is the first."""
        self.hides = self.chance(0.3)
        self.namespace = self.space()
        other = {"more/%s.fbs" % each: "include \"kifu.fbs\";\n" + self.part(
            self.random.choice(["", self.namespace, self.space()])) for each in ("one", "two")[:self.random.choice([0, 0, 1, 2])]}
        text = self.part("") if self.chance(0.3) else ""
        text += self.part(self.space()) if self.chance(0.3) else ""
        text += self.part(self.namespace)
        if "namespace %s;" % self.namespace not in text:
            text += "namespace %s;\n" % self.namespace
        text += self.event(self.namespace)
        self.turns = self.timers = self.actors = False
        if self.chance(0.6):
            text += self.state()
        events = self.types["event"] + ["kifu.EResetGame", "kifu.EAddPlayer", "kifu.EInitialize"][:self.random.randint(0, 3)]
        events += ["kifu.EBeginTurn"] * self.turns + ["kifu.ESpendEnergy"] * self.actors
        events += ["kifu.ESchedule", "kifu.ECancel"] * self.timers
        head = "".join("include %s;\n" % (self.random.choice(["\"%s\"", "'%s'"]) % each)
                       for each in ["kifu.fbs", "kifu_turns.fbs"] + list(other))
        attributes = ['rules_version: "%d"' % self.random.choice([1, 255, 2 ** 32 - 1])] * self.chance(0.2)
        attributes += ['max_players: "%d"' % self.random.choice([1, 2, 16])] * self.chance(0.2)
        attributes += ['overrides: "%s"' % each[5:] for each in events if each == "kifu.EResetGame" and self.chance(0.3)]
        union = "%sunion Event%s {\n  %s\n}\n" % (
            self.comment(), " (%s)" % ", ".join(attributes) if attributes else "", ",\n  ".join(events))
        if self.chance(0.1):
            union += "root_type %s;\nfile_identifier \"ABCD\";\nfile_extension \"x\";\n" % events[0]
        return {"%s.fbs" % self.random.choice(["game", "2048", "a b", "My-Game", "x.y"]): head + text + union, **other}


def spoiled(files, seed):
    """The same files with one mistake somewhere: a piece is lost, doubled, or replaced."""
    source = random.Random(seed)
    name = source.choice(list(files))
    pieces = re.findall(r"\w+|\s+|[^\w\s]", files[name])
    for _ in range(source.choice([1, 1, 2, 5])):
        at = source.randrange(len(pieces))
        pieces[at] = source.choice(
            ["", pieces[at] * 2, source.choice(pieces), source.choice(WORDS), str(source.choice(BORDERS)), "-1", "{", "}", "(",
             ")", ";", "\"", "\0", "union", "struct", "[", "null", "deprecated", "key"])
    return dict(files, **{name: "".join(pieces)})
