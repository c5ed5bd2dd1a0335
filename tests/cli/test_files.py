# SPDX-License-Identifier: Apache-2.0
"""Snapshots that cannot be read, places that cannot be written."""

import json
import os
import resource
import signal
import subprocess
import time
import unittest

from plumbline_cli import BINARY, PATIENCE, SMALL, CliTest, blocks_interrupts, cpu_seconds, write_npy


class Reading(CliTest):
    def setUp(self):
        super().setUp()
        self.whole = self.ok("predict", *SMALL, "--json")

    def export(self, content, *says):
        path = self.folder / "s.plumb"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.refused(2, "export", "s.plumb", "--format", "csv", says=["s.plumb", *says])

    def test_a_whole_snapshot_is_read(self):
        (self.folder / "s.plumb").write_text(self.whole)
        self.assertTrue(self.ok("export", "s.plumb", "--format", "csv").startswith("id,"))

    def test_truncated_snapshots(self):
        for keep in (0, 1, 100, len(self.whole) // 2, len(self.whole) - 3):
            self.export(self.whole[:keep])

    def test_a_newer_version_is_named(self):
        document = json.loads(self.whole)
        document["version"] = 99
        self.export(json.dumps(document), "99")

    def test_files_that_are_not_ours(self):
        self.export('{"format": "somebody.else", "version": 1}')
        self.export("[]")
        self.export("null")
        self.export("<html></html>")
        self.export(b"\x00\xff\xfe" * 1000)
        self.export("[" * 100_000)

    def test_inconsistent_snapshots_name_the_field(self):
        for change, says in ((lambda d: d["config"].update(dim=-1), "dim"),
                             (lambda d: d["predicted"]["ops"][0].update(flops="many"), "flops"),
                             (lambda d: d["predicted"]["memory"]["curve"].pop(), "curve"),
                             (lambda d: d.pop("config"), "config")):
            document = json.loads(self.whole)
            change(document)
            self.export(json.dumps(document), says)

    def test_a_hundred_megabytes_of_garbage(self):
        self.export(os.urandom(1 << 20) * 100)

    def test_a_file_that_is_too_large_is_not_read_at_all(self):
        with open(self.folder / "s.plumb", "wb") as file:
            file.truncate(300 << 20)
        self.refused(2, "export", "s.plumb", "--format", "csv", says="s.plumb")

    def test_missing_files_and_folders(self):
        self.refused(2, "export", "missing.plumb", "--format", "csv", says="missing.plumb")
        self.refused(2, "export", ".", "--format", "csv")

    def test_formats_that_this_version_does_not_write(self):
        (self.folder / "s.plumb").write_text(self.whole)
        self.refused(2, "export", "s.plumb", "--format", "docx", says=["docx", "html, chrome-trace, memory-snapshot, "])
        self.refused(2, "export", "s.plumb", says="--format is missing")
        self.refused(2, "export", "s.plumb", "--format", "training-csv", says="no training history")


class OwnDevices(CliTest):
    """Device records of the user's own stand beside the built-in ones."""

    def keep(self, **changes):
        record = {"id": "basement-card", "name": "Basement card", "backend": "", "memory_bytes": 48_000_000_000,
                  "bandwidth_bytes_per_s": 1e12, "peak_flop_per_s": {"fp32": 5e13}, "source": "entered by hand",
                  **changes}
        folder = self.folder / "data" / "plumbline"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "devices.json").write_text(
            json.dumps({"format": "plumbline.devices", "version": 1, "devices": [record]}))

    def test_they_are_found_by_name(self):
        self.keep()
        machine = self.ok_json("predict", *SMALL, "--device", "basement")["machine"]
        self.assertEqual(machine["memory_bytes"], 48_000_000_000)
        self.assertEqual(machine["source"], "entered by hand")

    def test_a_damaged_file_is_named_and_hides_nothing_built_in(self):
        self.keep(memory_bytes=-5)
        self.refused(2, "predict", *SMALL, "--device", "basement", says=["devices.json", "memory_bytes"])
        self.assertEqual(self.ok_json("predict", *SMALL, "--device", "h200")["machine"]["id"], "h200-sxm-141gb")


