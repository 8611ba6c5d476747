"""kifuc stubs: the functions that a game writes, where it does not have them yet.

What is there is never changed: functions are added at the end of a file, or in a new one."""

import os
import re

from . import c_sources
from .report import Stop

# A function gets what Kifu has for it, and seldom uses all of that.
_QUIET = '#pragma GCC diagnostic ignored "-Wunused-parameter" // a function uses what it needs of what it gets'


class Stubs:
    def __init__(self, emitter, place, folder, more):
        """`place`: a folder, a .c file, or None for `folder`. `more`: files and folders that are only read."""
        for each in more:
            if not os.path.exists(each):
                raise Stop("%s: there is no such file" % each)
        self.emitter = emitter
        self.game = emitter.game
        self.file = place if place and place.endswith(".c") and not os.path.isdir(place) else None
        self.folder = os.path.dirname(self.file) or "." if self.file else place or folder
        self.own = c_sources.read([self.folder] if os.path.isdir(self.folder) else [])
        known = {os.path.realpath(each.path) for each in self.own}
        self.all = self.own + [each for each in c_sources.read(more) if os.path.realpath(each.path) not in known]
        self.parts = {}  # Path → what is added: headers, code, names of the functions.

    # --- What is there -----------------------------------------------------------------------------------------------

    def _missing(self, names):
        return [each for each in names if not any(each in file.functions for file in self.all)]

    def left_over(self):
        """Path → functions there of events that the game has no more: renamed or removed ones."""
        events = tuple(event.short for event in self.game.events)
        own = re.compile(r"%s_(?:do|check|act|subjects|list)_([pe]_\w+)" % self.game.prefix)
        found = {}
        for file in self.own:
            for name in sorted(file.functions):
                match = own.fullmatch(name)
                if match and match.group(1) not in events and not match.group(1).startswith(tuple(each + "_" for each in events)):
                    found.setdefault(file.path, []).append(name)
        return found

    def _act_names(self, event):
        """What its Act may be called: as the header declares it, or in a view that lists its Acts itself."""
        return [event.act] + (["act_" + event.short] if self.game.prefix != "act" else [])

    def _are_first(self, names):
        return len(self._missing(names)) == len(names)

    def _lacks_act(self, event):
        return self._are_first(self._act_names(event))

    def _home(self, names):
        """The file that has one of these functions, and is not only read."""
        return next((file for name in names for file in self.own if name in file.functions), None)

    # --- Where the missing ones go -----------------------------------------------------------------------------------

    def _path(self, event, own_names, file_name):
        """The file for what an event lacks. `own_names` returns what an event's functions are called, the main one first,
        and `file_name` its file, in a game that has a file for each."""
        home = self._home(own_names(event))
        if home:
            return home.path
        at = self.game.events.index(event)
        for other in self.game.events[:at][::-1] + self.game.events[at + 1:]:
            home = self._home(own_names(other))
            if home and os.path.basename(home.path) != file_name(other):
                return home.path
            if home:
                break
        return c_sources.path_in(self.folder, file_name(event))

    def _add(self, path, headers, code, names):
        part = self.parts.setdefault(path, ([], [], []))
        for kept, new in zip(part, (headers, [code.strip("\n") + "\n"], names)):
            kept += [each for each in new if each not in kept]

    def _existing(self, path):
        for file in self.own:
            if os.path.realpath(file.path) == os.path.realpath(path):
                return file
        return c_sources.CFile(path) if os.path.isfile(path) else None

    # --- The commands ------------------------------------------------------------------------------------------------

    def add_rules(self):
        """What the rules lack. Returns the events that have no Do yet: they are new."""
        new = []
        are_first = self._are_first([name for event in self.game.events for name in event.written])
        for event in self.game.events:
            missing = self._missing(event.written)
            if event.main in missing and not event.successor:
                new.append(event)
            if missing:
                path = self.file or self._path(event, lambda each: each.written[::-1], _rules_file)
                successor = [event.successor] if event.successor else []
                self._add(path, self._headers([event] + successor, path, _rules_file(event), are_first),
                          self.emitter.stub(event, missing), missing)
        for hidden in self.game.hiding.seen if self.game.hiding else []:
            name = self.game.sees(hidden)
            if self._missing([name]):
                path = self.file or self._sees_path()
                self._add(path, [self._sees_header(path)], self.emitter.sees(hidden), [name])
        return new

    def _sees_path(self):
        """The file for what says who sees something: where others of these are; or the rules, if one file has several events."""
        home = self._home([self.game.sees(each) for each in self.game.hiding.seen])
        for event in self.game.events[::-1]:
            home = home or self._home(event.written[::-1])
            if home and os.path.basename(home.path) == _rules_file(event):
                home = None
        return home.path if home else c_sources.path_in(self.folder, "sees.c")

    def _sees_header(self, path):
        headers = self.emitter.headers
        return (headers.state if os.path.basename(path) == "sees.c" else headers.game_header).path

    def add_acts(self, file=None):
        """The Acts that NIM_ACTS names, and nobody wrote: to `file`, or where the others are. In kifuc's view they print."""
        view = self._text_view()
        are_first = self._are_first([event.act for event in self.game.own])
        for event in self.game.own:
            if self._lacks_act(event):
                path = file or self._path(event, self._act_names, lambda each: "act_%s.c" % each.short)
                if view and os.path.realpath(view.path) == os.path.realpath(path):
                    self._add_words(view, [event])
                else:
                    headers = self._headers([event], path, "act_%s.c" % event.short, are_first)
                    self._add(path, headers, self.emitter.act(event), [event.act])

    def add_view(self):
        """A view that prints, or what it lacks. Returns the path of a file that is in its way."""
        view = self._text_view()
        if view:
            self._add_words(view, [event for event in self.game.own if self._lacks_act(event)])
            return None
        path = self.file or c_sources.path_in(self.folder, "view.c")
        if self._existing(path):
            return path
        acts = [event for event in self.game.current if self._missing([event.act])]
        self.parts[path] = None, self.emitter.view(acts, _QUIET), []
        return None

    def _text_view(self):
        return next((file for file in self.own if "%s_text_view = " % self.game.prefix in file.code), None)

    def _add_words(self, view, events):
        headers, code = self.emitter.act_words(events, view.functions) if events else ([], "")
        if events:
            self._add(view.path, headers + self._headers(events, view.path, ""), code, [event.act for event in events])

    def uses_acts(self, files=None):
        return any(file.has_word(self.game.acts_macro) for file in (self.all if files is None else files))

    def acts_to_copy(self, events):
        """Where the game has its Acts, and nothing can be added: the file, the Acts that `events` lack, and what a view has
        to name that does not use the macro."""
        events = [event for event in events if self._lacks_act(event) and not self._is_added(event.act)]
        for file in self.all:
            if file.has_word(self.game.acts_macro) or any(
                    file.has_member("act_" + event.short) or file.functions.intersection(self._act_names(event))
                    for event in self.game.current):
                return file, "\n".join(self.emitter.act(event) for event in events), [] if self.uses_acts() else [
                    ".act_%s = %s," % (event.short, event.act) for event in events]
        return None, "", []

    def members(self):
        """What a view names to have the Acts that were added: the macro, or, where others have names of the game's own, each."""
        if not self._missing([event.act for event in self.game.own if not self._is_added(event.act)]):
            return self.game.acts_macro
        return "…, " + ", ".join(".act_%s = %s" % (event.short, event.act) for event in self.game.own if self._is_added(event.act))

    def _is_added(self, name):
        return any(name in names for _, _, names in self.parts.values())

    # --- The files ---------------------------------------------------------------------------------------------------

    def _headers(self, events, path, own_file, are_first=True):
        """What a file includes for these events: all headers, if the functions of all are in it; else those of its events, so
        that it is not compiled again when others change. `are_first`: of all functions like those that it gets."""
        if os.path.basename(path) != own_file and not self._existing(path) and are_first:
            return [self.emitter.headers.game_header.path]
        return [self.emitter.headers.event(event) for event in events]

    def files(self):
        """Path → bytes, of each file that is written or grows."""
        result = {}
        for path, (headers, code, _) in self.parts.items():
            file = self._existing(path)
            if headers is None:
                text = code
            else:
                text = "\n".join(filter(None, [self._head(headers, file)] + code))
            if file:
                ending = "\r\n" if "\r\n" in file.text else "\n"
                old = file.text + ("" if file.text.endswith("\n") or not file.text else ending)
                text = old + ((ending if old else "") + text.replace("\n", ending))
            result[path] = text.encode("utf-8", "surrogateescape")
        return result

    def _head(self, headers, file):
        """The includes and the pragma that a file lacks."""
        all_of_them = self.emitter.headers.game_header.path
        includes = ["#include <%s>\n" % each[1:-1] if each.startswith("<") else '#include "%s"\n' % each for each in headers
                    if not file or not (file.has_include(each.strip("<>")) or
                                        not each.startswith("<") and file.has_include(all_of_them))]
        quiet = [] if file and "-Wunused-parameter" in file.text else [_QUIET + "\n"]
        return "\n".join(filter(None, ["".join(includes), "".join(quiet)]))


def new_view(emitter):
    """The file of a view that prints: name and content."""
    return {"view.c": emitter.view(emitter.game.current, _QUIET)}


def _rules_file(event):
    return ("upcast_%s.c" if event.successor else "do_%s.c") % event.short
