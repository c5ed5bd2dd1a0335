# SPDX-License-Identifier: Apache-2.0
"""What is known, on disk after every item: five files that say all of it, and from which another call goes on.

    summary.md  summary.json  parts.json  tests.json  logs.tar.gz

logs.tar.gz has what the programs said, their snapshots, and what they keep for the next run (calibration and chosen
algorithms)."""

import gzip
import io
import json
import pathlib
import tarfile

from items import say, write

MOST_ARCHIVE_BYTES = 15_000_000  # files of 16 MiB are as large as some machines give back
MOST_LOG_BYTES = 400_000
FINISHED = ("done", "failed")
# In the order in which they get room in the archive.
FOLDERS = ("kept", "logs", "snapshots")


class Record:
    """`summarise(results)` makes the summary: a dictionary, and a page to read."""

    def __init__(self, out, work, pack, part, summarise, device=""):
        self.out, self.work, self.pack, self.part, self.device = pathlib.Path(out), pathlib.Path(work), pack, part, device
        self.summarise, self.results, self.left_out, self.members = summarise, {}, {}, {}
        for folder in FOLDERS:
            (self.work / folder).mkdir(parents=True, exist_ok=True)

    def resume(self, folder, again=lambda name: False):
        """Takes over what an earlier call of the same build kept there, but the items that are to be run `again`."""
        folder = pathlib.Path(folder)
        try:
            before = json.loads((folder / "parts.json").read_text(encoding="utf-8"))
            known = {name: outcome for name, outcome in before.items() if outcome.get("build") == self.build()}
        except OSError:
            return
        except (ValueError, AttributeError) as error:
            say(f"{folder / 'parts.json'} is not used: it cannot be read ({error}).")
            return
        if len(known) < len(before):
            say(f"{len(before) - len(known)} items in {folder} are of another build and are run again.")
        self.results.update({name: outcome for name, outcome in known.items() if not again(name)})
        if known:
            self.unpack_archive(folder / "logs.tar.gz")

    def unpack_archive(self, path):
        try:
            with tarfile.open(path) as archive:
                for member in archive:
                    place = pathlib.PurePosixPath(member.name)
                    if not member.isfile() or ".." in place.parts or place.parts[0] not in FOLDERS:
                        continue
                    target = self.work / place
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(archive.extractfile(member).read())
        except (OSError, EOFError, tarfile.TarError) as error:
            say(f"{path} is not used: it cannot be read ({error}).")

    def build(self):
        return self.pack["build"]

    def finished(self, name):
        return self.results.get(name, {}).get("outcome") in FINISHED

    def put(self, name, outcome):
        self.results.pop(name, None)  # the order is that in which things became known
        self.results[name] = {**outcome, "part": self.part, "build": self.build(), "device": self.device}
        try:
            self.save()
        except OSError as error:  # a full disk, say: the next item may be written again, and is told in any case
            say(f"{self.out} cannot be written: {error}")

    def failures(self):
        return [name for name, outcome in self.results.items() if outcome["outcome"] == "failed"]

    def unfinished(self):
        return [name for name, outcome in self.results.items() if outcome["outcome"] == "not run"]

    def save(self):
        write(self.out / "parts.json", json.dumps(self.results, indent=1))
        tests = {name: outcome["result"] for name, outcome in self.results.items()
                 if name.startswith("tests ") and "result" in outcome}
        write(self.out / "tests.json", json.dumps(tests, indent=1))
        try:
            self.archive()
            summary, page = self.summarise(self.results)
            summary = {"build": self.pack, "failed": self.failures(), "left_out_of_the_archive": self.left_out, **summary}
            write(self.out / "summary.json", json.dumps({**summary, "parts": self.results}, indent=1))
            write(self.out / "summary.md", page)
        except Exception as error:  # a summary that fails loses nothing: parts.json is there
            say(f"the summary failed: {type(error).__name__}: {error}")

    def archive(self):
        """Each file is a compressed piece of its own, so that only what changed is compressed again; readers of .gz
        take all pieces for one."""
        pieces, room, self.left_out = [], MOST_ARCHIVE_BYTES, {}
        for folder in FOLDERS:
            files = [path for path in sorted((self.work / folder).rglob("*")) if path.is_file() and path.suffix != ".lock"]
            for path in sorted(files, key=lambda path: path.stat().st_size):
                piece = self.member(path)
                if len(piece) <= room:
                    pieces.append(piece)
                    room -= len(piece)
                else:
                    self.left_out[path.relative_to(self.work).as_posix()] = len(piece)
        pieces.append(gzip.compress(b"\0" * 1024))
        write(self.out / "logs.tar.gz", b"".join(pieces))

    def member(self, path):
        state = path.stat()
        stamp = (state.st_size, state.st_mtime_ns)
        known = self.members.get(path)
        if known is None or known[0] != stamp:
            content = path.read_bytes()
            if path.parent.name == "logs" and len(content) > MOST_LOG_BYTES:
                half = MOST_LOG_BYTES // 2
                content = content[:half] + b"\n... cut here ...\n" + content[-half:]
            header = tarfile.TarInfo(path.relative_to(self.work).as_posix())
            header.size, header.mtime = len(content), int(state.st_mtime)
            block = io.BytesIO()
            block.write(header.tobuf(tarfile.PAX_FORMAT))
            block.write(content)
            block.write(b"\0" * (-len(content) % tarfile.BLOCKSIZE))
            known = self.members[path] = (stamp, gzip.compress(block.getvalue(), 6))
        return known[1]
