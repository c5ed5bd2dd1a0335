# SPDX-License-Identifier: Apache-2.0
"""--module SCRIPT.py:FUNCTION: a model of the user's own, recorded as a step file (docs/step-file.md).

FUNCTION() returns (model, batch, loss, optimizer). `batch` is what the model is called with: a tensor, a tuple of
tensors, or a dict of named ones. `loss` takes what the model returns and gives a scalar tensor; None where the model
returns one, or has it as `.loss`. `optimizer` is one of torch.optim, or None.
"""

from __future__ import annotations

import contextlib
import os
import runpy
import sys
import tempfile
from typing import Any, Optional

from .devices import LABELS, Choice
from .refusal import Refusal, refusal_of


class ModuleJob:
    """Runs and records the module that a script makes; the run's configuration is not looked at."""

    WARM_UP, STEPS = 2, 10

    def __init__(self, module: str, folder: Optional[str]) -> None:
        self._script, colon, self._function = module.rpartition(":")
        if not colon:
            self._script, self._function = module, "make"
        self._folder = folder

    def named(self, choice: Choice) -> Choice:
        """The choice with the script in the name of its machine."""
        machine = choice.entry["machine"]
        name = f"{os.path.basename(self._script)}:{self._function} – {machine['name']}"
        return choice._replace(entry={**choice.entry, "machine": {**machine, "name": name}})

    def record(self, command: dict[str, Any], choice: Choice, job: Any) -> tuple[str, int]:
        """Records one step and sends where its file is; returns the outcome and how many steps ran."""
        import torch

        from ..recording import record

        model, batch, loss, optimizer = self._make()
        device = torch.device(choice.device)
        model = model.to(device)
        batch = _moved(batch, device)
        called = model if choice.mode == "eager" else torch.compile(
            model, mode="reduce-overhead" if choice.mode == "graphs" else None)
        folder = self._folder or tempfile.mkdtemp(prefix="plumbline-")
        stem = os.path.splitext(os.path.basename(self._script))[0]
        path = os.path.join(os.path.abspath(folder), f"{stem}-{self._function}-{LABELS[choice.mode].replace(' ', '-')}.plumb")
        total, done = self.WARM_UP + 2 + self.STEPS, 0
        with contextlib.ExitStack() as stack:
            try:
                recording = stack.enter_context(record(path, called, optimizer, warmup=self.WARM_UP, steps=self.STEPS))
            except ValueError as error:
                raise _not_written(str(error)) from error
            while not recording.done:
                job.wait()
                recording.step(self._step(called, batch, loss, optimizer))
                done += 1
                job.send("progress", what="recording", done=min(done, total), total=total)
        if recording.problem is not None:
            raise _not_written(recording.problem)
        job.send("recorded", path=path)
        return "finished", done

    def _make(self) -> tuple[Any, Any, Any, Any]:
        import torch

        name = f"{self._script}:{self._function}"
        if not os.path.isfile(self._script):
            raise Refusal(f"there is no such script (--module {name})", "give the path of a .py file")
        folder = os.path.dirname(os.path.abspath(self._script))
        if folder not in sys.path:
            sys.path.insert(0, folder)
        try:
            made = runpy.run_path(self._script, run_name="plumbline_module").get(self._function)
            if not callable(made):
                raise Refusal(f"the script has no such function (--module {name})",
                              "define it, and let it return (model, batch, loss, optimizer)")
            made = made()
        except Refusal:
            raise
        except BaseException as error:
            raise refusal_of(error, f"the script failed ({name})") from error
        if not isinstance(made, tuple) or len(made) != 4 or not isinstance(made[0], torch.nn.Module):
            raise Refusal(f"the function returns {type(made).__name__} (--module {name})",
                          "return (model, batch, loss, optimizer), the model a torch.nn.Module")
        return made

    @staticmethod
    def _step(model: Any, batch: Any, loss: Any, optimizer: Any) -> Any:
        if isinstance(batch, dict):
            result = model(**batch)
        else:
            result = model(*batch) if isinstance(batch, (tuple, list)) else model(batch)
        value = loss(result) if loss is not None else getattr(result, "loss", result)
        value.backward()
        if optimizer is not None:
            optimizer.step()
        model.zero_grad(set_to_none=True)
        return value


def _not_written(sentence: str) -> Refusal:
    return Refusal(sentence, "give another folder with --out", "io")


def _moved(value: Any, device: Any) -> Any:
    if hasattr(value, "to"):
        return value.to(device)
    if isinstance(value, dict):
        return {name: _moved(part, device) for name, part in value.items()}
    return type(value)(_moved(part, device) for part in value) if isinstance(value, (tuple, list)) else value
