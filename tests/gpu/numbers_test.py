#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is made of the numbers of a proof: sums, ratios, verdicts and the page to read."""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import counted as counting  # noqa: E402
import goals  # noqa: E402
import measurements  # noqa: E402
from measurements import RUNS, timed_steps  # noqa: E402

PACK = {"build": "abc", "arch": "90"}

# Before times are compared it was shown that both train the same.
SAME_TRAINING = {f"losses {name}": {"outcome": "done", "seconds": 1, "result": {}} 
                 for name in ("launch", "launch-sgd", "balanced-fp16", "compute-fp8")}


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

    def test_goals_follow_from_the_items_and_nothing_is_known_of_what_did_not_run(self):
        mine = {"step_seconds": 2.0, "predicted_seconds": 2.1, "matmul_flop_per_s": 95.0, "optimizer_bytes_per_s": 9.0,
                "predicted_peak_bytes": 5, "measured_peak_bytes": 5, "timeline": None}
        counts = {"counters": {"product_flops_ratio": 1.01, "dram_ratio": 1.5}, "timeline": None}
        results = {f"plumbline {run[0]}": {"outcome": "done", "seconds": 1, "result": mine} for run in RUNS}
        results.update({f"counters {run[0]}": {"outcome": "done", "seconds": 1, "result": counts} for run in RUNS})
        results["calibrate"] = {"outcome": "done", "seconds": 1,
                                "result": {"peak_flop_per_s": {"bf16": 100.0, "fp32": 1.0, "tf32": 1.0, "fp16": 1.0, "fp8_e4m3": 1.0},
                                           "copy_bytes_per_s": 10.0, "per_op_overhead_s": 1e-6}}
        nothing = goals.goals({}, RUNS)
        self.assertTrue(all(verdict is None for verdict in nothing["goals"].values()))
        known = goals.goals(results, RUNS)["goals"]
        self.assertIsNone(known[goals.FASTER])
        self.assertTrue(known["92 % of the product peak when bound by products"])
        self.assertTrue(known["90 % of copy bandwidth in the optimizer"])
        self.assertTrue(known["counters within 2 % of the modelled FLOPs of products"])
        results.update(SAME_TRAINING)
        for run in RUNS:
            results[f"torch {run[0]} quick"] = {"outcome": "done", "seconds": 1, "result": {
                "eager": {"seconds": 8.0}, "graph": {"seconds": 1.0 if run[0] == "compute" else 3.0},
                "graph-parameters": {"failed": "no memory"}}}
        summary = goals.goals(results, RUNS)
        self.assertFalse(summary["goals"][goals.FASTER])
        self.assertTrue(summary["goals"]["3 times faster than eager when bound by launches"])
        page = goals.readable({**results, "x": {"outcome": "failed", "seconds": 1, "reason": "a|b\nc"}}, summary, PACK)
        self.assertIn("FAILED: x", page)
        self.assertIn("a/b", page)

    def test_faster_than_pytorch_needs_its_strongest_way_at_every_size(self):
        mine = {"step_seconds": 2.0, "matmul_flop_per_s": 95.0, "predicted_peak_bytes": 5, "measured_peak_bytes": 5,
                "timeline": None}
        results = dict(SAME_TRAINING)
        for run in RUNS:
            results[f"plumbline {run[0]}"] = {"outcome": "done", "seconds": 1, "result": mine}
            results[f"torch {run[0]} quick"] = {"outcome": "done", "seconds": 1,
                                                "result": {"eager": {"seconds": 8.0}, "graph": {"seconds": 3.0},
                                                           "compile": {"seconds": 2.6}}}
        summary = goals.goals(results, RUNS)
        self.assertNotIn("compute-fp8", summary["notes"][goals.FASTER], "timed in every way that it has")
        self.assertIsNone(summary["goals"][goals.FASTER])
        self.assertIn("compute without autotune", summary["notes"][goals.FASTER])
        self.assertIn("compute without autotune", goals.readable(results, summary, PACK))
        for run in RUNS:
            results[f"torch {run[0]} autotune"] = {"outcome": "done", "seconds": 1,
                                                   "result": {"autotune-parameters": {"seconds": 2.5}}}
        self.assertTrue(goals.goals(results, RUNS)["goals"][goals.FASTER])
        unlike = {**results, "losses launch": {"outcome": "failed", "seconds": 1, "reason": "3 % apart"}}
        summary = goals.goals(unlike, RUNS)
        self.assertIsNone(summary["goals"][goals.FASTER])
        self.assertIsNone(summary["goals"]["3 times faster than eager when bound by launches"])
        self.assertEqual(summary["notes"][goals.FASTER], "the same training was not shown: losses launch")
        del results["plumbline compute"]  # a size that was not run is a size at which nothing is known
        self.assertIsNone(goals.goals(results, RUNS)["goals"][goals.FASTER])

    def test_two_matrix_libraries_are_told_and_so_is_how_well_a_time_repeats(self):
        mine = {"step_seconds": 2.0, "matmul_flop_per_s": 95.0, "predicted_peak_bytes": 5, "measured_peak_bytes": 5,
                "timeline": None}
        results = {"machine 2": {"outcome": "done", "seconds": 1, "result": {
                       "devices": [{"name": "G"}], "cuda_libraries": {"libcublasLt.so.13": "/wheel/libcublasLt.so.13"}}},
                   "plumbline launch": {"outcome": "done", "seconds": 1, "result": mine},
                   "again launch": {"outcome": "done", "seconds": 1, "result": {"step_seconds": 2.02}},
                   "torch launch quick": {"outcome": "done", "seconds": 1, "result": {
                       "eager": {"seconds": 8.0, "cublaslt": "/wheel/libcublasLt.so.13"}, "graph": {"failed": "no memory"}}}}
        summary = goals.goals(results, RUNS)
        self.assertAlmostEqual(summary["runs"]["launch"]["repeated_differs_by"], 0.01)
        self.assertNotIn("NOT THE SAME", goals.readable(results, summary, PACK))
        results["torch launch quick"]["result"]["eager"]["cublaslt"] = "/other/libcublasLt.so.13"
        self.assertIn("NOT THE SAME", goals.readable(results, summary, PACK))
        for number, outcome in enumerate(results.values()):
            outcome["device"] = f"GPU 0: G (UUID: {number % 2})"
        self.assertIn("From 2 devices", goals.readable(results, summary, PACK))

    def test_every_run_of_its_kind_has_to_reach_a_goal(self):
        def verdict(compute, tf32):
            shares = {"compute": compute, "compute-tf32": tf32, "compute-fp8": 0.97}
            results = {"calibrate": {"result": {"peak_flop_per_s": {"bf16": 100.0, "tf32": 100.0, "fp8_e4m3": 100.0},
                                                "copy_bytes_per_s": None}}}
            for name, share in shares.items():
                if share is not None:
                    results[f"plumbline {name}"] = {"result": {
                        "step_seconds": 1.0, "matmul_flop_per_s": share * 100, "predicted_peak_bytes": 5,
                        "measured_peak_bytes": 5, "timeline": None}}
            return goals.goals(results, RUNS)["goals"]["92 % of the product peak when bound by products"]
        self.assertTrue(verdict(0.95, 0.92))
        self.assertFalse(verdict(0.95, 0.91))
        self.assertFalse(verdict(None, 0.8))
        self.assertIsNone(verdict(0.95, None))

    def test_counts_that_padding_explains_decide_nothing(self):
        def verdict(**ratios):
            results = {f"plumbline {name}": {"result": {
                "step_seconds": 1.0, "matmul_flop_per_s": 1, "predicted_peak_bytes": 5, "measured_peak_bytes": 5,
                "timeline": None}} for name in ratios}
            results.update({f"counters {name}": {"result": {"counters": {"product_flops_ratio": ratio}}}
                            for name, ratio in ratios.items()})
            return goals.goals(results, RUNS)
        self.assertEqual(RUNS[0][4], 64)  # the batch of `launch`: less than a tile
        self.assertTrue(verdict(launch=2.0, balanced=1.01)["goals"][goals.COUNTED])
        self.assertIn("launch 2", verdict(launch=2.0, balanced=1.01)["notes"][goals.COUNTED])
        self.assertFalse(verdict(balanced=1.03)["goals"][goals.COUNTED])
        self.assertIsNone(verdict(launch=1.0)["goals"][goals.COUNTED])

    def test_ours_is_timed_behind_the_same_warm_up_as_the_peers(self):
        source = (HERE / "peers" / "step_time.py").read_text()
        self.assertIn(f"WARM_UP_STEPS, WARM_UP_SECONDS, BLOCKS, BLOCK_SECONDS = {measurements.WARM_UP_STEPS}, "
                      f"{measurements.WARM_UP_SECONDS}, ", source)
        steps = list(range(400))
        slow_at_first = {"step": steps, "seconds": [0.01 * step for step in steps],
                         "step_seconds": [None] + [5.0 if step < 100 else 0.01 for step in steps[1:]]}
        self.assertEqual(timed_steps(slow_at_first), [0.01] * 300)
        short = {key: values[:60] for key, values in slow_at_first.items()}
        self.assertEqual(len(timed_steps(short)), 30)
        with self.assertRaisesRegex(RuntimeError, "no step"):
            timed_steps({"step": [0], "seconds": [0.1], "step_seconds": [None]})

    def test_what_is_timed_has_a_batch_that_stays_and_what_reads_files_has_none(self):
        self.assertIn("self.x = torch.randn(", (HERE / "peers" / "step_time.py").read_text())
        calls = []

        class Called:
            logs = HERE

            def left(self):
                return 100

            def call(self, command, *_, **__):
                calls.append([str(word) for word in command])
                raise RuntimeError("no program")
        measured = measurements.Measurements(HERE, HERE, {}, {}, None, RUNS)
        for work in (measured.counters, measured.ours, measured.again):
            with self.assertRaisesRegex(RuntimeError, "no program"):
                work(Called(), RUNS[0])
        self.assertEqual(len(calls), 3)
        for words in calls:
            self.assertEqual(words[words.index("--resident-batch") + 1], "on", words)
        self.assertNotIn("--resident-batch", measured.options_of(RUNS[0]), "losses are compared on data of files")

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
                              goals.goals({}, RUNS), PACK)
        self.assertIn("| dram_bytes | 67 | 134 | 0.5 |", page)


if __name__ == "__main__":
    unittest.main()
