"""The runtime's own tables, such as those of a save: structs and descriptions for tables that are no game's events."""

from . import build, layout, names, reflection, text, texts
from .flatc import Flatc
from .model import REFERENCES, VECTOR
from .source import Sources
from .templates import environment, render


def _local(item):
    """How the source calls it: no other source of the runtime has such a name."""
    return names.in_c(item.name).replace("kifu_", "", 1)


def _definition(declaration, members):
    """A definition on as few lines as it takes, whatever clang-format would do."""
    items = [".%s = %s" % each for each in members]
    line = declaration + " = {" + ", ".join(items) + "};"
    return line if len(line) <= text.WIDTH else declaration + " = {\n" + text.pack("    ", items, "};")


def _struct(struct):
    return _definition("static const kifu__struct %s_struct" % _local(struct),
                       [("name", '"%s"' % struct.name), ("size", struct.size), ("align", struct.align)])


def _field(field):
    plain = field.kind in REFERENCES and field.kind != VECTOR
    size, align = (4, 4) if plain else (field.inline.size, field.inline.align)
    members = [("name", '"%s"' % field.label), ("kind", field.kind), ("align", align), ("size", size),
               ("offset", field.offset)]
    if field.required:
        members.append(("required", "true"))
    if field.inline and field.inline.struct:
        members.append(("structure", "&%s_struct" % _local(field.inline.struct)))
    return text.record(members)


def _table(table):
    members = [("name", '"%s"' % table.name), ("size", table.size), ("align", table.deep_align)]
    if table.flat:
        members.append(("flat", "true"))
    if table.fields:
        members += [("field_count", len(table.fields)), ("fields", _local(table) + "_fields")]
    vtable = ", ".join(str(each) for each in table.vtable)
    return _definition("const kifu__table %s_table" % table.c_name, members + [("vtable", "(const uint16_t[]){%s}" % vtable)])


def files(path, stem, flatc_path, report):
    """The header and the source for all tables of a schema: name and content."""
    compiler = Flatc(flatc_path, [], report)
    sources = Sources(path, [])
    texts.check_files(sources, report)
    schema = reflection.read(compiler.reflect(path))
    builder = build.Builder(schema, sources, report)
    found = sorted((each for each in schema.objects if not each.is_struct), key=lambda each: sources.order(each.name))
    tables = [builder.table(each) for each in found]
    report.flush()
    layout.align_deeply(tables)
    structs = sorted(builder.structs.values(), key=lambda each: sources.order(each.name))
    context = {
        "schema": sources.main.rpartition("/")[2], "stem": stem, "tables": tables, "structs": structs, "struct": _struct,
        "field": _field, "table": _table, "local": _local,
        "declare": lambda member: text.declare(member.c_type, member.name) + ("[%d]" % member.count if member.count else ""),
    }
    templates = environment()
    return {stem + ending: render(templates, "tables%s.j2" % ending, context) for ending in (".h", ".c")}