class Writing(CliTest):
    # Permission bits do not bind root, so these places cannot be written by anyone.
    def test_places_that_cannot_be_written_are_refused_before_the_run(self):
        (self.folder / "file").write_text("")
        (self.folder / "snapshot.plumb").write_text(self.ok("predict", *SMALL, "--json"))
        for path in ("missing/t.plumb", "file/t.plumb", "/proc/t.plumb", "."):
            for command in (["train", "--steps", "1e9"], ["profile", "--steps", "1e9"]):
                with self.subTest(path=path, command=command[0]):
                    self.refused(2, *command, *SMALL, "--out", path, says=path)
            self.refused(2, "export", "snapshot.plumb", "--format", "csv", "--out", path, says=path)

    def test_nothing_is_written_over_what_is_read(self):
        rows = [[float(i + j) for j in range(3)] for i in range(20)]
        write_npy(self.folder / "x.npy", rows)
        write_npy(self.folder / "y.npy", [[row[0]] for row in rows])
        run = ["--data", "x.npy", "--targets", "y.npy", "--layers", "0", "--batch", "4"]
        os.link(self.folder / "x.npy", self.folder / "hard.npy")
        os.symlink("y.npy", self.folder / "soft.npy")
        before = {name: (self.folder / name).read_bytes() for name in ["x.npy", "y.npy"]}
        for out, says in [("x.npy", "--data"), ("./x.npy", "--data"), ("hard.npy", "--data"), ("y.npy", "--targets"),
                          ("soft.npy", "--targets")]:
            self.refused(2, "train", *run, "--steps", 2, "--out", out, says=[f"--out would replace the file of {says}", out])
            self.refused(2, "train", *run, "--steps", 2, "--weights", out, says=["--weights would replace", says])
            self.refused(2, "profile", *run, "--steps", 2, "--out", out, says=["would replace", says])
            self.refused(2, "predict", *run, "--out", out, says=["would replace", says])
        self.refused(2, "train", *run, "--steps", 2, "--weights", "w.npy", "--out", "w.npy", says=["--weights", "w.npy"])
        self.assertEqual(before, {name: (self.folder / name).read_bytes() for name in before})

        self.ok("train", *run, "--steps", 2, "--out", "run.plumb", "--checkpoint-dir", "kept")
        snapshot = (self.folder / "run.plumb").read_bytes()
        for out in ["run.plumb", "./run.plumb"]:
            self.refused(2, "export", "run.plumb", "--format", "csv", "--out", out, says=["the snapshot", out])
        self.refused(2, "predict", "--config", "run.plumb", "--out", "run.plumb", says=["--config"])
        self.assertEqual(snapshot, (self.folder / "run.plumb").read_bytes())
        checkpoint = next((self.folder / "kept").glob("*.safetensors"))
        written = checkpoint.read_bytes()
        for resume in [checkpoint, "kept"]:
            self.refused(2, "train", *run, "--steps", 4, "--resume", resume, "--weights", checkpoint,
                         says=["--weights would replace the file of a checkpoint"])
        self.assertEqual(written, checkpoint.read_bytes())
        self.ok("train", *run, "--steps", 2, "--out", "/dev/null")

    def test_devices_and_pipes_are_written_and_stay_what_they_are(self):
        before = os.stat("/dev/null")
        for command in (["train", "--steps", 1], ["profile", "--steps", 1]):
            self.ok(*command, *SMALL, "--out", "/dev/null")
        self.assertEqual(os.stat("/dev/null").st_ino, before.st_ino)
        (self.folder / "s.plumb").write_text(self.ok("predict", *SMALL, "--json"))
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # the rows fit into the pipe
        self.addCleanup(os.close, reader)
        self.ok("export", "s.plumb", "--format", "csv", "--out", "pipe")
        self.ok("export", "s.plumb", "--format", "csv", "--out", "table.csv")
        self.assertEqual(os.read(reader, 1 << 16), (self.folder / "table.csv").read_bytes())
        self.assertTrue(pipe.is_fifo())

    @unittest.skipIf(os.geteuid() == 0, "permission bits do not bind root")
    def test_no_permission(self):
        (self.folder / "locked").mkdir(mode=0o500)
        self.refused(2, "train", *SMALL, "--steps", 1, "--out", "locked/t.plumb", says="locked/t.plumb")

    def test_a_full_disk_keeps_the_old_file(self):
        def limit_file_size():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        (self.folder / "t.plumb").write_text("old")
        self.refused(2, "train", *SMALL, "--steps", 5, "--out", "t.plumb", says="t.plumb", preexec_fn=limit_file_size)
        self.assertEqual((self.folder / "t.plumb").read_text(), "old")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["t.plumb"])

    def test_a_full_disk_on_stdout(self):
        (self.folder / "s.plumb").write_text(self.ok("predict", *SMALL, "--json"))
        for command in (["predict", "--json"], ["predict"], ["devices"], ["train", *SMALL, "--steps", 1, "--json"],
                        ["export", "s.plumb", "--format", "csv"], ["--help"]):
            with self.subTest(command=command), open("/dev/full", "w") as full:
                self.refused(2, *command, says=["standard output", "No space left"], stdout=full)

    def test_a_run_is_not_lost_when_its_folder_goes_away(self):
        # The folder is fine at the start and too small at the end: a copy is left where temporary files go.
        kept = self.folder / "kept"
        kept.mkdir()
        self.environment["TMPDIR"] = str(kept)
        target = self.folder / "target"
        target.mkdir()
        process = self.start_training("--out", target / "t.plumb")
        target.rmdir()
        process.send_signal(signal.SIGINT)
        error = process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(process.returncode, 2)
        copies = list(kept.glob("plumbline-unsaved-*/run.plumb"))
        self.assertEqual(len(copies), 1, error)
        self.assertEqual(copies[0].parent.stat().st_mode & 0o777, 0o700)
        self.assertIn(str(copies[0]), error)
        self.assertIn("training", json.loads(copies[0].read_text()))

    def test_the_copy_of_a_run_follows_no_link_that_somebody_put_there(self):
        # The shell knows the number of the process that it becomes, as anybody can guess it.
        (self.folder / "victim").write_text("precious")
        script = f"ln -s '{self.folder}/victim' '{self.folder}'/plumbline-unsaved-$$.plumb; ulimit -f 2; exec \"$@\""
        done = subprocess.run(["sh", "-c", script, "sh", BINARY, "train", *SMALL, "--steps", "5", "--out", "x.plumb"],
                              env=self.environment, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual((self.folder / "victim").read_text(), "precious")

    def test_a_killed_run_leaves_no_temporary_file_after_the_next(self):
        (self.folder / ".t.plumb.12345.tmp").write_text("left by a program that was killed")
        self.ok("train", *SMALL, "--steps", 5, "--out", "t.plumb")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["t.plumb"])

    def start_training(self, *arguments):
        """Starts an endless training and returns once it trains: it has then taken Ctrl-C for its own, which it does
        before the first step, and has used a quarter second of CPU since."""
        process = subprocess.Popen([BINARY, "train", *SMALL, "--steps", "1e9", *map(str, arguments)], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment)
        self.addCleanup(process.kill)
        while not blocks_interrupts(process.pid):
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        begin = cpu_seconds(process.pid)
        while cpu_seconds(process.pid) < begin + 0.25:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        return process


if __name__ == "__main__":
    unittest.main()
