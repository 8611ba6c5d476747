"""Events that are superseded by another: what they become when a save is loaded."""

from . import names

# What is said of new events, of which there are none any more.
_OF_NEW_ONES = ("check", "hooks", "tags", "listed", "undoable", "continue_undo", "reveals", "seen_by")


def resolve(schema, events, report, sources):
    """Finds what supersedes each event, and what is left of those that are superseded."""
    attributes = {each.name: each.attributes for each in schema.objects}
    by_name = {each.table.name: each for each in events}
    for event in events:
        wanted = attributes[event.table.name].get("superseded_by", "0")
        if wanted == "0":  # Absent, or without a value, which attributes.py reports.
            continue

        def error(message, attribute="superseded_by", of=event.table.name):
            report.error(sources.place(of, "", attribute), message)

        found = next((by_name[each] for each in names.candidates(event.table.name, wanted) if each in by_name), None)
        if found is None:
            error("`superseded_by` names `%s`, which is not in the union; correct the name, or add that event at the union's "
                  "end" % wanted)
        elif found is event:
            error("%s cannot supersede itself; name the event that it becomes when an old save is loaded" % event.table.name)
        else:
            event.successor = found
        for each in _OF_NEW_ONES:
            if each in attributes[event.table.name]:
                error("`%s` is about new events, and %s is superseded, so there are only old ones, which stay as they were "
                      "saved: remove it" % (each, event.table.name), each)
    _check_circles(events, report, sources)
    targets = [event.successor.table.name for event in events if event.successor]
    for event in events:
        if event.successor:
            event.has_check, event.scopes, event.tags, event.listed = False, [], [], False
            event.submitted = event.table.name in targets


def _check_circles(events, report, sources):
    """Reports each circle once, at its first event."""
    seen = set()
    for event in events:
        way = []
        while event and event.table.name not in seen:
            seen.add(event.table.name)
            way.append(event)
            event = event.successor
        if event and any(event is each for each in way):
            start = next(i for i, each in enumerate(way) if each is event)
            circle = [each.table.name for each in way[start:]] + [event.table.name]
            report.error(sources.place(event.table.name, "", "superseded_by"),
                         "these supersede each other in a circle: %s. One of them must be an event that happens: remove its "
                         "`superseded_by`" % " -> ".join(circle))
            event.successor = None
