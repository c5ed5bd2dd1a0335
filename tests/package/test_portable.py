# SPDX-License-Identifier: Apache-2.0
"""The tarball: what it carries, and that its bytes depend on nothing but its content."""

import importlib.util
import os
import pathlib
import re
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def module(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "cmake" / "package" / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


portable = module("portable")


class Carried(unittest.TestCase):
    def test_libraries_of_the_program_are_but_not_those_of_the_system(self):
        carried = portable.libraries_of(os.environ["PLUMBLINE_CLI"])
        stems = {re.match(r"lib\w+", name).group() for name in carried}
        self.assertLessEqual({"libdnnl", "libfmt", "libsqlite3", "libzip"}, stems)
        self.assertFalse(stems & {"libc", "libm", "libstdc", "libgcc_s", "libOpenCL", "libz"}, stems)

    def test_what_libraries_of_the_system_need_is_the_systems(self):
        """The loader's own list is flat: what only a library needs that stays behind is in it too."""
        self.assertTrue(portable.LEFT_TO_THE_SYSTEM.match("libxcb.so.1"))
        self.assertTrue(portable.LEFT_TO_THE_SYSTEM.match("libGLX_mesa.so.0") is None)
        for name in ("libxcb-image.so.0", "libzip.so.4", "libcrypto.so.3", "libQt6Core.so.6", "libgomp.so.1"):
            self.assertIsNone(portable.LEFT_TO_THE_SYSTEM.match(name), name)

    def test_a_licence_is_known_of_a_library_of_a_package(self):
        place = portable.libraries_of(os.environ["PLUMBLINE_CLI"])
        dnnl = next(path for name, path in place.items() if name.startswith("libdnnl"))
        if not pathlib.Path("/var/lib/dpkg/status").exists():
            self.skipTest("there is no dpkg")
        package, licence = portable.licence_of(dnnl)
        self.assertTrue(package.startswith("libdnnl"))
        self.assertIn("Apache", licence.read_text())
        self.assertIsNone(portable.licence_of("/nowhere/libnothing.so"))


class Bytes(unittest.TestCase):
    def made(self, folder, order):
        tree = pathlib.Path(folder, "tree")
        for name in order:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text(name)
            os.utime(tree / name, (len(order), order.index(name)))
        (tree / "bin" / "run").chmod(0o700)
        out = pathlib.Path(folder, "out.tar.xz")
        portable.write(tree, "thing-1", out, 1_700_000_000)
        return out.read_bytes(), out

    def test_times_order_and_rights_of_files_do_not_matter(self):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            before = os.umask(0o077)
            first, _ = self.made(one, ["bin/run", "share/a", "lib/b"])
            os.umask(0o002)
            second, out = self.made(other, ["lib/b", "share/a", "bin/run"])
            os.umask(before)
            self.assertEqual(first, second)
            with tarfile.open(out) as archive:
                entries = {entry.name: entry for entry in archive.getmembers()}
        self.assertEqual(list(entries), sorted(entries))
        self.assertEqual({entry.mtime for entry in entries.values()}, {1_700_000_000})
        self.assertEqual({(entry.uid, entry.uname) for entry in entries.values()}, {(0, "root")})
        self.assertEqual({name: oct(entry.mode) for name, entry in entries.items() if entry.isfile()},
                         {"thing-1/bin/run": "0o755", "thing-1/lib/b": "0o644", "thing-1/share/a": "0o644"})


if __name__ == "__main__":
    unittest.main()
