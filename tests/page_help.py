"""Pages that `kifu html` made, taken apart; and random games of the examples to make them of."""

import html.parser
import json
import os
import subprocess
from pathlib import Path

SOURCE = Path(os.environ["KIFU_SOURCE_DIR"])
BUILD = Path(os.environ["KIFU_BINARY_DIR"])
KIFU = BUILD / "runtime" / "tool" / "kifu"
STORM = SOURCE / "tests" / "compat" / "v3" / "storm.kifu"
EXAMPLES = ("nim", "reversi", "duel", "dungeon", "chess", "go")


def program(game):
    """The words that call the commands in an example."""
    if game == "nim":
        return [BUILD / "examples" / "nim_tool"]
    return [BUILD / "examples" / game / ("go_gtp" if game == "go" else game), "tool"]


def built():
    return KIFU.exists() and all(program(game)[0].exists() for game in EXAMPLES)


def run(*words, stdin=b""):
    return subprocess.run(words, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)


def output(*words, **options):
    done = run(*words, **options)
    if done.returncode:
        raise AssertionError(done.stderr.decode())
    return done.stdout.decode("utf-8")


def random_game(game, path, seed, steps, lines=None, unclosed=False):
    """With so many variations besides, and notes; or as a log file that was not closed."""
    words = [*([str(lines)] if lines else []), *(["log"] if unclosed else [])]
    output(BUILD / "tests" / ("page_game_" + game), str(seed), str(steps), path, *words)
    return path


def state_at(game, path, count, line=None):
    of_line = [] if line is None else ["--line", str(line)]
    return json.loads(output(*program(game), "state", path, "--at", str(count), "--json", *of_line))


def hostile_game(kifu_json):
    """The game of storm.kifu with hostile names everywhere; `kifu_json` is its JSON."""
    import base64

    game = json.loads(kifu_json)
    game["title"] = "</title></script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"
    game["players"] = ["<svg onload=window.hacked=1>", "\u202eevil\u2028<!--<script>"]
    game["events"][5]["fields"]["who"] = "</script><script>window.hacked = 1</script>]]>&lt;<!-- \u2028\u2029 \x1b[31m"
    schema = base64.b64decode(game["schema"])
    assert b"WOOD" in schema and b"gloves" not in schema
    schema = schema.replace(b"WOOD\0", b"<b/>\0").replace(b"place\0", b"<hr/>"[:5] + b"\0")
    game["schema"] = base64.b64encode(schema).decode()
    text = json.dumps(game).replace('"WOOD"', '"<b/>"').replace('"place"', '"<hr/>"')
    return text


def many_events(game, times):
    """A game again and again, one behind the other: JSON of a game whose first event resets everything."""
    events = []
    for _ in range(times):
        first = len(events)
        for event in game["events"]:
            moved = {**event, "number": first + event["number"]}
            if "cause" in event:
                moved["cause"] = first + event["cause"]
            events.append(moved)
    less = {name: game[name] for name in game if name not in ("hash", "hashes", "state", "executed", "undone")}
    return {**less, "events": events}


class Page(html.parser.HTMLParser):
    """What is in a page: `elements` (name, attributes), and the text of scripts and styles."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.texts = [], []
        self.inside = None
        self.title = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.inside = tag
        if tag in ("script", "style"):
            self.texts.append([tag, dict(attrs), ""])

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside in ("script", "style"):
            self.texts[-1][2] += data
        elif self.inside == "title":
            self.title += data

    def block(self, name):
        return next(text for _, attributes, text in self.texts if attributes.get("id") == name)

    @property
    def game(self):
        return json.loads(self.block("game-data"))

    @property
    def drawings(self):
        return Drawings(self.block("drawings-data"))

    @property
    def states(self):
        return States(self.block("states-data"))


class Drawings:
    """The drawings in a page, replayed as the page does it."""

    def __init__(self, text):
        lines = [json.loads(line) for line in text.strip().split("\n")]
        self.about = lines.pop()
        self.lines = lines
        self.texts = self.about.get("lines", [])

    def replay(self, stretch=None, begin=None):
        """The drawings of the current line, (events, text); or those of a stretch, from `begin` on, the numbers of its
        drawing. None: nothing was drawn after so many events."""
        if stretch is None:
            first, number, count = 0, 2, self.about["shown"]
            values = list(self.lines[1])
            yield 0, self.text(values)
        else:
            _, first, number, count = stretch
            values = list(begin)
        for event in range(count):
            changes = self.lines[number + event]
            for place, old, new in zip(*[iter(changes or [])] * 3):
                values += [-1] * (place + 1 - len(values))
                assert values[place] == old and old != new, (event, place, values[place], old, new)
                values[place] = new
            yield first + event + 1, None if changes == 0 else self.text(values)

    def text(self, values):
        assert -1 not in values[:len([each for each in values if each >= 0])], values
        return "\n".join(self.texts[each] for each in values if each >= 0)


class States:
    """The states in a page, replayed as the page does it."""

    def __init__(self, text):
        lines = [json.loads(line) for line in text.strip().split("\n")]
        self.about = lines.pop()
        self.structs = []
        if lines:
            self.structs, self.first = lines[0]["structs"], lines[0]["first"]
            self.values, self.changes = lines[1], lines[2:]

    def size(self, inner):
        if inner < 0:
            return 1
        return sum((length or 1) * self.size(within) for _, _, length, within, _ in self.structs[inner]["members"])

    def build(self, number, values):
        """A struct of the values that come next."""
        made = {}
        for name, _, length, inner, _ in self.structs[number]["members"]:
            def one(within=inner):
                return next(values) if within < 0 else self.build(within, values)
            made[name] = [one() for _ in range(length)] if length else one()
        return made

    def replay(self):
        """The states one after the other: (events, state)."""
        values = list(self.values)
        yield self.first, self.build(len(self.structs) - 1, iter(values))
        for number, changes in enumerate(self.changes):
            for place, old, new in zip(changes[::3], changes[1::3], changes[2::3]):
                assert values[place] == old and old != new, (number, place, values[place], old, new)
                values[place] = new
            yield self.first + number + 1, self.build(len(self.structs) - 1, iter(values))
