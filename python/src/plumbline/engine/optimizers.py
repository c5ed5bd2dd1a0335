# SPDX-License-Identifier: Apache-2.0
"""The optimizer of a configuration: torch.optim's, and Lion, which it has not."""

from __future__ import annotations

from typing import Any, Iterable

import torch

from .config import RunConfig
from .refusal import Refusal


class Lion(torch.optim.Optimizer):
    """Chen et al., "Symbolic discovery of optimization algorithms" (2023): the sign of a mixed momentum."""

    def __init__(self, params: Iterable[torch.Tensor], lr: float, betas: tuple[float, float], weight_decay: float) -> None:
        super().__init__(params, {"lr": lr, "betas": betas, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:
        for group in self.param_groups:
            first, second = group["betas"]
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                state = self.state[parameter]
                if not state:
                    state["exp_avg"] = torch.zeros_like(parameter)
                mean, gradient = state["exp_avg"], parameter.grad
                direction = mean.mul(first).add_(gradient, alpha=1 - first).sign_()
                mean.mul_(second).add_(gradient, alpha=1 - second)
                parameter.mul_(1 - group["lr"] * group["weight_decay"]).add_(direction, alpha=-group["lr"])


def make_optimizer(config: RunConfig, parameters: list[torch.nn.Parameter]) -> torch.optim.Optimizer:
    """Of these parameters, with the configuration's settings."""
    s, kind = config.settings, config.optimizer
    common: dict[str, Any] = {"lr": config.rate, "weight_decay": config.decay}
    if kind == "sgd":
        return torch.optim.SGD(parameters, **common)
    if kind == "momentum":
        return torch.optim.SGD(parameters, momentum=s["momentum"], dampening=s["dampening"], nesterov=s["nesterov"],
                               **common)
    if kind == "adagrad":
        return torch.optim.Adagrad(parameters, lr_decay=s["lr-decay"], eps=s["epsilon"],
                                   initial_accumulator_value=s["initial-accumulator"], **common)
    if kind == "rmsprop":
        return torch.optim.RMSprop(parameters, alpha=s["alpha"], eps=s["epsilon"], momentum=s["momentum"],
                                   centered=s["centered"], **common)
    if kind == "lion":
        return Lion(parameters, betas=(s["beta1"], s["beta2"]), **common)
    if kind == "adafactor":
        if not hasattr(torch.optim, "Adafactor"):
            raise Refusal(f"torch {torch.__version__} has no Adafactor", "install torch 2.5 or newer", "unavailable")
        return torch.optim.Adafactor(parameters, beta2_decay=s["beta2-decay"], eps=(s["epsilon"], s["epsilon2"]),
                                     d=s["clip-threshold"], **common)
    rule = torch.optim.Adam if kind == "adam" else torch.optim.AdamW
    return rule(parameters, betas=(s["beta1"], s["beta2"]), eps=s["epsilon"], amsgrad=s["amsgrad"], **common)
