#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collects what the configuration classes of Hugging Face transformers take for fields that a file leaves out.

    pip install torch transformers
    python3 config_defaults.py > ../../../resources/config_defaults.json

transformers writes the parts of a configuration (a text_config) as their difference from the class's defaults. `classes`
has, of every family that the planner reads, the whole numbers among these: of the class itself, not of an instance, which
derives some from others. `parts` are models that read images and text, with the family of the part for text where the file
does not name it; `flat` are those of them that were published with the fields of that part at the top of the file.
"""

import dataclasses
import json
import pathlib
import re
import sys

import transformers
from transformers import PretrainedConfig
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES

READERS = pathlib.Path(__file__).resolve().parents[3] / "core" / "planner"
PROBE = 64  # a width that no class has by default


def readers_words():
    """Every word in quotes of the readers of families: their fields are among them."""
    files = [*READERS.glob("*_families.cpp"), READERS / "config_fields.cpp", READERS / "config_fields.h"]
    return {word for file in files for word in re.findall(r'"(\w+)"', file.read_text())}


def families():
    """Types that have a reader: {"llama", readLlama} and the like."""
    text = "".join(file.read_text() for file in READERS.glob("*_families.cpp"))
    return set(re.findall(r'\{"([\w.-]+)",\s*(?:read\w+|\[\])', text))


def defaults(kind, words):
    return {field.name: field.default for field in dataclasses.fields(kind)
            if field.name in words and isinstance(field.default, int) and not isinstance(field.default, bool)}


def main():
    words, known = readers_words(), families()
    classes, parts, flat = {}, {}, []
    for family in sorted(known & set(CONFIG_MAPPING.keys())):
        kind = CONFIG_MAPPING[family]
        classes[family] = {"class": kind.__name__, "defaults": defaults(kind, words)}
    for family in sorted(set(MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES) - known):
        try:
            config = CONFIG_MAPPING[family]()
            text = getattr(config, "text_config", None)
            if not isinstance(text, PretrainedConfig) or text.model_type not in known:
                continue
            parts[family] = text.model_type
            if CONFIG_MAPPING[family](hidden_size=PROBE).text_config.hidden_size == PROBE:
                flat.append(family)
        except Exception as error:  # a class that cannot be made of nothing
            print(family, str(error)[:100], file=sys.stderr)
    result = {"made_by": f"transformers {transformers.__version__}", "classes": classes, "parts": parts, "flat": flat}
    lines = ",\n  ".join(f"{json.dumps(family)}: {json.dumps(value)}" for family, value in classes.items())
    print(f'{{\n "made_by": {json.dumps(result["made_by"])},\n "classes": {{\n  {lines}\n }},\n'
          f' "parts": {json.dumps(parts)},\n "flat": {json.dumps(flat)}\n}}')


if __name__ == "__main__":
    main()
