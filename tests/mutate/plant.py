"""Finds the places of a C source where a fault can be planted, by its text alone: it takes the code for what
clang-format made of it, and no macro for anything but a name."""

import re

TOKEN = re.compile(r"""
    (?P<space> \s+ | //[^\n]* | /\*.*?\*/ )
  | (?P<directive> (?<![^\n]) [ \t]* \# (?: \\\n | [^\n] )* )
  | (?P<text> "(?: \\. | [^"\\] )*" | '(?: \\. | [^'\\] )*' )
  | (?P<number> (?: 0[xX][0-9a-fA-F]+ | [0-9]+ (?: \.[0-9]+ )? (?: e[-+]?[0-9]+ )? ) [uUlLfF]* )
  | (?P<name> [A-Za-z_][A-Za-z_0-9]* )
  | (?P<sign> <<= | >>= | \.\.\. | -> | \+\+ | -- | << | >> | <= | >= | == | != | && | \|\|
            | [-+*/%&|^]= | [-+*/%&|^~!<>=?:;,.(){}\[\]\#\\] )
""", re.VERBOSE | re.DOTALL)

OPEN = {"(": ")", "[": "]", "{": "}"}
CONTROL = {"if", "while", "for", "switch"}
JUMPS = {"return", "break", "continue", "goto"}
TYPES = {"const", "static", "struct", "enum", "union", "unsigned", "signed", "int", "char", "long", "short", "float",
         "double", "bool", "void", "volatile", "extern", "typedef", "_Static_assert"}
ASSIGN = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
MOVED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
# Calls that give something back, or make something last; 0 of C's own means that they did.
C_CALLS = {"fflush", "fsync", "close", "fclose", "munmap", "remove", "unlink"}
GIVES_BACK = re.compile(r"(^|_)(free|flush|fflush|sync|fsync|close|fclose|release|destroy|munmap|remove|unlink|abandon)"
                        r"(_|$)")

# What these are asked for is room: more of it changes nothing.
ROOM = {"kifu__grow", "kifu__new"}

KINDS = ("statement", "condition", "bound", "call")


class Token:
    def __init__(self, kind, text, start):
        self.kind = kind
        self.text = text
        self.start = start
        self.end = start + len(text)

    def __repr__(self):
        return self.text


class Fault:
    """One fault: source[start:end] becomes `text`."""

    def __init__(self, kind, function, source, start, end, text):
        self.kind = kind
        self.function = function
        self.start, self.end, self.text = start, end, text
        self.line = source.count("\n", 0, start) + 1
        self.last_line = source.count("\n", 0, end) + 1
        # Whole lines, before and after.
        first, last = source.rfind("\n", 0, start) + 1, source.find("\n", end)
        self.before = " ".join(source[first:last].split())
        self.after = " ".join((source[first:start] + text + source[end:last]).split())

    def plant(self, source):
        # As many lines as before.
        lost = source.count("\n", self.start, self.end) - self.text.count("\n")
        return source[:self.start] + self.text + "\n" * lost + source[self.end:]

    def what(self):
        return "%s  =>  %s" % (self.before, self.after)


def tokens_of(source):
    tokens = []
    at = 0
    while at < len(source):
        match = TOKEN.match(source, at)
        if not match:
            at += 1  # Nothing that C knows.
            continue
        if match.lastgroup not in ("space", "directive"):
            tokens.append(Token(match.lastgroup, match.group(), at))
        at = match.end()
    return tokens


def close_of(tokens, at):
    """The index of the bracket that closes the one at `at`; the last token where none does."""
    depth = 0
    for i in range(at, len(tokens)):
        if tokens[i].text in OPEN:
            depth += 1
        elif tokens[i].text in (")", "]", "}"):
            depth -= 1
            if not depth:
                return i
    return len(tokens) - 1


def open_of(tokens, at):
    depth = 0
    for i in range(at, -1, -1):
        if tokens[i].text in (")", "]", "}"):
            depth += 1
        elif tokens[i].text in OPEN:
            depth -= 1
            if not depth:
                return i
    return 0


