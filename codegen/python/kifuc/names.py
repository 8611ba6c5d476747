"""C names of what a schema declares."""

import re
from functools import lru_cache

from . import words


def is_ours(name):
    """Whether Kifu itself declares `name`."""
    return name.startswith("kifu.")


@lru_cache(maxsize=None)
def snake(name):
    """snake_case: a word begins at an upper-case letter behind a lower-case letter or digit, and at one that starts a
    lower-case word behind capitals. PTake → p_take, HTTPServer → http_server."""
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    name = re.sub(r"([A-Z])([A-Z][a-z])", r"\1_\2", name)
    return name.lower()


def prefix(namespace):
    """The C prefix of a namespace, without the final underscore: my.game → my_game."""
    return "_".join(snake(part) for part in namespace.split("."))


@lru_cache(maxsize=None)
def in_c(name, game=""):
    """The C name of a type; `game` is the prefix of types that are in no namespace."""
    namespace, base = split(name)
    return "_".join(each for each in (prefix(namespace) if namespace else game, snake(base)) if each)


def adder(name, game):
    """The function of the generated source that adds a nested table to an event."""
    namespace, base = split(name)
    return "%s__add_%s" % (prefix(namespace) if namespace else game, snake(base))


def split(full_name):
    """Namespace and name."""
    namespace, _, name = full_name.rpartition(".")
    return namespace, name


def member(name, taken=()):
    """The name of a field in C: in snake_case, with an underscore behind it where C, C++ or `taken` have that name."""
    result = snake(name)
    return result + "_" if words.reserved(result) or result in taken else result


def variable(name):
    """What a variable for an event is called, its name without the letter in front: PTake → take, PPickUp → pick_up."""
    result = re.sub("^[a-z]_+(?=.)", "", snake(name).strip("_"))
    return result if re.match("[a-z]", result) and not words.reserved(result) else "event"


def unused(name, *taken):
    """`name`, or the first of event, the_event, the_event_, … that is in none of `taken`."""
    def is_taken():
        return any(name in each for each in taken)

    if is_taken():
        name = "event"
    if is_taken():
        name = "the_event"
    while is_taken():
        name += "_"
    return name


def candidates(owner, name):
    """The full names that a name in a declaration may stand for, as FlatBuffers looks for them."""
    namespace = split(owner)[0]
    while namespace:
        yield namespace + "." + name
        namespace = split(namespace)[0]
    yield name


def file(stem):
    """What the headers of an included schema are called: its name, in letters that every file system and compiler takes."""
    return re.sub(r"[^A-Za-z0-9_]", "_", stem)
