# SPDX-License-Identifier: Apache-2.0
"""open: figures of what other profilers wrote, held to an oracle that works them out by their definitions."""

import gzip
import json
import subprocess
import sys
import unittest

from plumbline_cli import RESOURCES, CliTest

TRACES = RESOURCES.parent / "tests" / "data" / "trace"
EXPECTED = json.loads((TRACES / "expected.json").read_text())


class Open(CliTest):
    def opened(self, name, *arguments):
        return self.ok_json("open", TRACES / name, *arguments)

    def assert_holds(self, found, expected, where=""):
        """Every expected figure is there, and the same."""
        if isinstance(expected, dict):
            for key, value in expected.items():
                self.assertIn(key, found, where)
                self.assert_holds(found[key], value, f"{where}.{key}")
        elif isinstance(expected, list):
            self.assertEqual(len(found), len(expected), where)
            for i, value in enumerate(expected):
                self.assert_holds(found[i], value, f"{where}[{i}]")
        elif isinstance(expected, float):
            self.assertAlmostEqual(found, expected, places=9, msg=where)
        else:
            self.assertEqual(found, expected, where)

    def test_figures_are_those_of_the_oracle(self):
        for name, expected in EXPECTED.items():
            with self.subTest(name):
                found = self.opened(name, "--top", 1000)
                self.assertEqual((found["format"], found["lost_events"], found["losses"]), ("kineto-trace", 0, []))
                kernels = sorted(found["top_kernels"], key=lambda kernel: (-kernel["total_ns"], kernel["name"]))
                for device in found["devices"]:  # a group of its own in the document
                    device.update(device["launch"])
                self.assert_holds({**found, "top_kernels": kernels}, expected, name)
                self.assertEqual(found["categories"], expected["categories"])
                for device in found["devices"]:
                    self.assertEqual(sum(device["idle_by_ns"].values()), device["idle_ns"])

    def test_the_oracle_still_says_so(self):
        said = subprocess.run([sys.executable, "-B", TRACES / "oracle.py", *(TRACES / name for name in EXPECTED)],
                              check=True, capture_output=True, text=True)
        self.assertEqual(json.loads(said.stdout), EXPECTED)

    def test_figures_do_not_depend_on_how_the_file_is_packed(self):
        text = gzip.decompress((TRACES / "cuda.json.gz").read_bytes())
        (self.folder / "plain.json").write_bytes(text)
        sizes = ("file_bytes", "memory_bytes")
        packed, plain = (
            {key: value for key, value in self.ok_json("open", path).items() if key not in sizes}
            for path in (TRACES / "cuda.json.gz", "plain.json"))
        self.assertEqual(packed, plain)
        self.assertEqual(packed["base_ns"], 1759157112000000000)
        self.assertEqual((packed["rank"], packed["world_size"]), (3, 8))

    def test_modules_get_the_gpu_time_of_forward_and_backward(self):
        modules = {module["path"]: module for module in self.opened("cuda.json.gz", "--top", 1000)["top_modules"]}
        linear = modules["Model_0/Block_2/Linear_2"]
        self.assertEqual(linear["calls"], 3)
        self.assertGreater(linear["gpu_forward_ns"], 3 * 6000)
        self.assertGreater(linear["gpu_backward_ns"], 2 * 3 * 8000)
        whole = modules["Model_0"]
        self.assertEqual(whole["gpu_backward_ns"], sum(m["gpu_backward_ns"] for p, m in modules.items() if "Linear" in p))
        self.assertNotIn("Model_0/Block_6", modules)

    def test_overlapping_kernels_and_launches_that_are_missing_are_counted(self):
        found = self.opened("cuda.json.gz")
        self.assertGreater(found["overlapping_gpu_slices"], 5)
        self.assertEqual(found["launches_not_in_trace"], 1)
        self.assertIn("1 pieces of GPU work have no launch", self.ok("open", TRACES / "cuda.json.gz"))

    def test_the_critical_path_is_of_the_step_of_median_length(self):
        found = self.opened("cuda.json.gz")
        path = found["critical_path"]
        self.assertEqual(sum(path["by_ns"].values()), path["length_ns"])
        durations = [step["duration_ns"] for step in found["steps"]]
        self.assertEqual(durations[path["step"]], sorted(durations)[1])
        self.assertLess(path["length_ns"], 1.2 * durations[path["step"]])

    def test_recordings_of_the_cpu_have_steps_ops_and_modules(self):
        found = self.opened("cpu.json.gz", "--top", 1000)
        self.assertEqual([step["name"] for step in found["steps"]], ["ProfilerStep#1", "ProfilerStep#2"])
        self.assertEqual((found["devices"], found["categories"]), ([], {}))
        ops = {op["name"]: op for op in found["top_ops"]}
        self.assertEqual(ops["aten::linear"]["count"], 4)
        self.assertGreaterEqual(ops["aten::linear"]["total_ns"], ops["aten::linear"]["self_ns"])
        stacks = self.opened("cpu_stack.json.gz", "--top", 1000)
        self.assertIn("Sequential_0/Linear_1", [module["path"] for module in stacks["top_modules"]])
        self.assertIn("The trace has no GPU work.", self.ok("open", TRACES / "cpu.json.gz"))

    def test_other_chrome_traces_and_arrays_that_never_end(self):
        found = self.opened("array.json")
        self.assertEqual((found["format"], found["events"], found["slices"], found["lost_events"]), ("chrome-trace", 8, 3, 1))
        self.assertEqual(found["duration_ns"], 1_500_000)
        self.assertEqual(len(found["losses"]), 2)

    def test_what_broken_json_cost_is_said(self):
        found = self.opened("broken.json")
        self.assertEqual((found["events"], found["lost_events"], found["slices"]), (10, 4, 6))
        text = self.ok("open", TRACES / "broken.json")
        for said in ("10 events, 4 lost", "the file ends before its JSON does", "3 events were lost to broken JSON",
                     "1 slice has no usable time", "1 field around the events", "1 slice ended before it began"):
            self.assertIn(said, text)

    def test_the_text_names_what_people_look_for(self):
        text = self.ok("open", TRACES / "cuda.json.gz", "--top", 3)
        for said in ("Step (3 of 3)", "Device 0 (Invented GPU)", "idle: launched late by the host", "behind other kernels",
                     "tensor cores, by name", "longest launch queue", "Critical path of ProfilerStep#", "Kernel (3 of",
                     "Op (3 of", "Module (3 of"):
            self.assertIn(said, text)

    def test_refusals_name_the_file_and_the_remedy(self):
        (self.folder / "notes.txt").write_text("hello")
        (self.folder / "none.json").write_text("{}")
        (self.folder / "folder").mkdir()
        self.refused(2, "open", "notes.txt", says=["notes.txt is none of the files that open reads", "traces of PyTorch"])
        self.refused(2, "open", "none.json", says=["none.json holds no event of a trace", "export_chrome_trace"])
        self.refused(2, "open", "missing.json", says="missing.json")
        self.ok("plan", "save", "a.plan.json", "--model", "llama-3-8b")
        self.refused(2, "open", "a.plan.json", says=["a.plan.json is a plan", "plan time --scenario a.plan.json"])
        self.refused(2, "open", "folder", says=["folder holds no trace", "a trace of each rank"])
        self.refused(2, "open", TRACES / "broken.json", "--top", "0", says="--top")
        bomb = gzip.compress(b'{"traceEvents": [' + b" " * (200 << 20), 9)
        (self.folder / "bomb.json.gz").write_bytes(bomb)
        self.refused(2, "open", "bomb.json.gz", says=["bomb.json.gz unpacks to more than 200 times its size", "gunzip"])


if __name__ == "__main__":
    unittest.main()
