"""The words of random schemas: names and comments that C could take for something else."""

import re

import tools
from kifuc import words

COMMENTS = """*/ /* // \\ ??/ ??= " ' %s {{x}} {%if%} #include #endif @param \\file -item *item `code` NOLINT _Pragma("x") $(x) error:
\\u0041 \\n <b> &amp; e\u0301""".split() + [
    "\t", "\v", "\f", "\x01", "\x7f", "\u2028", "\u202e", "\u2066", "\u00a0", "\ufeff", "\U0001f600", "\x85", "word " * 40, "x" * 150,
    "clang-format off", "- item", "{{ x }}", "{% if %}"]
# What game code and generated code are about: names that the generated C has, too.
PLAIN = """timeline player state event the_event go item items take table at args ref count index handle offset
transient context base view type core check act replay types schema vtables calls has_x x padding padding_ vtable
vtable_ a__b _ _x x_ x_2 _2 x_count x_length count_count length args_ defaults name value result subjects scope tag
tags submit do edit spawn next get unused all submit_p_a do_p_a edit_x p_a_x p_a_args P_A SCOPE_X get_state rules
add_p_a x_index index1 i memcpy abs time index y0 signal remove nim game acts ACTS slot actor turns level Level level_2 Level2
INT8_MIN INT_MAX EOF NULL T t int8 size E P EA PA kifu kifu_x""".split()


def of_the_headers():
    """The names that Kifu's own headers declare."""
    folder = tools.ROOT + "/runtime/include/kifu/"
    text = "".join(tools.read(folder + each).decode() for each in ("detail/rules.h", "detail/state.h", "detail/pool.h",
                                                         "detail/event.h", "pool.h", "timeline.h", "event.h"))
    return sorted(set(re.findall(r"\bkifu_\w+", text)))


# Around the name of something that the schema declares: what becomes of it in C.
FRONT = """_state _at_ call__ submit_ do_ check_ edit_ _add_ spawn_ despawn_ get_ next_ upcast_ subjects_ act_ call_
SCOPE_ TAG_ _pool_ has_""".split()
BACK = """_args _transient _subjects _count _length _all __enum __values __labels __struct __members __checks __table
__fields __scopes _name _defaults _COUNT _H _vector _size _view _rules""".split()
SPACES = """call do name act check int8 INT INT8 size SIZE time va and not is char atomic at str mem nim__add board
EXIT state p types typedef board.my.Game""".split()
WORDS = words.KEYWORDS + words.MACROS + PLAIN + of_the_headers()
