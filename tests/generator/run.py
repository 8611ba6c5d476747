#!/usr/bin/env python3
"""Tests of the generator.

    tests/generator/run.py               runs them
    tests/generator/run.py NAME…         runs some: Golden, Bad.test_who, …
    tests/generator/run.py --rewrite     writes what the generator writes now into golden/ and into the comments of bad/;
                                         then look at `git diff`
"""

import importlib
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

for each in sorted(name for name in os.listdir(HERE) if name.startswith("test_") and name.endswith(".py")):
    globals().update((name, value) for name, value in vars(importlib.import_module(each[:-3])).items()
                     if isinstance(value, type) and issubclass(value, unittest.TestCase))

if __name__ == "__main__":
    unittest.main()
