"""The engine's token estimate."""

from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.engines.covel.budget.estimator import (
    ESTIMATORS,
    NON_TEXT_PART_TOKENS,
    covel_tokens,
    message_tokens,
    quarter_tokens,
)
from covel_inspector.engines.covel.records.calls import KernelMessage

RANGES = ((0x2E80, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF))
NEAR_BORDERS = st.sampled_from(
    [chr(code) for first, last in RANGES for code in (first - 1, first, last, last + 1)] + ["a", "🙂", "𠀀", "\ud800"]
)


def slowly(text: str) -> int:
    """The rule written out: one token a CJK unit, one for each begun four others."""
    data = text.encode("utf-16-be", "surrogatepass")
    units = [data[index] << 8 | data[index + 1] for index in range(0, len(data), 2)]
    cjk = sum(any(first <= unit <= last for first, last in RANGES) for unit in units)
    return cjk + -(-(len(units) - cjk) // 4)


@given(st.text(NEAR_BORDERS | st.characters(), max_size=80))
def test_the_quick_count_is_the_rule(text: str) -> None:
    assert covel_tokens(text) == slowly(text)


@given(st.text(st.characters()))
def test_other_estimators_count_units(text: str) -> None:
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    assert ESTIMATORS["chars"](text) == units
    assert quarter_tokens(text) == -(-units // 4)


@given(st.text(st.characters()), st.text(st.characters()))
def test_joining_texts_never_costs_more_than_both(left: str, right: str) -> None:
    assert covel_tokens(left + right) <= covel_tokens(left) + covel_tokens(right)


def test_parts_and_other_fields_are_counted() -> None:
    plain = KernelMessage(role="user", content="abcd")
    assert message_tokens(plain, covel_tokens) == 1
    named = KernelMessage(role="assistant", content="abcd", name="teller")
    assert message_tokens(named, covel_tokens) == 1 + covel_tokens('{"name":"teller"}')
    parts = KernelMessage(role="user", content=[{"type": "text", "text": "ab"}, {"type": "media", "ref": {}}])
    assert message_tokens(parts, covel_tokens) == covel_tokens("ab\n[image]") + NON_TEXT_PART_TOKENS
    empty = KernelMessage(role="assistant", content=None)
    assert message_tokens(empty, covel_tokens) == 0
    resumed = KernelMessage.model_validate(
        {"role": "assistant", "content": "", "providerContinuation": {"token": "x" * 400}}
    )
    assert message_tokens(resumed, covel_tokens) == 0
