#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts parameters with Hugging Face transformers: models on PyTorch's meta device, no weights.

    pip install torch transformers
    python3 count_parameters.py ../../../resources/models.json > parameter_counts.json
    python3 count_parameters.py families.json > family_counts.json

`total` is the sum over model.parameters(), tied ones once; the other numbers are sums by what a tensor is for, from the
names of modules: every tensor is in exactly one of `parts`. Buffers are listed apart: DeepSeek-V3's routing bias is one
in transformers and a parameter in the model's own files. Encoders are counted with their head for masked tokens, those of
images with their classifier, models of several parts with their part for text and its head alone. T5's class of a
configuration ties head and embedding whatever the file says, and its weights untie them again: here the file counts.
"""

import json
import sys

import torch
import transformers
from transformers import (AutoConfig, AutoModelForCausalLM, AutoModelForImageClassification, AutoModelForImageTextToText,
                          AutoModelForMaskedLM, AutoModelForSeq2SeqLM, AutoModelForSpeechSeq2Seq)

ENCODERS = {"bert", "camembert", "distilbert", "electra", "modernbert", "roberta", "xlm-roberta"}
IMAGES = {"vit"}
STACKS = {"t5", "mt5", "umt5", "bart", "mbart"}  # an encoder and a decoder
FLAT = {"qwen2_vl", "qwen2_5_vl"}  # of several parts, with the fields of the text part at the top
HEADS = {"classifier", "lm_head", "embed_out", "cls", "vocab_transform", "vocab_layer_norm", "vocab_projector", "head", "decoder_head",
         "generator_predictions", "generator_lm_head"}
POSITIONS = {"wpe", "embed_positions", "position_embeddings", "token_type_embeddings"}
HEAD_NORMS = {"q_norm", "k_norm", "q_layernorm", "k_layernorm", "q_a_layernorm", "kv_a_layernorm"}
ATTENTION = {"attn", "self_attn", "attention", "self_attention", "encoder_attn", "SelfAttention", "EncDecAttention"}
EMBEDDING = {"patch_embeddings", "cls_token", "conv1", "conv2", "embed_tokens", "shared"}
SHARED = {"shared_expert", "shared_experts", "shared_expert_gate", "shared_mlp"}
ROUTER = {"router", "gate", "e_score_correction_bias", "moe_statics"}


def part_of(name, parameter, module, embedding):
    """What a parameter of `module` is for. One that head and embedding share has either name."""
    words = set(name.split("."))
    if parameter is getattr(embedding, "weight", None) or words & EMBEDDING:
        return "embedding"
    if name.split(".")[0] in HEADS or name == "decoder.bias":
        return "head"
    if words & POSITIONS:
        return "positions"
    if words & SHARED:
        return "shared"
    if words & ROUTER:
        return "router"
    if "experts" in words:
        return "experts"
    if words & HEAD_NORMS:
        return "attention"
    if "Norm" in type(module).__name__:
        return "norms"
    return "attention" if words & ATTENTION else "feed_forward"


def class_of(config):
    family = config["model_type"]
    if "text_config" in config or family in FLAT:
        return AutoModelForImageTextToText
    if family in STACKS or family == "whisper":
        return AutoModelForSpeechSeq2Seq if family == "whisper" else AutoModelForSeq2SeqLM
    return (AutoModelForMaskedLM if family in ENCODERS else AutoModelForImageClassification if family in IMAGES
            else AutoModelForCausalLM)


def text_part(model):
    """What of a model of several parts reads and writes text, under the names that it has alone."""
    part = torch.nn.Module()
    part.model, part.lm_head = model.get_decoder(), model.get_output_embeddings()
    part.get_input_embeddings = model.get_input_embeddings
    return part


def count(config):
    kind = class_of(config)
    tied = config.get("tie_word_embeddings")
    config = AutoConfig.for_model(**config)
    with torch.device("meta"):
        model = kind.from_config(config)
        if config.model_type in STACKS and tied is False:
            model.lm_head.weight = torch.nn.Parameter(torch.empty_like(model.lm_head.weight))
    if kind is AutoModelForImageTextToText:
        model = text_part(model)
    modules = dict(model.named_modules())
    parts = {}
    for name, parameter in model.named_parameters():
        part = part_of(name, parameter, modules[name.rpartition(".")[0]], model.get_input_embeddings())
        parts[part] = parts.get(part, 0) + parameter.numel()
    routing_bias = sum(b.numel() for name, b in model.named_buffers() if name.endswith("e_score_correction_bias"))
    return {"total": sum(p.numel() for p in model.parameters()), "routing_bias": routing_bias,
            "parts": dict(sorted(parts.items()))}


def main():
    models = json.load(open(sys.argv[1]))["models"]
    result = {"made_by": f"transformers {transformers.__version__}, torch {torch.__version__.split('+')[0]}",
              "counts": {}}
    for model in models:
        result["counts"][model["key"]] = count(dict(model["config"]))
        print(model["key"], result["counts"][model["key"]], file=sys.stderr)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
