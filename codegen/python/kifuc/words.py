"""Names that C, C++, compilers and the C library keep for themselves."""

import re
from functools import lru_cache

_C = """auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef typeof typeof_unqual union unsigned void
volatile while""".split()
_CPP = """alignas alignof and and_eq asm bitand bitor bool catch char8_t char16_t char32_t class co_await co_return
co_yield compl concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export false
friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast
requires static_assert static_cast template this thread_local throw true try typeid typename using virtual wchar_t xor
xor_eq""".split()
KEYWORDS = _C + _CPP
_KEYWORDS = frozenset(KEYWORDS)
# Macros in lower case: of the C library, and of compilers for one system or processor or another.
MACROS = """assert errno hpux i386 linux m68k mips offsetof ppc sparc stderr stdin stdout sun unix va_arg va_copy
va_end va_start vax""".split()
_TYPE = re.compile(r"u?int(?:_fast|_least)?(?:8|16|32|64)_t|u?int(?:max|ptr)_t|(?:s?size|ptrdiff|max_align|wint|locale)_t|va_list")
# Names with an underscore inside, which a namespace and a name in it may become: types, macros with a value, functions.
_LIBRARY = re.compile(
    _TYPE.pattern +
    r"|(?:wchar|wctrans|wctype|nullptr|time|clock|div|ldiv|lldiv|imaxdiv|fpos|mbstate|off|pid|uid|gid|dev|ino|mode|nlink|key|id|"
    r"suseconds|useconds|blksize|blkcnt|clockid|timer|sigset|sig_atomic|float|double|cnd|mtx|thrd|tss|register|fd|loff|quad|"
    r"u_quad|fsid|caddr|daddr|error)_t|"
    r"(?:U?INT(?:_FAST|_LEAST)?(?:8|16|32|64)|U?INTMAX|U?INTPTR|S?SIZE|PTRDIFF|WCHAR|WINT|SIG_ATOMIC|[SU]?CHAR|U?SHRT|BOOL|U?INT|"
    r"U?L?LONG|RAND|PATH|NAME|MB_LEN|MB_CUR|FILENAME|FOPEN|TMP|L_TMP|LINE|IOV|PIPE|ARG)_(?:MAX|MIN|WIDTH|BIT|C|BUF)|"
    r"(?:FLT|DBL|LDBL)_[A-Z0-9_]+|SEEK_(?:SET|CUR|END)|EXIT_(?:SUCCESS|FAILURE)|CLOCKS_PER_SEC|TIME_UTC|HUGE_VAL[FL]?|FP_[A-Z]+|"
    r"(?:explicit_bzero|(?:str|mem)[a-z]+_[rl]|aligned_alloc|quick_exit|at_quick_exit|static_assert|thread_local|posix_memalign|"
    r"char_bit|va_(?:arg|copy|end|start)|atomic_[a-z0-9_]+)")


def of_compilers(name):
    """Whether a name begins as only those of compilers and libraries do."""
    return name.startswith("__")


@lru_cache(maxsize=None)
def reserved(name):
    """Why a field, a parameter or a variable cannot be called so, or None."""
    if name in _C:
        return "a keyword of C"
    if name in _CPP:
        return "a keyword of C++"
    if name in MACROS:
        return "a macro of the C library or the compiler"
    if _TYPE.fullmatch(name):
        return "a type of the C library"
    if name.startswith("kifu_") and not name.endswith("_"):
        return "a name of Kifu"
    return None


def of_the_library(name):
    """Whether the C library declares `name`, of those that a prefix and a name can become."""
    return name in _KEYWORDS or bool(_LIBRARY.fullmatch(name))
