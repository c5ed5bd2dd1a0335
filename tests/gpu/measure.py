#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Everything that is to be known from a machine with a GPU, in one go: tests, calibration, six standard runs, the
same in PyTorch and with the vendor's profiler.

    measure.py --build BUILD --source SOURCE --out OUTDIR [--minutes M] [--only PATTERN]

Each part runs by itself, with a limit of its own, and what fails is written down and printed without stopping the
others; all of it ends within M minutes (7). Writes summary.json, summary.md, and beside them what each part made.
With --only, the parts whose names match are run (again), and what OUTDIR holds of the others is kept. Exits 0 when
every part that could run did so and no test failed.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from datetime import datetime, timezone

DEVICE_FIELDS = ("name", "uuid", "driver_version", "memory.total", "compute_cap", "clocks.max.sm", "clocks.max.mem",
                 "power.limit", "ecc.mode.current", "mig.mode.current")
STATE_FIELDS = ("clocks.sm", "clocks.mem", "temperature.gpu", "power.draw", "memory.used")

# name, bound by, precision, optimizer, batch, dim, layers, steps that are trained for the time of one.
RUNS = (
    ("launch", "launches", "bf16", "adamw", 64, 256, 8, 3000),
    ("launch-sgd", "launches", "fp32", "sgd", 256, 256, 8, 3000),
    ("balanced", "all", "bf16", "adamw", 1024, 1024, 16, 1500),
    ("optimizer", "memory", "bf16", "adamw", 256, 8192, 8, 200),
    ("compute", "products", "bf16", "adamw", 8192, 4096, 24, 60),
    ("compute-tf32", "products", "tf32", "sgd", 8192, 4096, 8, 60),
)
BACKEND = "cuda"


class Parts:
    """Runs the parts and keeps what became of them."""

    def __init__(self, out, seconds, only=None):
        self.out, self.deadline, self.failures, self.results = out, time.monotonic() + seconds, [], {}
        self.only = re.compile(only) if only else None
        if self.only and (out / "parts.json").exists():
            self.results = json.loads((out / "parts.json").read_text())

    def left(self):
        return self.deadline - time.monotonic()

    def run(self, name, work, needed=True):
        if self.only and not self.only.search(name):
            return (self.results.get(name) or {}).get("result")
        begin = time.monotonic()
        if self.left() < 5:
            outcome = {"outcome": "not run", "reason": "out of time"}
        else:
            try:
                outcome = {"outcome": "done", "result": work()}
            except Missing as missing:
                outcome = {"outcome": "not run", "reason": str(missing)}
            except Exception as error:  # whatever it is, the other parts go on
                outcome = {"outcome": "failed", "reason": f"{type(error).__name__}: {error}"[:2000]}
        outcome["seconds"] = round(time.monotonic() - begin, 1)
        self.results[name] = outcome
        if outcome["outcome"] == "failed" or (needed and outcome["outcome"] == "not run"):
            self.failures.append(name)
            print(f"measure: {name} {outcome['outcome'].upper()}: {outcome['reason']}", file=sys.stderr, flush=True)
        else:
            print(f"measure: {name}: {outcome['outcome']} ({outcome['seconds']} s)", file=sys.stderr, flush=True)
        self.save()
        return outcome.get("result")

    def save(self):
        (self.out / "parts.json").write_text(json.dumps(self.results, indent=1))

    def call(self, command, limit, log, **more):
        """stdout of a command; its whole output goes to a file. Raises when it fails or is too slow."""
        limit = max(1, min(limit, self.left()))
        path = self.out / f"{log}.log"
        try:
            done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=limit, **more)
        except subprocess.TimeoutExpired as slow:
            text = (slow.stderr or b"")
            path.write_text(text.decode(errors="replace") if isinstance(text, bytes) else text)
            raise RuntimeError(f"{command[0]} took more than {limit:.0f} s") from None
        path.write_text(done.stdout[-1_000_000:] + "\n--- stderr\n" + done.stderr[-200_000:])
        if done.returncode == 3:
            raise Missing(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "not available")
        if done.returncode != 0:
            raise RuntimeError(f"exit {done.returncode}: {(done.stderr or done.stdout).strip()[-800:]}")
        return done.stdout


