#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates plans that Plumbline writes against their published JSON Schema, the schema against damaged copies, and the
schema itself against what the program describes.

    check_plan_schema.py SCHEMA WRITER             WRITER is the program that fills a folder with plans
    check_plan_schema.py --write SCHEMA WRITER     writes SCHEMA anew; the options of a deep linear model are those of
                                                   snapshot.schema.json beside it
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "snapshot"))
from check_snapshot_schema import changed, jsonschema, laid_out  # noqa: E402

HEAD = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "https://plumbline.invalid/schema/plan.schema.json",
    "$comment": "SPDX-License-Identifier: Apache-2.0",
    "title": "Plumbline plan, version 1",
}
# Where samples are and how many ranks train is no matter of a plan; the others follow from what is given.
NOT_SHARED = ["data", "data-format", "targets", "data-parallel", "zero", "tensor"]
FOLLOWS = ["micro-batch", "lr", "weight-decay"]


def schema_of(folder, path):
    """The text of the schema: what the program describes, and the options."""
    snapshot = json.loads(path.with_name("snapshot.schema.json").read_text(encoding="utf-8"))
    options = snapshot["$defs"]["config"]
    for name in NOT_SHARED:
        del options["properties"][name]
    options["required"] = [name for name in options["required"] if name not in NOT_SHARED + FOLLOWS]
    options["additionalProperties"] = False
    described = json.loads((folder / "definitions.json").read_text(encoding="utf-8"))
    definitions = described.pop("$defs")
    return laid_out({**HEAD, **described, "$defs": {"config": options, **definitions}}) + "\n"


def damaged_copies(plan):
    """Copies that a reader refuses, each with what was done to it."""
    for path, value in [
        (["format"], "plumbline.snapshot"), (["version"], 2), (["model"], KeyError), (["workload"], KeyError),
        (["cluster"], KeyError), (["recipe"], KeyError), (["layout"], KeyError), (["more"], 1),
        (["workload", "tokens"], -1), (["workload", "sequence"], 1.5), (["workload", "epochs"], 3),
        (["cluster", "devices"], 0), (["cluster", "device"], "H100"), (["cluster", "nodes"], 2),
        (["recipe", "compute"], "int8"), (["recipe", "recompute"], "some"), (["recipe", "weight_bytes"], -2),
        (["layout", "zero"], 4), (["layout", "tensor"], 0), (["layout", "tp"], 2), (["layout", "micro_batch"], KeyError),
        (["given"], {"mfu": 0.5}), (["given"], {"mfu": {"low": 0.1, "expected": 0.2}}), (["given"], {"mfuu": {}}),
        (["model", "transformer", "layers"], 0), (["model", "transformer", "width"], 1),
        (["model", "transformer", "gated"], KeyError), (["model", "kind"], "transformer"),
    ]:
        yield changed(plan, path, value)


def main():
    wants_write = sys.argv[1] == "--write"
    if wants_write:
        del sys.argv[1]
    path = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.argv[2], name], check=True)
        plans = [json.loads(each.read_text(encoding="utf-8")) for each in sorted(folder.glob("*.plan.json"))]
        generated = schema_of(folder, path)
    if wants_write:
        path.write_text(generated, encoding="utf-8")
        return 0
    text = path.read_text(encoding="utf-8")
    schema = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []
    if text != generated:
        failures.append(f"{path.name} is not what the program describes: {sys.argv[0]} --write {' '.join(sys.argv[1:])}")
    kinds = set()
    for number, plan in enumerate(plans):
        kinds |= set(plan["model"]) & {"parameters", "transformer", "deep_linear"}
        failures += [f"plan {number}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
                     for error in validator.iter_errors(plan)]
    if kinds != {"parameters", "transformer", "deep_linear"}:
        failures.append(f"plans of {sorted(kinds)} alone were written")
    refused = 0
    whole = next(plan for plan in plans if "transformer" in plan["model"] and plan["cluster"]["device"])
    for what, plan in damaged_copies(whole):
        if validator.is_valid(plan):
            failures.append(f"the schema accepts {what}")
        refused += 1
    print(f"{len(plans)} plans validated, {refused} damaged copies tried")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
