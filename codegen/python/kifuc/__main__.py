import os
import sys


def fits():
    """Whether this Python can run kifuc."""
    try:
        import jinja2  # noqa: F401
    except ImportError:
        return False
    return sys.version_info >= (3, 9)


def keep_compiled(folder):
    """Lets Python and Jinja keep in `folder` what they compile from here on: kifuc, and its templates."""
    import argparse, dataclasses, hashlib, subprocess, tempfile, textwrap  # noqa: E401, F401  Python's are compiled already.
    fits()  # And so is Jinja.
    sys.pycache_prefix = folder
    sys.dont_write_bytecode = False


if os.environ.pop("KIFUC_MAY_BE_NEXT", None) and not fits():
    sys.exit(99)  # The command tries the next Python.
if "KIFUC_CACHE" in os.environ:
    keep_compiled(os.environ["KIFUC_CACHE"])

from .cli import main  # noqa: E402

sys.exit(main())
