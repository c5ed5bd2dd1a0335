# SPDX-License-Identifier: Apache-2.0
"""One training: the model, its optimizer and its batches, step after step."""

from __future__ import annotations

import math
import time
from typing import Any, NamedTuple, Optional

import torch

from .batches import open_batches
from .config import RunConfig
from .model import DTYPES, DeepLinear
from .op_watch import Marks, OpWatch
from .optimizers import make_optimizer
from .refusal import Refusal

MODES = {"eager": "eager", "compile": "compile", "graphs": "compile, CUDA graphs"}


class StepNumbers(NamedTuple):
    """What one step was like; None where it is not known."""

    loss: float
    seconds: float
    gradient_norm: Optional[float]
    learning_rate: float
    loss_scale: Optional[float]


class Training:
    """A fresh model of the configuration on a device ("cpu", "cuda:0"), run in one of MODES."""

    def __init__(self, config: RunConfig, device: str, mode: str) -> None:
        self.config, self.device, self.mode = config, torch.device(device), mode
        if config.precision == "tf32" and self.device.type != "cuda":
            raise Refusal("PyTorch computes in tf32 on NVIDIA GPUs alone (precision tf32)",
                          "choose fp32 on this device, or the built-in trainer")
        if self.device.type == "cuda":
            torch.backends.cuda.matmul.allow_tf32 = config.precision == "tf32"
        self._batches = open_batches(config)
        self.model = DeepLinear(config, self.device)
        self.parameters = list(self.model.masters or self.model.weights)
        self.optimizer = make_optimizer(config, self.parameters)
        self._scaler = torch.amp.GradScaler(
            self.device.type, init_scale=config["loss-scale"], growth_factor=config["loss-scale-growth"],
            backoff_factor=config["loss-scale-backoff"], growth_interval=config["loss-scale-interval"],
        ) if config.precision == "fp16" else None
        self._forward: Any = self.model
        if mode != "eager":
            torch._dynamo.reset()
            self._forward = torch.compile(self.model, mode="reduce-overhead" if mode == "graphs" else None)
        self.done = 0

    def step(self, watch: Optional[OpWatch] = None, marks: Optional[Marks] = None) -> StepNumbers:
        """The next step. Its numbers are drawn before the clock starts; copying them to where the step reads them
        is part of it."""
        config, number = self.config, self.done
        batches = [[torch.from_numpy(part) for part in self._batches.batch(number, micro)]
                   for micro in range(config.micro_batches)]
        rate = config.rate_at(number)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.model.marks = marks
        self._wait()
        begin = time.perf_counter()
        if watch is not None:
            with watch:
                losses, norm, scale = self._run(batches, marks)
        else:
            losses, norm, scale = self._run(batches, None)
        loss = float(sum(float(part) for part in losses))
        self._wait()
        seconds = time.perf_counter() - begin
        self.done += 1
        return StepNumbers(loss, seconds, norm, rate, scale)

    def watched(self) -> OpWatch:
        """Runs the next step watched; the eager ops of a compiled model are not to be seen."""
        weights = list(self.model.weights)
        marks = Marks(weights, self.config.layers)
        watch = OpWatch(marks, self.device.type)
        watch.claim(weights, "parameters")
        watch.claim(self.model.masters, "master_parameters")
        watch.claim([value for state in self.optimizer.state.values() for value in state.values()], "optimizer_state")
        self._watch = watch
        try:
            self.step(watch, marks)
        finally:
            self._watch = None
            self.model.marks = None
            watch.close()
        return watch

    # --- one step --------------------------------------------------------------------------------------------

    _watch: Optional[OpWatch] = None

    def _run(self, batches: list, marks: Optional[Marks]) -> tuple[list, Optional[float], Optional[float]]:
        config, count = self.config, self.config.micro_batches
        scale = self._scaler.get_scale() if self._scaler is not None else None
        kind = DTYPES[config.precision]
        losses = []
        for micro, (x, t) in enumerate(batches):
            if marks is not None:
                marks.begin_pass(micro)
            x = x.to(device=self.device, dtype=kind, copy=True)
            t = t.to(device=self.device, copy=True)
            y = self._forward(x)
            if marks is not None:
                marks.at("loss")
            loss = torch.nn.functional.mse_loss(y.float(), t)
            if count > 1:
                loss = loss / count
            del y, x, t
            losses.append(loss.detach())
            scaled = loss if self._scaler is None else self._scaler.scale(loss)
            del loss
            scaled.backward()
            del scaled
            self._take_gradients(marks, last=micro == count - 1)
        norm = self._update(marks)
        return losses, norm, scale

    def _take_gradients(self, marks: Optional[Marks], last: bool) -> None:
        """Those of narrower weights go to the masters: once, or after each micro-batch where they are kept in fp32."""
        model = self.model
        in_fp32 = self.config["grad-dtype"] == "fp32"
        if self._watch is not None:
            self._watch.claim([w.grad for w in model.weights if w.grad is not None], "gradients")
        if not model.masters or not (last or in_fp32):
            return
        if marks is not None:
            marks.after_passes("optimizer")
        for weight, master in zip(model.weights, model.masters):
            if weight.grad is None:
                continue
            gradient = weight.grad.float()
            weight.grad = None
            if master.grad is None:
                master.grad = gradient
            else:
                master.grad.add_(gradient)
        if self._watch is not None:
            self._watch.claim([m.grad for m in model.masters if m.grad is not None], "gradients")

    def _update(self, marks: Optional[Marks]) -> Optional[float]:
        config, norm = self.config, None
        if marks is not None:
            marks.after_passes("optimizer")
        if self._scaler is not None:
            self._scaler.unscale_(self.optimizer)
        if config["clip-norm"] > 0:
            if marks is not None:
                marks.after_passes("gradient_norm")
            norm = torch.nn.utils.clip_grad_norm_(self.parameters, config["clip-norm"])
            if marks is not None:
                marks.after_passes("optimizer")
        elif self._scaler is not None:  # a skipped step is told by its norm
            norm = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(p.grad) for p in self.parameters]))
        if self._scaler is not None:
            self._scaler.step(self.optimizer)
            self._scaler.update()
        else:
            self.optimizer.step()
        if self.model.masters:
            with torch.no_grad():
                for weight, master in zip(self.model.weights, self.model.masters):
                    weight.copy_(master)
        self.optimizer.zero_grad(set_to_none=True)
        self.model.zero_grad(set_to_none=True)
        norm = None if norm is None else float(norm)
        return norm if norm is None or math.isfinite(norm) else None

    def _wait(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
