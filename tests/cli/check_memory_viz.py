# SPDX-License-Identifier: Apache-2.0
"""The viewer of PyTorch opens what `export --format memory-snapshot` writes. Exits with 77, skipped, without torch."""

import os
import pickle
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import torch.cuda._memory_viz as viz
except ImportError:
    sys.exit(77)

STEPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "step")


class MemoryViz(unittest.TestCase):
    def test_every_view_of_it_opens_the_step(self):
        for name in ("decoder.plumb", "decoder_predicted.plumb"):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "m.pickle")
                subprocess.run([os.environ["PLUMBLINE_CLI"], "export", os.path.join(STEPS, name), "--format",
                                "memory-snapshot", "--out", path], check=True)
                with open(path, "rb") as file:
                    snapshot = pickle.load(file)
                trace = snapshot["device_traces"][0]
                text = viz.trace(snapshot)
                self.assertIn(f"{len(trace)} entries", text)
                self.assertEqual(text.count("\ndel "), sum(e["action"] == "free_requested" for e in trace))
                stats = viz.segsum(snapshot)  # holds the blocks to the segments by itself
                self.assertIn("segments: 1", stats)
                lines = []
                viz.memory(snapshot, format_flamegraph=lines.append)
                held = sum(int(line.rsplit(" ", 1)[1]) for line in lines[0].splitlines() if ";active_allocated;" in line
                           and "<gaps>" not in line)
                self.assertEqual(held, snapshot["segments"][0]["requested_size"])
                for page in (viz.trace_plot(snapshot), viz.segment_plot(snapshot), viz.trace_plot(snapshot, plot_segments=True)):
                    self.assertRegex(page, re.compile("base64"))


if __name__ == "__main__":
    unittest.main()
