# SPDX-License-Identifier: Apache-2.0
"""import: what other programs wrote, as recorded steps that the program opens."""

import json
import unittest

from plumbline_cli import RESOURCES, CliTest

DATA = RESOURCES.parent / "tests" / "data"
TRACES, MEMORY = DATA / "trace", DATA / "memory"


class Import(CliTest):
    def test_a_step_of_a_trace_opens_as_a_recorded_step(self):
        trace = self.ok_json("open", TRACES / "cuda.json.gz")
        text = self.ok("import", TRACES / "cuda.json.gz", "--out", "step.plumb", "--step", "1")
        self.assertIn("step.plumb: cuda.json.gz · ProfilerStep#5, 46 ops", text)
        self.assertIn("FLOPs are of products alone", text + self.ok("import", TRACES / "cpu.json.gz"))
        step = self.ok_json("open", "step.plumb")
        self.assertEqual((step["format"], step["ops"]), ("plumbline.step", 46))
        durations = sorted(each["duration_ns"] for each in trace["steps"])
        self.assertAlmostEqual(step["measured_seconds"], durations[1] * 1e-9, places=12)
        self.assertIn("Model_0.Block_2.Linear_2", [module["path"] for module in step["modules"]])
        document = json.loads((self.folder / "step.plumb").read_text())
        self.assertEqual(document["said"], step["notes"])
        self.ok("compare", "step.plumb", "step.plumb")

    def test_a_memory_snapshot_keeps_its_peak(self):
        snapshot = self.ok_json("open", MEMORY / "step_protocol4.pickle")["devices"][0]
        said = self.ok_json("import", MEMORY / "step_protocol4.pickle")
        self.assertEqual(said["out"], "step_protocol4.plumb")
        step = self.ok_json("open", "step_protocol4.plumb")
        self.assertEqual((step["peak_bytes"], step["allocator_peak_bytes"]), (snapshot["peak_bytes"],) * 2)

    def test_several_files_get_names_of_their_own(self):
        self.ok("import", TRACES / "cuda.json.gz", TRACES / "rocm.json")
        self.assertEqual(self.ok_json("open", "rocm.plumb")["format"], "plumbline.step")
        self.refused(2, "import", TRACES / "cuda.json.gz", TRACES / "rocm.json", "--out", "x.plumb", says="--out names one file")

    def test_refusals_say_why_a_kind_is_no_step(self):
        (self.folder / "notes.txt").write_text("hello")
        self.refused(2, "import", "notes.txt", says=["none of the files that import reads", "memory snapshots"])
        self.refused(2, "import", TRACES / "array.json", says="has no op of PyTorch")
        self.refused(2, "import", TRACES / "cuda.json.gz", "--step", "ProfilerStep#9", says=["--step", "ProfilerStep#4"])
        self.refused(2, "import", DATA / "step" / "decoder.plumb", says="is a file of this program already")
        self.assertEqual([path.name for path in self.folder.glob("*.plumb")], [], "nothing was written")


if __name__ == "__main__":
    unittest.main()
