"""Which header declares what, what each includes, and by which macro a header knows that it was included before."""

import hashlib
import os
import posixpath
from functools import lru_cache

from . import names
from .signatures import ahead


class Header:
    """A header to be written."""

    def __init__(self, path, guard, template, of, **content):
        self.path = path  # Below the output folder.
        self.of = of  # What it is for: the name of the union, of an event, of a table.
        self.guard = guard
        self.template = template
        self.content = content
        self.kifu = False  # Whether it includes kifu.h, and not by another.
        self.includes = []  # Headers.

    def lines(self):
        """The names of its includes, seen from its own folder."""
        folder = posixpath.dirname(self.path)
        return [_seen_from(folder, each.path) for each in self.includes]


@lru_cache(maxsize=None)
def _seen_from(folder, path):
    return posixpath.relpath("/" + path, "/" + folder)


class Files:
    """The headers of a game. What other files declare than the given one has headers of its own, below `shared`: they say
    nothing of the game, so they are the same for each game that includes the file, and so are their guards."""

    def __init__(self, game, sources, stem):
        self.game = game
        self.sources = sources
        self.stem = stem
        self._folders = {}  # Of `shared`: name by path of the schema.
        self._types, self._tables = {}, {}  # Headers: by path of the schema; by name of the table.
        self.state = self._own("state", "state.h.j2", game.union)
        self.state.kifu = True
        self.shared = []
        self._add_types()
        self._add_tables()
        self.events = [self._event(event) for event in game.events]
        self.view = self._own("view", "view.h.j2", game.union)
        self.view.includes = [self.state]
        self.game_header = Header(stem + ".h", game.prefix.upper() + "__H", "game.h.j2", game.union)
        self.game_header.includes = [self.state] + list(self._tables.values()) + self.events + [self.view]

    @property
    def all(self):
        own = [each for each in self._tables.values() if each not in self.shared]
        return [self.game_header, self.state] + self.shared + own + self.events + [self.view]

    def _own(self, name, template, of, **content):
        guard = "%s__%s_H" % (self.game.prefix.upper(), name.upper())
        return Header("%s/%s.h" % (self.stem, name), guard, template, of, **content)

    def _path(self, item):
        """The schema that declares an enum, struct or table; None for the given one, and for Kifu's."""
        path = self.sources.place(item.name)[0]
        return None if item.ours or path == self.sources.main else path

    def _folder(self, path):
        """The name of a schema's headers in `shared`."""
        if path not in self._folders:
            wanted = names.file(os.path.splitext(os.path.basename(path))[0])
            name, count = wanted, 1
            while name.lower() in [each.lower() for each in self._folders.values()]:
                count += 1
                name = "%s_%d" % (wanted, count)
            self._folders[path] = name
        return self._folders[path]

    def _share(self, path, name, template, of, **content):
        header = Header("%s/shared/%s.h" % (self.stem, name), "", template, of, schema=os.path.basename(path), **content)
        header.kifu = True
        self.shared.append(header)
        return header

    def _add_types(self):
        """A header for the enums and structs of each schema that has any."""
        game = self.game
        paths = {self._path(each): None for each in game.enums + game.structs}
        for path in self.sources.files:
            if path in paths:
                enums, structs = ([each for each in some if self._path(each) == path] for some in (game.enums, game.structs))
                header = self._share(path, self._folder(path), "types.h.j2", "", enums=enums, structs=structs)
                header.includes = self._includes(field.type for struct in structs for field in struct.fields)
                self._types[path] = header
        self.state.content = {"enums": [each for each in game.enums if not self._path(each)],
                              "structs": [each for each in game.structs if not self._path(each)]}
        self.state.includes = list(self._types.values())

    def _includes(self, types):
        """The headers of shared types."""
        paths = {self._path(each.enum or each.struct) for each in types if each and (each.enum or each.struct)}
        return [header for path, header in self._types.items() if path in paths]

    def _add_tables(self):
        """A header for each nested table, and for each table of another file: it says nothing of the game."""
        nested = self.game.nested
        for table in self.game.tables:
            path = self._path(table)
            content = {"table": table, "ahead": ahead(table)}
            if path:
                header = self._share(path, "%s/%s" % (self._folder(path), table.c_name), "table.h.j2", table.name, **content)
                header.includes = self._includes(field.inline for field in table.fields)
            elif table in nested and not table.ours:
                header = self._own(self._local(table), "table.h.j2", table.name, **content)
                header.includes = [self.state]
            else:
                continue
            self._tables[table.name] = header

    def _local(self, table):
        """What a table is called in the folder of its game."""
        namespace, base = names.split(table.name)
        return names.snake(base) if namespace in ("", self.game.name) else table.c_name

    def _event(self, event):
        header = self._own(event.short, "event.h.j2", event.table.name, event=event, apart=event.table.name in self._tables)
        reached = [event.table]
        for table in reached:  # Grows.
            reached += [field.table for field in table.stored if field.table and field.table not in reached]
        header.includes = [self.state] + [self._tables[each.name] for each in reached if each.name in self._tables]
        return header

    def event(self, event):
        """The header of an event."""
        return self.events[self.game.events.index(event)].path


def sealed(text, header):
    """A shared header's text with its guard, which is equal exactly if the rest is (but for the names of its includes): so one
    file of C may include the headers of several games."""
    stem = posixpath.splitext(posixpath.basename(header.path))[0]
    lines = [line for line in text.splitlines() if not line.startswith('#include "')]
    digest = hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()[:8]
    return text.replace("@GUARD@", "KIFU__%s_%s_H" % (stem.upper(), digest.upper()))
