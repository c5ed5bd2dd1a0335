#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what a run of the GPU tests found, and on which device, as one JSON document.

    report.py --junit CTEST.xml --out RESULT.json --ctest-status N

Exits 0 only when at least one test labelled gpu ran and none failed: a run in which nothing was checked is
recorded as such and is no success.
"""

import argparse
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from datetime import datetime, timezone

DEVICE_FIELDS = ("name", "uuid", "driver_version", "memory.total", "compute_cap", "clocks.max.sm", "clocks.max.mem",
                 "power.limit", "ecc.mode.current", "mig.mode.current")


def output_of(*command):
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def devices():
    """The devices that the driver reports, each value with its unit as the driver writes it."""
    listed = output_of("nvidia-smi", f"--query-gpu={','.join(DEVICE_FIELDS)}", "--format=csv,noheader")
    rows = (listed or "").splitlines()
    return [dict(zip(DEVICE_FIELDS, (value.strip() for value in row.split(",")))) for row in rows]


def tests_in(junit):
    """(name, outcome, seconds) of each test; empty where ctest wrote no file or found no test."""
    if not os.path.isfile(junit):
        return []
    found = []
    for case in ElementTree.parse(junit).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
            outcome = "failed"
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            outcome = "skipped"
        else:
            outcome = "passed"
        found.append({"name": case.get("name"), "outcome": outcome, "seconds": float(case.get("time") or 0)})
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--junit", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--ctest-status", type=int, required=True)
    arguments = parser.parse_args()

    tests = tests_in(arguments.junit)
    count = {outcome: sum(test["outcome"] == outcome for test in tests) for outcome in ("passed", "failed", "skipped")}
    if not tests:
        outcome = "no gpu tests"
    elif count["failed"] or (arguments.ctest_status and count["passed"]):
        outcome = "failed"
    elif not count["passed"]:
        outcome = "nothing ran"
    else:
        outcome = "passed"

    report = {
        "format": "plumbline.gpu-result",
        "version": 1,
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "commit": output_of("git", "rev-parse", "HEAD"),
        "uncommitted_changes": bool(output_of("git", "status", "--porcelain")),
        "devices": devices(),
        "outcome": outcome,
        "tests": {"total": len(tests), **count, "cases": tests},
    }
    with open(arguments.out, "w", encoding="utf-8") as target:
        json.dump(report, target, indent=2)
        target.write("\n")

    sentence = {
        "passed": f"{count['passed']} gpu tests passed, {count['skipped']} skipped",
        "failed": f"{count['failed']} of {len(tests)} gpu tests failed (ctest: {arguments.ctest_status})",
        "nothing ran": f"all {len(tests)} gpu tests were skipped, so nothing was checked",
        "no gpu tests": "this build has no tests labelled gpu, so nothing was checked",
    }[outcome]
    print(f"{sentence}; written to {arguments.out}")
    return 0 if outcome == "passed" else 1


if __name__ == "__main__":
    sys.exit(main())
