# SPDX-License-Identifier: Apache-2.0
"""A prediction in a few lines of text."""

from __future__ import annotations

from typing import Any, Optional


def size(count: Optional[int]) -> str:
    """Bytes with a decimal unit."""
    if count is None:
        return "not known"
    for unit, one in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= one:
            return f"{count / one:.3g} {unit}" if count < 999.5 * one else f"{count / one:.0f} {unit}"
    return f"{count} bytes"


def duration(seconds: float) -> str:
    """Seconds with a unit."""
    for unit, one in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= one:
            return f"{seconds / one:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def operations(flops: int) -> str:
    """FLOPs with a decimal unit."""
    for unit, one in (("PFLOP", 10**15), ("TFLOP", 10**12), ("GFLOP", 10**9), ("MFLOP", 10**6), ("kFLOP", 10**3)):
        if flops >= one:
            return f"{flops / one:.3g} {unit}"
    return f"{flops} FLOP"


def verdict(fields: dict[str, Any]) -> str:
    """Whether the step fits, in a word or two."""
    fits = fields["predicted"]["fits"]
    return "whether it fits is not known" if fits is None else "fits" if fits else "does not fit"


def short(fields: dict[str, Any]) -> str:
    """One line."""
    predicted, memory = fields["predicted"], fields["memory"]
    where = predicted["device"] or ("a GPU" if fields["environment"]["device"] == "cuda" else "this CPU")
    needs = predicted["needed_bytes"] if predicted["needed_bytes"] is not None else memory["curve_peak_bytes"]
    return f"<Prediction of {fields['title']} on {where}: {size(needs)}, {verdict(fields)}>"


def table(fields: dict[str, Any]) -> str:
    """The answers: whether it fits, memory, time, work, and what to ask next."""
    predicted, memory = fields["predicted"], fields["memory"]
    gpu = fields["environment"]["device"] == "cuda"
    where = predicted["device"] or ("a GPU without a name" if gpu else "this CPU")
    rows = [("fits", _fits(predicted, gpu))]
    if gpu:
        context = predicted["context_bytes"]
        rows.append(("needed", f"{size(predicted['needed_bytes'])}: reserved {size(memory['reserved_peak_bytes'])} and the "
                     f"context {size(context)} ({size(predicted['context_low'])} to {size(predicted['context_high'])}; "
                     f"{predicted['context_source']})"))
        held = memory.get("library_bytes")
        rows.append(("allocated", f"{size(memory['allocated_peak_bytes'])} of that at most: tensors "
                     f"{size(memory['curve_peak_bytes'])}, in blocks of 512 bytes "
                     f"{size(memory['rounded_peak_bytes'] - (held or 0))}, workspaces of cuBLAS {size(held)}"))
    else:
        rows.append(("tensors", f"{size(memory['curve_peak_bytes'])} at most"))
    if memory["at_peak"]:
        parts = sorted(memory["at_peak"].items(), key=lambda part: -part[1])
        place = memory["peak_op"]
        rows.append(("at the peak", ", ".join(f"{name.replace('_', ' ')} {size(count)}" for name, count in parts if count) +
                     f"; in {fields['ops']['name'][place]}"))
    rows.append(("time", _time(predicted)))
    products = sum(fields["ops"]["matmul_flops"])
    formats = f", in {fields['product_dtype']}" if fields["product_dtype"] else ""
    rows.append(("work", f"{operations(sum(flops or 0 for flops in fields['ops']['flops']))}, {operations(products)} of it "
                 f"products{formats}"))
    rows.append(("largest batch", _batch(fields)))
    rows.append(("what helps", "advice() says what would lower the peak"))
    width = max(len(name) for name, _ in rows)
    lines = [f"{fields['title']} on {where}"] + [f"  {name:<{width}}  {words}" for name, words in rows]
    return "\n".join(lines + [f"  {'note':<{width}}  {sentence}" for sentence in fields["said"]])


def _fits(predicted: dict[str, Any], gpu: bool) -> str:
    if predicted["fits"] is None:
        missing = "the memory of the device" if gpu else "what of this machine is free"
        return f"not known: {missing} is not; give device= for a GPU"
    share = predicted["needed_bytes"] / predicted["device_bytes"]
    return f"{'yes' if predicted['fits'] else 'no'}: {100 * share:.3g} % of the device's {size(predicted['device_bytes'])}"


def _time(predicted: dict[str, Any]) -> str:
    if predicted["seconds"] is None:
        return "not predicted: " + ("the note says why" if predicted["device"] else "it needs a device with a data sheet")
    return (f"{duration(predicted['seconds'])} a step, {duration(predicted['seconds_low'])} to "
            f"{duration(predicted['seconds_high'])} (by the {predicted['tier']})")


def _batch(fields: dict[str, Any]) -> str:
    found = fields["predicted"].get("largest_batch")
    if found is not None:
        return f"{found}, where this step has {fields['samples']}"
    if fields["predicted"]["device_bytes"] is None:
        return "not known without a device's memory"
    return "largest_batch() looks for it"