def functions_of(source, tokens):
    """(name, type, first, last) of each function: the tokens from `{` to `}`, which clang-format puts at the start of a
    line."""
    functions = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.text == "{" and at and tokens[at - 1].text == ")" and source[token.start - 1:token.start] == "\n":
            head = open_of(tokens, at - 1)
            last = at
            while last + 1 < len(tokens) and not (tokens[last].text == "}" and
                                                  source[tokens[last].start - 1:tokens[last].start] == "\n"):
                last += 1
            result = [each.text for each in tokens[max(0, head - 4):head - 1]]
            functions.append((tokens[head - 1].text, "bool" if "bool" in result and "*" not in result else "other", at, last))
            at = last
        at += 1
    return functions


class Planter:
    """Collects the faults of one function."""

    def __init__(self, source, tokens, name, result, first, last):
        self.source, self.tokens = source, tokens
        self.name, self.result = name, result
        self.first, self.last = first, last
        self.faults = []

    def text(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def add(self, kind, first, last, text):
        """`text` takes the place of the tokens from first to last, both included."""
        self.faults.append(Fault(kind, self.name, self.source, self.tokens[first].start, self.tokens[last].end, text))

    def plant(self):
        self.statements()
        self.conditions()
        self.bounds()
        self.calls()
        return self.faults

    # Statements: where each begins.

    def begins(self, i):
        before = self.text(i - 1)
        if before in ("else", "do"):
            return True
        if before == ";":
            return not self.in_for_head(i - 1)
        if before in ("{", "}"):
            return self.is_block(i - 1 if before == "{" else open_of(self.tokens, i - 1))
        if before == ":":
            return self.text(i - 2) == "default" or self.is_case(i - 1)
        if before == ")":
            return self.text(open_of(self.tokens, i - 1) - 1) in CONTROL
        return False

    def is_block(self, i):
        """Whether the `{` at i begins statements, not values."""
        if self.text(i - 1) == ")" and i > self.first:
            return self.text(open_of(self.tokens, i - 1) - 1) in CONTROL
        return i == self.first or self.text(i - 1) in ("else", "do", ";", "{", "}", ":")

    def is_case(self, colon):
        i = colon - 1
        while i > self.first and self.text(i) not in (";", "{", "}", "case", "?", ":"):
            i -= 1
        return self.text(i) == "case"

    def in_for_head(self, i):
        depth = 0
        while i > self.first:
            i -= 1
            if self.text(i) in (")", "]", "}"):
                depth += 1
            elif self.text(i) in OPEN:
                if not depth:
                    return self.text(i) == "("
                depth -= 1
        return False

    def statement_end(self, i):
        """The `;` of the statement that begins at i."""
        while i < self.last and self.text(i) != ";":
            i = close_of(self.tokens, i) if self.text(i) in OPEN else i
            i += 1
        return i

    def is_declaration(self, i):
        if self.text(i) in TYPES:
            return True
        if self.tokens[i].kind != "name":
            return False
        i += 1
        stars = i
        while self.text(i) in ("*", "const"):
            i += 1
        if self.tokens[i].kind != "name":
            return False
        return i == stars or self.text(i + 1) in ("=", ";", ",", "[")

    def statements(self):
        for i in range(self.first + 1, self.last):
            if not self.begins(i) or self.text(i) in ("{", "}", ";") or self.text(i) in CONTROL | {"else", "do", "case",
                                                                                                   "default"}:
                continue
            end = self.statement_end(i)
            if self.text(i) in JUMPS:
                # Without its last return a function has no value.
                if end + 1 < self.last or self.text(i) != "return":
                    self.add("statement", i, end, ";")
                continue
            if self.is_declaration(i) or [self.text(i + k) for k in range(3)] == ["(", "void", ")"]:
                continue
            call = self.tokens[i].kind == "name" and self.text(i + 1) == "(" and GIVES_BACK.search(self.text(i))
            self.add("call" if call and close_of(self.tokens, i + 1) + 1 == end else "statement", i, end, ";")

    # Conditions: whole, and each side of && and ||.

    def negate(self, first, last):
        if first <= last:
            text = self.source[self.tokens[first].start:self.tokens[last].end]
            self.add("condition", first, last, "!(%s)" % text)

    def left_of(self, i, stops):
        """The first token of what ends before i."""
        i -= 1
        while i > self.first and self.text(i) not in stops and self.text(i) not in OPEN:
            i = open_of(self.tokens, i) if self.text(i) in (")", "]", "}") else i
            i -= 1
        return i + 1

    def right_of(self, i, stops):
        """The last token of what begins behind i."""
        i += 1
        while i < self.last and self.text(i) not in stops and self.text(i) not in (")", "]", "}"):
            i = close_of(self.tokens, i) if self.text(i) in OPEN else i
            i += 1
        return i - 1

    def conditions(self):
        stops = {",", ";", "?", ":", "return", "else", "do"} | ASSIGN
        sides = stops | {"&&", "||"}
        for i in range(self.first + 1, self.last):
            text = self.text(i)
            if text in ("if", "while") and self.text(i + 1) == "(":
                self.negate(i + 2, close_of(self.tokens, i + 1) - 1)
            elif text == "for":
                semicolons = [k for k in range(i + 2, close_of(self.tokens, i + 1)) if self.text(k) == ";"]
                if len(semicolons) == 2:
                    self.negate(semicolons[0] + 1, semicolons[1] - 1)
            elif text == "?":
                self.negate(self.left_of(i, stops), i - 1)
            elif text in ("&&", "||"):
                self.negate(self.left_of(i, sides), i - 1)
                self.negate(i + 1, self.right_of(i, sides))

    # Bounds.

    def words(self, first, last):
        return [self.text(i) for i in range(first, last + 1)]

    def is_the_same_at(self, i):
        """Whether the comparison at i chooses between two that are the same where both sides are: a < b ? a : b,
        a > b ? a - b : 0, and a - b < c ? a : b + c."""
        stops = {",", ";", "?", ":", "return", "&&", "||"} | ASSIGN
        end = self.right_of(i, stops)
        if self.text(end + 1) != "?":
            return False
        colon = self.right_of(end + 1, stops) + 1
        left, right = self.words(self.left_of(i, stops), i - 1), self.words(i + 1, end)
        chosen = [self.words(end + 2, colon - 1), self.words(colon + 1, self.right_of(colon, stops))]
        minus = left.index("-") if "-" in left else 0
        return chosen in ([left, right], [right, left], [left + ["-"] + right, ["0"]],
                          [left[:minus], left[minus + 1:] + ["+"] + right])

    def asks_for_room(self, i):
        """Whether the token at i is in what a call asks for room by."""
        depth = 0
        while i > self.first and self.text(i) not in (";", "{", "}"):
            i -= 1
            depth += (self.text(i) == ")") - (self.text(i) == "(")
            if depth < 0 and self.text(i - 1) in ROOM:
                return True
            depth = max(depth, 0) if self.text(i) == "(" else depth
        return False

    def bounds(self):
        for i in range(self.first + 1, self.last):
            text, before = self.text(i), self.text(i - 1)
            if text in MOVED:
                if not self.is_the_same_at(i):
                    self.add("bound", i, i, MOVED[text])
            elif self.tokens[i].kind == "number" and before in {"+", "-", "+=", "-=", "<", "<=", ">", ">="}:
                match = re.match(r"([0-9]+)([uUlL]*)$", text)
                if match and (before not in "+-" or self.text(i - 2) not in {"(", ",", "return", "?", ":"} | ASSIGN):
                    for value in (int(match.group(1)) + 1, int(match.group(1)) - 1):
                        if value >= 0 and not (before == "+" and value > int(match.group(1)) and self.asks_for_room(i)):
                            self.add("bound", i, i, "%d%s" % (value, match.group(2)))

    # Calls whose result is asked for: they succeed without having done a thing.

    def calls(self):
        for i in range(self.first + 1, self.last):
            if self.tokens[i].kind != "name" or self.text(i + 1) != "(" or not GIVES_BACK.search(self.text(i)):
                continue
            before, end = self.text(i - 1), close_of(self.tokens, i + 1)
            if self.begins(i) or before in (".", "->", ")"):
                continue
            after = self.text(end + 1)
            yes = self.text(i) not in C_CALLS and (
                before in ("!", "&&", "||") or after in ("&&", "||") or (before == "return" and self.result == "bool"))
            self.add("call", i, end, "1" if yes else "0")


def faults_of(source):
    tokens = tokens_of(source)
    faults = []
    for function in functions_of(source, tokens):
        faults += Planter(source, tokens, *function).plant()
    once = {}
    for fault in faults:
        once.setdefault((fault.start, fault.end, fault.text), fault)
    return list(once.values())
