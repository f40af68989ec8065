"""The engine's own token estimate. Follows the reference on the assembler, section 15.

Everything here counts UTF-16 code units. A figure made by :func:`covel_tokens` is the engine's estimate and no
tokenizer's count.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from covel_inspector.engines.covel.javascript import length, stringify
from covel_inspector.engines.covel.records.calls import KernelMessage

Estimator = Callable[[str], int]
"""From a text to tokens."""

NON_TEXT_PART_TOKENS = 1500
"""What a picture, or any other part that is no text, costs."""

# U+2E80–9FFF, AC00–D7AF, F900–FAFF and FF00–FFEF by the high byte of a unit. The low byte matters in three rows
# only, which are looked at apart: counting bytes is many times quicker than matching characters.
_CJK_HIGH = bytes([0x2E, *range(0x2F, 0xA0), *range(0xAC, 0xD8), 0xF9, 0xFA, 0xFF])
_PARTIAL_ROWS = re.compile("[\u2e00-\u2e7f\ud7b0-\ud7ff\ufff0-\uffff]")


def covel_tokens(text: str) -> int:
    """One token a CJK unit and one for each begun four other units. 0 for the empty text."""
    if text.isascii():
        return (len(text) + 3) // 4
    high = text.encode("utf-16-be", "surrogatepass")[0::2]
    units = len(high)
    cjk = units - len(high.translate(None, _CJK_HIGH))
    if b"\x2e" in high or b"\xd7" in high or b"\xff" in high:
        cjk -= len(_PARTIAL_ROWS.findall(text))
    return cjk + (units - cjk + 3) // 4


def quarter_tokens(text: str) -> int:
    """One token for each begun four units, whatever they are."""
    return (length(text) + 3) // 4


ESTIMATORS: Mapping[str, Estimator] = {
    "covel": covel_tokens,
    "cjk": covel_tokens,
    "chars4": quarter_tokens,
    "quarter": quarter_tokens,
    "chars": length,
}
"""By name: ``covel`` (also ``cjk``) is the engine's own, the others are for comparison and tests."""


def estimator_named(name: str) -> Estimator:
    """The estimator of a name. Raises ValueError for an unknown one, with a line that lists the known ones."""
    if name not in ESTIMATORS:
        raise ValueError(f"'{name}' is no estimator; there are {', '.join(ESTIMATORS)}")
    return ESTIMATORS[name]


def message_text(content: object) -> str:
    """The text of a message's content: a string as it is; of a list of parts the texts, and ``[image]`` for others."""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "\n".join(map(_part_text, content))
    return "" if content is None else stringify(content)


def message_tokens(message: KernelMessage, estimate: Estimator) -> int:
    """Tokens of a message: its text, a fixed amount for each part that is no text, and its other fields as JSON."""
    content = message.content
    if type(content) is str:
        tokens = estimate(content)
    else:
        tokens = estimate(message_text(content)) + NON_TEXT_PART_TOKENS * _other_parts(content)
    extra: dict[str, object] = {}
    if message.name:
        extra["name"] = message.name
    if message.tool_call_id:
        extra["toolCallId"] = message.tool_call_id
    if message.tool_calls:
        extra["toolCalls"] = list(message.tool_calls)
    if message.reasoning_content:
        extra["reasoningContent"] = message.reasoning_content
    return tokens + estimate(stringify(extra)) if extra else tokens


def _part_text(part: object) -> str:
    return str(part["text"]) if _is_text(part) and isinstance(part, Mapping) else "[image]"


def _other_parts(content: object) -> int:
    return sum(not _is_text(part) for part in content) if isinstance(content, Sequence) else 0


def _is_text(part: object) -> bool:
    return isinstance(part, Mapping) and part.get("type") == "text" and isinstance(part.get("text"), str)
