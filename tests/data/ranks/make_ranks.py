# SPDX-License-Identifier: Apache-2.0
"""Trains the deep linear model on several processes with PyTorch on gloo, and records the losses.

    python3 -m venv venv && venv/bin/pip install torch numpy && venv/bin/python tests/data/ranks/make_ranks.py

Writes losses.json beside this file, from the features and targets of tests/data/torch.
tests/core/train/rank_parity_test.cpp trains the same configurations on as many ranks. `ddp` is DistributedDataParallel,
`zero1` DDP with ZeroRedundancyOptimizer, `fsdp2` fully_shard of each layer and of the whole; each rank has its own rows
of the batch, and the loss is the mean over all of them.
"""
import json
import os
import pathlib
import sys

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.fsdp import fully_shard
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "torch"))
from make_losses import DIM, OUTPUTS, ROWS, STREAM_HEAD, STREAM_WEIGHTS, file_row, weights  # noqa: E402

LAYERS, BATCH, STEPS = 5, 32, 20

CASES = [{"scheme": scheme, "ranks": ranks, **more}
         for scheme in ("ddp", "zero1", "fsdp2") for ranks in (2, 4)
         for more in ({"optimizer": "adamw", "lr": 0.002, "activation": "relu", "micro-batches": 1},
                      {"optimizer": "sgd", "lr": 0.02, "activation": "none", "micro-batches": 2})]


class Layer(torch.nn.Module):
    def __init__(self, weight, bends):
        super().__init__()
        self.weight = torch.nn.Parameter(weight.clone())
        self.bends = bends

    def forward(self, h):
        h = h @ self.weight
        return torch.relu(h) if self.bends else h


def model_of(case, seed):
    layers = [Layer(weights(seed, STREAM_WEIGHTS, layer, DIM, DIM), case["activation"] == "relu")
              for layer in range(1, LAYERS + 1)]
    return torch.nn.Sequential(*layers, Layer(weights(seed, STREAM_HEAD, LAYERS + 1, DIM, OUTPUTS), False))


def train(rank, case, seed, out):
    ranks, parts = case["ranks"], case["micro-batches"]
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=ranks)
    features = np.load(HERE.parent / "torch" / "features.npy")
    targets = np.load(HERE.parent / "torch" / "targets.npy")
    model = model_of(case, seed)
    if case["scheme"] == "fsdp2":
        mesh = dist.device_mesh.init_device_mesh("cpu", (ranks,))
        for layer in model:
            fully_shard(layer, mesh=mesh)
        fully_shard(model, mesh=mesh)
    else:
        model = DistributedDataParallel(model)
    kind = {"adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}[case["optimizer"]]
    if case["scheme"] == "zero1":
        optimizer = ZeroRedundancyOptimizer(model.parameters(), kind, lr=case["lr"])
    else:
        optimizer = kind(model.parameters(), lr=case["lr"])
    losses, rows = [], BATCH // ranks // parts
    for step in range(STEPS):
        optimizer.zero_grad()
        total = torch.zeros((), dtype=torch.float64)
        for part in range(parts):
            begin = step * BATCH + (rank * parts + part) * rows
            mine = [file_row(seed, begin + i, ROWS) for i in range(rows)]
            difference = model(torch.from_numpy(features[mine])) - torch.from_numpy(targets[mine])
            ((difference ** 2).mean() / parts).backward()
            total += (difference.detach().double() ** 2).mean() / parts / ranks
        optimizer.step()
        dist.all_reduce(total)
        losses.append(float(total))
    if rank == 0:
        pathlib.Path(out).write_text(json.dumps(losses))
    dist.destroy_process_group()


def main():
    os.environ.update({"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29517", "GLOO_SOCKET_IFNAME": "lo"})
    cases, out = [], HERE / "losses.part"
    for index, case in enumerate(CASES):
        mp.spawn(train, args=(case, 60 + index, str(out)), nprocs=case["ranks"])
        losses = json.loads(out.read_text())
        out.unlink()
        print(case, losses[0], losses[-1])
        cases.append({**case, "seed": 60 + index, "losses": losses})
    record = {"torch": torch.__version__, "dim": DIM, "outputs": OUTPUTS, "layers": LAYERS, "batch": BATCH, "cases": cases}
    (HERE / "losses.json").write_text(json.dumps(record, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
