# SPDX-License-Identifier: Apache-2.0
"""What counters and timelines of a reading say, and what the vendor's profiler says of the same."""

import csv
import statistics


def value_of(counters):
    """{"dram_bytes": 5, ...} of an op's counters, each of which is a number or one with its source."""
    plain = {kind: count.get("value") if isinstance(count, dict) else count for kind, count in (counters or {}).items()}
    return {kind: value for kind, value in plain.items() if isinstance(value, (int, float))}


def counters_of(measured, predicted):
    """Counted against modelled: FLOPs of the products, bytes of every level; or why there are none."""
    if not measured["counter_run"]:
        return {"absent": measured["counters_absent"] or "none were read"}
    model = {op["id"]: op for op in predicted["ops"]}
    products = flops = dram = bytes_ = unknown = 0
    broken = []
    levels = {"l2_bytes": 0, "l1_bytes": 0, "shared_bytes": 0}
    for op in measured["ops"]:
        counts, planned = op["counters"] or {}, model[op["id"]]
        value = value_of(counts)
        if any(not 0 <= v < 2 ** 62 for v in value.values()):
            broken.append(op["id"])
        if op["flops"] is None or op["bytes"] is None:
            unknown += 1
            continue
        dram, bytes_ = dram + op["bytes"], bytes_ + planned["bytes"]
        if is_product(planned):
            products, flops = products + op["flops"], flops + planned["flops"]
        for level, before in levels.items():  # a sum that lacks a part is none
            levels[level] = None if before is None or level not in value else before + value[level]
    return {"passes": measured["counter_run"]["passes"], "chip": measured["counter_run"]["chip"],
            "metrics": measured["counter_run"]["metrics"], "product_flops_ratio": products / flops if flops else None,
            "dram_ratio": dram / bytes_ if bytes_ else None, "dram_bytes": dram, "modelled_bytes": bytes_, **levels,
            "ops_without_counts": unknown, "ops_with_impossible_counts": broken,
            "absent": measured["counters_absent"]}


def is_product(op):
    """A product of matrices of a hidden layer: what its epilogue adds (ReLU) is far below its FLOPs."""
    return op["kind"] in ("layer_forward", "weight_gradient", "input_gradient") and "head" not in op["id"]


def timeline_of(measured):
    timeline = measured["timeline"]
    if not timeline:
        return None
    kinds, ops = timeline["records"]["kind"], timeline["records"]["op"] or []
    kernels = [i for i, kind in enumerate(kinds) if timeline["kinds"][kind] == "kernel"]
    return {"source": timeline["source"], "records": len(kinds), "kernels": len(kernels), "dropped": timeline["dropped"],
            "kernels_without_op": sum(1 for i in kernels if i >= len(ops) or ops[i] is None or ops[i] < 0)}


def kernels_of(lines, metrics):
    """Of ncu's rows, one a launch: [{"kernel": name, "launches": n, metric: mean of a launch}]."""
    found = {}
    for row in csv.DictReader(lines):
        if row.get("Kernel Name"):  # the row of units has none
            found.setdefault(row["Kernel Name"], []).append(row)

    def mean(rows, name):
        values = []
        for row in rows:
            try:
                values.append(float(row[name].replace(",", "")))
            except (KeyError, AttributeError, ValueError):
                return None  # not counted
        return statistics.fmean(values)
    return [{"kernel": kernel, "launches": len(rows), **{metric["name"]: mean(rows, metric["name"]) for metric in metrics}}
            for kernel, rows in found.items()]


def sums_of(kernels, metrics):
    """What the kernels of one execution counted, by kind; a kind of which a metric is missing is absent."""
    sums = {}
    for metric in metrics:
        for kernel in kernels:
            value = kernel[metric["name"]]
            before = sums.get(metric["counts"], 0)
            sums[metric["counts"]] = None if value is None or before is None else before + value * metric["factor"]
    return {kind: value for kind, value in sums.items() if value is not None}


def beside(ours, theirs):
    """Both sides with FLOPs of all cores together, and ours over theirs wherever both are known."""
    for side in (ours, theirs):
        if "tensor_flops" in side and "core_flops" in side:
            side["flops"] = side["tensor_flops"] + side["core_flops"]
    return {"ours": ours, "vendor": theirs,
            "ours_over_vendor": {kind: ours[kind] / theirs[kind] for kind in ours if theirs.get(kind)}}
