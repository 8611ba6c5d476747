#!/usr/bin/env python3
"""Tests of the generator.

    tests/generator/run.py               runs them
    tests/generator/run.py NAME…         runs some: Golden, Bad.test_who, …
    tests/generator/run.py --rewrite     writes what the generator writes now into golden/ and into the comments of bad/;
                                         then look at `git diff`
"""

import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
try:
    import jinja2  # noqa: F401
except ImportError:
    # A machine may have several Pythons.
    other = os.environ.get("KIFU_PYTHON", "/usr/bin/python3")
    if os.path.realpath(other) == os.path.realpath(sys.executable) or os.environ.get("KIFU_RETRIED"):
        raise
    os.environ["KIFU_RETRIED"] = "1"
    os.execv(other, [other, os.path.abspath(__file__)] + sys.argv[1:])

# What Python and Jinja compile is kept for this run.
cache = tempfile.TemporaryDirectory(prefix="kifu-cache-")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = cache.name
sys.dont_write_bytecode = False
sys.path.insert(0, HERE)
import tools  # noqa: E402

tools.find_python(__file__)
if "--rewrite" in sys.argv:
    sys.argv.remove("--rewrite")
    tools.REWRITE = True

from test_bad import *  # noqa: F401,F403,E402
from test_command import *  # noqa: F401,F403,E402
from test_edits import *  # noqa: F401,F403,E402
from test_every_schema import *  # noqa: F401,F403,E402
from test_files import *  # noqa: F401,F403,E402
from test_golden import *  # noqa: F401,F403,E402
from test_layout import *  # noqa: F401,F403,E402
from test_lock import *  # noqa: F401,F403,E402
from test_lock_file import *  # noqa: F401,F403,E402
from test_lock_types import *  # noqa: F401,F403,E402
from test_rebuild import *  # noqa: F401,F403,E402

if __name__ == "__main__":
    unittest.main()
