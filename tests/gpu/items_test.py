#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What hangs, crashes, fails or is missing costs its own item and nothing else, and what was found is on disk at once."""

import errno
import json
import os
import pathlib
import signal
import subprocess
import sys
import tarfile
import time
import unittest
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import gtest_programs  # noqa: E402
import machine  # noqa: E402
import plan  # noqa: E402
import record as records  # noqa: E402
from items import Calls, Item, Missing, OutOfTime, Runner, Stopped, write  # noqa: E402
from measurements import NARROW, RUNS, Measurements  # noqa: E402
from record import Record  # noqa: E402
from scripted_machine import InAFolder, write_program  # noqa: E402

FAKE_TESTS = """#!/usr/bin/env python3
import os, sys, time
TESTS = ["A.passes", "A.crashes", "A.skips", "B.hangs", "B.fails", "B.failsAfterOthers", "B.passesToo"]
if sys.argv[1] == "--gtest_list_tests":
    for suite in "AB":
        print(suite + ".")
        for test in TESTS:
            if test[0] == suite:
                print("  " + test[2:] + "  # comment")
    sys.exit(0)
chosen = sys.argv[1].removeprefix("--gtest_filter=").split(":")
for test in TESTS:
    if test not in chosen:
        continue
    print("[ RUN      ]", test, flush=True)
    if "crashes" in test:
        os.abort()
    if "hangs" in test:
        time.sleep(600)
    bad = test == "B.fails" or (test == "B.failsAfterOthers" and len(chosen) > 1)
    print("[  FAILED  ]" if bad else "[  SKIPPED ]" if "skips" in test else "[       OK ]", test, "(0 ms)", flush=True)
print("[  SKIPPED ] 1 test, listed below:")
"""


def ends(pid, patience=60):
    """Gone, or dead and not yet noticed by its parent. A busy machine takes its time to end what was killed."""
    limit = time.monotonic() + patience
    while time.monotonic() < limit:
        try:
            if pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


def summary_of(results):
    return {"items": list(results)}, f"{len(results)} items\n"


class WithARecord(InAFolder):
    def record(self, build="abc", part=1, summarise=summary_of, out="out"):
        (self.out / out).mkdir(exist_ok=True)
        work = self.out / f"work-{len(list(self.out.iterdir()))}"
        return Record(self.out / out, work, {"build": build}, part, summarise)

    def runner(self, record, seconds=60):
        return Runner(record, record.work / "logs", seconds)

    def parts(self, out="out"):
        return json.loads((self.out / out / "parts.json").read_text())


class OneCall(InAFolder):
    def calls(self, seconds=60):
        return Calls(self.out, seconds)

    def test_what_a_command_leaves_behind_ends_with_it_and_keeps_nobody_waiting(self):
        mark = self.out / "grandchild"
        begin = time.monotonic()
        with self.assertRaisesRegex(RuntimeError, "more than 1 s"):
            self.calls().call(["sh", "-c", f"sleep 300 & echo $! > {mark}; echo said; wait"], 1, "hang")
        self.assertLess(time.monotonic() - begin, 30)
        self.assertTrue(ends(int(mark.read_text())))
        self.assertIn("said", (self.out / "hang.out").read_text())

    def test_what_was_said_before_the_limit_or_a_crash_is_kept_where_it_counts(self):
        calls = self.calls()
        self.assertEqual(calls.call(["sh", "-c", "echo early; exec sleep 300"], 1, "slow", partial=True), "early\n")
        self.assertEqual(calls.call(["sh", "-c", "echo early; exit 9"], 9, "crash", partial=True), "early\n")
        with self.assertRaisesRegex(RuntimeError, "exit 9: why"):
            calls.call(["sh", "-c", "echo why >&2; exit 9"], 9, "silent", partial=True)

    def test_what_is_missing_is_told_from_what_fails(self):
        calls = self.calls()
        with self.assertRaisesRegex(Missing, "no PyTorch here"):
            calls.call(["sh", "-c", "echo no PyTorch here >&2; exit 3"], 9, "absent", missing_by=3)
        with self.assertRaisesRegex(RuntimeError, "exit 3"):  # of our own program it is a failure: there is a GPU
            calls.call(["sh", "-c", "exit 3"], 9, "ours")
        with self.assertRaisesRegex(Missing, "does not start"):
            calls.call([self.out / "not-there"], 9, "absent")

    def test_a_program_that_says_nothing_more_is_taken_to_hang(self):
        begin = time.monotonic()
        with self.assertRaisesRegex(RuntimeError, "more than"):
            self.calls().call(["sh", "-c", "exec sleep 300"], 200, "quiet", quiet=1)
        self.assertLess(time.monotonic() - begin, 30)
        text = self.calls().call(["sh", "-c", "for i in 1 2 3 4; do echo $i; sleep 0.5; done"], 200, "talks", quiet=30)
        self.assertEqual(text.split(), ["1", "2", "3", "4"])

    def test_a_command_does_not_outlive_a_proof_that_was_killed(self):
        mark = self.out / "child"
        program = (f"import sys; sys.path.insert(0, {str(HERE)!r}); import items\n"
                   f"items.Calls({str(self.out)!r}, 300).call(['sh', '-c', 'echo $$ > {mark}.new; mv {mark}.new {mark}; exec sleep 300'], "
                   "300, 'long')")
        process = subprocess.Popen([sys.executable, "-B", "-c", program])
        until = time.monotonic() + 60
        while not mark.exists() and time.monotonic() < until:
            time.sleep(0.01)
        process.kill()
        process.wait()
        self.assertTrue(ends(int(mark.read_text())))

    def test_the_state_of_a_gpu_that_takes_too_long_costs_no_measurement(self):
        with mock.patch.object(machine, "nvidia_smi", return_value="sleep"):
            self.assertEqual(machine.state(self.calls(0.5)), "out of time")

    def test_no_command_begins_after_the_time_of_its_item(self):
        with self.assertRaises(OutOfTime):
            self.calls(0.5).call(["true"], 9, "late")


