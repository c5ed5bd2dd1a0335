#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes small memory snapshots in PyTorch's form, and what they hold by plain sums.

    make_snapshots.py FOLDER              the samples of the tests and expected.json
    make_snapshots.py --large MIB FILE    one snapshot of about so many MiB, for measuring the reader

The memory comes from a model of the caching allocator (pools of small and large blocks, splitting, merging, frees that
wait for another stream), so that blocks tile their segments and the trace agrees with them. The expected figures are
sums over the entries as they are written, and know nothing of the reader.
"""

import json
import os
import pickle
import struct
import sys

MIB = 1 << 20
T0 = 1_750_000_000_000_000  # microseconds of Unix time


def frame(name, filename="??", line=0):
    return {"name": name, "filename": filename, "line": line}


RECORDING = [frame("torch::unwind::unwind()"), frame("torch::CapturedTraceback::gather(bool, bool, bool)")]
MAIN = [frame("main", "/home/a/train.py", 70), frame("<module>", "/home/a/train.py", 81)]
ENGINE = [frame("torch::autograd::Engine::evaluate_function(std::shared_ptr<torch::autograd::GraphTask>&)"),
          frame("torch::autograd::Engine::thread_main(std::shared_ptr<torch::autograd::GraphTask> const&)")]
OPTIMIZER = [frame("_init_group", "/venv/lib/torch/optim/adamw.py", 140),
             frame("step", "/venv/lib/torch/optim/adamw.py", 210)]


def op(name):
    return frame(f"at::_ops::{name}::call(at::Tensor const&, at::Tensor const&)")


def forward(layer):
    return RECORDING + [op("empty_memory_format"), op("addmm"), frame("forward", "/venv/lib/torch/nn/modules/linear.py", 125),
                        frame("forward", "/home/a/model.py", 40 + layer)] + MAIN


def backward(layer):
    return RECORDING + [op("mm"), frame("torch::autograd::generated::AddmmBackward0::apply(std::vector<at::Tensor>&&)")] + ENGINE


STACKS = {
    "parameters": RECORDING + [frame("__init__", "/home/a/model.py", 12)] + MAIN,
    "batch": RECORDING + MAIN,
    "optimizer": RECORDING + [op("zeros_like")] + OPTIMIZER + MAIN,
    "workspace": RECORDING + [frame("at::cuda::getNewWorkspace()")] + ENGINE,
    "unknown": [],
    **{f"forward{i}": forward(i) for i in range(3)},
    **{f"backward{i}": backward(i) for i in range(3)},
}
ORIGINS = {"parameters": "other", "batch": "other", "optimizer": "optimizer", "workspace": "workspace",
           "unknown": "unknown", "forward0": "forward", "forward1": "forward", "forward2": "forward",
           "backward0": "backward", "backward1": "backward", "backward2": "backward"}


class Allocator:
    """Blocks by address; a free block is merged with its neighbours."""

    def __init__(self, device, base, expandable=False):
        self.device, self.next, self.expandable = device, base, expandable
        self.segments, self.trace, self.time = [], [], T0
        self.recording = False
        self.origin_of = {}

    def note(self, action, addr, size, stack, **more):
        self.time += 7
        if self.recording:
            entry = {"action": action, "addr": addr, "size": size, "stream": 0, "time_us": self.time,
                     "frames": STACKS[stack], **more}
            if action == "oom":
                entry["device_free"] = entry.pop("addr")
            self.trace.append(entry)

    def alloc(self, size, stack, **more):
        rounded = max(512, (size + 511) // 512 * 512)
        small = rounded <= MIB
        best = None
        for segment in self.segments:
            if (segment["segment_type"] == "small") != small:
                continue
            for block in segment["blocks"]:
                if block["state"] == "inactive" and block["size"] >= rounded and (
                        best is None or block["size"] < best[1]["size"]):
                    best = (segment, block)
        if best is None:
            total = 2 * MIB if small else 20 * MIB if rounded < 10 * MIB else (rounded + 2 * MIB - 1) // (2 * MIB) * 2 * MIB
            segment = {"device": self.device, "address": self.next, "total_size": total, "allocated_size": 0,
                       "active_size": 0, "requested_size": 0, "stream": 0,
                       "segment_type": "small" if small else "large", "segment_pool_id": (0, 0),
                       "is_expandable": self.expandable,
                       "blocks": [{"address": self.next, "size": total, "requested_size": 0, "state": "inactive", "frames": []}],
                       "frames": STACKS[stack]}
            self.next += 1 << 30
            self.segments.append(segment)
            self.note("segment_map" if self.expandable else "segment_alloc", segment["address"], total, stack)
            best = (segment, segment["blocks"][0])
        segment, block = best
        rest = block["size"] - rounded
        if rest >= 512 if small else rest > MIB:
            place = segment["blocks"].index(block)
            segment["blocks"].insert(place + 1, {"address": block["address"] + rounded, "size": rest, "requested_size": 0,
                                                 "state": "inactive", "frames": []})
            block["size"] = rounded
        block.update(requested_size=size, state="active_allocated", frames=STACKS[stack])
        self.note("alloc", block["address"], size, stack, **more)
        self.origin_of[block["address"]] = ORIGINS[stack]
        return block["address"]

    def find(self, address):
        for segment in self.segments:
            for block in segment["blocks"]:
                if block["address"] == address:
                    return segment, block
        raise KeyError(address)

    def free(self, address, stack, complete=True):
        segment, block = self.find(address)
        self.note("free_requested", address, block["requested_size"], stack)
        block["state"] = "active_pending_free"
        if complete:
            self.complete(address, stack)

    def complete(self, address, stack):
        segment, block = self.find(address)
        self.note("free_completed", address, block["requested_size"], stack)
        block.update(state="inactive", requested_size=0, frames=[])
        blocks = segment["blocks"]
        for left, right in ((blocks.index(block) - 1, block), (blocks.index(block), None)):
            if right is None:
                place = blocks.index(block)
                if place + 1 < len(blocks) and blocks[place + 1]["state"] == "inactive":
                    block["size"] += blocks.pop(place + 1)["size"]
            elif left >= 0 and blocks[left]["state"] == "inactive":
                blocks[left]["size"] += right["size"]
                blocks.remove(right)
                block = blocks[left]

    def give_back(self):
        for segment in [s for s in self.segments if len(s["blocks"]) == 1 and s["blocks"][0]["state"] == "inactive"]:
            self.segments.remove(segment)
            self.note("segment_unmap" if self.expandable else "segment_free", segment["address"], segment["total_size"], "batch")

    def finished(self):
        for segment in self.segments:
            active = [b for b in segment["blocks"] if b["state"] != "inactive"]
            segment["active_size"] = sum(b["size"] for b in active)
            segment["allocated_size"] = sum(b["size"] for b in active if b["state"] == "active_allocated")
            segment["requested_size"] = sum(b["requested_size"] for b in active)
        return self.segments


def train(allocator, steps, width=700):
    """A model and a batch from before the recording, then steps; the last one leaves its tensors behind."""
    allocator.recording = False
    parameters = [allocator.alloc(width * width * 4, "parameters") for _ in range(3)]
    old = allocator.alloc(25 * MIB, "batch")
    unused = allocator.alloc(30 * MIB, "batch")
    allocator.free(unused, "batch")
    allocator.recording = True
    allocator.give_back()
    states = []
    for step in range(steps):
        batch = allocator.alloc(64 * width * 4 + 100, "batch")
        kept = [allocator.alloc(64 * width * 4 * (i + 1), f"forward{i}") for i in range(3)]
        if step == 0:
            allocator.alloc(8_519_680, "workspace")
        gradients = []
        for i in reversed(range(3)):
            gradients.append(allocator.alloc(width * width * 4, f"backward{i}"))
            temporary = allocator.alloc(64 * width * 4, f"backward{i}")
            allocator.free(kept.pop(), f"backward{i}", complete=i != 1)
            allocator.free(temporary, f"backward{i}")
        if step == 0:
            states = [allocator.alloc(width * width * 4, "optimizer") for _ in range(6)]
            allocator.free(old, "batch")
        for gradient in gradients:
            allocator.free(gradient, "optimizer")
        allocator.note("snapshot", 0, 0, "batch")
        if step + 1 < steps:
            allocator.free(batch, "batch")
    allocator.note("oom", 123_456_789, 80_000_000_000, "forward1")
    return parameters, states


def expected(snapshot, origins):
    result = {}
    for device in sorted({s["device"] for s in snapshot["segments"]} |
                         {i for i, t in enumerate(snapshot["device_traces"]) if t}):
        trace = snapshot["device_traces"][device] if device < len(snapshot["device_traces"]) else []
        segments = [s for s in snapshot["segments"] if s["device"] == device]
        blocks = [b for s in segments for b in s["blocks"]]
        used = [b for b in blocks if b["state"] != "inactive"]
        total = lambda *actions: sum(e["size"] for e in trace if e["action"] in actions)
        requested = lambda b: b["requested_size"] if "requested_size" in b else b["history"][0]["real_size"]
        end = sum(requested(b) for b in used)
        start = end - total("alloc") + total("free_completed")
        reserved_end = sum(s["total_size"] for s in segments)
        reserved_start = reserved_end - total("segment_alloc", "segment_map") + total("segment_free", "segment_unmap")
        live, peak, peak_at, reserved, reserved_peak = start, start, -1, reserved_start, None
        for i, entry in enumerate(trace):
            sign = {"alloc": 1, "free_completed": -1}.get(entry["action"], 0)
            live += sign * entry["size"]
            sign = {"segment_alloc": 1, "segment_map": 1, "segment_free": -1, "segment_unmap": -1}.get(entry["action"], 0)
            reserved += sign * entry["size"]
            if live > peak:
                peak, peak_at = live, i
            if reserved_peak is not None or entry["action"] in ("alloc", "segment_alloc", "segment_map"):
                reserved_peak = max(reserved, reserved_peak or 0)
        alive = {b["address"]: (requested(b), origins.get(b["address"], "unknown")) for b in used if "address" in b}
        # Backwards from the end to the peak; what is freed after it and was made before the trace has no stack.
        made = {e["addr"] for e in trace if e["action"] == "alloc"}
        for entry in reversed(trace[peak_at + 1:]):
            if entry["action"] == "free_completed":
                alive[entry["addr"]] = (entry["size"], None)
            if entry["action"] == "alloc":
                alive.pop(entry["addr"], None)
        by_origin = {}
        last_origin = {}
        for entry in trace[:peak_at + 1]:
            if entry["action"] == "alloc":
                last_origin[entry["addr"]] = origin_of(entry["frames"])
        for address, (size, origin) in alive.items():
            name = last_origin.get(address, origin) or "unknown"
            by_origin[name] = by_origin.get(name, 0) + size
        assert sum(by_origin.values()) == peak or "history" in str(blocks[:1]), (by_origin, peak)
        split = sum(b["size"] for s in segments for b in s["blocks"]
                    if b["state"] == "inactive" and any(o["state"] != "inactive" for o in s["blocks"]))
        result[str(device)] = {
            "entries": len(trace), "start_bytes": start, "peak_bytes": peak, "peak_entry": peak_at, "end_bytes": end,
            "reserved_start_bytes": reserved_start, "reserved_end_bytes": reserved_end,
            "reserved_peak_bytes": reserved_start if reserved_peak is None else reserved_peak,
            "segments": len(segments), "blocks": len(blocks),
            "active_bytes": sum(b["size"] for b in used),
            "inactive_bytes": sum(b["size"] for b in blocks if b["state"] == "inactive"),
            "inactive_split_bytes": split,
            "largest_free_block_bytes": max([b["size"] for b in blocks if b["state"] == "inactive"], default=0),
            "out_of_memory": sum(e["action"] == "oom" for e in trace),
            "living_at_peak": len(alive), "origins_at_peak": by_origin}
    return result


def origin_of(frames):
    for name, stack in STACKS.items():
        if stack is frames:
            return ORIGINS[name]
    return "unknown"


def settings():
    return {"PYTORCH_CUDA_ALLOC_CONF": "", "max_split_size": -1, "garbage_collection_threshold": 0.0,
            "expandable_segments": False, "roundup_power2_divisions": {"1": 0, "2": 0}}


def one_device():
    allocator = Allocator(0, 0x7F00_0000_0000)
    train(allocator, 2)
    allocator.trace.append({"action": "a_new_one", "addr": 1, "size": 5, "stream": 0, "time_us": allocator.time,
                            "frames": STACKS["batch"]})
    annotations = [{"stage": stage, "name": "Optimizer.step#AdamW.step", "device": 0, "time_us": T0 + 50 + i}
                   for i, stage in enumerate(("START", "END"))]
    return ({"segments": allocator.finished(), "device_traces": [allocator.trace], "allocator_settings": settings(),
             "external_annotations": annotations}, allocator.origin_of)


def two_devices():
    """Fields of newer versions: pool_id, compile_context, metadata as dict; the first device has no entry."""
    first = Allocator(1, 0x7E00_0000_0000)
    second = Allocator(2, 0xFFFF_0000_0000_0000, expandable=True)
    train(first, 1)
    train(second, 3, 300)
    for number, entry in enumerate(first.trace + second.trace):
        entry.update(compile_context="N/A", pool_id=(0, number % 2), internal_metadata="",
                     user_metadata={"phase": "forward", "module": f"blocks.{number % 3}"} if number % 2 else "")
    for entry in second.trace:
        if entry["action"] == "alloc" and entry["size"] > 300_000:
            entry["category"] = "parameter"
    origins = {**first.origin_of, **second.origin_of}
    return {"segments": first.finished() + second.finished(), "device_traces": [[], first.trace, second.trace],
            "allocator_settings": settings(), "external_annotations": [], "host_segments": [], "host_traces": []}, origins


def old():
    """Before 2.1: no addresses of blocks, what they hold in a history; no trace."""
    snapshot, _ = one_device()
    for segment in snapshot["segments"]:
        for key in ("requested_size", "segment_pool_id", "is_expandable", "frames"):
            del segment[key]
        for block in segment["blocks"]:
            used = block["state"] != "inactive"
            block["history"] = [{"addr": block["address"], "real_size": block["requested_size"] if used else block["size"],
                                 "frames": block["frames"]}]
            for key in ("address", "requested_size", "frames"):
                del block[key]
    return {"segments": snapshot["segments"], "device_traces": [[]]}, {}


def samples():
    snapshot, origins = one_device()
    for protocol in (2, 3, 4, 5):
        yield f"step_protocol{protocol}.pickle", pickle.dumps(snapshot, protocol), expected(snapshot, origins)
    snapshot, origins = two_devices()
    figures = expected(snapshot, origins)
    for figure in figures.values():
        del figure["origins_at_peak"]  # some of its entries name their category themselves
    yield "two_devices.pickle", pickle.dumps(snapshot, 4), figures
    snapshot, origins = old()
    figures = expected(snapshot, origins)
    for figure in figures.values():
        for key in ("living_at_peak", "origins_at_peak"):
            del figure[key]
    yield "before_2.1.pickle", pickle.dumps(snapshot, 4), figures
    yield "segments_alone.pickle", pickle.dumps(one_device()[0]["segments"], 4), None


def write_large(mib, path):
    """As CPython's pickler writes it: every dict, list and text noted, frames shared by reference; in constant memory."""
    stacks = [[(f"function_{i * 31 + j}", f"/home/a/module_{j}.py", i + j) for j in range(36)] for i in range(400)]
    memo = 0
    with open(path, "wb") as file:
        def text(value):
            nonlocal memo
            raw = value.encode()
            memo += 1
            return b"\x8c" + bytes([len(raw)]) + raw + b"\x94"

        def get(number):
            return b"h" + bytes([number]) if number < 256 else b"j" + struct.pack("<I", number)

        def whole(value):
            if value < 256:
                return b"K" + bytes([value])
            if value < 1 << 31:
                return b"J" + struct.pack("<i", value)
            return b"\x8a\x08" + struct.pack("<q", value)

        keys = {}

        def key(name):
            if name in keys:
                return get(keys[name])
            keys[name] = memo
            return text(name)

        def container(opcode):
            nonlocal memo
            memo += 1
            return opcode + b"\x94"

        frames = {}
        lists = {}
        file.write(b"\x80\x04" + container(b"}") + b"(" + key("segments") + container(b"]") + key("device_traces") +
                   container(b"]") + container(b"]"))
        entries, live, written = 0, [], 0
        while written < mib * MIB:
            out = [b"("]
            for _ in range(1000):
                entries += 1
                freeing = len(live) > 4000
                action = ("free_requested", "free_completed")[entries % 2] if freeing else "alloc"
                address, size = live[0] if freeing else (0x7F00_0000_0000 + entries * 512, 512 + entries * 37 % 100_000_000)
                if freeing and action == "free_completed":
                    live.pop(0)
                elif not freeing:
                    live.append((address, size))
                out.append(container(b"}") + b"(" + key("action") + key_value(keys, action, text, get, lambda: memo))
                out.append(key("addr") + whole(address) + key("size") + whole(size) + key("stream") + whole(0))
                out.append(key("time_us") + whole(T0 + entries * 3) + key("frames"))
                stack = entries * 7919 % len(stacks)
                if entries % 3 and stack in lists:
                    out.append(get(lists[stack]))
                else:
                    lists[stack] = memo
                    out.append(container(b"]") + b"(")
                    for one in stacks[stack]:
                        if one in frames:
                            out.append(get(frames[one]))
                            continue
                        frames[one] = memo
                        out.append(container(b"}") + b"(" + key("name") + key_value(keys, one[0], text, get, lambda: memo) +
                                   key("filename") + key_value(keys, one[1], text, get, lambda: memo) +
                                   key("line") + whole(one[2]) + b"u")
                    out.append(b"e")
                out.append(b"u")
            chunk = b"".join(out) + b"e"
            file.write(chunk)
            written += len(chunk)
        file.write(b"au.")
    print(f"{path}: {entries} entries, {os.path.getsize(path)} bytes")


def key_value(keys, value, text, get, memo):
    if value in keys:
        return get(keys[value])
    keys[value] = memo()
    return text(value)


def main(arguments):
    if arguments[0] == "--large":
        write_large(int(arguments[1]), arguments[2])
        return
    folder = arguments[0]
    figures = {}
    for name, content, expectation in samples():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
        if expectation is not None:
            figures[name] = expectation
    with open(os.path.join(folder, "expected.json"), "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1:])
