#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""plumbline-cli counters: what would be counted on which chip, without a GPU; and profile --counters."""

import json
import os
import subprocess
import unittest

from plumbline_cli import BINARY as CLI


def counters(*arguments, **environment):
    done = subprocess.run([CLI, "counters", *arguments], capture_output=True, text=True,
                          env={**os.environ, **environment}, check=False)
    return done


class Counters(unittest.TestCase):
    def setUp(self):
        probe = counters("--json")
        if probe.returncode == 3:
            self.assertIn("built without the CUDA Toolkit", probe.stderr)
            self.skipTest(probe.stderr.strip())
        self.assertEqual(probe.returncode, 0, probe.stderr)
        self.listed = json.loads(probe.stdout)

    def test_lists_the_chips(self):
        chips = {entry["chip"] for entry in self.listed["chips"]}
        self.assertLessEqual({"TU104", "GA100", "AD102", "GH100", "GB100", "GB202"}, chips)
        self.assertEqual(len(chips), len(self.listed["chips"]))
        text = counters().stdout
        for chip in chips:
            self.assertIn(chip, text)

    def test_every_chip_says_what_it_counts(self):
        for entry in self.listed["chips"]:
            for precision in ("fp32", "bf16", "fp8"):
                done = counters("--chip", entry["chip"], "--precision", precision, "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                document = json.loads(done.stdout)
                self.assertEqual(document["chip"], entry["chip"])
                self.assertEqual(document["precision"], precision)
                self.assertTrue(all(metric["meaning"] for metric in document["metrics"]))
                kinds = {metric["counts"] for metric in document["metrics"]}
                self.assertIn("l2_bytes", kinds)
                self.assertIn("core_flops", kinds)

    def test_knows_the_passes_or_why_not(self):
        document = json.loads(counters("--chip", "GH100", "--detail", "quick", "--json").stdout)
        if document["passes"] is None:
            self.assertIn(":", document["passes_unknown"])
            self.assertIsNone(document["cupti"])
        else:
            self.assertGreaterEqual(document["passes"], 1)
            self.assertIsNone(document["passes_unknown"])
            self.assertTrue(document["cupti"])

    def test_the_host_library_is_found_beside_cupti(self):
        known = json.loads(counters("--chip", "GH100", "--json").stdout)
        if known["passes"] is None:
            self.skipTest(known["passes_unknown"])
        # A loader that knows no folder of a toolkit, as after an installation without ldconfig.
        command = ["unshare", "-rm", "sh", "-c", 'mount --bind /dev/null /etc/ld.so.cache && exec "$@"', "sh"]
        environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
        try:
            subprocess.run([*command, "true"], check=True, capture_output=True, env=environment)
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("this machine lets nobody hide the loader's cache")
        done = subprocess.run([*command, CLI, "counters", "--chip", "GH100", "--json"], capture_output=True, text=True,
                              env=environment, check=False)
        if done.returncode != 0:
            self.skipTest(f"the program itself needs the cache: {done.stderr}")
        document = json.loads(done.stdout)
        if document["passes"] is None and "is not there (libcupti" in document["passes_unknown"]:
            self.skipTest("CUPTI is found by the loader's cache alone")
        self.assertEqual(document["passes"], known["passes"], document["passes_unknown"])

    def test_quick_is_less_than_full(self):
        names = {detail: {metric["name"] for metric in json.loads(
            counters("--chip", "GH100", "--detail", detail, "--json").stdout)["metrics"]} for detail in ("quick", "full")}
        self.assertLess(names["quick"], names["full"])
        self.assertIn("Not counted: CUDA-core FLOPs", counters("--chip", "GH100", "--detail", "quick").stdout)

    def test_wrong_words_are_named(self):
        for arguments, code, says in ((("--chip", "GX1"), 3, "GX1"), (("--chip", "GV100"), 3, "Volta"),
                                      (("--chip", "GH100", "--detail", "some"), 2, "quick and full"),
                                      (("--precision", "int3"), 2, "int3")):
            done = counters(*arguments)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(says, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_the_program_itself_needs_no_library_of_cuda(self):
        try:
            needed = subprocess.run(["readelf", "-d", CLI], capture_output=True, text=True, check=True).stdout
        except FileNotFoundError:
            self.skipTest("readelf is not installed")
        for library in ("libcupti", "libcuda", "libcudart", "libnvperf", "libcublas"):
            self.assertNotIn(library, needed)


class ProfileCounters(unittest.TestCase):
    def test_the_cpu_has_none_and_says_so(self):
        done = subprocess.run([CLI, "profile", "--dim", "8", "--layers", "1", "--batch", "4", "--steps", "2",
                               "--backend", "cpu", "--counters", "full", "--json"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("no hardware counters on this backend (cpu)", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_another_amount_is_refused(self):
        done = subprocess.run([CLI, "profile", "--dim", "8", "--backend", "cpu", "--counters", "many"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("quick and full", done.stderr)

    def test_a_profile_without_them_says_why_there_are_none(self):
        done = subprocess.run([CLI, "profile", "--dim", "8", "--layers", "1", "--batch", "4", "--steps", "2",
                               "--backend", "cpu", "--json"], capture_output=True, text=True, check=True)
        measured = json.loads(done.stdout)["measured"]
        self.assertIsNone(measured["counter_run"])
        self.assertEqual(measured["counters_absent"], "none were asked for")
        self.assertTrue(all(op["counters"] is None and op["flops"] is None for op in measured["ops"]))


if __name__ == "__main__":
    unittest.main()
