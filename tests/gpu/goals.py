# SPDX-License-Identifier: Apache-2.0
"""What the items of a proof say of the goals of the project: ratios, verdicts and a page to read. Where an item did
not run, nothing is known of its goals."""

import statistics

from measurements import NARROW


def result_of(results, item):
    return (results.get(item) or {}).get("result") or {}


def torch_seconds(results, run):
    """Seconds of a step by each way of PyTorch that was timed."""
    found = {}
    for item, outcome in results.items():
        if item.startswith(f"torch {run} ") and isinstance(outcome.get("result"), dict):
            found.update({mode: timed["seconds"] for mode, timed in outcome["result"].items() if "seconds" in timed})
    return found


def one_run(results, run, calibration):
    name, precision = run[0], run[2]
    mine = result_of(results, f"plumbline {name}")
    if not mine:
        return None
    peers = torch_seconds(results, name)
    counted = result_of(results, f"counters {name}")
    entry = {"step_seconds": mine["step_seconds"], "torch_seconds": peers,
             "memory_predicted_is_measured": mine["predicted_peak_bytes"] == mine["measured_peak_bytes"],
             "counters": counted.get("counters"), "timeline": counted.get("timeline") or mine.get("timeline")}
    once_more = result_of(results, f"again {name}").get("step_seconds")
    if once_more:
        entry["repeated_differs_by"] = abs(once_more / mine["step_seconds"] - 1)
    if peers:
        best = min(peers, key=peers.get)
        entry["fastest_torch"] = best
        entry["times_faster_than_fastest_torch"] = peers[best] / mine["step_seconds"]
        eager = [seconds for mode, seconds in peers.items() if mode.startswith("eager")]
        if eager:
            entry["times_faster_than_eager"] = min(eager) / mine["step_seconds"]
    peak = (calibration.get("peak_flop_per_s") or {}).get("fp8_e4m3" if precision == "fp8" else precision)
    if peak:
        entry["share_of_measured_product_peak"] = mine["matmul_flop_per_s"] / peak
    if calibration.get("copy_bytes_per_s") and mine.get("optimizer_bytes_per_s"):
        entry["optimizer_share_of_copy_bandwidth"] = mine["optimizer_bytes_per_s"] / calibration["copy_bytes_per_s"]
    if mine.get("predicted_seconds"):
        entry["prediction_error"] = abs(mine["predicted_seconds"] - mine["step_seconds"]) / mine["step_seconds"]
    return entry


FASTER = "faster than the fastest PyTorch at every size"
COUNTED = "counters within 2 % of the modelled FLOPs of products"
# Ways of PyTorch that must have been timed before anything is said to be faster than all of them.
WAYS = ("eager", "graph", "autotune")
WAYS_OF_NARROW = ("eager", "graph", "compile")
MATRIX_LIBRARY = "libcublasLt.so.13"
LARGEST_TILE = 256  # of a product's kernels: what is a multiple of it is never padded


def all_at_least(reached, runs, bound, key, wanted):
    """Whether every run that is bound by this reaches it; one that does not decides, one that is not known leaves it open."""
    values = [reached.get(run[0], {}).get(key) for run in runs if run[1] == bound]
    if any(value is not None and value < wanted for value in values):
        return False
    return None if not values or None in values else True


def not_the_same(results, runs):
    """Parts that were to show that PyTorch trains the same, and did not: its times say nothing then."""
    # One for each precision and optimizer that has ways of its own.
    wanted = [f"losses {run[0]}" for run in runs if run[1] == "launches" or run[2] in NARROW]
    return [name for name in wanted if (results.get(name) or {}).get("outcome") != "done"]


