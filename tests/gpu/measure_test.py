#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The script that measures on a GPU, where there is none: what hangs, crashes, fails or is missing costs its own part and
nothing else, and what was found is on disk at once."""

import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import counted as counting  # noqa: E402
import goals  # noqa: E402
import gtest_programs  # noqa: E402
import measure  # noqa: E402
from parts import Missing, Parts  # noqa: E402

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


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)

    def parts(self, seconds=60, **more):
        sys.stderr.flush()
        return Parts(self.out, seconds, **more)

    def program(self, text, name="gpu_fake_tests"):
        path = self.out / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path


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


class OnePartAtATime(InAFolder):
    def test_what_a_command_leaves_behind_ends_with_it_and_keeps_nobody_waiting(self):
        parts = self.parts()
        mark = self.out / "grandchild"
        begin = time.monotonic()
        with self.assertRaisesRegex(RuntimeError, "more than 1 s"):
            parts.call(["sh", "-c", f"sleep 300 & echo $! > {mark}; echo said; wait"], 1, "hang")
        self.assertLess(time.monotonic() - begin, 30)
        self.assertTrue(ends(int(mark.read_text())))
        self.assertIn("said", (self.out / "hang.out").read_text())

    def test_what_was_said_before_the_limit_or_a_crash_is_kept_where_it_counts(self):
        parts = self.parts()
        self.assertEqual(parts.call(["sh", "-c", "echo early; exec sleep 300"], 1, "slow", partial=True), "early\n")
        self.assertEqual(parts.call(["sh", "-c", "echo early; exit 9"], 9, "crash", partial=True), "early\n")
        with self.assertRaisesRegex(RuntimeError, "exit 9: why"):
            parts.call(["sh", "-c", "echo why >&2; exit 9"], 9, "silent", partial=True)
        with self.assertRaisesRegex(Missing, "no GPU here"):
            parts.call(["sh", "-c", "echo no GPU here >&2; exit 3"], 9, "absent")
        with self.assertRaisesRegex(Missing, "does not start"):
            parts.call([self.out / "not-there"], 9, "absent")

    def test_a_part_that_fails_costs_itself_and_everything_is_written_at_once(self):
        seen = []
        parts = self.parts(summarise=lambda results: seen.append(list(results)))
        self.assertEqual(parts.run("one", lambda: {"x": 1}), {"x": 1})
        self.assertEqual(json.loads((self.out / "parts.json").read_text())["one"]["result"], {"x": 1})
        parts.run("two", lambda: 1 // 0)
        parts.run("three", lambda: parts.call(["sh", "-c", "exit 3"], 9, "three"), needed=False)
        parts.run("four", lambda: 4)
        self.assertEqual({name: part["outcome"] for name, part in parts.results.items()},
                         {"one": "done", "two": "failed", "three": "not run", "four": "done"})
        self.assertEqual(parts.failures, ["two"])
        self.assertEqual(seen[0], ["one"])
        self.assertEqual(seen[-1], ["one", "two", "three", "four"])

    def test_a_summary_that_fails_and_time_that_is_over_stop_nothing(self):
        parts = self.parts(seconds=1, summarise=lambda results: 1 // 0)
        parts.run("late", lambda: self.fail("was begun"))
        self.assertEqual(parts.results["late"]["reason"], "out of time")
        self.assertTrue((self.out / "parts.json").exists())

    def test_a_part_is_run_again_by_its_name_and_the_others_stay(self):
        self.parts().run("one", lambda: 1)
        again = self.parts(only="^two$")
        self.assertEqual(again.run("one", lambda: self.fail("was run again")), 1)
        again.run("two", lambda: 2)
        self.assertEqual(sorted(json.loads((self.out / "parts.json").read_text())), ["one", "two"])


class TestPrograms(InAFolder):
    def test_go_on_after_a_crash_and_a_hang_and_try_failures_by_themselves(self):
        program = self.program(FAKE_TESTS)
        found = gtest_programs.run_all(self.parts(), [program], 9)
        self.assertEqual(found["passed"][:1], ["A.passes"])
        self.assertEqual(found["skipped"], ["A.skips"])
        self.assertIn("crashed or hung", found["failed"]["A.crashes"])
        self.assertIn("crashed or hung", found["failed"]["B.hangs"])

    def test_after_a_crash_are_all_run(self):
        program = self.program(FAKE_TESTS.replace("600", "0"))
        found = gtest_programs.run_all(self.parts(), [program], 60)
        self.assertEqual(found["passed"], ["A.passes", "B.hangs", "B.passesToo"])
        self.assertEqual(found["not_run"], [])
        self.assertNotIn("by itself", found["failed"]["B.fails"])
        self.assertIn("passes by itself", found["failed"]["B.failsAfterOthers"])

    def test_that_does_not_start_is_a_failure(self):
        program = self.program("#!/bin/sh\nexit 127\n")
        with self.assertRaises(RuntimeError):
            gtest_programs.run_all(self.parts(), [program], 20)


# Before times are compared it was shown that both train the same.
SAME_TRAINING = {f"losses {name}": {"outcome": "done", "seconds": 1, "result": {}} for name in ("launch", "launch-sgd")}


def counted(value):
    return {"value": value, "source": "counter"}


class Numbers(unittest.TestCase):
    def readings(self):
        predicted = {"ops": [{"id": "m1.layer1.forward", "kind": "layer_forward", "flops": 1000, "bytes": 100},
                             {"id": "m1.loss", "kind": "loss_gradient", "flops": 10, "bytes": 50}]}
        measured = {"counter_run": {"passes": 2, "chip": "GH100", "metrics": ["dram__bytes_read.sum"]},
                    "counters_absent": "", "timeline": None,
                    "ops": [{"id": "m1.layer1.forward", "flops": 1010, "bytes": 300,
                             "counters": {"l2_bytes": counted(400), "dram_bytes": counted(300)}},
                            {"id": "m1.loss", "flops": None, "bytes": None, "counters": None}]}
        return measured, predicted

    def test_counters_are_summed_over_what_was_counted(self):
        found = counting.counters_of(*self.readings())
        self.assertAlmostEqual(found["product_flops_ratio"], 1.01)
        self.assertAlmostEqual(found["dram_ratio"], 3)
        self.assertEqual((found["l2_bytes"], found["ops_without_counts"]), (400, 1))
        self.assertEqual(found["ops_with_impossible_counts"], [])

    def test_without_counters_the_reason_is_told(self):
        measured, predicted = self.readings()
        measured.update(counter_run=None, counters_absent="nobody may")
        self.assertEqual(counting.counters_of(measured, predicted), {"absent": "nobody may"})

    def test_a_timeline_tells_what_it_lost_and_what_belongs_to_no_op(self):
        timeline = {"source": "activity", "kinds": ["op", "kernel"], "dropped": 3,
                    "records": {"kind": [0, 1, 1], "op": [0, 0, -1]}}
        self.assertEqual(counting.timeline_of({"timeline": timeline}),
                         {"source": "activity", "records": 3, "kernels": 2, "dropped": 3, "kernels_without_op": 1})

    def test_goals_follow_from_the_parts_and_nothing_is_known_of_what_did_not_run(self):
        mine = {"step_seconds": 2.0, "predicted_seconds": 2.1, "matmul_flop_per_s": 95.0, "optimizer_bytes_per_s": 9.0,
                "predicted_peak_bytes": 5, "measured_peak_bytes": 5, "timeline": None,
                "counters": {"product_flops_ratio": 1.01, "dram_ratio": 1.5}}
        results = {f"plumbline {run[0]}": {"outcome": "done", "seconds": 1, "result": mine} for run in measure.RUNS}
        results["calibrate"] = {"outcome": "done", "seconds": 1,
                                "result": {"peak_flop_per_s": {"bf16": 100.0, "fp32": 1.0, "tf32": 1.0},
                                           "copy_bytes_per_s": 10.0, "per_op_overhead_s": 1e-6}}
        nothing = goals.goals({}, measure.RUNS)
        self.assertTrue(all(verdict is None for verdict in nothing["goals"].values()))
        known = goals.goals(results, measure.RUNS)["goals"]
        self.assertIsNone(known[goals.FASTER])
        self.assertTrue(known["90 % of the product peak when bound by products"])
        self.assertTrue(known["85 % of copy bandwidth in the optimizer"])
        self.assertTrue(known["counters within 2 % of the modelled FLOPs of products"])
        results.update(SAME_TRAINING)
        for run in measure.RUNS:
            results[f"torch {run[0]} quick"] = {"outcome": "done", "seconds": 1, "result": {
                "eager": {"seconds": 8.0}, "graph": {"seconds": 1.0 if run[0] == "compute" else 3.0},
                "graph-parameters": {"failed": "no memory"}}}
        summary = goals.goals(results, measure.RUNS)
        self.assertFalse(summary["goals"][goals.FASTER])
        self.assertTrue(summary["goals"]["3 times faster than eager when bound by launches"])
        page = goals.readable({**results, "x": {"outcome": "failed", "seconds": 1, "reason": "a|b\nc"}}, summary, ["x"])
        self.assertIn("FAILED: x", page)
        self.assertIn("a/b", page)

    def test_faster_than_pytorch_needs_its_strongest_way_at_every_size(self):
        mine = {"step_seconds": 2.0, "matmul_flop_per_s": 95.0, "predicted_peak_bytes": 5, "measured_peak_bytes": 5,
                "counters": {}, "timeline": None}
        results = dict(SAME_TRAINING)
        for run in measure.RUNS:
            results[f"plumbline {run[0]}"] = {"outcome": "done", "seconds": 1, "result": mine}
            results[f"torch {run[0]} quick"] = {"outcome": "done", "seconds": 1,
                                                "result": {"eager": {"seconds": 8.0}, "graph": {"seconds": 3.0}}}
        summary = goals.goals(results, measure.RUNS)
        self.assertIsNone(summary["goals"][goals.FASTER])
        self.assertIn("compute without autotune", summary["notes"][goals.FASTER])
        self.assertIn("compute without autotune", goals.readable(results, summary, []))
        for run in measure.RUNS:
            results[f"torch {run[0]} autotune"] = {"outcome": "done", "seconds": 1,
                                                   "result": {"autotune-parameters": {"seconds": 2.5}}}
        self.assertTrue(goals.goals(results, measure.RUNS)["goals"][goals.FASTER])
        unlike = {**results, "losses launch": {"outcome": "failed", "seconds": 1, "reason": "3 % apart"}}
        summary = goals.goals(unlike, measure.RUNS)
        self.assertIsNone(summary["goals"][goals.FASTER])
        self.assertIsNone(summary["goals"]["3 times faster than eager when bound by launches"])
        self.assertEqual(summary["notes"][goals.FASTER], "the same training was not shown: losses launch")
        del results["plumbline compute"]  # a size that was not run is a size at which nothing is known
        self.assertIsNone(goals.goals(results, measure.RUNS)["goals"][goals.FASTER])

    def test_every_run_of_its_kind_has_to_reach_a_goal(self):
        def verdict(compute, tf32):
            shares = {"compute": compute, "compute-tf32": tf32}
            results = {"calibrate": {"result": {"peak_flop_per_s": {"bf16": 100.0, "tf32": 100.0}, "copy_bytes_per_s": None}}}
            for name, share in shares.items():
                if share is not None:
                    results[f"plumbline {name}"] = {"result": {
                        "step_seconds": 1.0, "matmul_flop_per_s": share * 100, "predicted_peak_bytes": 5,
                        "measured_peak_bytes": 5, "counters": None, "timeline": None}}
            return goals.goals(results, measure.RUNS)["goals"]["90 % of the product peak when bound by products"]
        self.assertTrue(verdict(0.95, 0.9))
        self.assertFalse(verdict(0.95, 0.8))
        self.assertFalse(verdict(None, 0.8))
        self.assertIsNone(verdict(0.95, None))

    def test_counts_that_padding_explains_decide_nothing(self):
        def verdict(**ratios):
            results = {f"plumbline {name}": {"result": {
                "step_seconds": 1.0, "matmul_flop_per_s": 1, "predicted_peak_bytes": 5, "measured_peak_bytes": 5,
                "counters": {"product_flops_ratio": ratio}, "timeline": None}} for name, ratio in ratios.items()}
            return goals.goals(results, measure.RUNS)
        self.assertEqual(measure.RUNS[0][4], 64)  # the batch of `launch`: less than a tile
        self.assertTrue(verdict(launch=2.0, balanced=1.01)["goals"][goals.COUNTED])
        self.assertIn("launch 2", verdict(launch=2.0, balanced=1.01)["notes"][goals.COUNTED])
        self.assertFalse(verdict(balanced=1.03)["goals"][goals.COUNTED])
        self.assertIsNone(verdict(launch=1.0)["goals"][goals.COUNTED])

    def test_ours_is_timed_behind_the_same_warm_up_as_the_peers(self):
        source = (HERE / "peers" / "step_time.py").read_text()
        self.assertIn(f"WARM_UP_STEPS, WARM_UP_SECONDS, BLOCKS, BLOCK_SECONDS = {measure.WARM_UP_STEPS}, "
                      f"{measure.WARM_UP_SECONDS}, ", source)
        steps = list(range(400))
        slow_at_first = {"step": steps, "seconds": [0.01 * step for step in steps],
                         "step_seconds": [None] + [5.0 if step < 100 else 0.01 for step in steps[1:]]}
        self.assertEqual(measure.timed_steps(slow_at_first), [0.01] * 300)
        short = {key: values[:60] for key, values in slow_at_first.items()}
        self.assertEqual(len(measure.timed_steps(short)), 30)
        with self.assertRaisesRegex(RuntimeError, "no step"):
            measure.timed_steps({"step": [0], "seconds": [0.1], "step_seconds": [None]})

    def test_a_sum_that_lacks_a_part_is_absent(self):
        measured, predicted = self.readings()
        measured["ops"][1] = {"id": "m1.loss", "flops": 10, "bytes": 60, "counters": {"dram_bytes": counted(60)}}
        self.assertIsNone(counting.counters_of(measured, predicted)["l2_bytes"])

    def test_the_vendors_kernels_are_compared_by_our_own_factors(self):
        metrics = [{"name": "tensor.sum", "counts": "tensor_flops", "factor": 1},
                   {"name": "ffma.sum", "counts": "core_flops", "factor": 2},
                   {"name": "read.sum", "counts": "dram_bytes", "factor": 1},
                   {"name": "write.sum", "counts": "dram_bytes", "factor": 1},
                   {"name": "sectors.sum", "counts": "l2_bytes", "factor": 32}]
        lines = ['"ID","Kernel Name","tensor.sum","ffma.sum","read.sum","write.sum","sectors.sum"',
                 '"","","","","byte","byte",""',
                 '"0","gemm","1,000","0","90","10","n/a"', '"1","splitK","0","50","20","4","1"',
                 '"2","gemm","1,000","0","110","10","2"', '"3","splitK","0","50","20","4","1"']
        kernels = counting.kernels_of(lines, metrics)
        self.assertEqual([(kernel["kernel"], kernel["launches"]) for kernel in kernels], [("gemm", 2), ("splitK", 2)])
        sums = counting.sums_of(kernels, metrics)
        self.assertEqual(sums, {"tensor_flops": 1000, "core_flops": 100, "dram_bytes": 134})  # one execution
        found = counting.beside({"tensor_flops": 1000, "core_flops": 100, "dram_bytes": 67}, sums)
        self.assertEqual(found["ours_over_vendor"]["flops"], 1)
        self.assertEqual(found["ours_over_vendor"]["dram_bytes"], 0.5)
        page = goals.readable({"ncu": {"outcome": "done", "seconds": 1, "result": {"op": "m1.layer2.forward", **found}}},
                              goals.goals({}, measure.RUNS), [])
        self.assertIn("| dram_bytes | 67 | 134 | 0.5 |", page)


class TheVerb(InAFolder):
    def dev(self, **programs):
        """./dev gpu on a machine that has these programs in place of its own."""
        for name, text in programs.items():
            self.program("#!/bin/sh\n" + text + "\n", name.replace("_", "-"))
        begin = time.monotonic()
        done = subprocess.run(["bash", HERE.parents[1] / "dev", "gpu", self.out / "out"], capture_output=True, text=True,
                              timeout=60, stdin=subprocess.DEVNULL,
                              env={**os.environ, "PATH": f"{self.out}:{os.environ['PATH']}", "PLUMBLINE_SKIP_INSTALL": ""})
        self.assertLess(time.monotonic() - begin, 50)
        return done

    def test_without_a_gpu_says_so_and_does_nothing(self):
        done = self.dev(nvidia_smi="exit 9")
        self.assertEqual(done.returncode, 3)
        self.assertIn("no usable NVIDIA GPU", done.stderr)

    def test_names_the_packages_that_are_missing_where_apt_cannot_be_reached(self):
        done = self.dev(nvidia_smi="echo GPU 0: fake", dpkg_query="exit 1", sudo='[ "$1" = -n ] && shift; "$@"',
                        apt_get="echo could not resolve >&2; exit 100", apt_cache="exit 0")
        self.assertEqual(done.returncode, 1, done.stderr)
        sentence = [line for line in done.stderr.splitlines() if "apt cannot be reached" in line]
        self.assertEqual(len(sentence), 1, done.stderr)
        for package in ("libfmt-dev", "libgtest-dev", "nlohmann-json3-dev"):
            self.assertIn(package, sentence[0])


@unittest.skipUnless("PLUMBLINE_CLI" in os.environ, "the program is not built")
class WithTheProgram(InAFolder):
    def test_every_option_that_is_used_is_one_of_the_program(self):
        for more in (["--counters", "full"],):
            done = subprocess.run([os.environ["PLUMBLINE_CLI"], "profile", "--backend", "cpu", "--dim", "16", "--layers", "2",
                                   "--batch", "8", "--steps", "1", *more], capture_output=True, text=True, timeout=60,
                                  env={**os.environ, "XDG_DATA_HOME": str(self.out)})
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("counters", done.stderr)

    def test_pytorch_trains_the_same_from_our_weights_and_data(self):
        build = pathlib.Path(os.environ["PLUMBLINE_CLI"]).resolve().parents[2]
        done = subprocess.run([sys.executable, HERE / "measure.py", "--build", build, "--source", HERE.parents[1], "--out",
                               self.out / "out", "--dry-run", "--only", "^losses"],
                              capture_output=True, text=True, timeout=150)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, part in json.loads((self.out / "out" / "parts.json").read_text()).items():
            if part["outcome"] == "not run":
                self.assertIn("PyTorch", part["reason"])
                self.skipTest(part["reason"])
            self.assertEqual(part["outcome"], "done", (name, part))
            self.assertEqual(len(part["result"]["ours"]), 20)
            self.assertLess(part["result"]["ours"][-1], part["result"]["ours"][0], "it learns")

    def test_the_whole_script_runs_where_there_is_no_gpu(self):
        build = pathlib.Path(os.environ["PLUMBLINE_CLI"]).resolve().parents[2]
        done = subprocess.run([sys.executable, HERE / "measure.py", "--build", build, "--source", HERE.parents[1], "--out",
                               self.out / "out", "--dry-run", "--only", "machine|devices|plumbline launch$"],
                              capture_output=True, text=True, timeout=100)
        results = json.loads((self.out / "out" / "parts.json").read_text())
        self.assertEqual({name: part["outcome"] for name, part in results.items()},
                         {"machine": "done", "devices": "done", "plumbline launch": "done"}, done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        summary = json.loads((self.out / "out" / "summary.json").read_text())
        self.assertTrue(summary["runs"]["launch"]["memory_predicted_is_measured"])
        self.assertIn("launch", (self.out / "out" / "summary.md").read_text())


if __name__ == "__main__":
    unittest.main()
