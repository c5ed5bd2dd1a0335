#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates what Plumbline writes against the published JSON Schema, the schema against damaged copies, and its
definitions against those that the program generates.

    check_snapshot_schema.py SCHEMA WRITER     WRITER is the program that fills a folder with snapshots
    check_snapshot_schema.py --write SCHEMA WRITER     puts the generated definitions into SCHEMA
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    sys.exit("the Python module jsonschema is missing: apt-get install python3-jsonschema, then configure again")


def changed(document, path, value):
    """What was done, and a copy with another value at a path; with KeyError without it."""
    result = copy.deepcopy(document)
    place = result
    for key in path[:-1]:
        place = place[key]
    if value is KeyError:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return f"{path} = {value!r}", result


def damaged_copies(document):
    """Copies that a reader refuses, each with what was done to it."""
    def change(path, value):
        return changed(document, path, value)

    op = ["predicted", "ops", 0]
    memory = ["predicted", "memory"]
    timeline = ["measured", "timeline"]
    for path, value in [
        (["format"], "other"), (["format"], KeyError), (["version"], 3), (["version"], KeyError),
        (["config"], KeyError), (["config", "batch"], 0), (["config", "batch"], "many"),
        (["config", "master-weights"], "on"), (["config", "checkpoint"], 0), (["config", "optimizer"], "magic"),
        (["machine", "memory_bytes"], -1), (["machine", "name"], KeyError),
        (["machine", "peak_flop_per_s"], {"fp32": "fast"}), (["machine", "bandwidth_bytes_per_s"], 0),
        (["predicted"], 5), (op + ["flops"], 1.5), (op + ["flops"], -1), (op + ["flops"], KeyError),
        (op + ["phase"], "sideways"), (op + ["source"], "guess"), (op + ["id"], ""),
        (memory + ["peak_bytes"], None), (memory + ["curve", 0, "op"], KeyError),
        (memory + ["curve", 0, "data"], -1), (memory + ["at_peak_bytes", "gradients"], KeyError),
        (op + ["counters"], {"l2_bytes": {"value": -1, "source": "counter"}}),
        (op + ["counters"], {"l2_bytes": {"value": 1}}), (op + ["counters"], {"l2_bytes": 5}),
        (["predicted", "counter_run"], {"chip": "GH100", "metrics": [1], "passes": 1}),
        (["predicted", "counter_run"], {"chip": "GH100", "metrics": []}),
        (timeline + ["source"], "predicted"), (timeline + ["dropped"], -1), (timeline + ["kinds", 0], "kernel"),
        (timeline + ["lanes", 0, "kind"], "lane"), (timeline + ["records", "begin", 0], None),
        (timeline + ["records", "kind", 0], 6), (timeline + ["records", "correlation", 0], 0),
        (timeline + ["records", "end"], KeyError), (timeline + ["steps", 0, "step"], 0.5),
        (["runs", 0, "training"], KeyError), (["runs", 0, "config", "batch"], 0), (["runs", 0, "machine"], 5),
        (["runs"], {}), (["predicted_by"], 1),
        (["measurements", 0, "measured"], KeyError), (["measurements", 0, "config", "batch"], 0),
        (["measurements"], {}), (["curves", 0, "points", 0, "steps"], -1), (["curves", 0, "config"], KeyError),
        (["bookmarks"], {}), (["bookmarks", 0, "title"], 5), (["bookmarks", 0, "view"], KeyError),
        (["bookmarks", 0, "time"], {"from": -1, "to": 2}), (["bookmarks", 0, "time"], {"from": 1}), (["note"], ["a"]),
        (["training"], {"step": [0], "loss": ["low"], "seconds": [0], "steps_done": 1, "outcome": ""}),
    ]:
        yield change(path, value)


def laid_out(value, indent=""):
    """JSON in which objects that hold no others, and what fits into a line, stand in one."""
    line = json.dumps(value, ensure_ascii=False)
    is_leaf = isinstance(value, dict) and not any(isinstance(each, dict) for each in value.values())
    if is_leaf or not isinstance(value, (dict, list)) or len(indent) + len(line) <= 116:
        return line
    deeper = indent + "  "
    if isinstance(value, list):
        return "[\n" + ",\n".join(deeper + laid_out(each, deeper) for each in value) + f"\n{indent}]"
    members = (f"{deeper}{json.dumps(key)}: {laid_out(each, deeper)}" for key, each in value.items())
    return "{\n" + ",\n".join(members) + f"\n{indent}" + "}"


def with_definitions(text, folder):
    """The schema with the definitions of `folder` in place of its own: all but those of the options."""
    schema = json.loads(text)
    definitions = json.loads((folder / "definitions.json").read_text(encoding="utf-8"))
    schema.update(definitions.pop("snapshot"))
    schema["$defs"] = {"config": schema["$defs"]["config"], **definitions}
    return laid_out(schema) + "\n"


def main():
    wants_write = sys.argv[1] == "--write"
    if wants_write:
        del sys.argv[1]
    path = pathlib.Path(sys.argv[1])
    text = path.read_text(encoding="utf-8")
    schema = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[2], folder], check=True)
        documents = [json.loads(each.read_text(encoding="utf-8")) for each in sorted(pathlib.Path(folder).glob("*.plumb"))]
        generated = with_definitions(text, pathlib.Path(folder))
    if wants_write:
        path.write_text(generated, encoding="utf-8")
        return 0
    failures = []
    if text != generated:
        failures.append(f"{path.name} is not what the program describes: {sys.argv[0]} --write {' '.join(sys.argv[1:])}")
    for number, document in enumerate(documents):
        failures += [f"snapshot {number}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
                     for error in validator.iter_errors(document)]
    refused = 0
    whole = next(document for document in documents if document["measured"])
    for what, document in damaged_copies(whole):
        if validator.is_valid(document):
            failures.append(f"the schema accepts {what}")
        refused += 1
    # A deep network is in columns, and what is no column is refused there too.
    deep = next(document for document in documents if document["version"] == 2)
    for path, value in [(["ops", "class"], ["a"]), (["ops", "layer"], [[1]]), (["ops", "classes", 0, "phase"], "x"),
                        (["memory", "curve", "data"], [0.5]), (["ops", "seconds"], 1)]:
        document = copy.deepcopy(deep)
        place = document["predicted"]
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        if validator.is_valid(document):
            failures.append(f"the schema accepts {path} = {value!r} in columns")
        refused += 1
    # A schema that names fields which nobody writes would be no description.
    written = {name for document in documents for name in document["config"]}
    described = set(schema["$defs"]["config"]["properties"])
    if written != described:
        failures.append(f"config fields differ between schema and program: {sorted(written ^ described)}")
    print(f"{len(documents)} snapshots validated, {refused} damaged copies tried")
    if not documents:
        failures.append("no snapshot was written")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
