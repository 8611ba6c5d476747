"""Paths by the rules of the system: `rules` is os.path here, ntpath on Windows."""

import os


def shown(path, rules=os.path):
    """A path as seen from the working folder; a path on another drive of Windows as it is."""
    try:
        return rules.relpath(path)
    except ValueError:
        return path


def of_flatc(name, rules=os.path):
    """The path that flatc names in a schema, as it begins with "//": from the root, or with a drive of Windows."""
    name = name.lstrip("/")
    return rules.realpath(name if rules.splitdrive(name)[0] else "/" + name)


def is_below(name, rules=os.path):
    """Whether the name of a list of files, written with '/', leads to a place below the list's own folder."""
    separated = name.replace(rules.altsep or "/", "/").replace(rules.sep, "/")
    return not (rules.isabs(name) or rules.splitdrive(name)[0] or separated.startswith("/") or "\0" in name or
                ".." in separated.split("/"))
