"""Where members lie: in the structs of tables, in FlatBuffers structs, in the state."""

import collections

from .model import Check, Member


def _padding(members, taken, offset, size):
    """Adds a hole under a name that neither the members nor `taken` have."""
    taken = {each.name for each in members} | taken
    name, count = "padding_", 1
    while name in taken:
        count += 1
        name = "padding%d_" % count
    members.append(Member(name, "uint8_t", offset, size, [], size, True))


def lay_out_struct(struct):
    """Members of a FlatBuffers struct: flatc has placed the fields; every hole becomes a member."""
    end = 0
    taken = {field.name for field in struct.fields}
    for field in struct.fields:
        if field.offset > end:
            _padding(struct.members, taken, end, field.offset - end)
        size = field.type.size * (field.count or 1)
        struct.members.append(Member(field.name, field.type.c_type, field.offset, size, field.doc, field.count))
        end = field.offset + size
    if struct.size > end:
        _padding(struct.members, taken, end, struct.size - end)


def checks_of(struct):
    """The enums and bools inside a struct."""
    if struct.checks is None:
        struct.checks = [check for field in struct.fields
                         for check in _checks(field.label, field.type, field.offset, field.count or 1)]
    return struct.checks


def _checks(path, inline, offset, count):
    """The enums and bools inside `count` values of a type."""
    if inline.enum:
        return [Check(path, inline.enum, offset, count, inline.size)]
    checks = []
    for inner in checks_of(inline.struct) if inline.struct else []:
        # A row in each of several: one long row where nothing lies between them, else as few rows as possible.
        path_, start = path + "." + inner.path, offset + inner.offset
        if inner.count * inner.stride == inline.size:
            checks.append(Check(path_, inner.enum, start, count * inner.count, inner.stride))
        elif inner.count < count:
            checks += [Check(path_, inner.enum, start + i * inner.stride, count, inline.size) for i in range(inner.count)]
        else:
            checks += [Check(path_, inner.enum, start + i * inline.size, inner.count, inner.stride) for i in range(count)]
    return [each if each.count > 1 else Check(each.path, each.enum, each.offset, 1, each.enum.size) for each in checks]


def _place(waiting, end):
    """Members in the order in which they leave the fewest holes: at each position the one of the largest alignment that
    divides it; of several the first. Yields (offset, member); a member is (size, align, …)."""
    queues = {}  # By alignment.
    for each in waiting:
        queues.setdefault(each[1], collections.deque()).append(each)
    while queues:
        fitting = [align for align in queues if end % align == 0]
        if not fitting:
            end += 1
            continue
        queue = queues[max(fitting)]
        best = queue.popleft()
        if not queue:
            del queues[best[1]]
        yield end, best
        end += best[0]


def _pack(candidates, start):
    """Places candidates (size, align, member) and fills holes; returns members, size and alignment."""
    members = []
    taken = {member.name for _, _, member in candidates}
    end = start
    align = max([each[1] for each in candidates], default=1)
    if start:
        align = max(align, 4)
    for offset, (size, _, member) in _place(candidates, start):
        if offset > end:
            _padding(members, taken, end, offset - end)
        member.offset = offset
        members.append(member)
        end = offset + size
    size = -(-end // align) * align
    if size > end:
        _padding(members, taken, end, size - end)
    return members, size, align


def lay_out_table(table):
    """The table's inline part: the offset of the vtable, then its stored fields."""
    candidates = []
    for field in table.stored:
        if field.optional:
            candidates.append((1, 1, Member("has_" + field.name, "bool", 0, 1, ["Whether `%s` is there." % field.name])))
        size, align = field.slot
        c_type = "kifu_ref" if field.reference else field.inline.c_type
        candidates.append((size, align, Member(field.name, c_type, 0, size, field.doc)))
    members, table.size, table.align = _pack(candidates, 4)
    table.members = [Member("vtable_", "int32_t", 0, 4, [])] + members

    places = {each.name: each.offset for each in members}
    for field in table.stored:
        field.offset = places[field.name]
        field.has = places["has_" + field.name] if field.optional else 0
        if not field.reference:
            table.checks += _checks(field.label, field.inline, field.offset, 1)
    entries = [field.offset for field in table.fields]
    while entries and not entries[-1]:
        entries.pop()
    table.vtable = [4 + 2 * len(entries), table.size] + entries


def lay_out_transient(event):
    """The struct of an event's transient fields."""
    candidates = [(field.inline.size, field.inline.align, Member(field.name, field.inline.c_type, 0, field.inline.size,
                                                                 field.doc))
                  for field in event.table.fields if field.transient]
    event.transient, _, _ = _pack(candidates, 0)


def align_deeply(tables):
    """`deep_align`: of a table with everything that it can lead to."""
    for table in tables:
        table.deep_align = table.align
        for field in table.stored:
            if field.inline:
                table.deep_align = max(table.deep_align, field.inline.align)
    changed = True
    while changed:
        changed = False
        for table in tables:
            for field in table.stored:
                if field.table and field.table.deep_align > table.deep_align:
                    table.deep_align = field.table.deep_align
                    changed = True
