"""What a tree read from a save has, in the words in which write_trees.c says it of the game."""

from tally_events import CONTINUE


def say_places(what, place, moments):
    yield f"  {what} {place}{moments[place].say() if place in moments else ''}"
    for count in sorted(moments):
        if count > place:
            yield f"  redo {count}{moments[count].say()}"


def say_line(tree, id, line):
    count = tree.begin + len(line.events) - line.start
    yield f"line {id} of {line.parent} from {line.start}, {count} events{', main' if id == tree.main else ''}"
    for place in range(line.start, line.start + count):
        event = line.events[place - tree.begin]
        cause = place - event.cause if event.cause and place - event.cause >= tree.begin else -1
        yield f"  {place}: {event.say()}, flags {event.flags}, cause {cause}, rules {event.rules}"
    if id == tree.current:
        yield from say_places("left at", tree.executed, {**tree.moments(), tree.executed: tree.waiting})
        return
    place = max(line.start, tree.shared(id))
    moments = {at: waiting for at, waiting in line.moments.items() if at > place}
    yield from say_places("left at", line.left, moments)
    while tree.begin < place < line.start + count and line.events[place - tree.begin].flags & CONTINUE:
        place += 1
    yield from say_places("anew at", place, moments)


def say_note(place, note):
    line, event, key = place
    value = f"'{note}'" if isinstance(note, str) else note.hex().upper()
    return f"note {key} of line {line} at {event}: {value}"


def say_tree(tree):
    """The lines that write_trees.c writes."""
    yield f"current {tree.current}"
    for id in sorted(tree.lines):
        yield from say_line(tree, id, tree.lines[id])
    for place in sorted(tree.notes):
        yield say_note(place, tree.notes[place])
