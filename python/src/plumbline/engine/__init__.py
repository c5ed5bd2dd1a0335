# SPDX-License-Identifier: Apache-2.0
"""`python -m plumbline engine`: PyTorch behind the engine protocol (docs/protocol.md).

The deep linear model of a run's configuration is trained and measured by PyTorch, eager or compiled, as
`plumbline-cli engine` does with its own trainer; with --module a model of the user's own is recorded instead.
"""

from __future__ import annotations

import argparse
from typing import Optional


def main(arguments: Optional[list[str]] = None) -> int:
    """Talks until the window says quit or goes away; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m plumbline engine", description=__doc__.splitlines()[0])
    parser.add_argument("--module", metavar="SCRIPT.py:FUNCTION",
                        help="train what FUNCTION() returns: (model, batch, loss, optimizer)")
    parser.add_argument("--out", metavar="FOLDER", help="where recorded steps of the module are written (a temporary folder)")
    options = parser.parse_args(arguments)
    # torch is imported late: without it the engine lives, and says so in its list of devices.
    from .conversation import Conversation, claim_output

    return Conversation(claim_output(), options.module, options.out).run()
