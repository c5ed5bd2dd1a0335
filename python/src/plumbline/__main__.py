# SPDX-License-Identifier: Apache-2.0
"""`python -m plumbline`: records a step of a script, or, as `python -m plumbline engine`, serves the window."""

from __future__ import annotations

import sys


def main() -> int:
    """Returns the exit status."""
    if sys.argv[1:2] == ["engine"]:
        from .engine import main as engine

        return engine(sys.argv[2:])
    from .script import main as script

    return script()


if __name__ == "__main__":
    sys.exit(main())
