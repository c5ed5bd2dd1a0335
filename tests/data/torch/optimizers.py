# SPDX-License-Identifier: Apache-2.0
"""Plumbline's optimizers and learning-rate schedules in PyTorch, by the names of Plumbline's options."""
import torch


class Lion(torch.optim.Optimizer):
    """Lion as published (Chen et al. 2023, "Symbolic Discovery of Optimization Algorithms", algorithm 2)."""

    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, {"lr": lr, "betas": betas, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                state = self.state[p]
                if not state:
                    state["exp_avg"] = torch.zeros_like(p)
                direction = torch.sign(beta1 * state["exp_avg"] + (1 - beta1) * p.grad)
                p.copy_(p - group["lr"] * (direction + group["weight_decay"] * p))
                state["exp_avg"] = beta2 * state["exp_avg"] + (1 - beta2) * p.grad


KINDS = {
    "sgd": torch.optim.SGD,
    "momentum": torch.optim.SGD,
    "adagrad": torch.optim.Adagrad,
    "rmsprop": torch.optim.RMSprop,
    "adam": torch.optim.Adam,
    "adamw": torch.optim.AdamW,
    "lion": Lion,
    "adafactor": torch.optim.Adafactor,
}
DEFAULTS = {"momentum": {"momentum": 0.9}}
ARGUMENTS = {"lr": "lr", "weight-decay": "weight_decay", "momentum": "momentum", "dampening": "dampening",
             "nesterov": "nesterov", "alpha": "alpha", "centered": "centered", "amsgrad": "amsgrad",
             "lr-decay": "lr_decay", "initial-accumulator": "initial_accumulator_value",
             "beta2-decay": "beta2_decay", "clip-threshold": "d"}
STATES = {"sgd": (), "momentum": ("momentum_buffer",), "adagrad": ("sum",),
          "rmsprop": ("square_avg", "grad_avg", "momentum_buffer"), "adam": ("exp_avg", "exp_avg_sq", "max_exp_avg_sq"),
          "adamw": ("exp_avg", "exp_avg_sq", "max_exp_avg_sq"), "lion": ("exp_avg",),
          "adafactor": ("row_var", "col_var")}


def make_optimizer(name, params, options):
    """options: values by the names of the command line; those of clipping and schedules are left to the caller."""
    arguments = dict(DEFAULTS.get(name, {}))
    for option, value in options.items():
        if option in ARGUMENTS:
            arguments[ARGUMENTS[option]] = value
    if "beta1" in options or "beta2" in options:
        default = (0.9, 0.99) if name == "lion" else (0.9, 0.999)
        arguments["betas"] = (options.get("beta1", default[0]), options.get("beta2", default[1]))
    if name == "adafactor":
        if "epsilon" in options or "epsilon2" in options:
            arguments["eps"] = (options.get("epsilon"), options.get("epsilon2", 1e-3))
    elif "epsilon" in options:
        arguments["eps"] = options["epsilon"]
    return KINDS[name](params, **arguments)


def make_schedule(optimizer, options):
    """What learningRateAt() describes, from torch's own schedulers; None for a constant rate."""
    warm_up = options.get("warmup-steps", 0)
    length = options.get("schedule-steps", 1000)
    kind = options.get("lr-schedule", "constant")
    base = optimizer.param_groups[0]["lr"]
    schedulers = torch.optim.lr_scheduler
    optimizer.param_groups[0]["initial_lr"] = base
    if kind == "cosine":
        main = lambda: schedulers.CosineAnnealingLR(optimizer, length - warm_up, options.get("min-lr", 0.0))
    elif kind == "step":
        main = lambda: schedulers.StepLR(optimizer, length, options.get("gamma", 0.1))
    else:
        main = lambda: schedulers.ConstantLR(optimizer, 1.0, 1)
    if warm_up == 0:
        return main() if kind != "constant" else None
    rising = schedulers.LinearLR(optimizer, 1 / warm_up, 1.0, warm_up - 1)
    return schedulers.SequentialLR(optimizer, [rising, main()], [warm_up])