class Items(WithARecord):
    def test_one_that_fails_costs_itself_and_everything_is_written_at_once(self):
        seen = []

        def summarise(results):
            seen.append(list(results))
            return summary_of(results)
        record = self.record(summarise=summarise)

        def absent(_):
            raise Missing("no such tool", "seen")
        self.runner(record).run([
            Item("one", 9, lambda calls: {"x": 1}), Item("two", 9, lambda calls: 1 // 0), Item("three", 9, absent),
            Item("four", 9, lambda calls: (self.assertEqual(self.parts()["one"]["result"], {"x": 1}), 4)[1])])
        self.assertEqual({name: outcome["outcome"] for name, outcome in self.parts().items()},
                         {"one": "done", "two": "failed", "three": "absent", "four": "done"})
        self.assertEqual((self.parts()["three"]["reason"], self.parts()["three"]["result"]), ("no such tool", "seen"))
        self.assertEqual((record.failures(), record.unfinished()), (["two"], []))
        self.assertEqual(seen[0], ["one"])
        self.assertEqual(seen[-1], ["one", "two", "three", "four"])
        self.assertEqual((self.out / "out" / "summary.md").read_text(), "4 items\n")

    def test_a_summary_that_fails_and_time_that_is_over_stop_nothing(self):
        record = self.record(summarise=lambda results: 1 // 0)
        self.runner(record, seconds=1).run([Item("late", 9, lambda calls: self.fail("was begun"))])
        self.assertEqual(self.parts()["late"]["reason"], "out of time")
        self.assertEqual(record.unfinished(), ["late"])

    def test_time_that_is_an_items_own_cannot_be_taken_by_one_before_it(self):
        seen = {}

        def work(name):
            return lambda calls: seen.update({name: calls.left()})
        self.runner(self.record(), seconds=100).run(
            [Item("greedy", 10, work("greedy"), 90), Item("next", 40, work("next")), Item("last", 20, work("last"), 300)])
        self.assertAlmostEqual(seen["greedy"], 40, delta=5)  # 100, less the 60 of the others
        self.assertAlmostEqual(seen["next"], 40, delta=5)
        self.assertAlmostEqual(seen["last"], 100, delta=10)  # nobody comes after it

    def test_a_failure_is_one_where_time_was_short_but_not_what_was_short(self):
        record = self.record()

        def late(calls):
            calls.call(["sleep", "300"], 99, "late")
        self.runner(record, seconds=8).run([Item("fails", 60, lambda calls: 1 // 0), Item("late", 60, late)])
        self.assertEqual({name: outcome["outcome"] for name, outcome in self.parts().items()},
                         {"fails": "failed", "late": "not run"})

    def test_where_time_is_short_the_first_ones_get_theirs(self):
        seen = {}
        self.runner(self.record(), seconds=30).run(
            [Item("first", 25, lambda calls: seen.update(first=calls.left()), 60), Item("second", 25, lambda calls: None)])
        self.assertAlmostEqual(seen["first"], 25, delta=3)

    def test_a_stop_is_written_down_and_ends_the_run(self):
        record = self.record()

        def stopped(_):
            raise Stopped("SIGTERM")
        with self.assertRaises(Stopped):
            self.runner(record).run([Item("one", 9, lambda calls: 1), Item("two", 9, stopped), Item("three", 9, lambda c: 3)])
        self.assertEqual({name: outcome["outcome"] for name, outcome in self.parts().items()}, {"one": "done", "two": "not run"})

    def test_a_part_of_nine_minutes_has_room_for_all_of_its_items(self):
        measurements = Measurements(self.out, self.out, {}, {}, None)
        names = []
        for part in (1, 2, 3):
            items = plan.items_of(part, measurements, ["gpu_backend_tests", "gpu_kernel_tests"], {})
            self.assertLessEqual(sum(item.seconds for item in items), plan.PART_SECONDS - plan.WRITING_SECONDS, part)
            names += [item.name for item in items]
        self.assertEqual(len(names), len(set(names)), "results are kept by name")
        self.assertLessEqual(plan.PART_SECONDS, 9 * 60)
        for run in RUNS:  # every run is timed, counted, repeated and timed in every way of PyTorch that there is room for
            for wanted in ("plumbline {}", "counters {}", "again {}", "torch {} quick"):
                self.assertIn(wanted.format(run[0]), names)
            self.assertEqual(f"torch {run[0]} autotune" in names, run[2] not in NARROW)
            self.assertEqual(f"losses {run[0]}" in names, run[1] == "launches" or run[2] in NARROW)


class PyTorch(WithARecord):
    def test_what_was_timed_before_the_end_counts_and_the_rest_is_told(self):
        for end, seconds, outcome, reason in (("sys.exit(9)", 60, "failed", "ended before these were timed: graph"),
                                              ("time.sleep(300)", 7, "not run", "out of time, not timed: graph")):
            python = write_program(self.out, "python3", f"""#!{sys.executable}
import sys, time
print('{{"name": "eager", "seconds": 2.0}}', flush=True)
print('{{"name": "gra', end="", flush=True)
{end}
""")
            measured = Measurements(self.out, self.out, {}, {}, str(python))
            record = self.record()
            self.runner(record, seconds=200).run([Item("torch", seconds, lambda calls, m=measured: m.theirs(calls, RUNS[0], ["eager", "graph"]))])
            self.assertEqual(self.parts()["torch"]["outcome"], outcome)
            self.assertIn(reason, self.parts()["torch"]["reason"])
            self.assertEqual(self.parts()["torch"]["result"]["eager"]["seconds"], 2.0)


class Records(WithARecord):
    def test_what_is_finished_is_taken_over_by_name_and_build(self):
        before = self.record()
        self.runner(before).run([Item("one", 9, lambda calls: 1), Item("two", 9, lambda calls: 1 // 0)])
        before.put("late", {"outcome": "not run", "reason": "out of time", "seconds": 0})
        before.put("gone", {"outcome": "absent", "reason": "no tool", "seconds": 0})
        begun = []
        items = [Item(name, 9, lambda calls, n=name: begun.append(n)) for name in ("one", "two", "late", "gone", "new")]
        after = self.record(part=2, out="other")
        after.resume(self.out / "out")
        self.runner(after).run(items)
        self.assertEqual(begun, ["late", "gone", "new"])
        self.assertEqual(self.parts("other")["one"]["part"], 1)
        self.assertEqual(self.parts("other")["new"]["part"], 2)
        changed = self.record(build="abd", out="third")
        changed.resume(self.out / "out")
        self.assertEqual(changed.results, {})

    def test_an_item_can_be_run_again_and_the_others_stay(self):
        before = self.record()
        self.runner(before).run([Item("one", 9, lambda calls: 1), Item("two", 9, lambda calls: 2)])
        again = self.record()
        again.resume(self.out / "out", lambda name: name == "two")
        self.runner(again).run([Item("one", 9, lambda calls: self.fail("was run again")), Item("two", 9, lambda calls: 3)])
        self.assertEqual({name: outcome["result"] for name, outcome in self.parts().items()}, {"one": 1, "two": 3})

    def test_damaged_files_of_before_cost_themselves(self):
        before = self.record()
        self.runner(before).run([Item("one", 9, lambda calls: 1)])
        (self.out / "out" / "logs.tar.gz").write_bytes((self.out / "out" / "logs.tar.gz").read_bytes()[:-60])
        after = self.record()
        after.resume(self.out / "out")
        self.assertTrue(after.finished("one"))
        (self.out / "out" / "parts.json").write_text("{")
        after = self.record()
        after.resume(self.out / "out")
        self.assertEqual(after.results, {})
        after.resume(self.out / "not-there")

    def test_what_programs_said_and_kept_travels_in_one_file_of_limited_size(self):
        record = self.record()
        (record.work / "kept" / "data").mkdir()
        (record.work / "kept" / "data" / "calibration.json").write_text("{}")
        (record.work / "logs" / "long.out").write_bytes(b"a" * 300_000 + b"b" * 600_000)
        (record.work / "snapshots" / "small.plumb").write_text("small")
        (record.work / "snapshots" / "large.plumb").write_bytes(os.urandom(records.MOST_ARCHIVE_BYTES))
        record.put("one", {"outcome": "done", "seconds": 1})
        archive = self.out / "out" / "logs.tar.gz"
        self.assertLess(archive.stat().st_size, 16 << 20)
        with tarfile.open(archive) as content:
            self.assertEqual(sorted(content.getnames()), ["kept/data/calibration.json", "logs/long.out", "snapshots/small.plumb"])
            log = content.extractfile("logs/long.out").read()
        self.assertLess(len(log), 450_000)
        self.assertTrue(log.startswith(b"aaa") and log.endswith(b"bbb"))
        listed = subprocess.run(["tar", "-tzf", archive], capture_output=True, text=True)
        self.assertEqual(listed.stdout.split()[0], "kept/data/calibration.json", listed.stderr)
        self.assertIn("snapshots/large.plumb", json.loads((self.out / "out" / "summary.json").read_text())["left_out_of_the_archive"])
        again = self.record()
        again.resume(self.out / "out")
        self.assertEqual((again.work / "kept" / "data" / "calibration.json").read_text(), "{}")

    def test_an_archive_writes_nothing_outside_of_its_folders(self):
        record = self.record()
        with tarfile.open(self.out / "logs.tar.gz", "w:gz") as archive:
            for name in ("logs/../../outside", "/absolute", "elsewhere/file", "logs/inside"):
                archive.addfile(tarfile.TarInfo(name))
        record.unpack_archive(self.out / "logs.tar.gz")
        self.assertEqual([path.name for path in record.work.rglob("*") if path.is_file()], ["inside"])
        self.assertFalse((self.out / "outside").exists())

    def test_a_write_that_is_ended_half_way_leaves_what_was_there(self):
        path = self.out / "file"
        write(path, "before")
        program = ("import os, signal, sys; sys.path.insert(0, sys.argv[1]); import items\n"
                   "os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
                   "items.write(sys.argv[2], 'after')")
        done = subprocess.run([sys.executable, "-B", "-c", program, str(HERE), str(path)])
        self.assertEqual(done.returncode, -signal.SIGKILL)
        self.assertEqual(path.read_text(), "before")


    def test_a_file_system_that_cannot_settle_files_is_written_all_the_same_and_a_full_one_is_told(self):
        for number, told in ((errno.EINVAL, False), (errno.ENOSPC, True)):
            with mock.patch("os.fsync", side_effect=OSError(number, "no")):
                if told:
                    self.assertRaises(OSError, write, self.out / "file", "text")
                    self.record().put("one", {"outcome": "done", "seconds": 1})  # and the next item goes on
                else:
                    write(self.out / "file", "text")
                    self.assertEqual((self.out / "file").read_text(), "text")


class TestPrograms(InAFolder):
    def run_all(self, text, seconds):
        return gtest_programs.run_all(Calls(self.out, seconds), write_program(self.out, "gpu_fake_tests", text))

    def test_go_on_after_a_crash_and_a_hang(self):
        found = self.run_all(FAKE_TESTS, 9)
        self.assertEqual(found["passed"][:1], ["A.passes"])
        self.assertEqual(found["skipped"], ["A.skips"])
        self.assertIn("crashed or hung", found["failed"]["A.crashes"])
        self.assertIn("crashed or hung", found["failed"]["B.hangs"])

    def test_after_a_crash_are_all_run_and_failures_tried_by_themselves(self):
        found = self.run_all(FAKE_TESTS.replace("600", "0"), 60)
        self.assertEqual(found["passed"], ["A.passes", "B.hangs", "B.passesToo"])
        self.assertEqual(found["not_run"], [])
        self.assertNotIn("by itself", found["failed"]["B.fails"])
        self.assertIn("passes by itself", found["failed"]["B.failsAfterOthers"])

    def test_that_do_not_start_are_a_failure(self):
        with self.assertRaises(RuntimeError):
            self.run_all("#!/bin/sh\nexit 127\n", 20)


if __name__ == "__main__":
    unittest.main()