class Missing(Exception):
    """What a part needs is not on this machine."""


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
            return None
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    return {"devices": query(DEVICE_FIELDS), "state_before": query(STATE_FIELDS),
            "toolkit": first_line(nvcc, "--version"), "program": first_line(arguments.cli, "--version"),
            "commit": first_line("git", "-C", arguments.source, "rev-parse", "HEAD"),
            "changed_files": first_line("git", "-C", arguments.source, "status", "--short"),
            "environment": {name: os.environ[name] for name in sorted(os.environ)
                            if name.startswith(("NVIDIA_", "CUBLAS", "CUDA_", "OMP_"))},
            "time": datetime.now(timezone.utc).isoformat(timespec="seconds")}


def tests(parts, arguments):
    junit = parts.out / "ctest.xml"
    status = 0
    try:
        parts.call(["ctest", "--test-dir", arguments.build, "-L", "^gpu$", "--output-on-failure", "--output-junit", junit,
                    "--timeout", "150", "-j", "1"], 170, "ctest")
    except RuntimeError as error:
        status = str(error)
    found = {"passed": [], "failed": [], "skipped": []}
    if junit.exists():
        for case in ElementTree.parse(junit).getroot().iter("testcase"):
            skipped = case.find("skipped") is not None or case.get("status") in ("notrun", "disabled")
            failed = case.find("failure") is not None or case.get("status") == "fail"
            found["failed" if failed else "skipped" if skipped else "passed"].append(case.get("name"))
    if status or not found["passed"]:
        raise RuntimeError(f"{len(found['passed'])} passed, failed: {found['failed']}, skipped: {found['skipped']}; {status}")
    return found


def sanitizer(parts, arguments):
    tool = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    if not os.path.exists(tool):
        raise Missing("compute-sanitizer is not installed")
    found = {}
    for check, precision in (("memcheck", "bf16"), ("memcheck", "fp16"), ("racecheck", "fp32"), ("initcheck", "fp32")):
        parts.call([tool, "--tool", check, "--error-exitcode", "9", arguments.cli, "profile", "--backend", "cuda", "--dim",
                    "96", "--layers", "2", "--batch", "32", "--activation", "relu", "--precision", precision, "--steps",
                    "1"], 40, f"sanitizer-{check}-{precision}")
        found[f"{check} {precision}"] = "no error"
    return found


def calibrate(parts, arguments):
    document = json.loads(parts.call([arguments.cli, "calibrate", "--backend", "cuda", "--quick", "--json"], 150,
                                     "calibrate"))
    (parts.out / "calibration.json").write_text(json.dumps(document, indent=1))
    curve = (document.get("costs") or {}).get("bandwidth") or [{}]
    return {"peak_flop_per_s": document["peak_flop_per_s"], "bandwidth_bytes_per_s": document["bandwidth_bytes_per_s"],
            "copy_bytes_per_s": curve[-1].get("copy_bytes_per_s"), "per_op_overhead_s": document["per_op_overhead_s"]}


def options_of(run):
    _, _, precision, optimizer, batch, dim, layers, _ = run
    return ["--backend", BACKEND, "--precision", precision, "--optimizer", optimizer, "--batch", batch, "--dim", dim,
            "--layers", layers, "--activation", "relu", "--lr", "1e-4"]


def extras(arguments):
    """Switches of `profile` for counters and the timeline, as far as this version has them."""
    text = subprocess.run([arguments.cli, "profile", "--help"], capture_output=True, text=True, timeout=30).stdout
    return [name for name in ("--counters", "--timeline") if name in text]


