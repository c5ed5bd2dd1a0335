# SPDX-License-Identifier: Apache-2.0
"""Data sheets of devices, in the form of Plumbline's resources/hardware.json, and times by their ceilings."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, NamedTuple, Optional, Union

# Low, expected and high, as core/machine/attainable.h has them: what programs reach of a data sheet's ceilings.
PRODUCT_SHARE = (0.6, 0.75, 0.85)
MEMORY_SHARE = (0.7, 0.85, 0.95)
LAUNCH_SECONDS = (0.0, 2e-6, 10e-6)


class Seconds(NamedTuple):
    low: float
    expected: float
    high: float


class Machine:
    """One device: a record of hardware.json, or a dict with the same keys."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.name: str = record.get("name", "unnamed device")
        self.memory_bytes: Optional[int] = record.get("memory_visible_bytes") or record.get("memory_bytes")
        self.bandwidth: Optional[float] = record.get("bandwidth_bytes_per_s")
        self.peaks: dict[str, float] = {
            name: peak for name, peak in (record.get("peak_flop_per_s") or {}).items() if peak}
        named = str(record.get("compute_capability") or "")
        self.is_nvidia: bool = record.get("vendor", "NVIDIA") == "NVIDIA" and not named.startswith("gfx")
        try:
            self.capability: Optional[float] = float(record.get("compute_capability"))
        except (TypeError, ValueError):
            self.capability = None

    def peak(self, units: str) -> Optional[float]:
        """Dense peak of a format, both forms of fp8 alike."""
        return self.peaks.get(units) or self.peaks.get(units.split("_")[0])

    def seconds(self, ops: dict[str, list]) -> tuple[Optional[Seconds], str]:
        """Sum over the ops of max(FLOPs / peak, bytes / bandwidth) + launch, as a range. Without a ceiling that
        is needed: none, and the sentence that says which."""
        if not self.bandwidth:
            return None, f"No time was predicted: the memory bandwidth of {self.name} is not known."
        totals = [0.0, 0.0, 0.0]
        for flops, matmul, size, units, product in zip(
                ops["flops"], ops["matmul_flops"], ops["bytes"], ops["units"], ops["is_product"]):
            if not size and not flops:
                continue  # a view: nothing is launched
            peak = self.peak(units) if product else self.peak("fp32")
            if product and not peak:
                return None, f"No time was predicted: {self.name} has no {units} peak."
            work = matmul if product else flops or 0
            for place in range(3):
                compute = work / (peak * PRODUCT_SHARE[2 - place]) if peak else 0.0
                traffic = size / (self.bandwidth * MEMORY_SHARE[2 - place])
                totals[place] += max(compute, traffic) + LAUNCH_SECONDS[place]
        return Seconds(*totals), ""


def _database() -> Optional[str]:
    """hardware.json: of the environment's PLUMBLINE_MACHINES, else of the wheel, else of the source tree that this file
    lies in."""
    path = os.environ.get("PLUMBLINE_MACHINES")
    if path:
        return path
    here = os.path.dirname(os.path.abspath(__file__))
    places = (os.path.join(here, "hardware.json"), os.path.join(here, "..", "..", "..", "resources", "hardware.json"))
    return next((os.path.normpath(place) for place in places if os.path.isfile(place)), None)


def find_machine(device: Union[str, dict[str, Any]]) -> Machine:
    """A machine by its record, by the path of a JSON file with one, or by (part of) its name in hardware.json.
    ValueError when there is none, or more than one."""
    if isinstance(device, dict):
        return Machine(device)
    if device.endswith(".json"):
        with open(device, encoding="utf-8") as file:
            return Machine(json.load(file))
    path = _database()
    if path is None:
        raise ValueError(f'No data sheet of "{device}": set PLUMBLINE_MACHINES to a hardware.json, or give its '
                         "record as device=.")
    with open(path, encoding="utf-8") as file:
        records = json.load(file)["devices"]
    wanted = device.lower()
    exact = [record for record in records if wanted in (record["name"].lower(), str(record.get("id", "")).lower())]
    words = wanted.split()

    def with_words(fits: Callable[[str, str], bool]) -> list[dict[str, Any]]:
        return [record for record in records
                if all(any(fits(part, word) for part in record["name"].lower().split()) for word in words)]

    found = exact or with_words(str.__eq__) or with_words(str.startswith)  # "H100 SXM" is "NVIDIA H100 SXM5 80GB"
    if len(found) != 1:
        names = ", ".join(record["name"] for record in found) or "none"
        raise ValueError(f'"{device}" is the name of {names} in {path}: give one device\'s full name.')
    return Machine(found[0])
