# SPDX-License-Identifier: Apache-2.0
"""The document of one recorded step: what docs/step-file.md describes, made from a closed StructurePass."""

from __future__ import annotations

import datetime
import platform
import statistics
from collections import Counter
from typing import Any, Optional

import torch

from . import __version__
from .categories import Use, bytes_by_category, category_of
from .modules import unwrapped
from .phases import resolve_phases
from .storages import BEFORE, INSIDE_LIBRARY
from .structure import StructurePass

FORMAT, VERSION = "plumbline.step", 1
# Where the memory curve is from, in files.
RECORDED_CURVE, PREDICTED_CURVE = "recorded tensors", "fake tensors"
OP_COLUMNS = ("id", "kind", "overload", "phase", "module", "name", "flops", "matmul_flops", "bytes", "units",
              "is_product", "input_shapes", "reads", "writes", "seconds", "seconds_source", "start")
TENSOR_COLUMNS = ("name", "category", "role", "module", "dtype", "shape", "bytes", "first_op", "last_op", "made_by",
                  "freed_by")


def add_row(table: dict[str, list], **cells: Any) -> None:
    """Adds a row to a table of columns; a column that gets no cell is an error."""
    for column, cells_above in table.items():
        cells_above.append(cells[column])


def environment(device: str) -> dict[str, Any]:
    """What ran the step."""
    found: dict[str, Any] = {
        "torch": torch.__version__, "python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}",
        "device": device, "threads": torch.get_num_threads(), "device_name": None, "device_count": None,
    }
    if device == "cuda" and torch.cuda.is_available():
        found["device_name"] = torch.cuda.get_device_name()
        found["device_count"] = torch.cuda.device_count()
    elif device == "cpu":
        found["device_name"] = processor_name()
    return found


def processor_name() -> Optional[str]:
    """Model of the processor as the system calls it; none where it does not say."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                key, _, value = line.partition(":")
                if key.strip().lower() in ("model name", "hardware") and value.strip():
                    return value.strip()
    except OSError:
        pass
    return platform.processor() or None


def parameter_count(model: torch.nn.Module) -> int:
    """Parameters, those that are tied counted once."""
    return sum(parameter.numel() for parameter in model.parameters())


def title_of(model: torch.nn.Module, inputs: list[tuple[str, list[int]]]) -> str:
    """"GPT2 · 124 M parameters · batch [8, 512]"."""
    count = parameter_count(model)
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if count >= size:
            amount = f"{count / size:.3g} {unit} parameters"
            break
    else:
        amount = f"{count} parameters"
    name = type(unwrapped(model)).__name__.removeprefix("FSDP")
    parts = [name, amount]
    if inputs:
        parts.append(f"batch {inputs[0][1]}")
    return " · ".join(parts)


def samples_of(inputs: list[tuple[str, list[int]]]) -> Optional[int]:
    """First extent of the model's first input, summed over its calls (gradient accumulation)."""
    if not inputs or any(not shape for _, shape in inputs):
        return None
    return sum(shape[0] for _, shape in inputs)


def memory_curve(tensors: dict[str, list], op_count: int) -> list[int]:
    """Live bytes during each op: the sum over tensors with first_op <= op <= last_op."""
    changes = [0] * (op_count + 1)
    for size, first, last in zip(tensors["bytes"], tensors["first_op"], tensors["last_op"]):
        changes[max(first, 0)] += size
        if last < op_count:
            changes[last + 1] -= size
    curve, live = [], 0
    for change in changes[:op_count]:
        live += change
        curve.append(live)
    return curve


def library_bytes(tensors: dict[str, list], op: int) -> int:
    """Bytes of the rows that are memory inside of libraries, during an op."""
    return sum(size for size, role, first, last in zip(tensors["bytes"], tensors["role"], tensors["first_op"],
                                                       tensors["last_op"])
               if role == INSIDE_LIBRARY and first <= op <= last)


