"""kifuc wheel: a game's Python module with its library in one file, which pip installs. The same files give the same bytes."""

import base64
import hashlib
import io
import os
import re

from . import VERSION
from .output import Output
from .report import Stop

_LIBRARIES = (".so", ".dylib", ".dll")


def write(folder, name, version, output):
    """Returns the wheel's path."""
    folder = os.path.normpath(folder)
    package = os.path.basename(os.path.abspath(folder))
    name = name or package
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?", name):
        raise Stop("%s: a package cannot be called so; use letters, digits, and . _ - between them" % (name or "''"))
    if not re.fullmatch(r"(\d+!)?\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?", version):
        raise Stop("%s: this is no version of a Python package; write it as 1.2 or 1.2.3rc1" % (version or "''"))
    if not os.path.isfile(os.path.join(folder, "__init__.py")):
        raise Stop("%s: there is no Python module; `kifuc python` writes one" % folder)
    files = _files(folder, package)
    if not any(each.endswith(_LIBRARIES) for each in files):
        raise Stop("%s: there is no shared library of the game beside the module; build it first" % folder)
    import sysconfig  # It takes a while, and so does zipfile: kifuc's other commands do without.

    stem = "%s-%s" % (re.sub(r"[-_.]+", "_", name).lower(), version)
    tag = "py3-none-%s" % re.sub("[-.]", "_", sysconfig.get_platform())
    info = stem + ".dist-info/"
    files[info + "METADATA"] = ("Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: The game %s, by Kifu\n"
                                "Requires-Python: >=3.9\n" % (name, version, package)).encode("utf-8")
    files[info + "WHEEL"] = ("Wheel-Version: 1.0\nGenerator: kifuc %s\nRoot-Is-Purelib: false\nTag: %s\n" % (
        VERSION, tag)).encode("utf-8")
    record = info + "RECORD"
    files[record] = "".join("%s,sha256=%s,%d\n" % (path, _hash(data), len(data))
                            for path, data in files.items()).encode("utf-8") + ("%s,,\n" % record).encode("utf-8")
    place = os.path.join(output, "%s-%s.whl" % (stem, tag))
    result = Output()
    result.add(place, _packed(files))
    result.write()
    return place


def _files(folder, package):
    """The module and the library: path in the wheel, and bytes."""
    result = {}
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if each != "__pycache__")
        for each in sorted(names):
            if each.endswith((".py",) + _LIBRARIES):
                path = os.path.join(place, each)
                with open(path, "rb") as stream:
                    result["/".join([package] + os.path.relpath(path, folder).split(os.sep))] = stream.read()
    return result


def _hash(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode("ascii")


def _packed(files):
    import zipfile

    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            item = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            item.external_attr = (0o100644) << 16
            item.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(item, data)
    return memory.getvalue()
