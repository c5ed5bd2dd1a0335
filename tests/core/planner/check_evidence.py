#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the published trainings to their schema and to physics: resources/published.json (docs/evidence.md).

    check_evidence.py [--resources FOLDER]

The schema says what a row may have; here stands what a schema cannot say: ids are unique, sources known and used,
devices those of hardware.json, layouts divide the devices, batches are whole, figures of one row agree with each
other, and no utilisation is impossible. A row that is outside of the plausible range although it was read twice says
so itself (`read_again`).
Held by: check_evidence_test.py, which plants each mistake.
"""

import argparse
import json
import os
import sys

FAMILIES = ("gpt2", "llama", "mistral", "mixtral", "qwen2", "qwen3", "qwen2_moe", "qwen3_moe", "deepseek_v2", "deepseek_v3")
LEAST_USE = 0.02  # model FLOPs with all pairs over the dense peak
MOST_USE = 0.85  # 6 N tokens over it, which is the least that anybody counts
RATES_AGREE = 0.03  # printed figures are rounded
CONVENTIONS_AGREE = 0.08  # published utilisations round their parameter counts too


def resources_of_this_tree():
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "resources")


class Model:
    """Weights that a token is multiplied with, and query-key work of a pair, from the words of a config.json."""

    def __init__(self, config):
        c = config
        kind = c["model_type"]
        if kind == "gpt2":
            width, layers, heads = c["n_embd"], c["n_layer"], c["n_head"]
            inner = c.get("n_inner") or 4 * width
            self.words = width * c["vocab_size"]
            self.layers = layers * (4 * width * width + 2 * width * inner)
            self.pair = layers * 2 * width
            self.biases = layers * (13 * width if inner == 4 * width else 9 * width + inner) + 2 * width
            self.total = self.layers + self.biases + self.words + width * c["n_positions"]
            return
        width, layers, heads = c["hidden_size"], c["num_hidden_layers"], c["num_attention_heads"]
        self.words = width * c["vocab_size"]
        if "kv_lora_rank" in c:
            plain, rotary, value = c["qk_nope_head_dim"], c["qk_rope_head_dim"], c["v_head_dim"]
            rank = c.get("q_lora_rank")
            query = width * rank + rank * heads * (plain + rotary) if rank else width * heads * (plain + rotary)
            attention = (query + width * (c["kv_lora_rank"] + rotary)
                         + c["kv_lora_rank"] * heads * (plain + value) + heads * value * width)
            self.pair = layers * heads * (plain + rotary + value)
        else:
            head = c.get("head_dim") or width // heads
            groups = c.get("num_key_value_heads", heads)
            attention = 2 * width * heads * head + 2 * width * groups * head
            self.pair = layers * 2 * heads * head
        dense = 3 * width * c["intermediate_size"]
        experts = c.get("num_local_experts") or c.get("num_experts") or c.get("n_routed_experts")
        if not experts:
            self.layers = layers * (attention + dense)
        else:
            inner = c.get("moe_intermediate_size", c["intermediate_size"])
            shared = c.get("n_shared_experts", 0) * inner + c.get("shared_expert_intermediate_size", 0)
            first = c.get("first_k_dense_replace", 0)
            sparse = 3 * width * (c["num_experts_per_tok"] * inner + shared) + width * experts
            self.layers = layers * attention + first * dense + (layers - first) * sparse
        self.total = None

    def flops(self, sequence, pairs, again):
        """Of one token, forward and backward, and the layers' forward once more where it runs `again`."""
        span = sequence if pairs != "causal" else (sequence + 1) / 2
        layers = 2 * self.layers + 2 * self.pair * span
        return (4 if again else 3) * layers + 3 * 2 * self.words

    def rule_of_thumb(self):
        return 6 * (self.layers + self.words)


