#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the seeds that the program itself writes: make_seeds.py PLUMBLINE_CLI WRITE_SNAPSHOTS

Run by hand when a format has grown; the seeds of findings and those in plain text are written by people and stay.
"""

import gzip
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

SEEDS = Path(__file__).parent / "seeds"
SMALL = {"dim": 8, "layers": 1, "batch": 4, "micro-batch": 2, "optimizer": "sgd", "backend": "cpu"}


def put(target, name, content):
    path = SEEDS / target / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def compact(document):
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def options(config):
    return [text for name, value in config.items() for text in (f"--{name}", str(value))]


def shortened(value):
    """Long arrays and objects by their first entries, which have all the kinds of field."""
    if isinstance(value, dict):
        return {key: shortened(child) for key, child in list(value.items())[:40]}
    return [shortened(child) for child in value[:6]] if isinstance(value, list) else value


def step_file():
    """One linear layer, its loss and an update, as a recorder writes it."""
    shapes = {"weight": [4, 4], "weight.grad": [4, 4], "x": [2, 4], "y": [2, 4], "loss": []}
    lives = {"weight": (-1, 4), "weight.grad": (2, 3), "x": (-1, 2), "y": (0, 2), "loss": (1, 1)}
    categories = ["parameters", "gradients", "data", "activations", "workspace"]
    return {
        "format": "plumbline.step", "version": 1, "created": "2026-11-24T00:00:00Z", "program": "seed", "title": "linear",
        "source": "measured", "environment": {"torch": "2.15.0", "device": "cpu", "threads": 1}, "samples": 2,
        "parameters": 16, "product_dtype": "fp32",
        "ops": {
            "id": ["forward.mm", "loss.sum", "backward.mm", "optimizer.add_"],
            "kind": ["aten::mm", "aten::sum", "aten::mm", "aten::add_"], "overload": ["", "dim", "", "Tensor"],
            "phase": ["forward", "loss", "backward", "optimizer"], "module": ["layer", "", "layer", ""],
            "name": ["mm", "sum", "mm", "add_"], "flops": [64, 8, 64, None], "matmul_flops": [64, 0, 64, 0],
            "bytes": [128, 36, 128, 192], "units": ["fp32"] * 4, "is_product": [True, False, True, False],
            "input_shapes": [[[2, 4], [4, 4]], [[2, 4]], [[4, 2], [2, 4]], [[4, 4], [4, 4]]],
            "reads": [[0, 2], [3], [2, 3], [0, 1]], "writes": [[3], [4], [1], [0]], "seconds": [1e-5, None, 2e-5, 1e-6]},
        "tensors": {
            "name": list(shapes), "category": categories, "role": [""] * 5, "module": ["layer", "layer", "", "", ""],
            "dtype": ["fp32", "fp32", "int64", "fp32", "fp32"], "shape": list(shapes.values()),
            "bytes": [64, 64, 64, 32, 4], "first_op": [life[0] for life in lives.values()],
            "last_op": [life[1] for life in lives.values()], "made_by": [None, 2, None, 0, 1],
            "freed_by": [None, 3, 2, 2, 1]},
        "memory": {"start_bytes": 128, "allocator_peak_bytes": 256, "inside_libraries_bytes": 32},
        "measured": {"steps": 2, "step_seconds": [1e-3, 2e-3]}, "recording": {"pass_s_seconds": 5e-3},
        "losses": {"source": "step", "absent": None, "step": [0, 1], "pass": ["S", "T"], "loss": [1.5, None],
                   "seconds": [0.1, 0.2]},
        "missing_formulas": [{"kind": "aten::add_", "ops": 1, "share_of_time": 0.03}], "said": ["one sentence"]}


class Maker:
    def __init__(self, cli, folder):
        self.cli, self.folder = cli, Path(folder)
        home = {name: folder for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "TMPDIR")}
        self.environment = {**os.environ, **home}

    def run(self, *arguments, **more):
        return subprocess.run([self.cli, *map(str, arguments)], env=self.environment, check=True, capture_output=True,
                              **more).stdout

    def snapshots(self, write_snapshots):
        self.run("profile", *options(SMALL), "--steps", 2, "--out", self.folder / "profile.plumb")
        self.run("train", *options({**SMALL, "precision": "fp16", "optimizer": "adamw"}), "--steps", 3, "--out",
                 self.folder / "training.plumb", "--checkpoint-dir", self.folder, "--save-every", 3)
        subprocess.run([write_snapshots, self.folder], check=True)
        for name, source in (("profile", "profile"), ("training", "training"), ("counters", "1"), ("a100", "8"),
                             ("fp8", "15"), ("adafactor", "17")):
            document = json.loads((self.folder / f"{source}.plumb").read_text())
            put("snapshot", name, compact(document))
        document["predicted"] = None
        put("snapshot", "configuration", compact(document))
        document["note"] = "why so slow?\n\u91cd\u8ba1\u7b97"
        document["bookmarks"] = [{"title": "the peak", "view": "memory", "op": "a", "last_op": "b"},
                                 {"title": "", "view": "timeline", "time": {"from": 0.001, "to": 0.002}}]
        put("snapshot", "bookmarks", compact(document))
        for path in self.folder.glob("step-*.safetensors"):
            put("safetensors", "checkpoint", path.read_bytes())

    def calibration(self):
        self.run("calibrate", "--backend", "cpu", "--quick")
        document = json.loads(next(self.folder.rglob("calibration-*.json")).read_text())
        document["fingerprint"] = "@FP@"
        kinds = re.compile("layer_forward (fp32|bf16) .* (relu)?|head_forward head fp32|load_batch > fp32|optimizer_step")
        costs = document["machine"]["costs"]
        costs["tables"] = shortened([table for table in costs["tables"] if kinds.match(table["op"])])
        put("calibration", "quick", compact(document))
        costs["tables"], costs["bandwidth"] = costs["tables"][:2], shortened(costs["bandwidth"])
        put("calibration", "small", compact(document))
        put("event", "calibrated", compact({"id": 1, "type": "calibrated", "machine": document["machine"]}))

    def protocol(self):
        config = {key: value for key, value in SMALL.items() if key != "backend"}
        commands = [
            {"id": 1, "type": "hello", "version": 1, "program": "window"},
            {"id": 2, "type": "devices"},
            {"id": 3, "type": "profile", "config": config, "steps": 2, "counters": "quick"},
            {"id": 3, "type": "profile", "config": config, "steps": 2},
            {"id": 4, "type": "run", "config": config, "steps": 3, "checkpoint_dir": str(self.folder / "ck"),
             "save_every": 2, "keep": 1},
            {"id": 5, "type": "run", "config": config, "steps": 9, "resume": str(self.folder / "none")},
            {"id": 6, "type": "inspect", "role": "weight", "layer": 1},
            {"id": 13, "type": "run", "config": config, "steps": 0},
            {"id": 14, "type": "inspect", "role": "activation", "layer": 1},
            {"id": 10, "type": "stop"},
            {"id": 7, "type": "time_einsum", "expression": "b i, i o -> b o", "sizes": {"b": 2, "i": 3, "o": 4},
             "dtype": "fp32"},
            {"id": 8, "type": "pause"}, {"id": 9, "type": "resume"}, {"id": 11, "type": "calibrate"}, {"id": 12, "type": "quit"},
        ]
        for command in commands:
            put("command", command["type"] + "_" + str(command["id"]), compact(command).replace(str(self.folder), "FOLDER") + "\n")
        process = subprocess.Popen([self.cli, "engine"], env=self.environment, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        seen = {}
        ends = {"devices": ("devices",), "inspect": ("tensor_values", "error"), "stop": ("state",)}
        for command in commands:
            if command["type"] in ("calibrate", "pause", "resume", "quit"):
                continue
            process.stdin.write(compact(command) + "\n")
            process.stdin.flush()
            for line in process.stdout if command["type"] != "hello" else ():
                event = json.loads(line)
                seen.setdefault((event["type"], command["type"]), compact(event))
                last = ("state", "loss") if command["id"] == 13 else ends.get(command["type"], ("finished", "error"))
                if event["type"] in last and (event["id"] == command["id"] or command["type"] == "stop"):
                    break
        process.stdin.close()
        for line in process.stdout:
            seen.setdefault((json.loads(line)["type"], "quit"), line.strip())
        process.wait()
        for (kind, cause), line in seen.items():
            put("event", kind + "_after_" + cause, line.replace(str(self.folder), "FOLDER"))
        # What is said where PyTorch is asked for, or behind.
        put("command", "devices_15", compact({"id": 15, "type": "devices", "python": "/usr/bin/python3"}) + "\n")
        put("event", "recorded", compact({"id": 1, "type": "recorded", "path": "/tmp/net-make-eager.plumb"}))
        measured = json.loads(seen["reading", "profile"])
        measured["measured"].update(engine="PyTorch 2.15.0 eager, CPU, 2 threads", remarks=["no ops were measured"])
        put("event", "reading_of_pytorch", compact(measured))


def model_configs():
    tree = SEEDS.parents[2]
    chosen = {}
    for path in (tree / "resources" / "models.json", tree / "tests" / "data" / "planner" / "families.json"):
        for model in json.loads(path.read_text())["models"]:
            chosen.setdefault(model["config"]["model_type"], model)
    generic = {"model_type": "plumbline-generic", "name": "ours", "layers": 6, "hidden": 64, "heads": 4, "kv_heads": 2,
               "head_width": 24, "inner": 96, "vocabulary": 100, "positions": 128, "gated": False, "parallel": True,
               "causal": False, "tied": True, "head_layer": True, "segments": 2, "learned_positions": True,
               "spare_rows": 2, "sinks": True, "norms": {"per_layer": 4, "scale": False, "bias": True, "heads": "whole",
                                                         "embedding": True, "final": False},
               "biases": {"queries": True, "output": True, "inner": True, "head": True},
               "window": {"tokens": 16, "layers": 3, "chunked": True},
               "experts": {"count": 4, "active": 2, "inner": 32, "layers": 3, "shared_inner": 16, "shared_gate": True,
                           "router_bias": True}}
    chosen["generic"] = {"config": generic}
    chosen["generic_latent"] = {"config": {**generic, "latent": {"key_value_rank": 8, "plain_width": 4, "rotary_width": 2,
                                                                 "value_width": 4, "query_rank": 8}}}
    chosen["text_part"] = {"config": {"model_type": "gemma3", "text_config": chosen["gemma3_text"]["config"]}}
    for family, model in chosen.items():
        put("model_config", family, bytes([6, 1, 1, 0, 0, 3, 32, 1]) + compact(model["config"]).encode())


def plans(cli, folder):
    """A plan of each kind of model, with everything that may be absent."""
    every = ["--tokens", "1T", "--days", "30", "--budget", "1e21", "--tokens-per-second", "1e4", "--mfu", "0.3:0.4:0.5"]
    for name, given in {
            "transformer": ["--model", "deepseek-v3", "--device", "H100 SXM", "--devices", "64", "--expert", "8", "--batch", "64", *every],
            "count": ["--parameters", "7e9", "--device", "A100 SXM4 80", "--bytes-per-parameter", "12", "--sequence", "4096"],
            "deep_linear": ["--dim", "64", "--layers", "3", "--batch", "8", "--device", "H100 SXM", "--tokens", "1e6"],
            "no_device": ["--model", "gpt2-xl", "--memory", "80GB", "--peak", "1e15", "--zero", "1"]}.items():
        path = Path(folder) / f"{name}.plan.json"
        subprocess.run([cli, "plan", "save", path, *given], check=True, stdout=subprocess.DEVNULL)
        put("plan", name, compact(json.loads(path.read_text())))


def plain_files():
    tokens = struct.pack("<6i", 0, 1, 2, 3, 40, 50)
    put("tokens", "i32", b"\x00" + struct.pack("<I", 100) + tokens)
    put("tokens", "i32_beyond_the_vocabulary", b"\x00" + struct.pack("<I", 3) + tokens)
    put("tokens", "u16", b"\x01" + struct.pack("<I", 65536) + struct.pack("<4H", 0, 1, 65535, 7))
    put("tokens", "u16_odd", b"\x01" + struct.pack("<I", 65536) + b"abc")


def traces():
    """Events of every kind that a trace's reader knows, as an object, an array and packed."""
    def at(category, name, thread, ts, dur, **args):
        return {"ph": "X", "cat": category, "name": name, "pid": 0, "tid": thread, "ts": ts, "dur": dur, "args": args}
    gpu = {"device": 0, "stream": 7}
    events = [
        at("user_annotation", "ProfilerStep#1", 1, 0, 90), at("python_function", "nn.Module: Linear_0", 1, 1, 50),
        at("cpu_op", "aten::addmm", 1, 2.5, 20, **{"Sequence number": 3, "Fwd thread id": 0, "Input Dims": [[2, 3]]}),
        at("cuda_runtime", "cudaLaunchKernel", 1, 4, 3, correlation=41), at("kernel", "sgemm", 7, 9, 8.25, correlation=41, **gpu),
        at("gpu_memcpy", "Memcpy HtoD", 7, 16, 4, correlation=42, bytes=512, **gpu),
        at("kernel", "ncclAllReduce", 20, 15, 9, correlation=43, device=0, stream=20, **{
            "Collective name": "allreduce", "In msg nelems": 64, "Out msg nelems": 64, "dtype": "Float", "Seq": 3, "Group size": 2,
            "Process Group Name": "0", "Process Group Description": "default_pg", "Process Group Ranks": "[0, 1]"}),
        at("kernel", "ncclAllGather", 20, 24, 2, correlation=45, device=0, stream=20),
        at("cpu_op", "autograd::engine::evaluate_function: Mm", 2, 30, 9, **{"Sequence number": 3, "Fwd thread id": 1}),
        at("cuda_runtime", "cudaDeviceSynchronize", 1, 60, 9, correlation=44),
        {"ph": "B", "name": "b", "pid": 1, "tid": "x", "ts": 1}, {"ph": "E", "pid": 1, "tid": "x", "ts": 2},
        {"ph": "i", "name": "[memory]", "ts": 5, "args": {"Bytes": 512, "Total Allocated": 512, "Device Type": 1, "Device Id": 0}},
        {"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "python"}}, {"ph": "s", "id": 1, "ts": 1}]
    document = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU"}],
                "distributedInfo": {"rank": 0, "world_size": 2, "backend": "nccl", "nccl_version": "2.27.5"},
                "traceEvents": events, "baseTimeNanoseconds": 7}
    put("trace", "object", compact(document))
    put("trace", "array", "[" + ",\n".join(compact(event) for event in events))
    put("trace", "packed", gzip.compress(compact(events).encode(), 9, mtime=0))


def main():
    cli, write_snapshots = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        maker = Maker(cli, folder)
        maker.snapshots(write_snapshots)
        predicted = {**step_file(), "source": "predicted", "predicted": {"device": "GPU", "fits": True, "seconds": 1e-3}}
        freed = step_file()  # before its first op, as the gradient that the step before left
        freed["tensors"]["first_op"][1] = freed["tensors"]["last_op"][1] = -1
        for name, document in (("measured", step_file()), ("predicted", predicted), ("freed_before", freed)):
            put("step_file", name, compact(document))
        maker.protocol()
        maker.calibration()
        plans(cli, folder)
    model_configs()
    plain_files()
    traces()


if __name__ == "__main__":
    main()
