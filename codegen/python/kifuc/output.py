"""Writes files: each whole or not at all, and none of them before all can be written. Removes what is no longer generated."""

import contextlib
import errno
import os

from . import paths
from .report import Stop


class Output:
    """Files that a command is about to write: each first goes beside its place, then all are renamed."""

    def __init__(self):
        self.files = {}  # Path → bytes.
        self.stale = []  # Folder and name.

    def add(self, path, content):
        self.files[path] = content if isinstance(content, bytes) else content.encode("utf-8")

    def add_all(self, folder, listing, files):
        """Adds the files of a game, by name below `folder`, and the list of their names, the file `listing`. What the list
        of before names and this one does not will be removed, so that no code includes it by mistake."""
        for name, content in files.items():
            self.add(os.path.join(folder, name), content)
        self.add_list(folder, listing, files)

    def add_list(self, folder, listing, names):
        """The list alone."""
        listing = os.path.join(folder, listing)
        self.stale = [(folder, name) for name in _listed(listing).difference(names)]
        self.add(listing, "".join(name + "\n" for name in sorted(names)))

    def write(self, new=False):
        """Writes the files whose bytes change, so that what depends on the others need not be built again. `new`: leaves
        every file that exists as it is. Returns the paths written."""
        waiting = [path for path, data in self.files.items()
                   if not (os.path.lexists(path) if new else _is(path, data))]
        with contextlib.ExitStack() as undo:
            drafts = [_draft(path, self.files[path], i, undo) for i, path in enumerate(waiting)]
            for path, draft in zip(waiting, drafts):
                if draft:
                    _rename(draft, path)
                    if new:
                        undo.callback(_try, os.remove, path)
            undo.pop_all()
        for folder, name in self.stale:
            _discard(folder, name)
        return waiting


def _listed(path):
    if not os.path.isfile(path):
        return set()
    with open(path, encoding="utf-8", errors="replace") as stream:
        return set(stream.read().splitlines())


def _discard(folder, name):
    """Removes a file below `folder`, and the folders that it leaves empty."""
    if not paths.is_below(name):
        return  # No list of ours.
    _try(os.remove, os.path.join(folder, name))
    while os.path.dirname(name):
        name = os.path.dirname(name)
        _try(os.rmdir, os.path.join(folder, name))


def _is(path, data):
    """Whether a file has these bytes."""
    if not os.path.isfile(path) or os.path.getsize(path) != len(data):
        return False
    with open(path, "rb", buffering=0) as stream:
        return stream.read() == data


def _draft(path, data, number, undo):
    """Writes what is to become `path`; returns where. None: `path` is a device or a pipe, which has it already."""
    place = os.path.realpath(path)
    if os.path.isdir(place):
        raise Stop("%s: this is a folder, and a file is to be written here; remove it, or give another place" % path)
    if os.path.exists(place) and not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    is_device = os.path.exists(place) and not os.path.isfile(place)
    draft = place if is_device else os.path.join(os.path.dirname(place), ".kifuc-%d-%d" % (os.getpid(), number))
    try:
        if not is_device:
            _make_folder(os.path.dirname(path) or ".", undo)
            undo.callback(_try, os.remove, draft)
        with open(draft, "wb") as stream:
            stream.write(data)
        if os.path.isfile(place):
            os.chmod(draft, os.stat(place).st_mode & 0o777)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error
    return None if is_device else draft


def _rename(draft, path):
    try:
        os.replace(draft, os.path.realpath(path))
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def _make_folder(path, undo):
    if os.path.isdir(path):
        return
    if os.path.lexists(path):
        raise Stop("%s: this is no folder, and files are to be written into it; give another one" % path)
    _make_folder(os.path.dirname(path) or ".", undo)
    undo.callback(_try, os.rmdir, path)  # First, because the process may be ended between the two.
    os.mkdir(path)


def _try(function, path):
    with contextlib.suppress(OSError):
        function(path)
