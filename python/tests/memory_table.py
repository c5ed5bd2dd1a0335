#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of README.md that holds the memory curve beside the CPU allocator's peak, measured anew.

    python3 python/tests/memory_table.py PYTHON...            prints it, a pair of columns for the torch of each
    python3 python/tests/memory_table.py --write PYTHON...    puts it into python/README.md

What libraries take for themselves depends on the instructions that they choose: the table is of AVX2, which oneDNN is held
to by ONEDNN_MAX_CPU_ISA, so that any processor of these years gives the same; what this one has beyond is a second table.
Each torch runs in processes of its own, in which nothing else lives.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import Any, NamedTuple, Optional

HERE = os.path.dirname(os.path.abspath(__file__))
README = os.path.join(os.path.dirname(HERE), "README.md")
BEGIN, END = "<!-- Made by tests/memory_table.py: -->\n", "<!-- to here. -->\n"
HELD_TO = "AVX2"
ABSENT = "wants a GPU there"  # FSDP2 of torch 2.4


class Row(NamedTuple):
    """One model with one torch."""

    peak: int     # bytes, of the allocator
    inside: int   # of these, inside of libraries
    lacking: int  # of curve and libraries together

    @classmethod
    def of(cls, document: dict[str, Any]) -> "Row":
        """That of a recorded step."""
        memory = document["memory"]
        peak = memory["allocator_peak_bytes"]
        return cls(peak, memory["inside_libraries_bytes"], peak - memory["curve_peak_bytes"])


def measure() -> dict[str, Any]:
    """The rows of the torch that runs this."""
    import warnings

    from support import record_made

    import torch
    from architectures import ARCHITECTURES

    warnings.simplefilter("ignore")
    rows: dict[str, Optional[Row]] = {}
    for name, (make, _) in ARCHITECTURES.items():
        document = record_made(make)
        rows[name] = document and Row.of(document)
    return {"torch": torch.__version__.partition("+")[0], "isa": torch.backends.cpu.get_cpu_capability(), "rows": rows}


def measured_by(python: str, isa: str) -> dict[str, Any]:
    """What measure() gives in a process of its own. isa: the most that oneDNN may use; "" for all there is."""
    environment = {name: value for name, value in os.environ.items() if name != "ONEDNN_MAX_CPU_ISA"}
    if isa:
        environment["ONEDNN_MAX_CPU_ISA"] = isa
    done = subprocess.run([python, "-B", os.path.abspath(__file__), "--rows"], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"{python} failed:\n{done.stderr}")
    found = json.loads(done.stdout.splitlines()[-1])
    found["rows"] = {name: row and Row(*row) for name, row in found["rows"].items()}
    return found


def number(count: int) -> str:
    """Digits in groups of three."""
    return f"{count:,}".replace(",", " ")


def cells(row: Optional[Row]) -> str:
    """Peak, and what lies inside of libraries."""
    if row is None:
        return f"{ABSENT} | "
    share = f" ({100 * row.inside / row.peak:.1f} %)" if row.inside else ""
    return f"{number(row.peak)} | {number(row.inside)}{share}"


def heading(columns: list[dict[str, Any]]) -> list[str]:
    """The first two lines of a table."""
    names = " | ".join(f"torch {column['torch']}: peak, bytes | inside libraries" for column in columns)
    return [f"| model | {names} | lacking |", "|" + " --- |" * (2 + 2 * len(columns))]


def lines_of(columns: list[dict[str, Any]], names: list[str]) -> list[str]:
    """The rows of a table; what lacks of any column is the last cell."""
    lines = []
    for name in names:
        rows = [column["rows"][name] for column in columns]
        lacking = max((abs(row.lacking) for row in rows if row), default=0)
        lines.append(f"| {name} | " + " | ".join(map(cells, rows)) + f" | {number(lacking)} |")
    return lines


def table(columns: list[dict[str, Any]], native: list[dict[str, Any]], processor: str) -> str:
    """Both tables."""
    lines = heading(columns) + lines_of(columns, list(columns[0]["rows"]))
    other = [name for name in columns[0]["rows"]
             if any(one["rows"][name] != two["rows"][name] for one, two in zip(columns, native))]
    isa = native[0]["isa"]
    if other:
        lines += ["", f"With all instructions of the processor at hand ({processor}, {isa}) these differ:", ""]
        lines += heading(native) + lines_of(native, other)
    return "\n".join(lines) + "\n"


def rows_of_readme(version: str) -> dict[str, Row]:
    """The first table's rows of a torch, as README.md has them; empty where it has no such column."""
    with open(README, encoding="utf-8") as file:
        lines = file.read().partition(BEGIN)[2].partition(END)[0].splitlines()
    titles = [cell.strip() for cell in lines[0].split("|")]
    title = f"torch {version}: peak, bytes"
    if title not in titles:
        return {}
    place, found = titles.index(title), {}
    for line in lines[2:]:
        if not line.startswith("|"):
            break
        texts = [cell.strip() for cell in line.split("|")]
        if texts[place] != ABSENT:
            digits = [re.match(r"[\d ]+", text).group() for text in (texts[place], texts[place + 1], texts[-2])]
            found[texts[1]] = Row(*(int(text.replace(" ", "")) for text in digits))
    return found


def main(arguments: list[str]) -> int:
    """Returns the exit status."""
    if arguments == ["--rows"]:
        print(json.dumps(measure()))
        return 0
    pythons = [word for word in arguments if not word.startswith("-")]
    if not pythons:
        print(__doc__, file=sys.stderr)
        return 2
    sys.path.insert(0, os.path.join(os.path.dirname(HERE), "src"))
    columns, native = ([measured_by(python, isa) for python in pythons] for isa in (HELD_TO, ""))
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        processor = re.search(r"^model name\s*: (.*?)(?: \d.*)?$", file.read(), re.MULTILINE)
    text = table(columns, native, processor.group(1).strip() if processor else "a processor that says no name")
    if "--write" not in arguments:
        print(text, end="")
        return 0
    with open(README, encoding="utf-8") as file:
        before, begin, rest = file.read().partition(BEGIN)
    old, end, after = rest.partition(END)
    if not begin or not end:
        print(f"{README} has no place for the table: it stands between {BEGIN.strip()} and {END.strip()}", file=sys.stderr)
        return 1
    with open(README, "w", encoding="utf-8") as file:
        file.write(before + begin + text + end + after)
    return 0


if __name__ == "__main__":
    sys.path.insert(0, HERE)
    sys.exit(main(sys.argv[1:]))
