# SPDX-License-Identifier: Apache-2.0
"""What `cmake --install` writes: where it belongs, taken by the validators that are here, and it runs wherever it lies."""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

BUILD = os.environ["PLUMBLINE_BUILD"]
PARTS = os.environ["PLUMBLINE_PARTS"].split(",")
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, **more)


def search_path(file):
    """RPATH or RUNPATH of an ELF file, as readelf shows it."""
    return re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", run("readelf", "-d", file).stdout)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="plumbline-install-")
        before = pathlib.Path(cls.temporary.name, "before")
        for part in PARTS:
            done = run(os.environ["PLUMBLINE_CMAKE"], "--install", BUILD, "--prefix", before, "--component", part)
            if done.returncode:
                raise AssertionError(done.stdout + done.stderr)
        # Everything below looks at a tree that was moved since.
        cls.prefix = pathlib.Path(cls.temporary.name, "a place with blanks")
        before.rename(cls.prefix)
        cls.share = cls.prefix / "share"

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def environment(self):
        """As a user without settings, and without what the tests' own environment says."""
        home = pathlib.Path(self.temporary.name, "home")
        home.mkdir(exist_ok=True)
        kept = {name: os.environ[name] for name in ("PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS") if name in os.environ}
        return {**kept, "HOME": str(home), "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C", "OMP_NUM_THREADS": "1"}

    def ok(self, program, *arguments):
        done = run(self.prefix / "bin" / program, *arguments, env=self.environment(), cwd=self.temporary.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_command_line_predicts_and_trains_with_the_samples(self):
        self.assertRegex(self.ok("plumbline-cli", "--version"), r"^plumbline \d")
        self.assertIn("peak_bytes", self.ok("plumbline-cli", "predict", "--dim", "64", "--device", "H200 SXM", "--json"))
        digits = self.share / "plumbline" / "samples" / "digits"
        self.ok("plumbline-cli", "train", "--backend", "cpu", "--data", digits / "features.npy", "--targets", digits / "targets.npy",
                "--dim", "64", "--outputs", "1", "--layers", "1", "--batch", "64", "--steps", "5", "--out", "t.plumb")
        self.ok("plumbline-cli", "thumbnail", "t.plumb", "--out", "t.png")

    @unittest.skipUnless("gui" in PARTS, "built without the window")
    def test_the_window_opens(self):
        self.ok("plumbline", "--self-test")

    def test_programs_look_for_libraries_beside_themselves_and_nowhere_of_this_machine(self):
        programs = [path for path in (self.prefix / "bin").iterdir()]
        self.assertTrue(programs)
        for program in programs:
            self.assertEqual(search_path(program), ["$ORIGIN/../lib"], program)
        for library in self.prefix.rglob("libplumbline_cuda.so"):
            self.assertEqual(search_path(library), ["$ORIGIN/../lib:/usr/local/cuda/lib64"])
        self.assertEqual("cuda" in PARTS, any(self.prefix.rglob("libplumbline_cuda.so")))

    def test_no_text_names_a_folder_of_this_machine(self):
        for path in self.share.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                for place in (str(ROOT), BUILD, self.temporary.name):
                    self.assertNotIn(place.encode(), content, path)

    def test_rights_are_those_of_a_system(self):
        for path in self.prefix.rglob("*"):
            mode = path.stat().st_mode & 0o777
            if path.is_file():
                allowed = (0o755,) if path.parent.name == "bin" else (0o644,)
                # Debian's CMake takes a library's right to be run away, others leave it.
                self.assertIn(mode, (0o755, 0o644) if path.suffix == ".so" else allowed, path)

    @unittest.skipUnless("gui" in PARTS, "built without the window")
    def test_the_icon_is_there_in_every_size(self):
        for size in ICON_SIZES:
            data = (self.share / f"icons/hicolor/{size}x{size}/apps/plumbline.png").read_bytes()
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(struct.unpack_from(">2I", data, 16), (size, size))
        self.assertTrue((self.share / "icons/hicolor/scalable/apps/plumbline.svg").is_file())

    @unittest.skipUnless("gui" in PARTS, "built without the window")
    def test_names_of_the_desktop_fit_each_other(self):
        entry = (self.share / "applications/org.plumbline.Plumbline.desktop").read_text()
        metainfo = (self.share / "metainfo/org.plumbline.Plumbline.metainfo.xml").read_text()
        types = (self.share / "mime/packages/plumbline.xml").read_text()
        thumbnailer = (self.share / "thumbnailers/plumbline.thumbnailer").read_text()
        self.assertIn("<id>org.plumbline.Plumbline</id>", metainfo)
        self.assertIn("org.plumbline.Plumbline.desktop</launchable>", metainfo)
        self.assertIn("org.plumbline.Plumbline", (ROOT / "app/gui/main.cpp").read_text())
        for text in (entry, metainfo, types, thumbnailer):
            self.assertIn("application/x-plumbline", text)
        version = re.search(r"^project\(plumbline VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)
        self.assertEqual(re.findall(r'<release version="([^"]+)"', metainfo)[0], version)

    def test_the_documents_that_help_names_are_installed(self):
        named = set()
        for command in ("", "plan", "findings", "compare"):
            named.update(re.findall(r"docs/[a-z-]+\.md", self.ok("plumbline-cli", *command.split(), "--help")))
        self.assertIn("docs/planner.md", named)
        for document in named:
            self.assertTrue((self.share / "doc/plumbline" / document).is_file(), document)

    @unittest.skipUnless("gui" in PARTS, "built without the window")
    def test_the_manual_page_of_the_window_has_its_options(self):
        page = (self.share / "man/man1/plumbline.1").read_text().replace("\\-", "-")
        options = re.findall(r"--([a-z-]+)", self.ok("plumbline", "--help").split("Positionals:")[0])
        self.assertIn("export-pictures", options)
        for option in options:
            self.assertRegex(page, rf"--{option}\b")

    @unittest.skipUnless("gui" in PARTS, "built without the window")
    def test_validators_take_what_is_for_the_desktop(self):
        checked = 0
        for tool, *arguments in (("desktop-file-validate", self.share / "applications/org.plumbline.Plumbline.desktop"),
                                 ("appstreamcli", "validate", "--no-net", self.share / "metainfo/org.plumbline.Plumbline.metainfo.xml")):
            if shutil.which(tool):
                done = run(tool, *arguments)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                checked += 1
        if not checked:
            self.skipTest("neither desktop-file-validate nor appstreamcli is installed")

    @unittest.skipUnless("gui" in PARTS, "built without the window")
    def test_files_are_known_by_name_and_by_content(self):
        if not (shutil.which("update-mime-database") and shutil.which("gio")):
            self.skipTest("neither update-mime-database nor gio is installed")
        data = pathlib.Path(self.temporary.name, "data")
        (data / "mime/packages").mkdir(parents=True)
        shutil.copy(self.share / "mime/packages/plumbline.xml", data / "mime/packages")
        self.assertEqual(run("update-mime-database", data / "mime").returncode, 0)
        self.ok("plumbline-cli", "predict", "--dim", "64", "--out", "named.plumb")
        folder = pathlib.Path(self.temporary.name)
        shutil.copy(folder / "named.plumb", folder / "snapshot")
        shutil.copy(ROOT / "tests/data/step/decoder.plumb", folder / "step")
        (folder / "other").write_text('{"format": "something else"}')
        kinds = {}
        for name in ("named.plumb", "snapshot", "step", "other"):
            said = run("gio", "info", "-a", "standard::content-type", folder / name,
                       env={**self.environment(), "XDG_DATA_HOME": str(data), "XDG_DATA_DIRS": "/nowhere"}).stdout
            kinds[name] = said.split("content-type:")[1].strip()
        self.assertEqual([name for name, kind in kinds.items() if kind == "application/x-plumbline"],
                         ["named.plumb", "snapshot", "step"], kinds)


if __name__ == "__main__":
    unittest.main()
