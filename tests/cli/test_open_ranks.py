# SPDX-License-Identifier: Apache-2.0
"""open of several traces: the ranks of one job, held to what was planted in them."""

import json
import shutil
import unittest

from plumbline_cli import RESOURCES, CliTest

RANKS = RESOURCES.parent / "tests" / "data" / "trace" / "ranks"
PLANTED = json.loads((RANKS / "planted.json").read_text())
FILES = [RANKS / f"rank{rank}.json.gz" for rank in range(4)]


class OpenRanks(CliTest):
    def test_finds_exactly_what_was_planted(self):
        found = self.ok_json("open", *FILES)
        slow, count = PLANTED["straggler"], PLANTED["layers"] * PLANTED["steps"]
        self.assertEqual((found["format"], found["world_size"], found["backend"]), ("ranks", 8, "nccl"))
        self.assertEqual(found["stragglers"], [slow])
        self.assertEqual(found["matched_collectives"], count)
        ranks = {rank["rank"]: rank for rank in found["ranks"]}
        self.assertEqual([rank["times_last"] for rank in ranks.values()], [count - 1 if rank == slow else 0 for rank in ranks])
        for rank, offset in enumerate(PLANTED["offsets_ns"]):
            self.assertLessEqual(abs(ranks[rank]["clock"]["shift_ns"] + offset), PLANTED["jitter_ns"])
            self.assertLessEqual(ranks[rank]["clock"]["uncertainty_ns"], PLANTED["jitter_ns"])
            self.assertEqual((ranks[rank]["rank_from"], ranks[rank]["late_by_host"]), ("file", 0))
        slower = PLANTED["slower_ns"] * count
        self.assertEqual(ranks[slow]["compute_excess_ns"], slower)
        self.assertEqual([kernel["excess_ns"] for kernel in ranks[slow]["slower_kernels"]], [slower])
        self.assertIn("xmma_gemm", ranks[slow]["slower_kernels"][0]["name"])
        kinds = {finding["kind"]: finding["ranks"] for finding in found["findings"]}
        self.assertEqual(kinds, {"missing_rank": [4, 5, 6, 7], "missing_collective": [PLANTED["lacks"]["rank"]]})
        lacking = [one for one in self.ok_json("open", *FILES, "--top", 100)["top_collectives"] if len(one["arrivals"]) < 4]
        self.assertEqual([one["sequence"] for one in lacking], [PLANTED["lacks"]["sequence"]])
        self.assertIsNone(lacking[0]["last"])

    def test_the_order_of_files_and_a_folder_say_the_same(self):
        found = self.ok_json("open", *FILES)
        self.assertEqual(self.ok_json("open", *reversed(FILES)), found)
        self.assertEqual(self.ok_json("open", RANKS), found, "planted.json in it is no trace")

    def test_the_text_names_what_people_look_for(self):
        text = self.ok("open", RANKS, "--top", 2)
        for said in ("4 ranks of 8 (nccl), 3 steps of all ranks, 12 collectives", "Rank 2 is last at 11 of 11 collectives",
                     "Collective (2 of 12 by skew)", "What does not fit together", "ranks 4, 5, 6, 7 of 8: no trace is here",
                     "allreduce number 206 of group default_pg", "missing on rank 1", "Clocks are joined by the ends"):
            self.assertIn(said, text)

    def test_one_trace_of_a_folder_opens_alone(self):
        (self.folder / "one").mkdir()
        shutil.copy(FILES[0], self.folder / "one")
        (self.folder / "one" / "settings.json").write_text('{"layers": 3}')
        self.assertEqual(self.ok_json("open", "one")["format"], "kineto-trace")

    def test_refusals_name_the_file_and_the_remedy(self):
        (self.folder / "notes.txt").write_text("hello")
        (self.folder / "empty").mkdir()
        self.refused(2, "open", FILES[0], "notes.txt", says=["notes.txt is no trace", "open it alone"])
        self.refused(2, "open", "empty", says=["empty holds no trace", "a trace of each rank"])
        self.refused(2, "open", FILES[0], "missing.json", says="missing.json")


if __name__ == "__main__":
    unittest.main()
