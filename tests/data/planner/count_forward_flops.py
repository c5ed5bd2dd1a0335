#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the FLOPs of a forward pass of models of an encoder and a decoder, by PyTorch's own counter.

    pip install torch transformers
    python3 count_forward_flops.py > forward_flops.json

One sample of families.json: as many tokens of the encoder as of the decoder (T5, BART), or half a minute of sound (Whisper).
Attention is eager, so that all pairs of queries and keys are counted, masked or not. On the meta device where the model's
code lets it.
"""

import json
import pathlib
import sys

import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode
from transformers import AutoConfig, AutoModelForSeq2SeqLM, AutoModelForSpeechSeq2Seq

SAMPLES = [("t5-small", 512), ("t5-3b", 512), ("t5-v1.1-base", 512), ("t5-uneven", 64), ("bart-base", 1024), ("bart-large", 512),
           ("whisper-tiny", 448), ("whisper-tiny", 100)]
FRAMES = 3000


def flops(config, tokens):
    speech = config["model_type"] == "whisper"
    kind = AutoModelForSpeechSeq2Seq if speech else AutoModelForSeq2SeqLM
    with torch.device("cpu" if speech else "meta"), torch.no_grad():
        model = kind.from_config(AutoConfig.for_model(**config), attn_implementation="eager").eval()
        words = torch.zeros(1, tokens, dtype=torch.long)
        read = {"input_features": torch.zeros(1, config["num_mel_bins"], FRAMES)} if speech else {"input_ids": words}
        with FlopCounterMode(display=False) as counter:
            model(**read, decoder_input_ids=words, use_cache=False)
    return counter.get_total_flops()


def main():
    models = json.loads((pathlib.Path(__file__).parent / "families.json").read_text())["models"]
    configs = {model["key"]: model["config"] for model in models}
    counts = [{"key": key, "tokens": tokens, "flops": flops(configs[key], tokens)} for key, tokens in SAMPLES]
    made_by = f"transformers {transformers.__version__}, torch {torch.__version__.split('+')[0]}"
    json.dump({"made_by": made_by, "counts": counts}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
