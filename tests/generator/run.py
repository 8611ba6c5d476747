#!/usr/bin/env python3
"""Tests of the generator.

    tests/generator/run.py               runs them
    tests/generator/run.py NAME…         runs some: Golden, Bad.test_who, …
    tests/generator/run.py --rewrite     writes what the generator writes now into golden/ and into the comments of bad/;
                                         then look at `git diff`
"""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import tools  # noqa: E402

tools.find_python(__file__)
tools.keep_compiled()
if "--rewrite" in sys.argv:
    sys.argv.remove("--rewrite")
    tools.REWRITE = True

from test_bad import *  # noqa: F401,F403,E402
from test_bad_input import *  # noqa: F401,F403,E402
from test_command import *  # noqa: F401,F403,E402
from test_edits import *  # noqa: F401,F403,E402
from test_embedded import *  # noqa: F401,F403,E402
from test_every_schema import *  # noqa: F401,F403,E402
from test_excerpts import *  # noqa: F401,F403,E402
from test_files import *  # noqa: F401,F403,E402
from test_generated import *  # noqa: F401,F403,E402
from test_golden import *  # noqa: F401,F403,E402
from test_layout import *  # noqa: F401,F403,E402
from test_lock import *  # noqa: F401,F403,E402
from test_lock_file import *  # noqa: F401,F403,E402
from test_lock_types import *  # noqa: F401,F403,E402
from test_rebuild import *  # noqa: F401,F403,E402
from test_speed import *  # noqa: F401,F403,E402
from test_stubs import *  # noqa: F401,F403,E402
from test_templates import *  # noqa: F401,F403,E402

if __name__ == "__main__":
    unittest.main()
