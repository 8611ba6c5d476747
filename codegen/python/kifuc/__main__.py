import gc
import os
import signal
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
    import argparse, dataclasses, hashlib, struct, subprocess, tempfile, typing  # noqa: E401, F401  Python's are compiled already.
    if "--list" not in sys.argv:
        fits()  # And so is Jinja.
    sys.pycache_prefix = os.path.abspath(folder)
    sys.dont_write_bytecode = False


gc.disable()  # kifuc ends before it would pay to look for garbage.
if os.environ.pop("KIFUC_MAY_BE_NEXT", None) and not fits():
    sys.exit(99)  # The command tries the next Python.
if os.environ.get("KIFUC_CACHE"):
    keep_compiled(os.environ["KIFUC_CACHE"])

from .cli import main  # noqa: E402

signal.signal(signal.SIGTERM, signal.default_int_handler)  # So that what is half written is removed.
status = main()
if status == 0:
    os._exit(0)  # Python would free each object first, which takes a twentieth of the time.
sys.exit(status)
