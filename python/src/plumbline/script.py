# SPDX-License-Identifier: Apache-2.0
"""`python -m plumbline [options] SCRIPT ARGS`: records a step of a script that is not changed.

Optimizers mark the steps. The model is found by the parameters of the first optimizer that steps: the module,
among those that live, which has all of them and is no part of another that has.
"""

from __future__ import annotations

import argparse
import gc
import os
import runpy
import sys
from typing import Any, Optional

import torch

from . import __version__, patches
from .recording import TIMED_STEPS, RecordingError, record
from .step_file import find_target


def model_of(optimizer: torch.optim.Optimizer) -> Optional[torch.nn.Module]:
    """The outermost living module that has all parameters of an optimizer; None where no module has them."""
    wanted = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
    found = []
    for candidate in gc.get_objects():
        if issubclass(type(candidate), torch.nn.Module):
            if wanted <= {id(parameter) for parameter in candidate.parameters()}:
                found.append(candidate)
    inner = {id(child) for module in found for child in module.modules() if child is not module}
    outermost = [module for module in found if id(module) not in inner]
    return min(outermost, key=lambda module: sum(1 for _ in module.modules())) if outermost else None


class _Told(record):
    """A recording that is told when optimizers step: hooks cannot be set while hooks are being called."""

    def _set_hooks(self) -> None:
        pass


class ScriptRecording:
    """Begins a recording when the script's first optimizer steps, since only then there is a model. That step is
    the first one to warm up."""

    def __init__(self, path: str, warmup: int, steps: int) -> None:
        self.recording: Optional[record] = None
        self.absent = "no optimizer stepped"
        self._path, self._warmup, self._steps = path, warmup, steps
        self._begun = False
        self._undo = patches.optimizer_steps(self._step_begins, self._step_ends, self._step_is_left)

    def _step_begins(self, optimizer: torch.optim.Optimizer) -> None:
        if not self._begun:
            self._begun = True
            model = model_of(optimizer)
            if model is None:
                self.absent = "no module has the parameters of the optimizer that stepped"
                return
            self.recording = _Told(self._path, model, optimizer, warmup=self._warmup, steps=self._steps,
                                   automatic=True)
            self.recording.__enter__()
        if self.recording is not None:
            self.recording.optimizer_begins(optimizer)

    def _step_ends(self, optimizer: torch.optim.Optimizer) -> None:
        if self.recording is not None:
            self.recording.optimizer_ends(optimizer)

    def _step_is_left(self) -> None:
        if self.recording is not None:
            self.recording.end_after_optimizer()

    def close(self, failed: bool) -> Optional[str]:
        """Ends the recording; returns why there is no file, or None."""
        self._undo()
        if self.recording is None:
            return self.absent
        if failed:
            self.recording.__exit__(RuntimeError, None, None)
            return None if self.recording.document is not None else "the script failed"
        try:
            self.recording.__exit__(None, None, None)
        except RecordingError as error:
            return str(error)
        return self.recording.problem


def main(arguments: Optional[list[str]] = None) -> int:
    """Returns the exit status: the script's own where it fails; 1 where no step was recorded, or its file not written."""
    parser = argparse.ArgumentParser(prog="python -m plumbline", description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="step.plumb", help="step file to write (default: %(default)s)")
    parser.add_argument("--warmup", type=int, default=2, help="steps before the recorded one (default: %(default)s)")
    parser.add_argument("--steps", type=int, default=TIMED_STEPS, help="clean steps that are timed (default: %(default)s)")
    parser.add_argument("--version", action="version", version=f"plumbline-profiler {__version__}")
    parser.add_argument("script")
    parser.add_argument("args", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    if options.warmup < 1:
        parser.error("--warmup must be at least 1: the model is not known before the first step has run.")
    try:
        find_target(options.out)
    except ValueError as error:
        parser.error(f"{error}.")

    sys.argv = [options.script, *options.args]
    sys.path.insert(0, os.path.dirname(os.path.abspath(options.script)))
    recording = ScriptRecording(os.path.abspath(options.out), options.warmup, options.steps)
    failed = True
    status: Any = 0
    try:
        runpy.run_path(options.script, run_name="__main__")
        failed = False
    except SystemExit as leaving:
        status, failed = leaving.code, leaving.code not in (None, 0)
        if failed:
            raise
    finally:
        absent = recording.close(failed)
    if absent is not None:
        print(f"plumbline: nothing was recorded: {absent}", file=sys.stderr)
        return 1
    print(f"plumbline: wrote {options.out}: {recording.recording.document['title']}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
