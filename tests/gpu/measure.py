#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Everything that is to be known from a machine with a GPU, in one go: tests, calibration, six standard runs, the
same in PyTorch and with the vendor's profiler.

    measure.py --build BUILD --source SOURCE --out OUTDIR [--minutes M] [--only PATTERN]

Each part runs by itself, with a limit of its own, and what fails is written down and printed without stopping the
others; all of it ends within M minutes (7). Writes parts.json, summary.json and summary.md, anew after every part, so
that whatever ends this early costs only the parts that had not run; beside them what each part made.
With --only, the parts whose names match are run (again), and what OUTDIR holds of the others is kept. Exits 0 when
every part that could run did so and no test failed.
"""

import argparse
import array
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
from datetime import datetime, timezone

from counted import beside, counters_of, kernels_of, sums_of, timeline_of, value_of
from goals import goals, readable
from gtest_programs import run_all
from parts import Missing, Parts, write

DEVICE_FIELDS = ("name", "uuid", "driver_version", "memory.total", "compute_cap", "clocks.max.sm", "clocks.max.mem",
                 "power.limit", "ecc.mode.current", "mig.mode.current")
STATE_FIELDS = ("clocks.sm", "clocks.mem", "temperature.gpu", "power.draw", "memory.used")

# name, bound by, precision, optimizer, batch, dim, layers, steps that are trained for the time of one.
RUNS = (
    ("launch", "launches", "bf16", "adamw", 64, 256, 8, 20000),
    ("launch-sgd", "launches", "fp32", "sgd", 256, 256, 8, 20000),
    ("balanced", "all", "bf16", "adamw", 1024, 1024, 16, 6000),
    ("optimizer", "memory", "bf16", "adamw", 256, 8192, 8, 500),
    ("compute", "products", "bf16", "adamw", 8192, 4096, 24, 120),
    ("compute-tf32", "products", "tf32", "sgd", 8192, 4096, 8, 160),
)
# What is not timed, the same as of the peers (peers/step_time.py): clocks settle under load.
WARM_UP_STEPS, WARM_UP_SECONDS = 50, 1.0
BACKEND = "cuda"
# To try this script itself where no GPU is: the same parts on the processor, tiny.
DRY_RUNS = tuple((name, bound, precision, optimizer, 32, 64, 3, 60) for name, bound, precision, optimizer, *_ in RUNS)


def query(fields):
    try:
        done = subprocess.run(["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader"],
                              capture_output=True, text=True, timeout=30)
    except OSError:
        raise Missing("nvidia-smi is not installed") from None
    rows = [dict(zip(fields, (value.strip() for value in row.split(",")))) for row in done.stdout.splitlines()]
    if not rows:
        raise Missing("nvidia-smi lists no GPU")
    return rows


def machine(arguments):
    def first_line(*command):
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=30).stdout.strip().splitlines()[-1]
        except (OSError, subprocess.SubprocessError, IndexError):
            return None  # not known
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    def asked(fields):
        try:
            return query(fields)
        except (Missing, subprocess.SubprocessError) as error:  # the rest is worth knowing all the same
            return [{"unknown": str(error)}]
    return {"devices": asked(DEVICE_FIELDS), "state_before": asked(STATE_FIELDS),
            "toolkit": first_line(nvcc, "--version"), "program": first_line(arguments.cli, "--version"),
            "commit": first_line("git", "-C", arguments.source, "rev-parse", "HEAD"),
            "changed_files": first_line("git", "-C", arguments.source, "status", "--short"),
            "environment": {name: os.environ[name] for name in sorted(os.environ)
                            if name.startswith(("NVIDIA_", "CUBLAS", "CUDA_", "OMP_"))},
            "time": datetime.now(timezone.utc).isoformat(timespec="seconds")}


def tests(parts, arguments):
    programs = sorted(path for path in (pathlib.Path(arguments.build) / "tests" / "gpu").glob("gpu_*_tests")
                      if os.access(path, os.X_OK))
    if not programs:
        raise RuntimeError("the tests for a GPU were not built")
    found = run_all(parts, [path.resolve() for path in programs], 150)
    write(parts.out / "tests.json", json.dumps(found, indent=1))
    if found["failed"] or found["not_run"] or not found["passed"]:
        raise RuntimeError(f"{len(found['passed'])} passed, {len(found['skipped'])} skipped, {len(found['failed'])} failed: "
                           f"{found['failed']}, {len(found['not_run'])} not run: {found['not_run'][:20]} (tests.json)")
    return found


def sanitizer(parts, arguments):
    tool = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    if not os.path.exists(tool):
        raise Missing("compute-sanitizer is not installed")
    found = {}
    # `train`: a profile would bring CUPTI, and the sanitizer is a tool of its kind.
    for check, precision in (("memcheck", "bf16"), ("memcheck", "fp16"), ("racecheck", "fp32"), ("initcheck", "fp32")):
        try:
            parts.call([tool, "--tool", check, "--error-exitcode", "9", arguments.cli, "train", "--backend", "cuda",
                        "--dim", "96", "--layers", "2", "--batch", "32", "--activation", "relu", "--precision", precision,
                        "--steps", "2"], 40, f"sanitizer-{check}-{precision}")
            found[f"{check} {precision}"] = "no error"
        except RuntimeError as error:  # the other checks go on
            found[f"{check} {precision}"] = str(error)[:600]
    wrong = {name: text for name, text in found.items() if text != "no error"}
    if wrong:
        raise RuntimeError(f"{len(found) - len(wrong)} clean; {wrong}")
    return found


def devices(parts, arguments):
    """A quick look at what the rest depends on, before anything that takes long."""
    found = json.loads(parts.call([arguments.cli, "devices", "--json"], 60, "devices"))
    if not any(device["backend"] == BACKEND and device["available"] for device in found):
        raise RuntimeError(f"no {BACKEND} device can run: "
                           f"{'; '.join(device['reason'] for device in found if device['reason'])}")
    return found


def calibrate(parts, arguments):
    document = json.loads(parts.call([arguments.cli, "calibrate", "--backend", BACKEND, "--quick", "--json"], 150,
                                     "calibrate"))
    (parts.out / "calibration.json").write_text(json.dumps(document, indent=1))
    curve = (document.get("costs") or {}).get("bandwidth") or [{}]
    return {"peak_flop_per_s": document["peak_flop_per_s"], "bandwidth_bytes_per_s": document["bandwidth_bytes_per_s"],
            "copy_bytes_per_s": curve[-1].get("copy_bytes_per_s"), "per_op_overhead_s": document["per_op_overhead_s"]}


def options_of(run):
    _, _, precision, optimizer, batch, dim, layers, _ = run
    return ["--backend", BACKEND, "--precision", precision, "--optimizer", optimizer, "--batch", batch, "--dim", dim,
            "--layers", layers, "--activation", "relu", "--lr", "1e-4"]


def timed_steps(training):
    """Sorted seconds of the steps behind the warm-up, which takes half of a short training at most."""
    rows = [(step, since, seconds) for step, since, seconds in
            zip(training["step"], training["seconds"], training["step_seconds"]) if seconds is not None]
    if not rows:
        raise RuntimeError("no step was timed")
    first = next((i for i, (step, since, _) in enumerate(rows) if step >= WARM_UP_STEPS and since >= WARM_UP_SECONDS),
                 len(rows))
    return sorted(seconds for _, _, seconds in rows[min(first, len(rows) // 2):])


def state():
    """Clocks, power and temperature now, or why they are not known."""
    try:
        return query(STATE_FIELDS)
    except (Missing, subprocess.SubprocessError) as error:
        return str(error)


def ours(parts, arguments, run):
    name, steps = run[0], run[-1]
    options = options_of(run)
    more = ["--counters", "full"] if BACKEND == "cuda" else []
    command = [arguments.cli, "profile", *options, "--steps", 10, "--json", "--out", parts.out / f"{name}.plumb"]
    try:
        profiled = json.loads(parts.call([*command, *more], 90, f"profile-{name}"))
    except RuntimeError as error:  # what counters break is still timed
        if not more:
            raise
        profiled = json.loads(parts.call(command, 60, f"profile-{name}-timed"))
        profiled["measured"]["counters_absent"] = f"the profile with counters failed: {error}"
    before = state()
    trained = json.loads(parts.call([arguments.cli, "train", *options, "--steps", steps, "--json", "--out",
                                     parts.out / f"{name}-trained.plumb"], 60, f"train-{name}"))
    after = state()
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
            "measured_peak_bytes": measured["memory"]["peak_bytes"],
            "counters": counters_of(measured, predicted), "timeline": timeline_of(measured),
            "timed_steps": len(times), "state_before": before, "state_after": after,
            "first_loss": trained["training"]["loss"][0], "last_loss": trained["training"]["loss"][-1]}


def theirs(parts, run, modes):
    """PyTorch's times of a run, by mode: {"eager": {"seconds": ...}, "graph parameters": {"failed": ...}}. One process
    for all: starting PyTorch takes as long as timing it. What was timed before the limit or a crash counts."""
    script = pathlib.Path(__file__).parent / "peers" / "step_time.py"
    _, _, precision, optimizer, batch, dim, layers, _ = run
    # The second recipe of a mode finds most of what the first one compiled.
    limit = sum({"eager": 25, "graph": 25, "compile": 60, "autotune": 90}[mode] if mode in ("eager", "compile", "autotune")
                else 25 for mode in modes)
    text = parts.call([sys.executable, script, "--modes", ",".join(modes), "--precision", precision, "--optimizer",
                       optimizer, "--batch", batch, "--dim", dim, "--layers", layers], limit,
                      f"torch-{run[0]}-{modes[0]}", partial=True)
    found = {}
    for line in text.splitlines():
        if line.startswith("{"):
            timed = json.loads(line)
            found[timed["name"]] = timed
    if not any("seconds" in timed for timed in found.values()):
        raise RuntimeError(f"nothing was timed: {text[-600:]}")
    return found


# Of the losses, relative: what is rounded differently in another order.
LOSS_TOLERANCE = {"fp32": 1e-3, "bf16": 5e-2}


def same_training(parts, arguments, run):
    """Whether PyTorch trains as we do: losses of the first steps from the same weights and the same data."""
    name, _, precision, optimizer, batch, dim, layers, _ = run
    folder = parts.out / f"losses-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    generator = random.Random(1)
    for file, width in (("x.npy", dim), ("t.npy", 1)):
        header = str({"descr": "<f4", "fortran_order": False, "shape": (batch, width)}).encode()
        values = array.array("f", (generator.gauss(0, 1) for _ in range(batch * width)))
        (folder / file).write_bytes(b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") + header.ljust(117) + b"\n" +
                                    values.tobytes())
    rate = "0.001" if optimizer == "adamw" else "0.01"
    options = [*options_of(run)[:-1], rate, "--data", folder / "x.npy", "--targets", folder / "t.npy", "--json"]
    # A step that is too small to change any weight leaves those that training begins with.
    parts.call([arguments.cli, "train", *options, "--lr", "1e-30", "--optimizer", "sgd", "--steps", 1, "--checkpoint-dir",
                folder, "--save-every", 1], 30, f"weights-{name}")
    next(folder.glob("*.safetensors")).rename(folder / "weights.safetensors")
    mine = json.loads(parts.call([arguments.cli, "train", *options, "--steps", 20], 30, f"losses-{name}"))["training"]["loss"]
    script = pathlib.Path(__file__).parent / "peers" / "step_time.py"
    theirs = json.loads(parts.call([sys.executable, script, "--losses", folder, "--lr", rate, "--device", BACKEND,
                                    "--precision", precision, "--optimizer", optimizer, "--batch", batch, "--dim", dim,
                                    "--layers", layers], 40, f"losses-{name}-torch"))["losses"]
    worst = max(abs(a - b) / abs(b) for a, b in zip(mine, theirs))
    found = {"ours": mine, "torch": theirs, "largest_difference": worst, "tolerance": LOSS_TOLERANCE[precision]}
    write(folder / "losses.json", json.dumps(found, indent=1))
    if len(mine) != len(theirs) or not worst <= LOSS_TOLERANCE[precision]:
        raise RuntimeError(f"PyTorch trains differently: losses are up to {worst:.2%} apart (losses-{name}/losses.json)")
    return found


def vendor(parts, arguments, results):
    """The vendor's profiler on the same product as ours: what one forward product of layer 2 counted in op-by-op steps,
    by the metrics and factors of our own counters, beside what those say of it."""
    tool = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    if not os.path.exists(tool):
        raise Missing("ncu (Nsight Compute) is not installed")
    run = RUNS[2]
    counters = ((results.get(f"plumbline {run[0]}") or {}).get("result") or {}).get("counters") or {}
    # Without counters of ours those of the usual chip: the vendor's numbers are worth having alone.
    listed = json.loads(parts.call([arguments.cli, "counters", "--chip", counters.get("chip") or "GH100", "--precision",
                                    run[2], "--detail", "full", "--json"], 20, "counters-of-chip"))["metrics"]
    # Caches and clocks are left as they are, as ours are. `train` uses no CUPTI of its own.
    try:
        parts.call([tool, "--csv", "--page", "raw", "--print-units", "base", "--cache-control", "none", "--clock-control",
                    "none", "--nvtx", "--nvtx-include", "regex:layer 2 ..? forward/", "--metrics",
                    ",".join(metric["name"] for metric in listed), "--launch-count", "4",
                    arguments.cli, "train", *options_of(run), "--steps", "4"], 90, "ncu")
    except RuntimeError as error:
        said = (parts.out / "ncu.out").read_text(errors="replace") + str(error)
        if "ERR_NVGPUCTRPERM" in said:
            raise Missing("the driver lets only administrators read GPU counters") from None
        raise
    lines = (parts.out / "ncu.out").read_text(errors="replace").splitlines()
    kernels = kernels_of([line for line in lines if line.startswith('"')], listed)
    if not kernels:
        raise RuntimeError("ncu profiled no kernel: see ncu.out")
    op = "m1.layer2.forward"
    snapshot = parts.out / f"{run[0]}.plumb"
    ops = json.loads(snapshot.read_text())["measured"]["ops"] if counters.get("metrics") and snapshot.exists() else []
    mine = next((value_of(entry["counters"]) for entry in ops if entry["id"] == op), {})
    return {"op": op, "kernels": kernels, **beside(mine, sums_of(kernels, listed))}


def write_summary(out, results, failures):
    summary = goals(results, RUNS)
    write(out / "summary.json", json.dumps({"failed": failures, "parts": results, **summary}, indent=1))
    write(out / "summary.md", readable(results, summary, failures))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--minutes", type=float, default=7)
    parser.add_argument("--only", help="a regular expression for the names of parts")
    parser.add_argument("--dry-run", action="store_true", help="the same on the processor, tiny, to try this script")
    arguments = parser.parse_args()
    global RUNS, BACKEND
    if arguments.dry_run:
        RUNS, BACKEND = DRY_RUNS, "cpu"
    arguments.cli = str(pathlib.Path(arguments.build).resolve() / "app" / "cli" / "plumbline-cli")
    out = pathlib.Path(arguments.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    # Calibration and chosen algorithms of this very run, and nothing of the user's.
    os.environ["XDG_DATA_HOME"] = str((out / "data").resolve())
    os.environ["XDG_CACHE_HOME"] = str((out / "cache").resolve())

    parts = Parts(out, arguments.minutes * 60, arguments.only)
    parts.summarise = lambda results: write_summary(out, results, parts.failures)
    # What is to be known first comes first: the rest may run out of time.
    parts.run("machine", lambda: machine(arguments))
    parts.run("devices", lambda: devices(parts, arguments))
    parts.run("calibrate", lambda: calibrate(parts, arguments))
    for run in RUNS:
        parts.run(f"plumbline {run[0]}", lambda run=run: ours(parts, arguments, run))
    parts.run("tests", lambda: tests(parts, arguments))
    # Before times count, both have to train the same: in the precisions and optimizers that are compared.
    for run in (RUNS[0], RUNS[1]):
        parts.run(f"losses {run[0]}", lambda run=run: same_training(parts, arguments, run), needed=False)
    for run in RUNS:
        modes = ["eager", "graph", *(["graph-parameters"] if run[2] == "bf16" else [])]
        parts.run(f"torch {run[0]} quick", lambda run=run, modes=modes: theirs(parts, run, modes), needed=False)
    parts.run("compute-sanitizer", lambda: sanitizer(parts, arguments), needed=False)
    parts.run("ncu", lambda: vendor(parts, arguments, parts.results), needed=False)
    # Before what takes all the time that is left.
    parts.run("state afterwards", lambda: query(STATE_FIELDS), needed=False)
    for run in (RUNS[2], RUNS[4], RUNS[0], RUNS[3], RUNS[5], RUNS[1]):
        modes = ["autotune", *(["autotune-parameters"] if run[2] == "bf16" else [])]
        parts.run(f"torch {run[0]} autotune", lambda run=run, modes=modes: theirs(parts, run, modes), needed=False)
    for run in RUNS:
        parts.run(f"torch {run[0]} compile", lambda run=run: theirs(parts, run, ["compile"]), needed=False)

    parts.save()
    print((out / "summary.md").read_text())
    if parts.failures:
        print(f"measure: FAILED: {', '.join(parts.failures)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
