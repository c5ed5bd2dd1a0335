# SPDX-License-Identifier: Apache-2.0
"""Records what torch.optim makes of fixed gradients: parameters and states after some steps of each optimizer.

    python3 -m venv venv && venv/bin/pip install torch && venv/bin/python tests/data/torch/make_trajectories.py

Writes trajectories.json beside this file, for tests/core/train/optimizer_trajectories_test.cpp. The parameters are two
matrices, DIM x DIM and DIM x OUTPUTS, one after the other. Gradients follow a formula in integers and powers of
two, so that the test makes the same bits without a file.
"""
import json
import pathlib

import torch

from optimizers import STATES, make_optimizer, make_schedule

HERE = pathlib.Path(__file__).parent
DIM, OUTPUTS, STEPS = 5, 1, 100
RECORDED = (1, 2, 10, 100)
SHAPES = ((DIM, DIM), (DIM, OUTPUTS))
COUNT = sum(rows * columns for rows, columns in SHAPES)
SWITCHES = ("nesterov", "centered", "amsgrad")

CASES = (
    ("sgd", {}),
    ("sgd", {"lr": 0.05, "weight-decay": 0.1}),
    ("sgd", {"lr": 0.05, "clip-norm": 0.5}),
    ("momentum", {}),
    ("momentum", {"lr": 0.01, "momentum": 0.8, "dampening": 0.3, "weight-decay": 0.1}),
    ("momentum", {"lr": 0.01, "nesterov": True, "weight-decay": 0.05}),
    ("adagrad", {}),
    ("adagrad", {"lr": 0.05, "lr-decay": 0.01, "initial-accumulator": 0.1, "epsilon": 1e-3, "weight-decay": 0.05}),
    ("rmsprop", {}),
    ("rmsprop", {"lr": 0.005, "alpha": 0.9, "epsilon": 1e-3, "weight-decay": 0.05}),
    ("rmsprop", {"momentum": 0.9}),
    ("rmsprop", {"centered": True}),
    ("rmsprop", {"centered": True, "momentum": 0.8, "alpha": 0.95}),
    ("adam", {}),
    ("adam", {"lr": 0.01, "beta1": 0.8, "beta2": 0.95, "epsilon": 1e-3, "weight-decay": 0.1}),
    ("adam", {"amsgrad": True, "beta2": 0.9}),
    ("adamw", {}),
    ("adamw", {"lr": 0.01, "beta1": 0.7, "beta2": 0.9, "epsilon": 1e-3, "weight-decay": 0.2}),
    ("adamw", {"amsgrad": True, "beta2": 0.9}),
    ("adamw", {"clip-norm": 0.7}),
    ("lion", {}),
    ("lion", {"lr": 0.01, "beta1": 0.8, "beta2": 0.95, "weight-decay": 0.1}),
    ("adafactor", {}),
    ("adafactor", {"lr": 0.05, "beta2-decay": -0.5, "epsilon": 1e-2, "epsilon2": 0.5, "clip-threshold": 1.2,
                   "weight-decay": 0.1}),
)

SCHEDULES = (
    {"lr": 0.3, "warmup-steps": 7},
    {"lr": 0.3, "lr-schedule": "cosine", "schedule-steps": 60},
    {"lr": 0.3, "lr-schedule": "cosine", "schedule-steps": 90, "warmup-steps": 10, "min-lr": 0.01},
    {"lr": 0.3, "lr-schedule": "step", "schedule-steps": 20, "gamma": 0.5},
    {"lr": 0.3, "lr-schedule": "step", "schedule-steps": 15, "warmup-steps": 4},
)

# Steps whose gradients are not finite, by case: initial scale, growth factor, backoff factor, interval.
SCALERS = (
    ((65536.0, 2.0, 0.5, 2000), (0, 1, 5)),
    ((1024.0, 3.0, 0.25, 3), (2, 6, 7, 15)),
)


def gradient(step, index):
    """Exact in fp32: a term of changing sign and of a size that depends on the element, and a drift; every third
    step is eight times as large."""
    noise = ((1103515245 * (index + 977 * step) + 12345) % 2**31) >> 16
    value = (noise - 16384) / 16384 * 2.0 ** -(index % 6) + (index % 3 - 1) * 0.25
    return value * (1.0 if step % 3 == 0 else 0.125)


def initial(index):
    return ((index * 7 % 13) - 6) / 8 + 1 / 16


def split(values):
    matrices, at = [], 0
    for rows, columns in SHAPES:
        matrices.append(torch.tensor(values[at:at + rows * columns], dtype=torch.float32).reshape(rows, columns))
        at += rows * columns
    return matrices


def flat(tensors):
    return [float(f"{value:.9g}") for tensor in tensors for value in tensor.detach().flatten().tolist()]


def trajectory(name, options):
    params = [torch.nn.Parameter(p) for p in split([initial(i) for i in range(COUNT)])]
    optimizer = make_optimizer(name, params, options)
    record = {"optimizer": name, "options": {key: ("on" if value else "off") if key in SWITCHES else repr(value)
                                             for key, value in options.items()}, "at": []}
    for step in range(STEPS):
        for p, g in zip(params, split([gradient(step, i) for i in range(COUNT)])):
            p.grad = g
        if "clip-norm" in options:
            torch.nn.utils.clip_grad_norm_(params, options["clip-norm"])
        optimizer.step()
        if step + 1 in RECORDED:
            states = {key: flat(optimizer.state[p][key] for p in params) for key in STATES[name]
                      if optimizer.state[params[0]].get(key) is not None}
            record["at"].append({"steps": step + 1, "parameters": flat(params), "states": states})
    return record


def schedule(options):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=options["lr"])
    scheduler = make_schedule(optimizer, options)
    last = options.get("schedule-steps", 40) if options.get("lr-schedule") == "cosine" else 60
    rates = []
    for _ in range(last + 1):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return {"options": {key: str(value) for key, value in options.items()}, "rates": rates}


def scaler(arguments, overflows):
    start, growth, backoff, interval = arguments
    grad_scaler = torch.amp.GradScaler("cpu", start, growth, backoff, interval)
    p = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([p], lr=0.1)
    series = []
    for step in range(24):
        grad_scaler.scale(torch.zeros(1))  # creates the scale on first use
        p.grad = torch.tensor([float("inf") if step in overflows else 1.0])
        grad_scaler.step(optimizer)
        grad_scaler.update()
        series.append([grad_scaler.get_scale(), grad_scaler._get_growth_tracker()])
    return {"scale": start, "growth": growth, "backoff": backoff, "interval": interval, "overflows": list(overflows),
            "series": series}


def lines(items):
    return "[\n" + ",\n".join(json.dumps(item, separators=(",", ":")) for item in items) + "\n]"


def main():
    torch.set_num_threads(1)
    parts = {"torch": json.dumps(torch.__version__), "dim": DIM, "outputs": OUTPUTS,
             "initial": json.dumps(flat(split([initial(i) for i in range(COUNT)]))),
             "cases": lines(trajectory(*case) for case in CASES), "schedules": lines(map(schedule, SCHEDULES)),
             "scalers": lines(scaler(*case) for case in SCALERS)}
    text = "{\n" + ",\n".join(f'"{key}": {value}' for key, value in parts.items()) + "\n}\n"
    json.loads(text)
    (HERE / "trajectories.json").write_text(text)
    print(len(text), "bytes")


if __name__ == "__main__":
    main()
