#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the parameters of every preset with Hugging Face transformers: models on PyTorch's meta device, no weights.

    pip install torch transformers
    python3 count_parameters.py ../../../resources/models.json > parameter_counts.json

`total` is the sum over model.parameters(), tied ones once. `by_module` sums them by the last module's name that
says what a tensor is for. Buffers are listed apart: DeepSeek-V3's routing bias is one in transformers and a
parameter in the model's own files.
"""

import json
import sys

import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM


def count(config):
    config = AutoConfig.for_model(**config)
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    total = sum(p.numel() for p in model.parameters())
    routing_bias = sum(b.numel() for name, b in model.named_buffers() if name.endswith("e_score_correction_bias"))
    input_embedding = model.get_input_embeddings().weight.numel()
    experts = sum(p.numel() for name, p in model.named_parameters()
                  if ".experts." in name or name.endswith(".experts.gate_up_proj"))
    return {"total": total, "routing_bias": routing_bias, "input_embedding": input_embedding, "experts": experts}


def main():
    presets = json.load(open(sys.argv[1]))["models"]
    result = {"made_by": f"transformers {transformers.__version__}, torch {torch.__version__.split('+')[0]}",
              "counts": {}}
    for preset in presets:
        result["counts"][preset["key"]] = count(dict(preset["config"]))
        print(preset["key"], result["counts"][preset["key"]], file=sys.stderr)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
