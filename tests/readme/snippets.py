"""Makes programs of the pages' unnamed C blocks: each block becomes a function that is run with a game of its own."""

import re
from dataclasses import dataclass

import blocks

# A definition: from a line that does not end in ';' to a line '}'. A comment of one line may stand before it.
DEFINITION = re.compile(r"(?ms)^(?:/\*[^\n]*\*/\n)?(?:static |void |kifu_)[^;{}=]*\n\{\n.*?^\}\n")


@dataclass
class Game:
    """What `timeline` is in the blocks of a page."""

    name: str
    parameters: str
    locals: str  # what statements may use without declaring it
    run: str  # the C of `run_snippet`, which begins a game, runs the snippet and plays on


SNIPPET = """static kifu_result snippet_{number}(kifu_timeline *timeline, {parameters})
{{
    kifu_result result = KIFU_OK;
{locals}
    (void)timeline, (void)result;
{statements}
#line 1 "{page}"
    return result;
}}
"""

NIM = Game(
    name="nim",
    parameters="int player",
    locals="""    kifu_error error = {0};
    uint8_t heap = 0;
    uint16_t count = 1;
    (void)player, (void)error, (void)heap, (void)count;""",
    run="""
int run_snippet(const char *name, snippet *snippet)
{
    const kifu_e_initialize_args initialize = {.has_seed = true, .seed = 7, .starting_player = KIFU_BY_LOT};
    const uint16_t stones[] = {1, 3, 5, 7};
    kifu_timeline *timeline;
    kifu_error error;
    printf("== %s\\n", name);
    if (kifu_create(&nim_rules, NULL, &timeline, &error))
        return 1;
    nim_submit_e_reset_game(timeline);
    nim_submit_e_add_player(timeline, 0, 0xff0000);
    nim_submit_e_add_player(timeline, 1, 0x0000ff);
    nim_submit_e_initialize(timeline, &initialize);
    nim_submit_e_deal(timeline, stones, 4);
    nim_submit_e_start_round(timeline);
    nim_submit_p_take(timeline, 1, 3, 6);
    kifu_result result = kifu_run(timeline);
    if (!result)
        result = kifu_save(timeline, "game.kifu", NULL);
    if (!result)
        result = snippet(timeline, kifu_current_player(kifu_get_game(timeline)));
    if (result)
        printf("failed: %s: %s\\n", kifu_result_text(result), kifu_last_error(timeline)->message);
    // Two moves more, for what the snippet has added; they need not be legal any more.
    for (int left = 2; !result && left; left--) {
        nim_submit_p_take(timeline, kifu_current_player(kifu_get_game(timeline)), left == 2 ? 0 : 2, left == 2 ? 1 : 5);
        kifu_result played = kifu_run(timeline);
        result = played == KIFU_REJECTED ? KIFU_OK : played;
        if (result)
            printf("failed: %s\\n", kifu_last_error(timeline)->message);
    }
    kifu_destroy(timeline);
    return result != 0;
}
""",
)

CRYPT = Game(
    name="crypt",
    parameters="kifu_handle hero, kifu_handle rat",
    locals="    (void)hero, (void)rat;",
    run="""
kifu_result crypt_do_e_collapse(kifu_timeline *timeline, const crypt_state *state, const crypt_e_collapse *collapse)
{
    (void)state, (void)collapse;
    return kifu_fail(timeline, "it was cancelled");
}

int run_snippet(const char *name, snippet *snippet)
{
    kifu_timeline *timeline;
    printf("== %s\\n", name);
    if (kifu_create(&crypt_rules, NULL, &timeline, NULL))
        return 1;
    crypt_submit_e_reset_game(timeline);
    crypt_submit_e_add_player(timeline, 0, 0xff0000);
    crypt_submit_e_start_round(timeline);
    crypt_submit_e_appear(timeline, 4, 10, 100);
    crypt_submit_e_appear(timeline, 5, 4, 200);
    kifu_result result = kifu_run(timeline);
    const crypt_state *state = crypt_get_state(timeline);
    kifu_handle hero = crypt_next_beings(state, KIFU_NO_HANDLE);
    if (!result)
        result = snippet(timeline, hero, crypt_next_beings(state, hero));
    for (int turns = 0; !result && turns < 30; turns++) { // What is timed gets its time.
        crypt_submit_e_begin_turn(timeline);
        result = kifu_run(timeline);
    }
    if (result)
        printf("failed: %s: %s\\n", kifu_result_text(result), kifu_last_error(timeline)->message);
    kifu_destroy(timeline);
    return result != 0;
}
""",
)

