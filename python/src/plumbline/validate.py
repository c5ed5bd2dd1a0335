# SPDX-License-Identifier: Apache-2.0
"""Holds a step document to its form (docs/step-file.md)."""

from __future__ import annotations

import math
from typing import Any

from .categories import CATEGORIES
from .document import FORMAT, OP_COLUMNS, TENSOR_COLUMNS, VERSION, library_bytes, memory_curve
from .losses import COLUMNS, PASSES, SOURCES
from .phases import PHASES

_FIELDS = ("format", "version", "created", "program", "title", "source", "environment", "samples",
           "product_dtype", "ops", "tensors", "memory", "measured", "recording", "missing_formulas", "said")


def validate(document: Any) -> list[str]:
    """What is wrong with a document, one sentence each; empty for a good one."""
    if not isinstance(document, dict):
        return ["the document is no object"]
    problems = [f"the field {name} is missing" for name in _FIELDS if name not in document]
    if problems:
        return problems
    if document["format"] != FORMAT:
        return [f'format is {document["format"]!r}, not "{FORMAT}"']
    if document["version"] != VERSION:
        return [f"version {document['version']!r} is not {VERSION}: use a newer Plumbline"]
    for name, columns in (("ops", OP_COLUMNS), ("tensors", TENSOR_COLUMNS)):
        problems += _table(name, document[name], columns)
    if problems:
        return problems
    ops, tensors = document["ops"], document["tensors"]
    problems += _ops(ops, len(tensors["name"]))
    problems += _tensors(tensors, len(ops["id"]))
    if not problems:
        problems += _memory(document["memory"], tensors, len(ops["id"]))
    problems += _times(document["measured"])
    predicted = document.get("predicted") or {}
    if predicted.get("needed_bytes") is not None:  # younger than the form
        problems += _needed(predicted, document["memory"])
    if "prediction" in document:
        problems += _prediction(document["prediction"])
    if "losses" in document:  # younger than the form
        problems += _losses(document["losses"])
    return problems


def _table(name: str, table: Any, columns: tuple[str, ...]) -> list[str]:
    if not isinstance(table, dict):
        return [f"{name} is no object of columns"]
    problems = [f"{name} lacks the column {column}" for column in columns if column not in table]
    lengths = {column: len(values) for column, values in table.items() if isinstance(values, list)}
    problems += [f"{name}.{column} is no list" for column in table if column not in lengths]
    if len(set(lengths.values())) > 1:
        problems.append(f"the columns of {name} differ in length: {lengths}")
    return problems


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value >= 0


def _ops(ops: dict[str, list], tensor_count: int) -> list[str]:
    problems = []
    if len(set(ops["id"])) != len(ops["id"]):
        problems.append("ids of ops are not unique")
    for place, phase in enumerate(ops["phase"]):
        if phase not in PHASES:
            problems.append(f"op {place} has the unknown phase {phase!r}")
    for column in ("reads", "writes"):
        for place, rows in enumerate(ops[column]):
            if any(not _count(row) or row >= tensor_count for row in rows):
                problems.append(f"op {place} {column} a tensor that is not there")
    for place, (flops, matmul, size) in enumerate(zip(ops["flops"], ops["matmul_flops"], ops["bytes"])):
        if flops is not None and not _count(flops) or not _count(matmul) or not _count(size):
            problems.append(f"op {place} has FLOPs or bytes that are no counts")
        elif flops is not None and flops < matmul:
            problems.append(f"op {place} has more matmul FLOPs than FLOPs")
    for place, (seconds, source) in enumerate(zip(ops["seconds"], ops["seconds_source"])):
        if (seconds is None) != (source is None) or seconds is not None and not _number(seconds):
            problems.append(f"op {place} has seconds without a source, or none that are a time")
    return problems


