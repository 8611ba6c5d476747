"""The edit functions of a state: one for every place that a path of names leads to."""

from . import text
from .model import Edit, Index


def of(game):
    """All of them, the standard part of the state excepted."""
    result = []
    pools = {pool.field.name: pool for pool in game.pools}
    for field in game.state.fields:
        if field.name in pools:
            # Not the whole of an entity, nor its slot: these say which handles are stale.
            for inner in field.type.struct.fields[1:]:
                _walk(result, game, [(game.state, field), (field.type.struct, inner)], pools[field.name])
        elif field.name != "game":
            _walk(result, game, [(game.state, field)])
    return result


def _walk(result, game, path, pool=None):
    field = path[-1][1]
    if field.count:
        result.append(_edit(game, path, True, pool))
    result.append(_edit(game, path, False, pool))
    if field.type.struct:
        for inner in field.type.struct.fields:
            _walk(result, game, path + [(field.type.struct, inner)], pool)


def _edit(game, path, whole, pool):
    """`path`: the structs and fields that lead there. `whole`: the array at its end, instead of one element. `pool`: the one
    that it begins with."""
    inside = path[1:] if pool else path  # What the function's offset is made of.
    arrays = [field for _, field in inside if field.count]
    if whole:
        arrays.pop()
    if len(arrays) == 1:
        names = ["index"]
    else:
        names = [each.name + "_index" for each in arrays]
        if len(set(names)) < len(names):
            names = ["%s%d" % (name, i + 1) for i, name in enumerate(names)]
    indices, labels = [], [path[0][1].label] if pool else []
    lines, line = [], []  # One statement for each array on the path.
    for struct, field in inside:
        labels.append(field.label)
        line.append("offsetof(%s, %s)" % (struct.c_name, field.name))
        if field.count and len(indices) < len(arrays):
            index = Index(names[len(indices)], field.count, ".".join(labels))
            indices.append(index)
            lines.append(line + ["%s * sizeof(%s)" % (index.name, field.type.c_type)])
            line = []
    lines += [line] if line else []
    offset = ""
    if len(inside) > 1 or indices:
        offset = "\n".join(text.pack("size_t offset = " if i == 0 else "offset += ", line, ";", 4, " +")
                           for i, line in enumerate(lines))
    field = path[-1][1]
    name = "_".join([game.prefix, "edit"] + [each.name for _, each in path] + (["all"] if whole else []))
    size = "sizeof(%s)" % field.type.c_type
    indexed = len(indices) + (1 if pool else 0)
    return Edit(name, ".".join(labels), field.type.c_type, indices, offset, field.name,
                "%d * %s" % (field.count, size) if whole else size, _in_one_window(path, indexed, whole),
                field.count if whole else 0, pool)


def _in_one_window(path, indexed, whole):
    """Whether the place lies in one of the journal's windows of eight bytes, whatever the indices: a scalar always does."""
    field = path[-1][1]
    if field.type.struct is None and not whole:
        return True
    size = field.type.size * (field.count if whole else 1)
    strides = [each.type.size for _, each in path if each.count][:indexed]
    return sum(each.offset for _, each in path) % 8 + size <= 8 and all(stride % 8 == 0 for stride in strides)