class StepDocument:
    """Makes the tables. `fields` is what json.dump() takes."""

    def __init__(self, recorded: StructurePass, device: str, said: list[str]) -> None:
        self._recorded = recorded
        self._said = said
        self._phases = resolve_phases([op.phase for op in recorded.ops])
        self._made_by: dict[int, int] = {}
        for index, op in enumerate(recorded.ops):
            for row in op.writes:
                if recorded.storages.rows[row].first_op == index:
                    self._made_by.setdefault(row, index)
        # Rows of the file by rows of the recording. What is gone before the first op is resident in none of them, such as
        # the gradients of the step before where zero_grad() comes first: with it names would depend on where that stands.
        lives = [number for number, row in enumerate(recorded.storages.rows) if row.last_op != BEFORE]
        self._number = {row: number for number, row in enumerate(lives)}
        tensors = self._tensors()
        self.fields: dict[str, Any] = {
            "format": FORMAT, "version": VERSION,
            "created": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "program": f"plumbline-profiler {__version__} (torch {torch.__version__})",
            "title": title_of(recorded.model, recorded.inputs),
            "source": "measured", "environment": environment(device),
            "samples": samples_of(recorded.inputs), "parameters": parameter_count(recorded.model),
            "product_dtype": self._product_dtype(),
            "ops": self._ops(tensors), "tensors": tensors, "memory": self._memory(tensors),
            "measured": None, "recording": {}, "missing_formulas": self._missing(), "said": said,
        }

    # --- ops -------------------------------------------------------------------------------------------------

    def _ops(self, tensors: dict[str, list]) -> dict[str, list]:
        table: dict[str, list] = {column: [] for column in OP_COLUMNS}
        seen: Counter = Counter()
        for op, phase in zip(self._recorded.ops, self._phases):
            module = op.module or self._module_by_tensor(op.reads + op.writes, phase, tensors)
            short = op.kind.partition("::")[2]
            base = f"{phase}.{module}.{short}" if module else f"{phase}.{short}"
            number = seen[base]
            seen[base] += 1
            add_row(table, id=base if number == 0 else f"{base}#{number}", kind=op.kind,
                    overload="" if op.overload == "default" else op.overload, phase=phase, module=module,
                    name=f"{module or 'step'} · {phase} · {short}", flops=op.flops, matmul_flops=op.matmul_flops,
                    bytes=op.bytes, units=op.units, is_product=op.is_product, input_shapes=op.input_shapes,
                    reads=[self._number[row] for row in op.reads], writes=[self._number[row] for row in op.writes],
                    seconds=op.seconds,
                    seconds_source=None if op.seconds is None else "S" if op.kernels is None else "K", start=op.start)
        if any(op.kernels is not None for op in self._recorded.ops):
            table["kernels"] = [op.kernels or [] for op in self._recorded.ops]
        return table

    def _module_by_tensor(self, rows: list[int], phase: str, tensors: dict[str, list]) -> str:
        """The optimizer runs outside of modules: an op on one parameter's tensors belongs to its module."""
        if phase != "optimizer":
            return ""
        modules = {tensors["module"][self._number[row]] for row in rows if self._recorded.storages.rows[row].tag is not None}
        return modules.pop() if len(modules) == 1 else ""

    def _product_dtype(self) -> Optional[str]:
        totals: Counter = Counter()
        for op in self._recorded.ops:
            if op.is_product:
                totals[op.units] += op.matmul_flops
        return totals.most_common(1)[0][0] if totals else None

    def _missing(self) -> list[dict[str, Any]]:
        """Kinds of ops without a formula, with their share of the time of all ops; the largest first."""
        ops = self._recorded.ops
        timed = all(op.seconds is not None for op in ops) and bool(ops)
        whole = sum(op.seconds for op in ops) if timed else 0.0
        count: Counter = Counter()
        time: Counter = Counter()
        for op in ops:
            if op.flops is None:
                count[op.kind] += 1
                time[op.kind] += op.seconds or 0.0
        rows = [{"kind": kind, "ops": number, "share_of_time": time[kind] / whole if whole > 0 else None}
                for kind, number in count.items()]
        return sorted(rows, key=lambda row: (-(row["share_of_time"] or 0.0), row["kind"]))

    # --- tensors ---------------------------------------------------------------------------------------------

    def _tensors(self) -> dict[str, list]:
        recorded, count = self._recorded, len(self._recorded.ops)
        table: dict[str, list] = {column: [] for column in TENSOR_COLUMNS}
        phase_of = dict(zip(range(count), self._phases))
        names: Counter = Counter()
        read_in: dict[int, set[str]] = {}
        for op, phase in zip(recorded.ops, self._phases):
            for row in op.reads:
                read_in.setdefault(row, set()).add(phase)
        newest = {row.name: number for number, row in enumerate(recorded.storages.rows) if row.tag == "gradients"}
        for number in self._number:
            row = recorded.storages.rows[number]
            maker = self._made_by.get(number, row.made_by)
            made_in = phase_of[maker] if maker is not None and row.made_phase is not None else ""
            use = category_of(row, made_in, read_in.get(number, set()), self._cast_of(maker))
            name = row.name or self._name(row, maker, made_in, use)
            if row.tag == "gradients" and row.first_op == BEFORE and newest[name] != number:
                name += " (step before)"  # the name is that of the gradient which this step makes
            names[name] += 1
            last = count if row.last_op is None else max(row.last_op, row.first_op)
            add_row(table, name=name if names[name] == 1 else f"{name}#{names[name] - 1}", category=use.category,
                    role=use.role, module=row.module, dtype=row.dtype, shape=row.shape, bytes=row.bytes,
                    first_op=min(row.first_op, max(count - 1, 0)), last_op=last, made_by=maker,
                    freed_by=None if last >= count or last == BEFORE else last)
        return table

    def _name(self, row, maker: Optional[int], made_in: str, use: Use) -> str:
        if maker is None or use.category == "data":  # a batch has the same name whoever made it, and when
            return use.role
        place = self._recorded.ops[maker].module or made_in
        if made_in == "optimizer":  # named by the one thing of the model that it was made from
            known = [self._recorded.storages.rows[row] for row in self._recorded.ops[maker].reads]
            known = [source for source in known if source.tag is not None]
            if len(known) == 1:
                place, row.module = known[0].name, known[0].module
        kind = self._recorded.ops[maker].kind.partition("::")[2]
        return f"{place}:{kind}.grad" if made_in == "backward" else f"{place}:{kind}"

    def _cast_of(self, maker: Optional[int]) -> str:
        """The parameter that an op copies into another format (autocast), or ""."""
        if maker is None:
            return ""
        op = self._recorded.ops[maker]
        if op.kind not in ("aten::_to_copy", "aten::to") or len(op.reads) != 1:
            return ""
        source = self._recorded.storages.rows[op.reads[0]]
        return source.name if source.tag == "parameters" else ""

    # --- memory ----------------------------------------------------------------------------------------------

    def _memory(self, tensors: dict[str, list]) -> dict[str, Any]:
        count = len(self._recorded.ops)
        curve = memory_curve(tensors, count)
        if not curve:
            return {"start_bytes": self._recorded.start_bytes, "curve_peak_bytes": None, "curve_source": None,
                    "peak_op": None, "at_peak": None, "allocator_peak_bytes": None, "inside_libraries_bytes": None}
        peak = max(curve)
        place = curve.index(peak)
        alive = [first <= place <= last for first, last in zip(tensors["first_op"], tensors["last_op"])]
        at_peak = bytes_by_category([c for c, here in zip(tensors["category"], alive) if here],
                                    [b for b, here in zip(tensors["bytes"], alive) if here])
        return {"start_bytes": self._recorded.start_bytes, "curve_peak_bytes": peak, "curve_source": RECORDED_CURVE,
                "peak_op": place, "at_peak": at_peak, "allocator_peak_bytes": None, "inside_libraries_bytes": None}

    def add_allocator(self, peak_bytes: Optional[int]) -> None:
        """The allocator's own peak, of pass M; what tensors lack of it was taken inside libraries."""
        memory = self.fields["memory"]
        memory["allocator_peak_bytes"] = peak_bytes
        curve = memory["curve_peak_bytes"]
        if peak_bytes is not None and curve is not None:
            found = library_bytes(self.fields["tensors"], memory["peak_op"])
            memory["inside_libraries_bytes"] = peak_bytes - (curve - found)
            if peak_bytes < curve:
                self._said.append(f"The allocator's peak (pass M) is {curve - peak_bytes} bytes below the curve's "
                                  "(pass S): the two steps were not alike, or lived on other tensors before.")

    def add_prediction(self, predicted: dict[str, Any]) -> None:
        """Keeps what a prediction, made under fake tensors, said of this step's memory and work."""
        ops, tensors, memory = predicted["ops"], predicted["tensors"], predicted["memory"]
        mine = self.fields["tensors"]
        alone = {column: [value for value, role in zip(mine[column], mine["role"]) if role != INSIDE_LIBRARY]
                 for column in ("bytes", "first_op", "last_op")}
        curve = memory_curve(alone, len(self._recorded.ops))
        self.fields["prediction"] = {
            "created": predicted["created"], "program": predicted["program"],
            "device": predicted["environment"]["device"], "device_name": predicted["environment"]["device_name"],
            "op_ids": ops["id"], "curve": memory_curve(tensors, len(ops["id"])),
            "curve_peak_bytes": memory["curve_peak_bytes"], "at_peak": memory["at_peak"],
            "recorded_peak_bytes": max(curve) if curve else None,
            "flops": sum(flops or 0 for flops in ops["flops"]), "matmul_flops": sum(ops["matmul_flops"]),
        }
        if predicted["environment"]["device"] != self.fields["environment"]["device"]:
            self._said.append(f"The prediction in this file is for {predicted['environment']['device']}, and the step was "
                              f"recorded on {self.fields['environment']['device']}: their memory is not the same.")

    def add_times(self, step_seconds: list[float], pass_s_seconds: Optional[float]) -> None:
        """Wall times of the clean steps (pass T), and what recording the structure cost beside them."""
        median = statistics.median(step_seconds) if step_seconds else None
        self.fields["measured"] = {"steps": len(step_seconds), "step_seconds": step_seconds, "median": median,
                                   "pass": "T"}
        self.fields["recording"]["pass_s_seconds"] = pass_s_seconds
        known = median is not None and median > 0 and pass_s_seconds is not None
        self.fields["recording"]["overhead_ratio"] = pass_s_seconds / median if known else None