def _tensors(tensors: dict[str, list], op_count: int) -> list[str]:
    problems = []
    for place, category in enumerate(tensors["category"]):
        if category not in CATEGORIES:
            problems.append(f"tensor {place} has the unknown category {category!r}")
    for place, (first, last) in enumerate(zip(tensors["first_op"], tensors["last_op"])):
        if not -1 <= first <= last <= op_count:
            problems.append(f"tensor {place} lives from op {first} to op {last} of {op_count}")
    for place, size in enumerate(tensors["bytes"]):
        if not _count(size):
            problems.append(f"tensor {place} has {size!r} bytes")
    for column in ("made_by", "freed_by"):
        for place, op in enumerate(tensors[column]):
            if op is not None and not (_count(op) and op < op_count):
                problems.append(f"tensor {place}: {column} names op {op!r} of {op_count}")
    return problems


def _memory(memory: dict[str, Any], tensors: dict[str, list], op_count: int) -> list[str]:
    problems = []
    curve = memory_curve(tensors, op_count)
    if curve and memory["curve_peak_bytes"] != max(curve):
        problems.append(f"memory.curve_peak_bytes is {memory['curve_peak_bytes']}, the tensors' is {max(curve)}")
    if curve and sum(memory["at_peak"].values()) != max(curve):
        problems.append("memory.at_peak does not add up to the peak")
    allocator, inside = memory["allocator_peak_bytes"], memory["inside_libraries_bytes"]
    if curve and not (_count(memory["peak_op"]) and memory["peak_op"] < op_count):
        problems.append(f"memory.peak_op is {memory['peak_op']!r}, which is none of the {op_count} ops")
    elif allocator is not None and curve:
        shown = max(curve) - library_bytes(tensors, memory["peak_op"])
        if inside != allocator - shown:
            problems.append("memory.inside_libraries_bytes is not what the tensors lack of the allocator's peak")
    return problems


def _prediction(prediction: dict[str, Any]) -> list[str]:
    problems = []
    if len(prediction["op_ids"]) != len(prediction["curve"]):
        problems.append(f"prediction.curve has {len(prediction['curve'])} values for {len(prediction['op_ids'])} ops")
    if max(prediction["curve"], default=None) != prediction["curve_peak_bytes"]:
        problems.append("prediction.curve_peak_bytes is not that of its curve")
    return problems


def _needed(predicted: dict[str, Any], memory: dict[str, Any]) -> list[str]:
    problems = []
    needed, device = predicted["needed_bytes"], predicted["device_bytes"]
    if needed != memory.get("reserved_peak_bytes", 0) + (predicted.get("context_bytes") or 0):
        problems.append(f"predicted.needed_bytes is {needed}, which is not what is reserved and the context")
    if predicted["fits"] != (None if device is None else needed <= device):
        problems.append(f"predicted.fits is {predicted['fits']}, with {needed} bytes needed of {device}")
    return problems


def _times(measured: Any) -> list[str]:
    if measured is None:
        return []
    problems = []
    if measured["steps"] != len(measured["step_seconds"]):
        problems.append("measured.steps is not the number of measured.step_seconds")
    if not all(_number(seconds) for seconds in measured["step_seconds"]):
        problems.append("measured.step_seconds has what is no time")
    if (measured["median"] is None) != (measured["steps"] == 0):
        problems.append("measured.median is not there, or there without steps")
    return problems


def _losses(losses: Any) -> list[str]:
    """A row for each step that has a loss, and a reason where one has none."""
    problems = _table("losses", {name: column for name, column in losses.items() if name not in ("source", "absent")}
                      if isinstance(losses, dict) else losses, COLUMNS)
    if problems:
        return problems
    if losses["step"] and losses.get("source") not in SOURCES:
        problems.append(f"losses.source is {losses.get('source')!r}, which is none of {', '.join(SOURCES)}")
    if not losses["step"] and not losses.get("absent"):
        problems.append("losses are absent without a reason")
    if any(not _count(step) for step in losses["step"]) or sorted(set(losses["step"])) != losses["step"]:
        problems.append("losses.step does not increase")
    for place, (name, value, seconds) in enumerate(zip(losses["pass"], losses["loss"], losses["seconds"])):
        if name not in PASSES:
            problems.append(f"loss {place} is of the unknown pass {name!r}")
        if value is not None and not (_number(abs(value)) if isinstance(value, (int, float)) else False):
            problems.append(f"loss {place} is {value!r}, which is no number")
        if not _number(seconds):
            problems.append(f"loss {place} was at {seconds!r}, which is no time")
    return problems
