#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Data sheets: device list, show, add and remove."""

import json
import pathlib
import re
import unittest

from plumbline_cli import RESOURCES, CliTest

SHEET = {"name": "Lab card", "memory_bytes": 48e9, "bandwidth_bytes_per_s": 864e9,
         "peak_flop_per_s": {"bf16": 181e12, "fp8": 362e12}, "power_w": 300, "source": "its label"}


class Sheets(CliTest):
    def setUp(self):
        super().setUp()
        self.hardware = json.loads((pathlib.Path(RESOURCES) / "hardware.json").read_text(encoding="utf-8"))

    def write(self, content, name="card.json"):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def kept(self):
        path = self.folder / "data" / "plumbline" / "devices.json"
        return json.loads(path.read_text())["devices"] if path.exists() else []

    def test_the_list_has_every_data_sheet_and_this_machine(self):
        listed = self.ok_json("device", "list")
        self.assertEqual([d["id"] for d in listed], ["local-cpu"] + [d["id"] for d in self.hardware["devices"]])
        self.assertFalse(any(d["own"] for d in listed))
        text = self.ok("device", "list")
        for device in self.hardware["devices"]:
            self.assertIn(device["id"], text)
            self.assertIn(device["name"], text)

    def test_a_sheet_is_shown_as_a_whole_with_its_sources(self):
        device = next(d for d in self.hardware["devices"] if d["id"] == "b200-180gb")
        text = self.ok("device", "show", "b200")
        for path, status in device["status"].items():
            self.assertRegex(text, f"(?m)^{re.escape(path)} .* {re.escape(status)}")
        for source in device["sources"]:
            self.assertRegex(text, rf"(?m)^{source}: ")
        for note in device["notes"]:
            self.assertIn(note, text)
        shown = self.ok_json("device", "show", "b200")
        self.assertEqual(shown["figures"]["peak_flop_per_s.bf16"]["value"], 2250e12)
        self.assertEqual(set(shown["figures"]), set(device["status"]))
        self.assertIsNone(shown["figures"]["peak_flop_per_s.fp16_accumulate_fp16"]["value"])
        self.assertEqual(self.ok_json("device", "show", "local")["id"], "local-cpu")

    def test_what_was_added_is_known_everywhere(self):
        self.assertIn("added lab-card", self.ok("device", "add", self.write(SHEET)))
        [kept] = self.kept()
        self.assertEqual((kept["id"], kept["memory_bytes"], kept["source"]), ("lab-card", 48_000_000_000, "its label"))
        self.assertIn("Lab card (your own)", self.ok("device", "list"))
        self.assertIn("its label", self.ok("device", "show", "lab"))
        plan = self.ok_json("plan", "time", "--parameters", "7e9", "--tokens", "1e12", "--devices", "8", "--device",
                            "lab card", "--mfu", "0.5")
        self.assertAlmostEqual(plan["days"]["expected"], 6 * 7e21 / (8 * 181e12 * 0.5) / 86400, delta=0.01)
        self.assertIn("Lab card", self.ok("plan", "devices", "--parameters", "7e9", "--tokens", "1e12"))
        self.assertEqual(self.ok_json("predict", "--dim", "64", "--layers", "2", "--batch", "8", "--precision", "bf16",
                                      "--device", "lab-card")["machine"]["name"], "Lab card")
        self.assertEqual(list((self.folder / "data" / "plumbline").glob("*.tmp*")), [])

    def test_figures_can_be_given_as_options(self):
        self.ok("device", "add", "Lab card", "--memory", "48GB", "--bandwidth", "864 GB/s", "--bf16", "181 TFLOP/s",
                "--fp8", "362TFLOP/s", "--links", "32GB/s", "--link-name", "PCIe 4.0 x16", "--power", "300 W", "--price",
                "0.8 $/h", "--id", "lab-1", "--source", "its label")
        [kept] = self.kept()
        self.assertEqual(kept["id"], "lab-1")
        self.assertEqual(kept["peak_flop_per_s"], {"bf16": 181e12, "fp8_e4m3": 362e12})
        self.assertEqual((kept["link_bytes_per_s"], kept["link_name"], kept["power_w"], kept["dollars_per_hour"]),
                         (32e9, "PCIe 4.0 x16", 300, 0.8))

    def test_a_list_is_added_as_a_whole_or_not_at_all(self):
        self.ok("device", "add", self.write(SHEET))
        exported = {"format": "plumbline.devices", "version": 1, "devices": self.kept()}
        second = {**exported["devices"][0], "id": "lab-2", "name": "Lab card 2"}
        self.refused(2, "device", "add", self.write({**exported, "devices": [second, exported["devices"][0]]}),
                     says="already a device lab-card")
        self.assertEqual(len(self.kept()), 1)
        self.ok("device", "add", self.write({**exported, "devices": [second]}))
        self.assertEqual([d["id"] for d in self.kept()], ["lab-card", "lab-2"])

    def test_a_duplicate_is_refused(self):
        self.ok("device", "add", "Lab card", "--memory", "48GB")
        self.refused(2, "device", "add", "Lab card", "--memory", "80GB", says=["already a device lab-card", "another id"])
        self.refused(2, "device", "add", "lab CARD", "--id", "other", "--memory", "80GB", says="already a device called")
        self.refused(2, "device", "add", "Mine", "--id", "h100-sxm5-80gb", "--memory", "80GB",
                     says="already a device h100-sxm5-80gb (NVIDIA H100 SXM5 80GB)")
        self.assertEqual([d["memory_bytes"] for d in self.kept()], [48_000_000_000])

    def test_an_impossible_figure_is_named_with_what_is_possible(self):
        self.refused(2, "device", "add", "Mine", "--memory", "1kB", says=["Memory is not believable", "--memory", "1 MB"])
        self.refused(2, "device", "add", "Mine", "--bf16", "-1TFLOP/s", says=["--bf16"])
        self.refused(2, "device", "add", "Mine", "--bandwidth", "3 TB", says=["--bandwidth"])
        self.refused(2, "device", "add", "Mine", says="no figure at all")
        self.refused(2, "device", "add", "Mine", "--memory", "80GB", "--id", "My Id", says="the id 'My Id'")
        self.refused(2, "device", "add", "Mine", "--meory", "80GB", says="--memory")
        for change, says in [({"memory_bytes": 1}, "Memory is not believable"), ({"memory": 1}, "memory_bytes"),
                             ({"power_w": "300"}, "power_w"), ({"peak_flop_per_s": {"bf16": 1}}, "Peak bf16"),
                             ({"peak_flop_per_s": {"int3": 1e12}}, "int3"), ({"name": ""}, "no name"), ({"name": 3}, "name")]:
            self.refused(2, "device", "add", self.write({**SHEET, **change}), says=says)
        self.refused(2, "device", "add", self.write("{"), says="truncated")
        self.refused(2, "device", "add", self.write({"format": "plumbline.devices", "version": 1, "devices": []}),
                     says="has no device")
        self.refused(2, "device", "add", self.write(SHEET), "--memory", "80GB", says=["--memory", "beside a file"])
        self.assertNotEqual(self.run_cli("device", "add", "nowhere.json").returncode, 0)
        self.assertEqual(self.kept(), [])

    def test_only_own_devices_are_removed(self):
        self.refused(2, "device", "remove", "lab-card", says="device add")
        self.ok("device", "add", self.write(SHEET))
        self.refused(2, "device", "remove", "h100-sxm5-80gb", says="yours are lab-card")
        self.assertIn("removed lab-card", self.ok("device", "remove", "lab-card"))
        self.assertEqual(self.kept(), [])

    def test_a_damaged_file_is_named_and_left_alone(self):
        self.ok("device", "add", self.write(SHEET))
        path = self.folder / "data" / "plumbline" / "devices.json"
        path.write_text("{")
        self.refused(2, "device", "add", "Other", "--memory", "48GB", says="move it away")
        self.assertEqual(path.read_text(), "{")
        self.assertIn("your own are not shown", self.ok("device", "list"))


if __name__ == "__main__":
    unittest.main()
