# SPDX-License-Identifier: Apache-2.0
"""English in a Chinese text: words in Latin letters that terms.txt does not list (tests/support/english_words.h as well)."""
import pathlib
import re

TERMS = pathlib.Path(__file__).resolve().parent / "terms.txt"
# Tags and places hold no words; "&" marks the key of a menu.
NO_WORDS = re.compile(r"</?[a-z][^<>]*>|\{[^{}]*\}|%L?\d|%n")
WORD = re.compile(r"[A-Za-z]?[a-z]+")
SIGNS_BEFORE = "-_./\\=|*@#'~+$[`^<>"
SIGNS_BEHIND = "-_/\\=|*([^<>"


def terms():
    lines = TERMS.read_text(encoding="utf-8").splitlines()
    return {word for line in lines if not line.startswith("#") for word in line.split()}


def is_word_sign(sign):
    return sign.isascii() and sign.isalnum()


def is_code(text, begin, end):
    """Whether a word is a part of what is the same in every language: layer.weight, --dim, fp32, sum(x), tag:best, "x"."""
    before2, before = (" " + text[:begin])[-2:].rjust(2)
    behind, behind2 = (text[end:end + 2] + "  ")[:2]
    return (before in SIGNS_BEFORE or behind in SIGNS_BEHIND or is_word_sign(before) or is_word_sign(behind) or
            (before in ":," and is_word_sign(before2)) or (behind in ".," and is_word_sign(behind2)) or
            (behind == ":" and not behind2.isspace()) or (before == behind == '"'))


def english_in(text, allowed):
    """Returns the words of a text that nobody translated."""
    bare = NO_WORDS.sub(" ", text.replace("&", ""))
    return [match.group() for match in WORD.finditer(bare)
            if len(match.group()) > 1 and match.group().lower() not in allowed and
            not is_code(bare, match.start(), match.end())]
