"""How two lists of entries of a lock file differ."""

from dataclasses import dataclass


@dataclass
class Changes:
    """What is renamed keeps its number; of everything else, there is only the cause."""
    pairs: list
    renamed: list
    removed: list
    inserted: list
    moved: list
    added: list


def compare(old, new):
    by_name, by_number = {each.name: each for each in new}, {each.number: each for each in new}
    known, numbers = {each.name for each in old}, {each.number for each in old}
    result = Changes([(each, by_name[each.name]) for each in old if each.name in by_name], [], [], [], [], [])
    result.moved = [(a, b) for a, b in result.pairs if a.number != b.number]
    for each in old:
        there = by_number.get(each.number)
        if each.name in by_name:
            continue
        if there and there.name not in known and not result.moved:
            result.renamed.append((each, there))
        else:
            result.removed.append(each)
    new_names = [b for _, b in result.renamed]
    for each in new:
        if each.name not in known and each not in new_names:
            (result.inserted if each.number in numbers else result.added).append(each)
    if result.removed:
        result.inserted, result.moved = [], []
    elif result.inserted:
        result.moved = []
    return result
