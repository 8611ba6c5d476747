"""The tags of events: what observers follow instead of one event type."""

import re

from . import names
from .model import Tag

_MOST = 64  # Of one game: each is a bit of a number.


def tags_of(source, place, report, known):
    """The tags of a table; `known`, those of the whole game by name in C, gains what is new."""
    if source.attributes.get("tags", "0") == "0":  # Absent, or without a value, which attributes.py reports.
        return []
    words = source.attributes["tags"].split()
    if not words:
        report.error(place, '`tags` names the kinds of events to which this one belongs: (tags: "magic fire")')
    result = []
    for word in words:
        name = names.snake(word)
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", word):
            report.error(place, "`tags` names `%s`, which cannot be a name in C: a tag has letters, digits and _, with "
                                "spaces between one and the next" % word)
        elif name in [each.name for each in result]:
            report.error(place, "`tags` names `%s` twice; remove one" % word)
        elif name not in known and len(known) == _MOST:
            report.error(place, "`%s` is one tag more than the %d that a game may have: use one that there is" % (word, _MOST))
        else:
            result.append(known.setdefault(name, Tag(name, word, len(known))))
    return result


def warn_of_misspelt(events, sources, report):
    """Warns of a tag of one event whose name is that of another tag but for one letter."""
    events_of = {}
    for event in events:
        for tag in event.tags:
            events_of.setdefault(tag.name, []).append(event)
    for name in [name for name, its in events_of.items() if len(its) == 1]:
        # Of two such tags, the later one is reported.
        other = next((each for each in events_of if each != name and _almost(each, name)
                      and (len(events_of[each]) > 1 or list(events_of).index(each) < list(events_of).index(name))), None)
        if other:
            event = events_of[name][0].table.name
            report.warning(sources.place(event, "", "tags"), "only %s has the tag `%s`, and %s has `%s`: if they are one tag, "
                           "write both alike" % (event, name, events_of[other][0].table.name, other))


def _almost(one, other):
    """Whether names are equal but for one letter that is missing or another, or two that are swapped."""
    if min(len(one), len(other)) < 4 or one[0] != other[0]:
        return False
    if len(one) != len(other):
        shorter, longer = sorted((one, other), key=len)
        return len(longer) == len(shorter) + 1 and any(longer[:i] + longer[i + 1:] == shorter for i in range(len(longer)))
    different = [i for i in range(len(one)) if one[i] != other[i]]
    if len(different) == 1:
        return len(one) > 5  # Of shorter ones, both may be words: card, cart.
    return len(different) == 2 and different[1] == different[0] + 1 and \
        one[different[0]] == other[different[1]] and one[different[1]] == other[different[0]]
