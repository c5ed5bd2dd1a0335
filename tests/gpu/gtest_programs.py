# SPDX-License-Identifier: Apache-2.0
"""Runs the test programs for a GPU so that no test hides another: one process for many tests, since starting CUDA takes
longer than most of them; after a crash or a hang the rest in a new one; what failed once more by itself, because an error
of the device sticks to its process."""

import re

OUTCOME = re.compile(r"^\[ +(OK|RUN|FAILED|SKIPPED) +\] (\S+)")
MOST_STARTS = 12
MOST_REPEATS = 8
HANGS_AFTER = 40  # seconds that no test takes


def outcomes(text):
    """By test: "ok", "failed", "skipped", or "ended" for one that began and said nothing more."""
    found = {}
    for line in text.splitlines():
        match = OUTCOME.match(line)
        if not match:
            continue
        what, test = match.group(1), match.group(2).rstrip(",")
        if "." not in test:
            continue  # "[  SKIPPED ] 3 tests, listed below:"
        if what == "RUN":
            found[test] = "ended"
        elif found.get(test) in (None, "ended"):
            found[test] = {"OK": "ok", "FAILED": "failed", "SKIPPED": "skipped"}[what]
    return found


def listed(calls, program):
    """Every test of a program."""
    suite, tests = "", []
    for line in calls.call([program, "--gtest_list_tests"], 30, f"{program.name}-list").splitlines():
        name = line.split("#")[0].rstrip()
        if name.startswith("  "):
            tests.append(suite + name.strip())
        elif name.endswith("."):
            suite = name
    return tests


def run_all(calls, program):
    """{"passed": [...], "skipped": {...}, "failed": {test: how}, "not_run": [...]} of the program."""
    found = {"passed": [], "skipped": [], "failed": {}, "not_run": []}
    wanted = everyone = listed(calls, program)
    starts = 0
    while wanted and starts < MOST_STARTS and calls.left() > 3:
        starts += 1
        name = f"{program.name}-{starts}"
        try:
            text = calls.call([program, f"--gtest_filter={':'.join(wanted)}"], calls.left() - 1, name, partial=True,
                              quiet=HANGS_AFTER)
        except RuntimeError as error:
            text = ""
            found["failed"][f"{program.name} (start)"] = str(error)[:300]
        done = outcomes(text)
        if not done:
            break
        for test, how in done.items():
            if how == "ok":
                found["passed"].append(test)
            elif how == "skipped":
                found["skipped"].append(test)
            else:
                found["failed"][test] = f"{'crashed or hung' if how == 'ended' else 'failed'}, see {name}.out"
        wanted = [test for test in wanted if test not in done]
    found["not_run"] = wanted
    again = [test for test, how in found["failed"].items() if test in everyone and how.startswith("failed")]
    for test in again[:MOST_REPEATS]:
        if calls.left() < 10:
            break
        text = calls.call([program, f"--gtest_filter={test}"], 30, f"{program.name}-alone-{test.split('.')[1][:40]}",
                          partial=True)
        if outcomes(text).get(test) == "ok":
            found["failed"][test] += "; passes by itself"
    return found
