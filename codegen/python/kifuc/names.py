"""C names of what a schema declares."""

import re

_C = """auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Alignas _Alignof
_Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local""".split()
_CPP = """alignas alignof and and_eq asm bitand bitor bool catch char8_t char16_t char32_t class co_await co_return co_yield
compl concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export false friend mutable
namespace new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast requires static_assert
static_cast template this thread_local throw true try typeid typename using virtual wchar_t xor xor_eq""".split()
# Macros of the headers that generated code includes, and of compilers.
_MACROS = "NULL assert errno linux offsetof unix".split()


def is_ours(name):
    """Whether Kifu itself declares `name`."""
    return name.startswith("kifu.")


def reserved(name):
    """Why `name` cannot be a C name, or None."""
    if name in _C:
        return "a keyword of C"
    if name in _CPP:
        return "a keyword of C++"
    if name in _MACROS:
        return "a macro of the C library or the compiler"
    return None


def snake(name):
    """snake_case: a word begins at an upper-case letter behind a lower-case letter or digit, and at one that starts a
    lower-case word behind capitals. PTake → p_take, HTTPServer → http_server."""
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    name = re.sub(r"([A-Z])([A-Z][a-z])", r"\1_\2", name)
    return name.lower()


def prefix(namespace):
    """The C prefix of a namespace, without the final underscore: my.game → my_game."""
    return "_".join(snake(part) for part in namespace.split("."))


def split(full_name):
    """Namespace and name."""
    namespace, _, name = full_name.rpartition(".")
    return namespace, name


def last_word(name):
    """What a variable for an event is called: PTake → take."""
    return snake(name).rstrip("_").split("_")[-1]


def file(stem):
    """What the headers of an included schema are called: its name, in letters that every file system and compiler takes."""
    return re.sub(r"[^A-Za-z0-9_]", "_", stem)
