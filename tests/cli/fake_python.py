#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands in for a Python with torch: fake_python.py -m plumbline engine, as FAKE_PYTHON says.

    (nothing)  two devices, trains until stopped and profiles
    missing    ends at once, as where the module is not installed
    mute       says nothing
    dies       ends in the middle of a training
    garbage    says what no engine says, in a training
"""

import json
import os
import sys
import time

MODE = os.environ.get("FAKE_PYTHON", "")


def say(id_, type_, **fields):
    print(json.dumps({"id": id_, "type": type_, **fields}), flush=True)


def device(mode, available=True):
    return {"available": available, "reason": "" if available else "no compiler is on the path",
            "machine": {"id": f"cpu-pytorch-{mode}", "name": f"PyTorch 9.9 {mode} – Some CPU", "backend": "cpu",
                        "memory_bytes": 1000, "bandwidth_bytes_per_s": None, "peak_flop_per_s": {},
                        "per_op_overhead_s": None, "source": "not calibrated"},
            "traits": {"backend": f"pytorch-{mode}", "casts_products": False, "library_scratch_bytes": 0,
                       "library_scratch_per_byte": 0.0, "library_scratch_base_bytes": 0}}


def reading(command):
    op = {"id": "optimizer", "name": "AdamW", "phase": "optimizer", "kind": "optimizer_step", "seconds": 1e-3,
          "flops": None, "bytes": None, "source": "clock"}
    return {"source": "clock", "steps_measured": command["steps"], "engine": "PyTorch 9.9 eager", "ops": [op],
            "remarks": ["told by a stand-in"], "memory": None,
            "totals": {"flops": None, "matmul_flops": None, "bytes": None, "seconds": 2e-3, "tier": "measured",
                       "samples_per_second": None, "flop_per_s": None, "mfu": None}}


def losses(id_, step):
    say(id_, "loss", step=[step], loss=[1 / (step + 1)], seconds=[step * 0.01], steps_done=step + 1,
        skipped_steps=0, steps_per_second=100)


def main():
    assert sys.argv[1:] == ["-m", "plumbline", "engine"], sys.argv
    if MODE == "missing":
        sys.exit("/usr/bin/python9: No module named plumbline")
    if MODE == "mute":
        time.sleep(600)
    say(0, "hello", version=1, program="fake python")
    say(0, "devices", devices=[device("eager"), device("compile", available=False)])
    running = None
    for line in sys.stdin:
        command = json.loads(line)
        kind, id_ = command["type"], command["id"]
        if kind == "profile":
            say(id_, "state", state="profiling")
            say(id_, "progress", what="profile", done=1, total=command["steps"])
            say(id_, "reading", measured=reading(command))
            say(id_, "finished", outcome="finished", steps_done=command["steps"])
            say(id_, "state", state="idle")
        elif kind == "run":
            running = id_
            say(id_, "state", state="running")
            for step in range(3):
                losses(id_, step)
            if MODE == "dies":
                sys.exit("torch: illegal instruction")
            if MODE == "garbage":
                print("Epoch 1 of 10", flush=True)
            if command["config"].get("dim") == 13:
                say(id_, "error", code="bad_input", message="thirteen is not liked (13)", hint="take 12")
                say(id_, "finished", outcome="failed: thirteen is not liked (13)", steps_done=0)
        elif kind in ("pause", "resume"):
            losses(running, 10 if kind == "pause" else 20)  # so that the test sees that it arrived
        elif kind == "stop":
            say(running, "finished", outcome="stopped", steps_done=3)


main()
