"""The rules of the engine's own language that change bytes. Follows the reference on the assembler, section 1."""

from covel_inspector.engines.covel.javascript.collation import collation_key
from covel_inspector.engines.covel.javascript.json_text import is_array_index, ordered_items, ordered_keys, stringify
from covel_inspector.engines.covel.javascript.locales import Locale, instruction_language, parse_locale
from covel_inspector.engines.covel.javascript.numbers import number_text
from covel_inspector.engines.covel.javascript.strings import (
    WHITESPACE,
    WHITESPACE_CLASS,
    code_unit_key,
    head,
    is_basic,
    is_blank,
    length,
    tail,
    trim,
    trim_end,
    trim_start,
    well_formed,
)

__all__ = [
    "WHITESPACE",
    "WHITESPACE_CLASS",
    "Locale",
    "code_unit_key",
    "collation_key",
    "head",
    "instruction_language",
    "is_array_index",
    "is_basic",
    "is_blank",
    "length",
    "number_text",
    "ordered_items",
    "ordered_keys",
    "parse_locale",
    "stringify",
    "tail",
    "trim",
    "trim_end",
    "trim_start",
    "well_formed",
]
