#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts trainable parameters with Hugging Face peft: adapters on PyTorch's meta device, no weights.

    pip install torch transformers peft
    python3 count_adapters.py adapters.json > adapter_counts.json

Each case names a preset of resources/models.json, or one of families.json here, the rank, the planner's targets, and
the modules that these are in transformers. Experts are put back into one module each (`experts`), as peft adapts them
when they are linear layers; layers that are frozen have no adapters (layers_to_transform).
"""

import json
import pathlib
import sys

import peft
import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForMaskedLM

HERE = pathlib.Path(__file__).resolve().parent
PRESETS = HERE.parent.parent.parent / "resources" / "models.json"


def configs():
    return {model["key"]: model["config"] for path in (PRESETS, HERE / "families.json")
            for model in json.load(open(path))["models"]}


class Expert(torch.nn.Module):
    """An expert as a module of linear layers; transformers 5 keeps all of a layer in two tensors."""

    def __init__(self, hidden, inner):
        super().__init__()
        self.expert_gate = torch.nn.Linear(hidden, inner, bias=False)
        self.expert_up = torch.nn.Linear(hidden, inner, bias=False)
        self.expert_down = torch.nn.Linear(inner, hidden, bias=False)


def with_linear_experts(model, inner, count):
    hidden = model.config.hidden_size
    for module in list(model.modules()):
        if hasattr(module, "experts") and not isinstance(module.experts, torch.nn.ModuleList):
            module.experts = torch.nn.ModuleList(Expert(hidden, inner) for _ in range(count))


def count(case, config):
    kind = AutoModelForMaskedLM if case.get("encoder") else AutoModelForCausalLM
    experts = case.get("experts")
    with torch.device("meta"):
        model = kind.from_config(AutoConfig.for_model(**config))
        if experts:
            with_linear_experts(model, experts["inner"], experts["count"])
            model.config.model_type = "linear_experts"  # of known families peft rewrites the targets
        adapted = peft.get_peft_model(model, peft.LoraConfig(
            r=case["rank"], lora_alpha=16, target_modules=case["modules"],
            layers_to_transform=case.get("layers"), layers_pattern=case.get("layers_pattern")))
    return adapted.get_nb_trainable_parameters()[0]


def main():
    known = configs()
    result = {"made_by": f"peft {peft.__version__}, transformers {transformers.__version__}, "
                         f"torch {torch.__version__.split('+')[0]}", "counts": []}
    for case in json.load(open(sys.argv[1]))["cases"]:
        trained = count(case, dict(known[case["model"]]))
        print(case["model"], trained, file=sys.stderr)
        result["counts"].append({"model": case["model"], "rank": case["rank"], "targets": case["targets"],
                                 "freeze": case.get("freeze", ""), "trained": trained})
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
