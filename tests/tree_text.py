"""What a tree read from a save has, in the words in which write_trees.c says it of the game."""

from tally_events import CONTINUE


def say_places(tree, line, what, place, kept, shared=-1):
    """A place, and each to which redo leads from there; of those up to `shared`, others say what waits."""
    said = {at: waiting.say() for at, waiting in kept.items() if at > shared}
    yield f"  {what} {place}{said.get(place, '')}"
    end = tree.begin + len(line.events)
    while place < end:
        place += 1
        while place < end and line.events[place - tree.begin].flags & CONTINUE and place not in kept:
            place += 1
        if place > shared:
            yield f"  redo {place}{said.get(place, '')}"


def say_line(tree, id, line):
    count = tree.begin + len(line.events) - line.start
    yield f"line {id} of {line.parent} from {line.start}, {count} events{', main' if id == tree.main else ''}"
    for place in range(line.start, line.start + count):
        event = line.events[place - tree.begin]
        cause = place - event.cause if event.cause and place - event.cause >= tree.begin else -1
        yield f"  {place}: {event.say()}, flags {event.flags}, cause {cause}, rules {event.rules}"
    if id == tree.current:
        yield from say_places(
            tree, line, "left at", tree.executed, {**tree.kept(id), tree.executed: tree.waiting})
        return
    place = shared = max(line.start, tree.shared(id))
    kept = {at: waiting for at, waiting in tree.kept(id).items() if at <= shared or at in line.kept}
    yield from say_places(tree, line, "left at", line.left, kept, shared)
    while tree.begin < place < line.start + count and line.events[place - tree.begin].flags & CONTINUE:
        place += 1
    yield from say_places(tree, line, "anew at", place, kept, shared)


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
