"""kifuc python: the Python module of a game, and the C that its shared library has for it."""

import builtins
import keyword
import math
import os

from . import FOREIGN, text
from .model import BOOL, SCALAR, STRING, STRING_VECTOR, STRUCT, TABLE, TABLE_VECTOR, VECTOR, VECTORS
from .names import split
from .report import Stop
from .templates import environment, render
from .uses import used, with_inner

# As struct and memoryview call them.
_FORMATS = {"bool": "?", "int8_t": "b", "uint8_t": "B", "int16_t": "h", "uint16_t": "H", "int32_t": "i", "uint32_t": "I",
            "int64_t": "q", "uint64_t": "Q", "float": "f", "double": "d"}
# Kinds of fields, in the order of their numbers in tables.py.
_KINDS = (SCALAR, STRUCT, STRING, VECTOR, STRING_VECTOR, TABLE, TABLE_VECTOR)
# What the module itself has.
_OWN = ("annotations NamedTuple Optional IntEnum IntFlag Event Line Error Rejected Refused Row Table Game load from_bytes "
        "read_saves table").split() + dir(builtins)


def package(stem):
    """What the module of a schema is called."""
    result = "".join(each if each.isascii() and (each.isalnum() or each == "_") else "_" for each in stem)
    result = "_" + result if result[:1].isdigit() else result
    if keyword.iskeyword(result):
        raise Stop("%s.fbs: a Python module cannot be called %s; rename the schema" % (stem, stem))
    return result


def _attribute(name, taken):
    """A name that may stand behind a dot, and that `taken` does not have."""
    result = name.lstrip("_") + "_" * (name[:1] == "_")
    if result == "_" or not result.isidentifier():
        result = "n" + result
    while keyword.iskeyword(result) or result in taken:
        result += "_"
    taken.add(result)
    return result


def _attributes(labels, reserved=()):
    taken = set(reserved)
    return [_attribute(each, taken) for each in labels]


class Module:
    def __init__(self, emitter, schema, stem):
        self.game = game = emitter.game
        self.schema = schema
        self.stem = stem
        self.header = emitter.headers.game_header.path
        self.package = package(stem)
        self.structs = with_inner([game.model] + game.structs + used(game)[1])
        self.tables = game.tables
        inlines = [field.type for struct in self.structs for field in struct.fields] + [
            field.inline for table in self.tables for field in table.stored if field.inline]
        self.enums = list(dict.fromkeys(
            game.enums + [each.enum for each in inlines if each.enum and each.enum is not BOOL]))
        taken, self.names = set(_OWN), {}
        for each in self.enums + self.structs + self.tables:
            self.names[each.name] = _attribute(self._class_name(each.name), taken)

    def _class_name(self, name):
        namespace, base = split(name)
        if namespace in ("", "kifu", self.game.name):
            return base
        return "".join(part[:1].upper() + part[1:] for part in namespace.split(".")) + base

    # --- What the templates use ------------------------------------------------------------------------------------------

    @staticmethod
    def _docstring(lines, name):
        found = [text.unseen(each).strip() for each in lines] or [name]
        joined = "\n    ".join(found).replace("\\", "\\\\").replace('"', '\\"')
        return '"""%s"""' % "\n".join(each.rstrip() for each in joined.split("\n"))

    @staticmethod
    def _comment(lines, indent=4):
        return "".join("%s# %s\n" % (" " * indent, text.unseen(each).strip()) for each in lines)

    @staticmethod
    def _values(enum):
        labels = _attributes([each.label for each in enum.values], ("mro", "name", "value"))
        return [(label, each.value, each.doc) for label, each in zip(labels, enum.values)]

    def _of(self, inline):
        """The Python of a number's format, or of a struct's class."""
        if inline.struct:
            return self.names[inline.struct.name]
        return '"%s"' % _FORMATS[inline.enum.c_type if inline.enum else inline.c_type]

    def _struct_fields(self, struct):
        for name, field in zip(_attributes([each.name for each in struct.fields]), struct.fields):
            yield name, self._of(field.type), field

    def _table_fields(self, table):
        for name, field in zip(_attributes([each.name for each in table.stored]), table.stored):
            yield name, self._annotation(field), self._default(field), field

    def _annotation(self, field):
        if field.kind == SCALAR:
            found = "bool" if field.inline.enum is BOOL else "float" if field.inline.c_type in ("float", "double") else "int"
            return "Optional[%s]" % found if field.optional else found
        return "Optional[%s]" % ("str" if field.kind == STRING else "tuple" if field.kind in VECTORS else self.names[
            field.table.name if field.table else field.inline.struct.name])

    @staticmethod
    def _default(field):
        if field.kind != SCALAR or field.optional:
            return "None"
        if field.inline.enum is BOOL:
            return "True" if field.default else "False"
        if isinstance(field.default, float) and not math.isfinite(field.default):
            return 'float("%r")' % field.default
        return repr(float(field.default) if field.inline.c_type in ("float", "double") else field.default)

    def _table_records(self, table):
        for (name, _, _, field), kind in zip(self._table_fields(table), [_KINDS.index(each.kind) for each in table.stored]):
            of = self.names[field.table.name] if field.table else self._of(field.inline) if field.inline else "None"
            yield '("%s", %d, %s, %d, %d, %d)' % (name, kind, of, field.offset, field.has,
                                                  field.inline.align if field.inline else 1)

    @staticmethod
    def _functions(event):
        for verb in ("submit", "play", "try", "can"):
            if verb in event.verbs:
                yield verb, event.function(verb) + "_args"

    def _layout(self):
        """Lines of C: sizes and places, in the order in which library.py asks for them."""
        for struct in self.structs:
            yield from self._places(struct.c_name, [each.name for each in struct.fields])
        for table in self.tables:
            yield from self._places(table.c_name, [each.name for each in table.stored])
            yield from self._places(table.c_name + "_args", [
                name for each in table.stored for name in
                (["has_" + each.name] if each.optional else []) + [each.name] +
                ([each.name + "_count"] if each.kind in VECTORS else [])])

    @staticmethod
    def _places(c_name, members):
        yield "sizeof(%s)," % c_name
        for each in members:
            yield "offsetof(%s, %s)," % (c_name, each)

    def files(self):
        """Name below the output folder, and content."""
        templates = environment()
        result = {
            self.package + "/__init__.py": render(templates, "module.py.j2", {
                "game": self.game, "schema": self.schema, "package": self.package, "names": self.names, "enums": self.enums,
                "structs": self.structs, "tables": self.tables, "docstring": self._docstring, "comment": self._comment,
                "values": self._values, "struct_fields": self._struct_fields, "table_fields": self._table_fields,
                "table_records": self._table_records, "functions": self._functions}),
            self.stem + "_foreign.c": render(templates, "foreign.c.j2", {
                "game": self.game, "schema": self.schema, "header": self.header, "layout": self._layout()}),
        }
        for name in common():
            with open(os.path.join(FOREIGN, "python", name), encoding="utf-8") as stream:
                result["%s/_kifu/%s" % (self.package, name)] = stream.read()
        return result


def common():
    """The files that the modules of all games have."""
    return sorted(each for each in os.listdir(os.path.join(FOREIGN, "python")) if each.endswith(".py"))