# The page that declares a game of its own; all others are about the tutorial's.
CRYPT_PAGE = "runtime/docs/turns.md"


def game_of(page):
    return CRYPT if page == CRYPT_PAGE else NIM


class Snippet:
    def __init__(self, block, shown):
        self.name = f"{block.page}:{block.line}"
        self.page = block.page
        self.section = block.section
        self.shown = shown  # what the program prints then, where the page says
        self.definitions = ""
        self.statements = ""
        end = 0
        for match in DEFINITION.finditer(block.text):
            self._add_statements(block, end, match.start())
            self.definitions += self._at(block, match.start()) + match.group()
            end = match.end()
        self._add_statements(block, end, len(block.text))

    @staticmethod
    def _at(block, position):
        return f'#line {block.line + block.text[:position].count(chr(10))} "{block.page}"\n'

    def _add_statements(self, block, start, end):
        text = block.text[start:end]
        if text.strip():
            self.statements += self._at(block, start) + text


def read(without=()):
    """The snippets of all pages, in order; not those that include a header of `without`."""
    found = []
    for page in blocks.PAGES:
        every = blocks.read_blocks(page)
        for block, after in zip(every, every[1:] + [None]):
            left_out = any(f"#include <{header}>" in block.text for header in without)
            if block.language == "c" and not block.file and not left_out:
                shown = after.text if after and after.language == "text" else ""
                found.append(Snippet(block, shown))
    return found


def add_to_schema(schema):
    """The tutorial's schema with the events that unnamed blocks declare; and the names of those of these that happen.
    (What stands above README's first heading is a whole schema.)"""
    new = [
        each.text
        for page in blocks.PAGES
        for each in blocks.read_blocks(page)
        if each.language == "fbs" and each.section and not each.file
    ]
    names = re.findall(r"(?m)^table (\w+)", "".join(new))
    before, after = schema.split("\nunion Event", 1)
    members = "".join(f", {name}" for name in names)
    schema = before + "\n" + "".join(new) + "\nunion Event" + after.replace("\n}", members + "\n}")
    superseded = re.findall(r"(?m)^table (\w+) \([^)]*superseded_by", "".join(new))
    return schema, [name for name in names if name not in superseded]


def checks(events):
    """Checks that accept the players' events among `events`."""
    return "".join(
        f"kifu_verdict nim_check_{event}(kifu_timeline *timeline, const nim_state *state, nim_{event} *event)\n"
        "{\n    (void)timeline, (void)state, (void)event;\n    return kifu_accept();\n}\n"
        for event in events
        if event.startswith("p_")
    )


def first_definitions(snippets):
    """What README defines above its first heading. The tutorial defines the same: it gets a file of its own."""
    return "".join(each.definitions for each in snippets if not each.section)


def program(game, snippets, headers=(), more=""):
    """The C files of the program of a game, by name: one for each page, and one that runs all."""
    head = (
        f'#include <stdio.h>\n#include "{game.name}.h"\n'
        + "".join(f"#include <{header}>\n" for header in headers)
        + f"typedef kifu_result snippet(kifu_timeline *timeline, {game.parameters});\n"
        + "int run_snippet(const char *name, snippet *snippet);\n"
    )
    files = {f"{game.name}_first.c": head + first_definitions(snippets) if game is NIM else ""}
    prototypes, calls = "", []
    for page in blocks.PAGES:
        if game_of(page) is not game:
            continue
        parts, runs = [head], []
        for number, each in enumerate(snippets):
            if each.page != page:
                continue
            if each.section:
                parts.append(each.definitions)
            if each.statements:
                statements = each.statements.rstrip("\n")
                parts.append(
                    SNIPPET.format(
                        number=number,
                        parameters=game.parameters,
                        locals=game.locals,
                        statements=statements,
                        page=f"behind {page}",
                    )
                )
                runs.append(f'run_snippet("{each.name}", snippet_{number})')
        name = re.sub(r"\W+", "_", page.removesuffix(".md"))
        if not runs:
            continue
        prototypes += f"int run_{name}(void);\n"
        calls.append(f"run_{name}()")
        parts.append(f'int run_{name}(void);\nint run_{name}(void)\n{{\n    return {" | ".join(runs)};\n}}\n')
        files[f"{game.name}_{name}.c"] = "".join(parts)
    files[f"{game.name}_main.c"] = (
        head + prototypes + more + game.run + f'\nint main(void)\n{{\n    return {" | ".join(calls)};\n}}\n'
    )
    return {file: text for file, text in files.items() if text}
