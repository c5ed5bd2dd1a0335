#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens checkpoints of Plumbline with the reference library and with PyTorch and compares every number.

    check_with_reference.py PLUMBLINE_CLI DUMP_SAFETENSORS

Trains a small model in every recipe and with every optimizer and loads its checkpoint three times: with
dump_safetensors (tests/core/io/dump_safetensors.cpp, our reader, as JSON), with safetensors.safe_open and with
safetensors.torch.load_file. Names, dtypes, shapes, values and metadata must agree. A file that the reference
library saves again from what it loaded must resume. Needs: pip install safetensors torch numpy.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import safetensors
import safetensors.torch
import torch

RECIPES = ["fp32", "tf32", "bf16", "fp16", "fp8"]
OPTIMIZERS = ["sgd", "momentum", "adagrad", "rmsprop", "adam", "adamw", "lion", "adafactor"]
DTYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16,
          "F8_E4M3": torch.float8_e4m3fn, "F8_E5M2": torch.float8_e5m2}


def check(cli, dump, folder, recipe, optimizer):
    run = [cli, "train", "--dim", "24", "--layers", "3", "--outputs", "2", "--batch", "16", "--precision", recipe,
           "--optimizer", optimizer]
    subprocess.run([*run, "--steps", "20", "--checkpoint-dir", folder], check=True, stdout=subprocess.DEVNULL)
    path = folder / "step-000020.safetensors"
    ours = json.loads(subprocess.run([dump, path], check=True, capture_output=True).stdout)
    loaded = safetensors.torch.load_file(path)
    with safetensors.safe_open(path, framework="pt") as file:
        metadata = file.metadata()
        assert metadata == ours["metadata"], "metadata"
        assert set(file.keys()) == set(ours["tensors"]) == set(loaded), "names"
        for name, there in ours["tensors"].items():
            for tensor in (file.get_tensor(name), loaded[name]):
                assert tensor.dtype == DTYPES[there["dtype"]], name
                assert list(tensor.shape) == there["shape"], name
                assert tensor.to(torch.float64).flatten().tolist() == there["values"], name
    again = folder / "again.safetensors"
    safetensors.torch.save_file(loaded, again, metadata=metadata)
    one, two = (json.loads(subprocess.run([*run, "--steps", "25", "--resume", file, "--json"], check=True,
                                          capture_output=True).stdout)["training"]["loss"] for file in (path, again))
    assert one == two, "the file of the reference library resumes to other losses"
    return len(loaded)


def main():
    cli, dump = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    tensors = 0
    for recipe in RECIPES:
        for optimizer in OPTIMIZERS:
            with tempfile.TemporaryDirectory() as folder:
                tensors += check(cli, dump, pathlib.Path(folder), recipe, optimizer)
    print(f"{len(RECIPES) * len(OPTIMIZERS)} checkpoints, {tensors} tensors: safetensors {safetensors.__version__} and "
          f"torch {torch.__version__} read the same names, dtypes, shapes, values and metadata")


if __name__ == "__main__":
    main()