class Evidence:
    def __init__(self, document, hardware, presets):
        self.document = document
        self.peaks = {d["id"]: d["peak_flop_per_s"] for d in hardware["devices"]}
        self.presets = {p["key"]: p["config"] for p in presets["models"]}

    def problems(self):
        yield from self.of_lists()
        for row in self.document["rows"]:
            for problem in self.of_row(row):
                yield f"{row['id']}: {problem}"

    def of_lists(self):
        for name, entries in (("sources", self.document["sources"]), ("rows", self.document["rows"])):
            seen = set()
            for entry in entries:
                if entry["id"] in seen:
                    yield f"{name} has {entry['id']} twice"
                seen.add(entry["id"])
        sources = {s["id"]: s for s in self.document["sources"]}
        used = {row["source"] for row in self.document["rows"]}
        for source in set(sources) - used:
            yield f"source {source} has no row"
        for source in used - set(sources):
            yield f"source {source} is not in the list"

    def of_row(self, row):
        if not row["id"].startswith(row["source"] + "/"):
            yield "its id does not begin with its source"
        if row["device"] not in self.peaks:
            yield f"device {row['device']} is not in hardware.json"
            return
        key = row["model"].get("preset")
        if key is not None and key not in self.presets:
            yield f"models.json has no preset {key}"
            return
        config = self.presets[key] if key is not None else row["model"]["config"]
        yield from self.of_config(config)
        model = Model(config)
        printed = row["model"].get("parameters")
        if printed and model.total and model.total != printed:
            yield f"its sizes make {model.total} parameters, the source prints {printed}"
        if "compiled" in row and row["compiled"] != (row["software"] in ("compiled", "xla")):
            yield f"software {row['software']} disagrees with compiled: {row['compiled']}"
        yield from self.of_layout(row)
        yield from self.of_storage(row)
        yield from self.of_figures(row, model)

    def of_config(self, config):
        """What the planner's reader refuses (core/planner/model_config.cpp), and families that Model above does not count."""
        if config["model_type"] not in FAMILIES:
            yield f"this check does not read model_type {config['model_type']}"
        if config["model_type"] == "gpt2":
            if config["n_embd"] % config["n_head"]:
                yield f"n_head {config['n_head']} does not divide n_embd {config['n_embd']}"
            return
        heads = config["num_attention_heads"]
        if heads % config.get("num_key_value_heads", heads):
            yield f"num_key_value_heads does not divide num_attention_heads {heads}"
        if "head_dim" not in config and "kv_lora_rank" not in config and config["hidden_size"] % heads:
            yield f"num_attention_heads {heads} does not divide hidden_size, and there is no head_dim"

    def of_layout(self, row):
        layout, devices = row["layout"], row["devices"]
        per_node = row.get("devices_per_node")
        if per_node and devices > per_node and devices % per_node:
            yield f"{devices} devices are no whole number of nodes of {per_node}"
        product = layout.get("tensor", 1) * layout.get("pipeline", 1) * layout.get("context", 1)
        if devices % product:
            yield f"its layout takes {product} devices, which does not divide {devices}"
        data = layout.get("data")
        if data and all(axis in layout for axis in ("tensor", "pipeline", "context")) and data * product != devices:
            yield f"its layout takes {data * product} of {devices} devices"
        if data and devices % data:
            yield f"data parallelism {data} does not divide {devices} devices"
        if layout.get("expert") and (devices // layout.get("pipeline", 1)) % layout["expert"]:
            yield f"expert parallelism {layout['expert']} does not divide the devices of a stage"
        micro, batch = row.get("micro_batch"), row.get("batch")
        if micro and batch and data and batch % (micro * data):
            yield f"its batch {batch} is no multiple of micro-batch {micro} times {data}"

    def of_storage(self, row):
        if row.get("weights") == "fp8" and row["precision"] != "fp8":
            yield f"its weights are fp8 and its products {row['precision']}"
        if row.get("loss", {}).get("chunks", 1) > row["sequence"] * row.get("micro_batch", 1):
            yield "its loss has more chunks than tokens"
        if "offload:" in row.get("note", "") and "offload" not in row:
            yield "its note says that something is on the host, and it has no offload"

    def of_figures(self, row, model):
        measured = row["measured"]
        tokens = row["sequence"]
        rates = {}
        if "tokens_per_second_per_device" in measured:
            rates["tokens_per_second_per_device"] = measured["tokens_per_second_per_device"]
        if "tokens_per_second" in measured:
            rates["tokens_per_second"] = measured["tokens_per_second"] / row["devices"]
        if "samples_per_second" in measured:
            rates["samples_per_second"] = measured["samples_per_second"] * tokens / row["devices"]
        if "step_seconds" in measured and "batch" in row:
            rates["step_seconds"] = row["batch"] * tokens / measured["step_seconds"] / row["devices"]
        if "device_hours_per_trillion_tokens" in measured:
            rates["device_hours_per_trillion_tokens"] = 1e12 / measured["device_hours_per_trillion_tokens"] / 3600
        again = "read_again" in row
        names = list(rates)
        for name in names[1:]:
            if abs(rates[name] / rates[names[0]] - 1) > RATES_AGREE and not again:
                yield f"{names[0]} and {name} make {rates[names[0]]:.5g} and {rates[name]:.5g} tokens/s of a device"
        peak = self.peaks[row["device"]].get(row["precision"])
        if not peak:
            yield f"the device has no peak in {row['precision']}"
            return
        pairs = row.get("flops", {}).get("pairs", "full")
        recomputed = row["recompute"]["policy"] == "full"
        rate = rates[names[0]] if names else self.rate_from_utilisation(row, model, peak, pairs, recomputed)
        if rate is None:
            yield "it has no figure of speed"
            return
        share, whole = (rate * work / peak for work in (model.rule_of_thumb(), model.flops(tokens, "full", False)))
        if share > MOST_USE and not again:
            yield f"6 N takes {share:.1%} of the peak"
        if whole < LEAST_USE and not again:
            yield f"its model FLOPs take {whole:.1%} of the peak"
        if names and not again:
            yield from self.of_conventions(row, model, peak, rate, pairs, recomputed)

    def rate_from_utilisation(self, row, model, peak, pairs, recomputed):
        measured = row["measured"]
        flops = model.flops(row["sequence"], pairs, False)
        hardware = model.flops(row["sequence"], pairs, recomputed)
        for key, rate in (("model_tflops_per_device", lambda v: v * 1e12 / flops), ("mfu", lambda v: v * peak / flops),
                          ("hardware_tflops_per_device", lambda v: v * 1e12 / hardware)):
            if key in measured:
                return rate(measured[key])
        return None

    def of_conventions(self, row, model, peak, rate, pairs, recomputed):
        """What was printed as FLOP/s against what tokens, sizes and the row's convention make."""
        if "flops" not in row:
            return
        measured = row["measured"]
        own = rate * model.flops(row["sequence"], pairs, False)
        spent = rate * model.flops(row["sequence"], pairs, recomputed)
        for key, computed in (("model_tflops_per_device", own / 1e12), ("mfu", own / peak),
                              ("hardware_tflops_per_device", spent / 1e12)):
            if key in measured and abs(measured[key] / computed - 1) > CONVENTIONS_AGREE:
                yield f"{key} is {measured[key]:.4g}, and its tokens make {computed:.4g}"


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--resources", default=resources_of_this_tree())
    folder = parser.parse_args().resources
    try:
        import jsonschema
    except ImportError:
        sys.exit("the schema is not checked: install the Python module jsonschema")
    document = load(os.path.join(folder, "published.json"))
    schema = load(os.path.join(folder, "schema", "published.schema.json"))
    validator = jsonschema.Draft202012Validator(schema)
    found = ["/".join(map(str, e.absolute_path)) + ": " + e.message for e in validator.iter_errors(document)]
    if not found:
        hardware, presets = (load(os.path.join(folder, name)) for name in ("hardware.json", "models.json"))
        found = list(Evidence(document, hardware, presets).problems())
    for problem in found:
        print(problem)
    print(f"{len(document['rows'])} rows of {len(document['sources'])} sources: {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