def ours(parts, arguments, run):
    name, steps = run[0], run[-1]
    options = options_of(run)
    profiled = json.loads(parts.call([arguments.cli, "profile", *options, "--steps", 10, "--json", "--out",
                                      parts.out / f"{name}.plumb", *extras(arguments)], 90, f"profile-{name}"))
    trained = json.loads(parts.call([arguments.cli, "train", *options, "--steps", steps, "--json", "--out",
                                     parts.out / f"{name}-trained.plumb"], 60, f"train-{name}"))
    times = sorted(s for s in trained["training"]["step_seconds"][20:] if s is not None)
    if not times:
        raise RuntimeError("no step was timed")
    step = statistics.median(times)
    predicted, measured = profiled["predicted"], profiled["measured"]
    update = next(op for op in measured["ops"] if op["id"] == "optimizer")
    planned = next(op for op in predicted["ops"] if op["id"] == "optimizer")
    return {"step_seconds": step, "p10": times[len(times) // 10], "p90": times[len(times) * 9 // 10],
            "op_by_op_seconds": measured["totals"]["seconds"], "predicted_seconds": predicted["totals"]["seconds"],
            "matmul_flops": predicted["totals"]["matmul_flops"],
            "matmul_flop_per_s": predicted["totals"]["matmul_flops"] / step,
            "optimizer_seconds": update["seconds"], "optimizer_bytes_per_s": planned["bytes"] / update["seconds"],
            "predicted_peak_bytes": predicted["memory"]["peak_bytes"],
            "measured_peak_bytes": measured["memory"]["peak_bytes"],
            "first_loss": trained["training"]["loss"][0], "last_loss": trained["training"]["loss"][-1]}


def theirs(parts, arguments, run, mode, recipe):
    script = pathlib.Path(__file__).parent / "peers" / "step_time.py"
    _, _, precision, optimizer, batch, dim, layers, _ = run
    limit = {"eager": 40, "graph": 40, "compile": 70, "autotune": 90}[mode]
    return json.loads(parts.call([sys.executable, script, "--mode", mode, "--precision", precision, "--optimizer",
                                  optimizer, "--batch", batch, "--dim", dim, "--layers", layers, "--recipe", recipe],
                                 limit, f"torch-{run[0]}-{mode}-{recipe}"))


def vendor(parts, arguments):
    tool = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    if not os.path.exists(tool):
        raise Missing("ncu (Nsight Compute) is not installed")
    metrics = "dram__bytes.sum,sm__inst_executed_pipe_tensor.sum,gpu__time_duration.sum"
    run = RUNS[2]
    return parts.call([tool, "--csv", "--clock-control", "none", "--metrics", metrics, "--launch-skip", "60", "--launch-count", "60", arguments.cli,
                       "profile", *options_of(run), "--steps", "1"], 90, "ncu").splitlines()[-300:]


def goals(results):
    """The goals of the project on this machine: what was reached, as ratios; absent where a part did not run."""
    def of(part):
        return (results.get(part) or {}).get("result") or {}
    calibration, reached = of("calibrate"), {}
    errors = []
    for run in RUNS:
        name, precision = run[0], run[2]
        mine = of(f"plumbline {name}")
        if not mine:
            continue
        peers = {part.split(" ", 2)[2]: outcome["result"]["seconds"] for part, outcome in results.items()
                 if part.startswith(f"torch {name} ") and outcome["outcome"] == "done"}
        entry = {"step_seconds": mine["step_seconds"], "torch_seconds": peers,
                 "memory_predicted_is_measured": mine["predicted_peak_bytes"] == mine["measured_peak_bytes"]}
        if peers:
            best = min(peers, key=peers.get)
            entry["fastest_torch"] = best
            entry["times_faster_than_fastest_torch"] = peers[best] / mine["step_seconds"]
            eager = [seconds for mode, seconds in peers.items() if mode.startswith("eager")]
            if eager:
                entry["times_faster_than_eager"] = min(eager) / mine["step_seconds"]
        peak = (calibration.get("peak_flop_per_s") or {}).get(precision)
        if peak:
            entry["share_of_measured_product_peak"] = mine["matmul_flop_per_s"] / peak
        if calibration.get("copy_bytes_per_s"):
            entry["optimizer_share_of_copy_bandwidth"] = mine["optimizer_bytes_per_s"] / calibration["copy_bytes_per_s"]
        if mine.get("predicted_seconds"):
            entry["prediction_error"] = abs(mine["predicted_seconds"] - mine["step_seconds"]) / mine["step_seconds"]
            errors.append(entry["prediction_error"])
        reached[name] = entry
    compute, launch = reached.get("compute", {}), reached.get("launch", {})
    def at_least(value, wanted):
        return None if value is None else value >= wanted
    verdict = {
        "faster than the fastest PyTorch at every size": None if not any("fastest_torch" in e for e in reached.values())
        else all(e.get("times_faster_than_fastest_torch", 0) > 1 for e in reached.values()),
        "90 % of the product peak when bound by products": at_least(compute.get("share_of_measured_product_peak"), 0.9),
        "85 % of copy bandwidth in the optimizer":
            at_least(reached.get("optimizer", {}).get("optimizer_share_of_copy_bandwidth"), 0.85),
        "3 times faster than eager when bound by launches": at_least(launch.get("times_faster_than_eager"), 3),
        "prediction within 10 % in the median": None if not errors else statistics.median(errors) <= 0.1,
        "predicted memory is measured memory": None if not reached
        else all(e["memory_predicted_is_measured"] for e in reached.values()),
    }
    return {"runs": reached, "goals": verdict, "median_prediction_error": statistics.median(errors) if errors else None}


def readable(results, summary):
    about = (results.get("machine") or {}).get("result") or {}
    device = (about.get("devices") or [{}])[0]
    lines = [f"# {device.get('name', 'GPU')}, {about.get('time', '')}", "",
             f"driver {device.get('driver_version')}, {about.get('toolkit')}, {about.get('program')}, "
             f"commit {about.get('commit')}", "", "| part | outcome | seconds | |", "| --- | --- | --- | --- |"]
    for name, outcome in results.items():
        lines.append(f"| {name} | {outcome['outcome']} | {outcome['seconds']} | "
                     f"{outcome.get('reason', '').replace('|', '/').splitlines()[0][:160] if outcome.get('reason') else ''} |")
    calibration = (results.get("calibrate") or {}).get("result")
    if calibration:
        peaks = ", ".join(f"{name} {value / 1e12:.4g} TFLOP/s" for name, value in calibration["peak_flop_per_s"].items())
        lines += ["", f"Calibrated: {peaks}; copy {(calibration['copy_bytes_per_s'] or 0) / 1e12:.4g} TB/s, overhead of an op "
                  f"{(calibration['per_op_overhead_s'] or 0) * 1e6:.3g} µs"]
    lines += ["", "| run | step ms | fastest PyTorch ms | ratio | eager ratio | of product peak | optimizer of copy | "
              "prediction off | memory equal |", "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    def show(value, form):
        return "–" if value is None else format(value, form)
    for name, e in summary["runs"].items():
        best = e["torch_seconds"].get(e.get("fastest_torch"))
        lines.append("| " + " | ".join([
            name, f"{e['step_seconds'] * 1e3:.4g}",
            "–" if best is None else f"{best * 1e3:.4g} ({e['fastest_torch']})",
            show(e.get("times_faster_than_fastest_torch"), ".3g"), show(e.get("times_faster_than_eager"), ".3g"),
            show(e.get("share_of_measured_product_peak"), ".1%"), show(e.get("optimizer_share_of_copy_bandwidth"), ".1%"),
            show(e.get("prediction_error"), ".1%"), "yes" if e["memory_predicted_is_measured"] else "NO"]) + " |")
    lines += ["", "| goal | reached |", "| --- | --- |"]
    for goal, reached in summary["goals"].items():
        lines.append(f"| {goal} | {'not known' if reached is None else 'yes' if reached else 'NO'} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--minutes", type=float, default=7)
    parser.add_argument("--only", help="a regular expression for the names of parts")
    arguments = parser.parse_args()
    arguments.cli = str(pathlib.Path(arguments.build).resolve() / "app" / "cli" / "plumbline-cli")
    out = pathlib.Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    # Calibration and chosen algorithms of this very run, and nothing of the user's.
    os.environ["XDG_DATA_HOME"] = str((out / "data").resolve())
    os.environ["XDG_CACHE_HOME"] = str((out / "cache").resolve())

    parts = Parts(out, arguments.minutes * 60, arguments.only)
    parts.run("machine", lambda: machine(arguments))
    # A quick look at what the rest depends on, before anything that takes long.
    parts.run("devices", lambda: json.loads(parts.call([arguments.cli, "devices", "--json"], 60, "devices")))
    parts.run("calibrate", lambda: calibrate(parts, arguments))
    for run in RUNS:
        parts.run(f"plumbline {run[0]}", lambda run=run: ours(parts, arguments, run))
    parts.run("tests", lambda: tests(parts, arguments))
    for mode in ("eager", "graph"):
        for run in RUNS:
            parts.run(f"torch {run[0]} {mode}", lambda run=run, mode=mode: theirs(parts, arguments, run, mode, "autocast"),
                      needed=False)
    for run in RUNS:
        if run[2] == "bf16":
            parts.run(f"torch {run[0]} graph parameters",
                      lambda run=run: theirs(parts, arguments, run, "graph", "parameters"), needed=False)
    parts.run("compute-sanitizer", lambda: sanitizer(parts, arguments), needed=False)
    parts.run("ncu", lambda: vendor(parts, arguments), needed=False)
    for mode in ("autotune", "compile"):
        for run in RUNS:
            parts.run(f"torch {run[0]} {mode}", lambda run=run, mode=mode: theirs(parts, arguments, run, mode, "autocast"),
                      needed=False)
    parts.run("state afterwards", lambda: query(STATE_FIELDS), needed=False)

    summary = goals(parts.results)
    (out / "summary.json").write_text(json.dumps({"parts": parts.results, **summary}, indent=1))
    text = readable(parts.results, summary)
    (out / "summary.md").write_text(text)
    print(text)
    if parts.failures:
        print(f"measure: FAILED: {', '.join(parts.failures)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
