# SPDX-License-Identifier: Apache-2.0
"""thumbnail: a picture of a step's memory, and calm where there is none."""

import json
import re
import struct
import unittest
import zlib

from plumbline_cli import RESOURCES, SMALL, CliTest, changed

STEP = RESOURCES.parent / "tests" / "data" / "step" / "decoder.plumb"


def pixels_of(path):
    """Width, height and rows of (red, green, blue, alpha) of a PNG; every chunk's checksum is checked."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(data):
        length, = struct.unpack_from(">I", data, at)
        name, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(name + body), name
        chunks[name] = body
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, depth, kind, *_ = struct.unpack(">2I5B", chunks[b"IHDR"])
    assert (depth, kind) == (8, 6)
    raw = zlib.decompress(chunks[b"IDAT"])
    row = 1 + width * 4
    assert len(raw) == row * height
    lines = [raw[y * row + 1:(y + 1) * row] for y in range(height)]
    return width, height, [[tuple(line[x:x + 4]) for x in range(0, width * 4, 4)] for line in lines]


class Thumbnail(CliTest):
    def test_it_shows_categories_in_their_colours(self):
        self.ok("predict", *SMALL, "--out", "a.plumb")
        self.ok("thumbnail", "a.plumb", "--out", "a.png")
        width, height, rows = pixels_of(self.folder / "a.png")
        self.assertEqual((width, height), (256, 192))
        colours = {pixel for row in rows for pixel in row}
        theme = json.loads((RESOURCES / "themes" / "light.json").read_text())["categories"]
        rgb = lambda name: tuple(int(theme[name][i:i + 2], 16) for i in (1, 3, 5)) + (255,)
        for category in ("parameters", "activations", "gradients"):
            self.assertIn(rgb(category), colours, category)
        self.assertEqual(rows[0][0], (0, 0, 0, 0), "corners are clear")
        self.assertTrue(any(pixel[3] not in (0, 255) for pixel in rows[0] + rows[1] + rows[2]), "and round")

    def test_its_height_over_each_operation_is_the_memory_there(self):
        self.ok("predict", *changed(SMALL, "--dim", 64, "--layers", 12, "--batch", 256, "--checkpoint", "none"),
                "--out", "a.plumb")
        rows = self.ok("export", "a.plumb", "--format", "memory-csv").splitlines()
        column = rows[0].split(",").index("predicted_bytes")
        curve = [int(row.split(",")[column]) for row in rows[1:]]
        self.ok("thumbnail", "a.plumb", "--out", "a.png", "--size", 1024)
        width, height, picture = pixels_of(self.folder / "a.png")
        margin = 0.09 * width
        bottom = height - margin
        paper = picture[round(margin / 2)][width // 2]
        self.assertGreater(len(set(curve)), 10)
        for op, total in enumerate(curve):
            x = int(margin + (op + 0.5) / len(curve) * (width - 2 * margin))
            top = next(y for y in range(round(margin / 2), height) if picture[y][x] != paper)
            self.assertAlmostEqual(bottom - top, total / max(curve) * 0.94 * (bottom - margin), delta=1.5, msg=str(op))

    def test_the_same_file_gives_the_same_bytes(self):
        for name in ("a.png", "b.png"):
            self.ok("thumbnail", STEP, "--out", name, "--size", 128)
        self.assertEqual((self.folder / "a.png").read_bytes(), (self.folder / "b.png").read_bytes())

    def test_what_is_no_step_is_refused_in_one_line_and_leaves_no_picture(self):
        whole = STEP.read_bytes()
        for name, content in (("empty", b""), ("cut", whole[:5000]), ("noise", bytes(range(256)) * 400),
                              ("deep", b'{"format":"plumbline.step","ops":' + b"[" * 100000),
                              ("other", b'{"hello": 1}')):
            bad = self.folder / (name + ".plumb")
            bad.write_bytes(content)
            done = self.run_cli("thumbnail", bad, "--out", "no.png")
            self.assertEqual(done.returncode, 2, (name, done.stderr))
            self.assertRegex(done.stderr, re.compile(r"\Aplumbline-cli: [^\n]+\n\Z"), name)
            self.assertFalse((self.folder / "no.png").exists())
        for size in ("15", "1025", "9999999999999", "x"):
            self.assertEqual(self.run_cli("thumbnail", STEP, "--out", "no.png", "--size", size).returncode, 2)
        self.assertEqual(self.run_cli("thumbnail", STEP).returncode, 2)


if __name__ == "__main__":
    unittest.main()
