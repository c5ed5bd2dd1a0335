# SPDX-License-Identifier: Apache-2.0
"""What the items of a proof do: each function runs programs and returns what is to be kept of it."""

import array
import ctypes
import json
import os
import pathlib
import random
import shutil
import statistics
from datetime import datetime, timezone

import machine
from counted import beside, counters_of, kernels_of, sums_of, timeline_of, value_of
from gtest_programs import run_all
from items import Missing, OutOfTime, Wrong

# name, bound by, precision, optimizer, batch, dim, layers, steps that are trained for the time of one.
RUNS = (
    ("launch", "launches", "bf16", "adamw", 64, 256, 8, 20000),
    ("launch-sgd", "launches", "fp32", "sgd", 256, 256, 8, 20000),
    ("balanced", "all", "bf16", "adamw", 1024, 1024, 16, 6000),
    ("optimizer", "memory", "bf16", "adamw", 256, 8192, 8, 500),
    ("compute", "products", "bf16", "adamw", 8192, 4096, 24, 120),
    ("compute-tf32", "products", "tf32", "sgd", 8192, 4096, 8, 160),
    ("balanced-fp16", "all", "fp16", "adamw", 1024, 1024, 16, 6000),
    ("compute-fp8", "products", "fp8", "adamw", 8192, 4096, 16, 160),
)
# Those of which only the ways of PyTorch are timed that need no autotuning: the half hour has no room for more.
NARROW = ("fp16", "fp8")
# The same, tiny, to try all of it where the device is a simulated one.
TINY_RUNS = tuple((name, bound, precision, optimizer, 32, 64, 3, 60) for name, bound, precision, optimizer, *_ in RUNS)
# The run of which counters are compared with the vendor's, and the op of it.
COUNTED_RUN, COUNTED_OP, COUNTED_RANGE = 2, "m1.layer2.forward", "plumbline@regex:layer 2 ..? forward/"
# What is not timed, the same as of the peers (peers/step_time.py): clocks settle under load.
WARM_UP_STEPS, WARM_UP_SECONDS = 50, 1.0
PRECISIONS = ("fp32", "tf32", "bf16", "fp16", "fp8")
# Of the losses as a share of the first one: what is rounded differently in another order, and in fp8 under scales of an
# earlier step. At larger rates AdamW's first steps, which move each weight by the sign of its gradient, drift apart.
LOSS_TOLERANCE = {"fp32": 3e-3, "bf16": 1e-2, "fp16": 1e-2, "fp8": 6e-2}
LOSS_RATE = {"sgd": "0.001", "adamw": "0.0001"}
LOSS_SHAPE = (64, 256, 8)  # at the most: what is to be shown does not depend on the size


