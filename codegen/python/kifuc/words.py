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
# Macros in lower case: of the C library, and of compilers for one system or processor or another.
MACROS = """assert errno hpux i386 linux m68k mips offsetof ppc sparc stderr stdin stdout sun unix va_arg va_copy
va_end va_start vax""".split()
_INTEGERS = [each + size for each in "int int_fast int_least uint uint_fast uint_least".split() for size in "8 16 32 64".split()]
_TYPES = {each + "_t" for each in _INTEGERS + """intmax intptr locale max_align ptrdiff size ssize uintmax uintptr
wint""".split()} | {"va_list"}
# Names with an underscore inside, which a namespace and a name in it may become: types, macros with a value, functions.
_LIBRARY = frozenset(KEYWORDS) | _TYPES | {each + "_t" for each in """blksize blkcnt caddr clock clockid cnd daddr dev div
double error fd float fpos fsid gid id imaxdiv ino key ldiv lldiv loff mbstate mode mtx nlink nullptr off pid quad register
sig_atomic sigset suseconds thrd time timer tss u_quad uid useconds wchar wctrans wctype""".split()} | {
    "%s_%s" % (each, end) for each in [each.upper() for each in _INTEGERS] + """ARG BOOL CHAR FILENAME FOPEN INT INTMAX INTPTR
IOV L_TMP LINE LLONG LONG MB_CUR MB_LEN NAME PATH PIPE PTRDIFF RAND SCHAR SHRT SIG_ATOMIC SIZE SSIZE TMP UCHAR UINT UINTMAX
UINTPTR ULLONG ULONG USHRT WCHAR WINT""".split() for end in "BIT BUF C MAX MIN WIDTH".split()} | set(
        """CLOCKS_PER_SEC EXIT_FAILURE EXIT_SUCCESS HUGE_VAL HUGE_VALF HUGE_VALL SEEK_CUR SEEK_END SEEK_SET TIME_UTC
aligned_alloc at_quick_exit char_bit explicit_bzero posix_memalign quick_exit va_arg va_copy va_end va_start""".split())
_BEGINNINGS = ("FLT_", "DBL_", "LDBL_", "FP_", "str", "mem", "atomic_")
_MORE_OF_IT = "(?:FLT|DBL|LDBL)_[A-Z0-9_]+|FP_[A-Z]+|(?:str|mem)[a-z]+_[rl]|atomic_[a-z0-9_]+"


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
    if name in _TYPES:
        return "a type of the C library"
    if name.startswith("kifu_") and not name.endswith("_"):
        return "a name of Kifu"
    return None


def of_the_library(names):
    """The names that the C library declares, of those that a prefix and a name can become."""
    return {each for each in names
            if each in _LIBRARY or each.startswith(_BEGINNINGS) and re.fullmatch(_MORE_OF_IT, each)}