def faster_everywhere(results, reached, runs):
    """Verdict and what is missing for it: faster than every way of PyTorch that was timed, and all of them were."""
    if unlike := not_the_same(results, runs):
        return None, f"the same training was not shown: {', '.join(unlike)}"
    ratios = [entry.get("times_faster_than_fastest_torch") for entry in reached.values()]
    if any(ratio is not None and ratio <= 1 for ratio in ratios):
        return False, ""
    missing = []
    for run in runs:
        timed = {mode.split("-")[0] for mode in reached.get(run[0], {}).get("torch_seconds", {})}
        if lacking := [way for way in (WAYS_OF_NARROW if run[2] in NARROW else WAYS) if way not in timed]:
            missing.append(f"{run[0]} without {', '.join(lacking)}")
    return (None, f"not timed: {'; '.join(missing)}") if missing else (True, "")


def counted_as_modelled(reached, runs):
    """Within 2 % wherever no padding of tiles can explain more."""
    ratios, padded = [], []
    for run in runs:
        ratio = (reached.get(run[0], {}).get("counters") or {}).get("product_flops_ratio")
        if ratio is None:
            continue
        if run[4] % LARGEST_TILE or run[5] % LARGEST_TILE:
            padded.append(f"{run[0]} {ratio:.3g}")
        else:
            ratios.append(ratio)
    note = f"tiles may be padded: {', '.join(padded)}" if padded else ""
    return (None if not ratios else all(abs(ratio - 1) <= 0.02 for ratio in ratios)), note


def goals(results, runs):
    calibration = result_of(results, "calibrate")
    reached = {run[0]: entry for run in runs if (entry := one_run(results, run, calibration))}
    errors = [entry["prediction_error"] for entry in reached.values() if "prediction_error" in entry]
    dropped = [entry["timeline"]["dropped"] for entry in reached.values() if entry["timeline"]]
    faster, not_timed = faster_everywhere(results, reached, runs)
    counted, padded = counted_as_modelled(reached, runs)
    verdict = {
        FASTER: faster,
        "92 % of the product peak when bound by products":
            all_at_least(reached, runs, "products", "share_of_measured_product_peak", 0.92),
        "90 % of copy bandwidth in the optimizer":
            all_at_least(reached, runs, "memory", "optimizer_share_of_copy_bandwidth", 0.9),
        "3 times faster than eager when bound by launches":
            None if not_the_same(results, [run for run in runs if run[1] == "launches"])
            else all_at_least(reached, runs, "launches", "times_faster_than_eager", 3),
        COUNTED: counted,
        "no record of activity was dropped": None if not dropped else not any(dropped),
        "prediction within 10 % in the median": None if not errors else statistics.median(errors) <= 0.1,
        "predicted memory is measured memory": None if not reached
        else all(entry["memory_predicted_is_measured"] for entry in reached.values()),
    }
    notes = {goal: note for goal, note in ((FASTER, not_timed), (COUNTED, padded)) if note}
    return {"runs": reached, "goals": verdict, "notes": notes, "median_prediction_error": statistics.median(errors) if errors else None}


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def show(value, form):
    return "–" if value is None else format(value, form)


def run_row(name, entry):
    best = entry["torch_seconds"].get(entry.get("fastest_torch"))
    counters, timeline = entry.get("counters") or {}, entry.get("timeline") or {}
    return row([name, f"{entry['step_seconds'] * 1e3:.4g}",
                "–" if best is None else f"{best * 1e3:.4g} ({entry['fastest_torch']})",
                show(entry.get("times_faster_than_fastest_torch"), ".3g"),
                show(entry.get("times_faster_than_eager"), ".3g"),
                show(entry.get("share_of_measured_product_peak"), ".1%"),
                show(entry.get("optimizer_share_of_copy_bandwidth"), ".1%"), show(entry.get("prediction_error"), ".1%"),
                show(entry.get("repeated_differs_by"), ".1%"), "yes" if entry["memory_predicted_is_measured"] else "NO",
                show(counters.get("product_flops_ratio"), ".4g"), show(counters.get("dram_ratio"), ".3g"),
                f"{timeline['kernels']} ({timeline['dropped']} lost)" if timeline else "–"])


def first_line(text, size=160):
    return text.replace("|", "/").splitlines()[0][:size] if text else ""


