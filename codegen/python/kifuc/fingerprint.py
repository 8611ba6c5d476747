"""The fingerprint: a number for all that the saves and replays of a game depend on."""

import hashlib

from .uses import used, with_inner


def of(game):
    """The first 8 bytes of a SHA-256 over the schema's meaning: all that saves and replays depend on, and no comment."""
    lines = ["kifu 1", "union " + game.union, "rules_version %d" % game.rules_version]

    def inline(each):
        kind = each.enum.name if each.enum else each.struct.name if each.struct else each.c_type
        return "%s %d %d" % (kind, each.size, each.align)

    def describe_struct(struct):
        result = ["struct %s %d %d" % (struct.name, struct.size, struct.align)]
        for field in struct.fields:
            result.append("  %s %d %d %s" % (field.label, field.offset, field.count, inline(field.type)))
        return result

    enums, structs = used(game)
    if game.state:
        for struct in with_inner([game.state]):
            if struct not in structs:
                structs.append(struct)
            for field in struct.fields:
                if field.type.enum and field.type.enum not in enums:
                    enums.append(field.type.enum)
    for enum in sorted(enums, key=lambda each: each.name):
        lines.append("enum %s %d %d %d %s" % (enum.name, enum.size, enum.signed, enum.bit_flags, " ".join(
            str(each.value) for each in enum.values)))
    for struct in sorted(structs, key=lambda each: each.name):
        lines += describe_struct(struct)
    for table in game.tables:
        lines.append("table %s %d" % (table.name, table.size))
        for field in table.fields:
            target = inline(field.inline) if field.inline else field.table.name if field.table else "-"
            lines.append("  %s %s %s %d %d %d%d%d%d %d" % (
                field.label, field.kind, target, field.offset, field.has, field.optional, field.required, field.deprecated,
                field.transient, field.default_bits))
    for event in game.events:
        lines.append("event %d %s %d %d%d%d" % (event.id, event.table.name, event.flags, event.never_undoable,
                                                event.is_player, event.has_check))
        if event.successor:
            lines.append("  superseded by %d" % event.successor.id)
    lines.append("state " + (game.state.name if game.state else "kifu.Game"))
    digest = hashlib.sha256("\n".join(lines).encode("utf-8")).digest()
    return int.from_bytes(digest[:8], "little")
