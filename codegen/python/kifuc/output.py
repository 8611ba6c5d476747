"""The files of a game in the output folder: written only if they change, and removed if they are no longer generated."""

import os


def write_if_changed(path, data):
    """Writes a file only where its bytes change: what depends on it need not be built again."""
    try:
        with open(path, "rb") as stream:
            if stream.read() == data:
                return
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as stream:
        stream.write(data)


def write(folder, stem, files):
    """Writes the files of a game, bytes by name below `folder`, and the list of their names, <stem>.files. What the list of
    before names and this one does not is removed, so that no code includes it by mistake."""
    path = os.path.join(folder, stem + ".files")
    for name in _listed(path) - set(files):
        _remove(folder, name)
    for name, data in files.items():
        write_if_changed(os.path.join(folder, name), data)
    write_if_changed(path, "".join(name + "\n" for name in sorted(files)).encode("utf-8"))


def _listed(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return set(stream.read().splitlines())
    except FileNotFoundError:
        return set()


def _remove(folder, name):
    """Removes a file below `folder`, and the folders that it leaves empty."""
    if os.path.isabs(name) or ".." in name.split("/"):
        return  # No list of ours.
    try:
        os.remove(os.path.join(folder, name))
        while os.path.dirname(name):
            name = os.path.dirname(name)
            os.rmdir(os.path.join(folder, name))
    except OSError:
        pass  # It is gone, or the folder is not empty.