def vendor_lines(compared):
    """What the vendor's profiler counted of one product, beside our counters."""
    kinds = [kind for kind in ("flops", "tensor_flops", "dram_bytes", "l2_bytes", "l1_bytes", "shared_bytes")
             if kind in compared.get("vendor", {})]
    if not kinds:
        return []
    lines = ["", row([f"vendor's profiler on {compared['op']}", "ours", "vendor", "ours / vendor"]), row(["---"] * 4)]
    for kind in kinds:
        lines.append(row([kind, show(compared["ours"].get(kind), ".6g"), show(compared["vendor"][kind], ".6g"),
                          show(compared["ours_over_vendor"].get(kind), ".4g")]))
    return lines


def about_lines(results, pack):
    """Device, build, and the matrix library of both sides of the comparison."""
    about = next((result_of(results, f"machine {part}") for part in (1, 2, 3) if result_of(results, f"machine {part}")), {})
    device = (about.get("devices") or [{}])[0]
    ours = (about.get("cuda_libraries") or {}).get(MATRIX_LIBRARY)
    theirs = sorted({timed["cublaslt"] for name, outcome in results.items() if name.startswith("torch ")
                     for timed in (outcome.get("result") or {}).values() if timed.get("cublaslt")})
    lines = [f"# {device.get('name', 'GPU')}, {about.get('time', '')}", "",
             f"driver {device.get('driver_version')}, {about.get('program')}, build {pack['build']} for sm_{pack['arch']}", "",
             f"Matrix library of ours: {ours} ({about.get('cublaslt')}); of PyTorch: {', '.join(theirs) or 'not known'}"]
    devices = sorted({outcome["device"] for outcome in results.values() if outcome.get("device")})
    if len(devices) > 1:
        lines.append(f"\nFrom {len(devices)} devices: {'; '.join(devices)}")
    if ours and theirs and theirs != [ours]:
        lines.append("\nNOT THE SAME matrix library on both sides: what is compared is not the programs alone.")
    return lines


def readable(results, summary, pack):
    failures = [name for name, outcome in results.items() if outcome["outcome"] == "failed"]
    lines = [*about_lines(results, pack), "", f"FAILED: {', '.join(failures)}" if failures else "No item failed.", "",
             row(["item", "part", "outcome", "seconds", ""]), row(["---"] * 5)]
    for name, outcome in results.items():
        lines.append(row([name, outcome.get("part", ""), outcome["outcome"], outcome["seconds"],
                          first_line(outcome.get("reason", ""))]))
    calibration = result_of(results, "calibrate")
    if calibration:
        peaks = ", ".join(f"{name} {value / 1e12:.4g} TFLOP/s" for name, value in calibration["peak_flop_per_s"].items())
        lines += ["", f"Calibrated: {peaks}; copy {(calibration['copy_bytes_per_s'] or 0) / 1e12:.4g} TB/s, overhead of an op "
                  f"{(calibration['per_op_overhead_s'] or 0) * 1e6:.3g} µs"]
    columns = ["run", "step ms", "fastest PyTorch ms", "ratio", "eager ratio", "of product peak", "optimizer of copy",
               "prediction off", "repeated", "memory equal", "counted / modelled FLOPs", "counted / modelled DRAM", "kernels"]
    lines += ["", row(columns), row(["---"] * len(columns))]
    lines += [run_row(name, entry) for name, entry in summary["runs"].items()]
    absent = {name: entry["counters"]["absent"] for name, entry in summary["runs"].items()
              if (entry.get("counters") or {}).get("absent")}
    lines += [f"\nCounters of {name}: {first_line(reason, 400)}" for name, reason in absent.items()]
    lines += vendor_lines(result_of(results, "ncu"))
    lines += ["", row(["goal", "reached", ""]), row(["---"] * 3)]
    for goal, was_reached in summary["goals"].items():
        lines.append(row([goal, "not known" if was_reached is None else "yes" if was_reached else "NO",
                          summary["notes"].get(goal, "")]))
    return "\n".join(lines) + "\n"
