#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of the Python package; exits 77 (skipped) where torch is missing or too old.

    python3 python/tests/run.py [-v] [PATTERN]
"""

import os
import sys
import unittest

SKIPPED = 77


def main() -> int:
    try:
        import torch
    except ImportError:
        print("skipped: torch is not installed")
        return SKIPPED
    if tuple(int(part) for part in torch.__version__.split(".")[:2]) < (2, 4):
        print(f"skipped: torch {torch.__version__} is older than 2.4")
        return SKIPPED
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, here)
    names = [word for word in sys.argv[1:] if not word.startswith("-")]
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{name}*" for name in names] or None
    suite = loader.discover(here, pattern="test_*.py", top_level_dir=here)
    result = unittest.TextTestRunner(verbosity=2 if "-v" in sys.argv else 1).run(suite)
    return 0 if result.wasSuccessful() and result.testsRun > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