class Measurements:
    """On the pack that is unpacked in `home`. `work`: folder for what is written; `python`: one with PyTorch."""

    def __init__(self, home, work, pack, libraries, python, runs=RUNS):
        self.home, self.work, self.pack, self.libraries = pathlib.Path(home), pathlib.Path(work), pack, libraries
        self.python, self.runs = python, runs
        self.cli = str(self.home / "bin" / "plumbline-cli")
        self.peer = pathlib.Path(__file__).resolve().parent / "peers" / "step_time.py"

    def environment(self):
        """Of our programs: nothing of the user's, and numbers as everywhere."""
        more = {"HOME": "home", "TMPDIR": "tmp", "XDG_DATA_HOME": "kept/data", "XDG_CACHE_HOME": "kept/cache"}
        for folder in more.values():
            (self.work / folder).mkdir(parents=True, exist_ok=True)
        folders = {name: str(self.work / folder) for name, folder in more.items()}
        return {**os.environ, **folders, "LC_ALL": "C", "PYTHONDONTWRITEBYTECODE": "1"}

    def peer_environment(self):
        """Of PyTorch, which may be in the user's home; what it compiles stays here."""
        caches = {name: str(self.work / "tmp" / name.lower()) for name in ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR")}
        return {**os.environ, **caches, "PYTHONDONTWRITEBYTECODE": "1"}

    # --- The machine and whether everything starts ----------------------------------------------------------

    def about(self, calls):
        return {"devices": machine.query(calls, machine.FIRST_LINES), "state": machine.state(calls),
                 "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
                 "pack": {name: value for name, value in self.pack.items() if name != "files"},
                 "c_library": os.confstr("CS_GNU_LIBC_VERSION"), "cuda_libraries": self.libraries,
                 "cublaslt": self.library_version(), "python_with_torch": self.python,
                 "compute_sanitizer": machine.compute_sanitizer(), "ncu": machine.ncu(),
                 "program": calls.call([self.cli, "--version"], 30, "version").strip(),
                 "environment": {name: os.environ[name] for name in sorted(os.environ)
                                 if name.startswith(("NVIDIA_", "CUBLAS", "CUDA_", "OMP_"))}}

    def library_version(self):
        path = self.libraries.get(machine.CUDA_LIBRARY)
        try:
            library = ctypes.CDLL(path) if path else None
            library.cublasLtGetVersion.restype = ctypes.c_size_t
            return library.cublasLtGetVersion()
        except (OSError, AttributeError):
            return None  # not known

    def loaded_from(self, calls):
        """Where the loader finds what the programs need; a library of the pack from elsewhere is a failure."""
        ours = {path.name for path in (self.home / "lib").iterdir()}
        places, strange = {}, {}
        for program in sorted((self.home / "bin").iterdir()):
            text = calls.call(["ldd", program], 20, f"loaded-{program.name}")
            for line in text.splitlines():
                name, arrow, place = line.strip().partition(" => ")
                if not arrow:
                    continue
                places[name] = place = place.rpartition(" (")[0] or place
                if place == "not found" or (name in ours and not pathlib.Path(place).parent.samefile(self.home / "lib")):
                    strange[name] = place
        if strange:
            raise Wrong(f"libraries are not those of the pack: {strange}", places)
        return places

    def devices(self, calls):
        """A quick look at what the rest depends on, before anything that takes long."""
        found = json.loads(calls.call([self.cli, "devices", "--json"], 60, "devices"))
        if not any(device["backend"] == "cuda" and device["available"] for device in found):
            raise Wrong(f"no GPU can run: {'; '.join(device['reason'] for device in found if device['reason'])}", found)
        return found

    def smoke(self, calls, precision):
        """A few steps that must learn."""
        document = json.loads(calls.call([self.cli, "train", "--backend", "cuda", "--precision", precision, "--dim", "64",
                                          "--layers", "2", "--batch", "64", "--activation", "relu", "--lr", "0.003", "--steps",
                                          "60", "--json"], 60, f"smoke-{precision}"))
        losses = document["training"]["loss"]
        if len(losses) != 60 or not losses[-1] < losses[0]:
            raise Wrong(f"60 steps did not learn: the loss went from {losses[0]} to {losses[-1]}", losses)
        return {"first_loss": losses[0], "last_loss": losses[-1]}

    def digits(self, calls):
        """Real data, from files."""
        data = self.home / "data" / "digits"
        document = json.loads(calls.call([self.cli, "train", "--backend", "cuda", "--data", data / "features.npy", "--targets",
                                          data / "targets.npy", "--dim", "64", "--layers", "2", "--activation", "relu",
                                          "--batch", "64", "--lr", "0.003", "--steps", "100", "--json"], 60, "digits"))
        losses = document["training"]["loss"]
        if not statistics.fmean(losses[-10:]) < losses[0] / 2:
            raise Wrong(f"the digits were not learned: the loss went from {losses[0]} to {losses[-1]}", losses)
        return {"first_loss": losses[0], "last_loss": losses[-1]}

    def tests(self, calls, program):
        found = run_all(calls, self.home / "bin" / program)
        if found["failed"] or found["not_run"] or not found["passed"]:
            raise Wrong(f"{len(found['passed'])} passed, {len(found['skipped'])} skipped, {len(found['failed'])} failed: "
                        f"{', '.join(found['failed'])}; {len(found['not_run'])} not run (tests.json)", found)
        return found

    def sanitizer(self, calls, check, precision):
        tool = machine.compute_sanitizer()
        if tool is None:
            raise Missing("compute-sanitizer is not installed")
        log = f"sanitizer-{check}-{precision}"
        # `train`: a profile would bring CUPTI, and the sanitizer is a tool of its kind. Nothing is timed: under it a
        # timing means nothing, and tuning runs every algorithm many times.
        try:
            calls.call([tool, "--tool", check, "--error-exitcode", "9", self.cli, "train", "--backend", "cuda", "--tune",
                        "off", "--dim", "96", "--layers", "2", "--batch", "32", "--activation", "relu", "--precision",
                        precision, "--steps", "2"], calls.left(), log)
        except RuntimeError as error:
            said = (calls.logs / f"{log}.out").read_text(errors="replace") + str(error)
            if "Device not supported" in said:
                raise Missing("compute-sanitizer does not support this device here") from None
            raise
        return "no error"

    def calibrate(self, calls):
        text = calls.call([self.cli, "calibrate", "--backend", "cuda", "--quick", "--json"], calls.left(), "calibrate")
        document = json.loads(text)
        curve = (document.get("costs") or {}).get("bandwidth") or [{}]
        return {"peak_flop_per_s": document["peak_flop_per_s"], "bandwidth_bytes_per_s": document["bandwidth_bytes_per_s"],
                "copy_bytes_per_s": curve[-1].get("copy_bytes_per_s"), "per_op_overhead_s": document["per_op_overhead_s"]}

    # --- The standard runs ---------------------------------------------------------------------------------

    @staticmethod
    def options_of(run):
        _, _, precision, optimizer, batch, dim, layers, _ = run
        return ["--backend", "cuda", "--precision", precision, "--optimizer", optimizer, "--batch", batch, "--dim", dim,
                "--layers", layers, "--activation", "relu", "--lr", "1e-4"]

    @classmethod
    def timed_options_of(cls, run):
        """The same with a batch that stays on the device, as that of the peers does (peers/step_time.py)."""
        return [*cls.options_of(run), "--resident-batch", "on"]

    def counters(self, calls, run):
        """A profile with everything that can be counted."""
        document = json.loads(calls.call([self.cli, "profile", *self.timed_options_of(run), "--steps", "10", "--counters", "full",
                                          "--json", "--out", self.snapshot(f"{run[0]}-counted")], calls.left(),
                                         f"counters-{run[0]}"))
        predicted, measured = document["predicted"], document["measured"]
        counted = next((value_of(op["counters"]) for op in measured["ops"] if op["id"] == COUNTED_OP), {})
        found = {"counters": counters_of(measured, predicted), "timeline": timeline_of(measured), "counted_op": counted}
        if set(found["counters"]) == {"absent"}:
            raise Missing(found["counters"]["absent"], found)
        return found

    def ours(self, calls, run):
        """Time of a step of a training; prediction and memory beside it."""
        name, steps = run[0], run[-1]
        options = self.timed_options_of(run)
        profiled = json.loads(calls.call([self.cli, "profile", *options, "--steps", "10", "--json", "--out",
                                          self.snapshot(name)], 60, f"profile-{name}"))
        before = machine.state(calls)
        trained = json.loads(calls.call([self.cli, "train", *options, "--steps", steps, "--json", "--out",
                                         self.snapshot(f"{name}-trained")], 60, f"train-{name}"))
        times = timed_steps(trained["training"])
        step = statistics.median(times)
        predicted, measured = profiled["predicted"], profiled["measured"]
        update = next(op for op in measured["ops"] if op["id"] == "optimizer")
        planned = next(op for op in predicted["ops"] if op["id"] == "optimizer")
        return {"step_seconds": step, "p10": times[len(times) // 10], "p90": times[len(times) * 9 // 10],
                "op_by_op_seconds": measured["totals"]["seconds"], "predicted_seconds": predicted["totals"]["seconds"],
                "matmul_flops": predicted["totals"]["matmul_flops"],
                "matmul_flop_per_s": predicted["totals"]["matmul_flops"] / step,
                "optimizer_seconds": update["seconds"],
                "optimizer_bytes_per_s": planned["bytes"] / update["seconds"] if update["seconds"] else None,
                "predicted_peak_bytes": predicted["memory"]["peak_bytes"],
                "measured_peak_bytes": measured["memory"]["peak_bytes"], "timeline": timeline_of(measured),
                "timed_steps": len(times), "state_before": before, "state_after": machine.state(calls),
                "first_loss": trained["training"]["loss"][0], "last_loss": trained["training"]["loss"][-1]}

    def again(self, calls, run):
        """The time of a step alone, once more: how far two measurements of the same lie apart."""
        trained = json.loads(calls.call([self.cli, "train", *self.timed_options_of(run), "--steps", run[-1], "--json"], 60,
                                        f"train-{run[0]}-again"))
        times = timed_steps(trained["training"])
        return {"step_seconds": statistics.median(times), "timed_steps": len(times), "state_after": machine.state(calls)}

    def snapshot(self, name):
        return self.work / "snapshots" / f"{name}.plumb"

    # --- PyTorch and the vendor's profiler -----------------------------------------------------------------

    def torch(self):
        if self.python is None:
            raise Missing("PyTorch is not installed in any Python here")
        return [self.python, self.peer]

    def theirs(self, calls, run, modes):
        """PyTorch's times of a run, by mode: {"eager": {"seconds": ...}, "graph parameters": {"failed": ...}}. One process
        for all: starting PyTorch takes as long as timing it. What was timed before the limit or a crash counts."""
        _, _, precision, optimizer, batch, dim, layers, _ = run
        text = calls.call([*self.torch(), "--modes", ",".join(modes), "--precision", precision, "--optimizer", optimizer,
                           "--batch", batch, "--dim", dim, "--layers", layers], calls.left(), f"torch-{run[0]}-{modes[0]}",
                          partial=True, missing_by=3, environment=self.peer_environment())
        found = {}
        for line in text.splitlines():
            try:
                timed = json.loads(line) if line.startswith("{") else {}
            except ValueError:
                continue  # cut short by the limit
            if "name" in timed:
                found[timed["name"]] = timed
        if not any("seconds" in timed for timed in found.values()):
            raise RuntimeError(f"nothing was timed: {text[-600:]}")
        if lacking := [mode for mode in modes if mode not in found]:
            if calls.left() < 1:
                raise OutOfTime(f"out of time, not timed: {', '.join(lacking)}", found)
            raise Wrong(f"PyTorch ended before these were timed: {', '.join(lacking)}", found)
        return found

    def same_training(self, calls, run):
        """Whether PyTorch trains as we do: losses of the first steps from the same weights and the same data."""
        name, bound, precision, optimizer, *shape, _ = run
        batch, dim, layers = map(min, shape, LOSS_SHAPE)
        torch = self.torch()
        folder = self.work / "tmp" / f"losses-{name}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        write_samples(folder, batch, dim)
        rate = LOSS_RATE[optimizer]

        def options_with(rule, step):
            return [*self.options_of((name, bound, precision, rule, batch, dim, layers, 0))[:-1], step,
                    "--data", folder / "x.npy", "--targets", folder / "t.npy", "--json"]

        # A step that is too small to change any weight leaves those that training begins with.
        calls.call([self.cli, "train", *options_with("sgd", "1e-30"), "--steps", "1", "--checkpoint-dir", folder,
                    "--save-every", "1"], 30, f"weights-{name}")
        next(folder.glob("*.safetensors")).rename(folder / "weights.safetensors")
        mine = json.loads(calls.call([self.cli, "train", *options_with(optimizer, rate), "--steps", "20"], 30,
                                     f"losses-{name}"))["training"]["loss"]
        theirs = json.loads(calls.call([*torch, "--losses", folder, "--lr", rate, "--device", self.losses_device(),
                                        "--precision", precision, "--optimizer", optimizer, "--batch", batch, "--dim", dim,
                                        "--layers", layers], calls.left(), f"losses-{name}-torch", missing_by=3,
                                       environment=self.peer_environment()))["losses"]
        shutil.rmtree(folder, ignore_errors=True)
        worst = max((abs(a - b) / abs(theirs[0]) for a, b in zip(mine, theirs)), default=float("nan"))
        found = {"ours": mine, "torch": theirs, "largest_difference": worst, "tolerance": LOSS_TOLERANCE[precision]}
        if len(mine) != len(theirs) or not worst <= LOSS_TOLERANCE[precision]:
            raise Wrong(f"PyTorch trains differently: losses are up to {worst:.2%} apart", found)
        return found

    def losses_device(self):
        return "cpu" if self.runs is TINY_RUNS else "cuda"

    def vendor(self, calls, results):
        """The vendor's profiler on the same product as ours: what one forward product of layer 2 counted in op-by-op
        steps, by the metrics and factors of our own counters, beside what those say of it."""
        tool = machine.ncu()
        if tool is None:
            raise Missing("ncu (Nsight Compute) is not installed")
        run = self.runs[COUNTED_RUN]
        known = (results.get(f"counters {run[0]}") or {}).get("result") or {}
        # Without counters of ours those of the usual chip: the vendor's numbers are worth having alone.
        chip = (known.get("counters") or {}).get("chip") or "GH100"
        listed = json.loads(calls.call([self.cli, "counters", "--chip", chip, "--precision", run[2], "--detail", "full",
                                        "--json"], 20, "counters-of-chip"))["metrics"]
        # Caches and clocks are left as they are, as ours are. `train` uses no CUPTI of its own.
        try:
            calls.call([tool, "--csv", "--page", "raw", "--print-units", "base", "--cache-control", "none",
                        "--clock-control", "none", "--nvtx", "--nvtx-include", COUNTED_RANGE, "--metrics",
                        ",".join(metric["name"] for metric in listed), "--launch-count", "4", self.cli, "train",
                        *self.timed_options_of(run), "--steps", "4"], calls.left(), "ncu")
        except RuntimeError as error:
            said = (calls.logs / "ncu.out").read_text(errors="replace") + str(error)
            if "ERR_NVGPUCTRPERM" in said:
                raise Missing("the driver lets only administrators read GPU counters") from None
            if "Failed to initialize the profiler" in said:
                raise Missing("ncu cannot read counters on this machine (it failed to initialize the profiler)") from None
            raise
        lines = (calls.logs / "ncu.out").read_text(errors="replace").splitlines()
        kernels = kernels_of([line for line in lines if line.startswith('"')], listed)
        if not kernels:
            raise RuntimeError("ncu profiled no kernel: see ncu.out")
        return {"op": COUNTED_OP, "kernels": kernels, **beside(known.get("counted_op") or {}, sums_of(kernels, listed))}


def timed_steps(training):
    """Sorted seconds of the steps behind the warm-up, which takes half of a short training at most."""
    rows = [(step, since, seconds) for step, since, seconds in
            zip(training["step"], training["seconds"], training["step_seconds"]) if seconds is not None]
    if not rows:
        raise RuntimeError("no step was timed")
    first = next((i for i, (step, since, _) in enumerate(rows) if step >= WARM_UP_STEPS and since >= WARM_UP_SECONDS),
                 len(rows))
    return sorted(seconds for _, _, seconds in rows[min(first, len(rows) // 2):])


def write_samples(folder, batch, dim):
    """x.npy [batch, dim] and t.npy [batch, 1], normal, the same every time."""
    generator = random.Random(1)
    for file, width in (("x.npy", dim), ("t.npy", 1)):
        header = str({"descr": "<f4", "fortran_order": False, "shape": (batch, width)}).encode()
        values = array.array("f", (generator.gauss(0, 1) for _ in range(batch * width)))
        (folder / file).write_bytes(b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") + header.ljust(117) + b"\n" +
                                    values.tobytes())
