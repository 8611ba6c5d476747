"""The edit functions of a state: one for each place that a path of at most three names leads to, and one for each struct
that lies deeper."""

from . import names, text
from .model import Edit

_DEEPEST = 3  # Names on a path: each further one would multiply the functions.


def of(game):
    """All of them, the standard part of the state excepted; in front of those of an array what finds its elements."""
    pools = {pool.field.name: pool for pool in game.pools}
    walk = _Walk(game)
    for field in game.state.fields:
        if field.name in pools:
            # Not the whole of an entity, nor its slot: these say which handles are stale.
            walk.results.append(_Place(game, [field], pools[field.name]).finder())
            for inner in field.type.struct.fields[1:]:
                walk.visit([field, inner], pools[field.name])
        elif field.name != "game":
            walk.visit([field], None)
    entities = [pool.field.type.struct for pool in game.pools]
    return walk.results + [_by_pointer(game, each) for each in walk.deep if each not in entities]


class _Walk:
    def __init__(self, game):
        self.game = game
        self.results = []
        self.deep = []  # The structs behind the longest paths.

    def visit(self, fields, pool):
        """Adds the edits of what a path leads to, and of what is in that."""
        place = _Place(self.game, fields, pool)
        if place.has_finder:
            self.results.append(place.finder())
        if place.field.count:
            self.results.append(place.edit(True))
        self.results.append(place.edit(False))
        for inner in place.field.type.struct.fields if place.field.type.struct else []:
            if len(fields) < _DEEPEST:
                self.visit(fields + [inner], pool)
            elif inner.type.struct:
                self.add_deep(inner.type.struct)

    def add_deep(self, struct):
        if struct not in self.deep:
            self.deep.append(struct)
            for inner in struct.fields:
                if inner.type.struct:
                    self.add_deep(inner.type.struct)


class _Place:
    """What a path of fields leads to. `pool`: the one that it begins with."""

    def __init__(self, game, fields, pool):
        self.game, self.fields, self.pool = game, fields, pool
        self.field = fields[-1]
        self.label = ".".join(each.label for each in fields)
        self.path = "_".join(each.name for each in fields)

    @property
    def is_pool(self):
        return bool(self.pool) and len(self.fields) == 1

    @property
    def has_finder(self):
        """Whether a function of its own finds an element, because several edits need it."""
        return self.is_pool or bool(self.field.count and self.field.type.struct and len(self.fields) < _DEEPEST)

    @property
    def finder_name(self):
        return "%s__at_%s" % (self.game.prefix, self.path)

    def indices(self, whole):
        """Names of the arguments that choose elements, in the order of the path."""
        arrays = [each for each in self.fields[1 if self.pool else 0:] if each.count]
        if whole:
            arrays.pop()
        if len(arrays) == 1:
            return ["index"]
        result = [names.member(each.name + "_index") for each in arrays]
        if len(set(result)) < len(result):
            result = ["%s%d" % (name, i + 1) for i, name in enumerate(result)]
        return result

    def params(self, indices):
        return ["kifu_timeline *timeline"] + (["kifu_handle handle"] if self.pool else []) + ["uint32_t " + each
                                                                                            for each in indices]

    def find(self, indices):
        """The call that finds an element."""
        return "%s(%s)" % (self.finder_name, ", ".join(["timeline"] + (["handle"] if self.pool else []) + indices))

    def member(self, indices):
        """The place as C has it; where it is an array, the whole of it."""
        for end in range(len(self.fields) - 1, 0, -1):
            outer = _Place(self.game, self.fields[:end], self.pool)
            if outer.has_finder:
                start = outer.find(indices[:len(outer.indices(False))])
                break
        else:
            start, end = "%s__state(timeline)" % self.game.prefix, 0
        return start + "->" + ".".join(each.name for each in self.fields[end:])

    def limit(self, index):
        """The statement that keeps an index inside the array."""
        return text.pack("%s = kifu__index(" % index, ["timeline", '"%s"' % self.label, index, str(self.field.count)], ");", 4)

    def finder(self):
        indices = self.indices(False)
        if self.is_pool:
            pool = "&" + self.game.description_of(self.field)
            body = [text.pack("const uint32_t index = kifu__pool_index(", ["timeline", pool, "handle"], ");", 4)]
        else:
            body = [self.limit(indices[-1])]
        body.append("    return &%s[%s];" % (self.member(indices), indices[-1] if indices else "index"))
        return Edit(self.finder_name, [], self.field.type.c_type, self.params(indices), body)

    def edit(self, whole):
        """`whole`: of the array at the end of the path, instead of one element."""
        field, body, indices = self.field, [], self.indices(whole)
        place = self.member(indices)
        if field.count and not whole and self.has_finder:
            place = self.find(indices)
        elif field.count and not whole:
            body.append(self.limit(indices[-1]))
            place = "&%s[%s]" % (place, indices[-1])
        elif not whole:
            place = "&" + place
        call, items = "kifu__edit_word(", ["timeline", place]
        if not self.in_one_window(len(indices), whole):
            size = "sizeof(%s)" % field.type.c_type
            call, items = "kifu__edit(", items + ["%d * %s" % (field.count, size) if whole else size]
        body.append(text.pack("return (%s *)%s" % (field.type.c_type, call), items, ");", 4))
        name = "%s_edit_%s%s" % (self.game.prefix, self.path, "_all" if whole else "")
        doc = [" All %d of `%s`." % (field.count, self.label)] if whole else []
        return Edit(name, doc, field.type.c_type, self.params(indices), body)

    def in_one_window(self, indexed, whole):
        """Whether the place lies in one of the journal's windows of eight bytes, whatever the indices: a scalar does."""
        field = self.field
        if field.type.struct is None and not whole:
            return True
        size = field.type.size * (field.count if whole else 1)
        strides = [each.type.size for each in self.fields if each.count][:indexed + (1 if self.pool else 0)]
        return sum(each.offset for each in self.fields) % 8 + size <= 8 and all(stride % 8 == 0 for stride in strides)


def _by_pointer(game, struct):
    name = struct.c_name[len(game.prefix) + 1:] if struct.c_name.startswith(game.prefix + "_") else struct.c_name
    doc = [" A %s deep in the state: `place` points to it there." % struct.name]
    body = [text.pack("return (%s *)kifu__edit_at(" % struct.c_name, ["timeline", "place", "sizeof(%s)" % struct.c_name],
                      ");", 4)]
    return Edit("%s_edit_%s_at" % (game.prefix, name), doc, struct.c_name,
                ["kifu_timeline *timeline", "const %s *place" % struct.c_name], body)
