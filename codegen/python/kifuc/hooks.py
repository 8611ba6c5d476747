"""The scopes of hookable events."""

import re

from . import names
from .model import Scope

_MOST = 8  # Of one event.


def scopes_of(source, place, report, known):
    """The scopes that a table lists, in order; `known`, those of the whole game by name in C, gains what is new."""
    if source.attributes.get("hooks", "0") == "0":  # Absent, or without a value, which attributes.py reports.
        return []
    found = source.attributes["hooks"].split()
    if not found:
        report.error(place, '`hooks` names the scopes of hooks, in the order in which they run: (hooks: "target '
                            'performer")')
    if len(found) > _MOST:
        report.error(place, "`hooks` names %d scopes, and an event has at most %d: remove some" % (len(found), _MOST))
    result = []
    for word in found:
        name = names.member(word)
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", word):
            report.error(place, "`hooks` names `%s`, which cannot be a name in C: a scope's name has letters, digits and _, "
                                "with spaces between one and the next" % word)
        elif name in [each.name for each in result]:
            report.error(place, "`hooks` names `%s` twice: an event has each scope once; remove one" % word)
        else:
            scope = known.setdefault(name, Scope(name, word, len(known)))
            if scope.index > 254:
                report.error(place, "`%s` is one scope more than the 255 that a game may have: use one that there is" % word)
            result.append(scope)
    return result
