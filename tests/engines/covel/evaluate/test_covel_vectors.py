"""All true vectors: what the embedded engine gives is what the engine gives."""

import json
from typing import Any

import pytest
from covel_vectors import (
    assembler_case,
    assembler_cases,
    assembler_pack,
    budget_case,
    budget_cases,
    budget_pack,
)

from covel_inspector.engines.covel.evaluate import CaseError, evaluate_assembler, evaluate_budget
from covel_inspector.engines.covel.textpack import TextPack


def as_json(value: Any) -> Any:
    """A value as it looks behind JSON: key order aside, every byte counts."""
    return json.loads(json.dumps(value))


def test_no_vector_is_missing() -> None:
    assert len(assembler_cases()) == 227
    assert len(budget_cases()) == 47


@pytest.mark.parametrize("name", assembler_cases())
def test_assembler(name: str) -> None:
    case = assembler_case(name)
    given = json.dumps(case)
    assert as_json(evaluate_assembler(case, assembler_pack())) == case["expected"]
    assert json.dumps(case) == given, "the case was changed while it ran"


@pytest.mark.parametrize("name", budget_cases())
def test_budget(name: str) -> None:
    case = budget_case(name)
    assert as_json(evaluate_budget(case, budget_pack())) == case["expected"]


def test_another_pack_gives_its_own_words() -> None:
    other = TextPack.from_json(
        {"format": "covel-inspector-texts/1", "texts": {"turn.emptyInput": {"en": "<b>{x}</b>", "zh": "空"}}}
    )
    case = assembler_case("turn-empty-en")
    result = evaluate_assembler(case, other)
    assert result["messages"][-1] == {"role": "user", "content": "<b>{x}</b>"}
    assert result["systemPrompt"] != case["expected"]["systemPrompt"]


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({"op": "nothing", "params": {}}, "no operation"),
        ({"params": {}}, "no operation"),
        ({"op": "context", "params": {"manifest": []}}, "'manifest' should be an object"),
        ({"op": "context", "params": {"messageHistory": [1]}}, "'messageHistory' should be a list of objects"),
        ({"op": "context", "params": {"promptTemplate": {"$repeat": ["a", -1]}}}, "'$repeat'"),
        ({"op": "context", "params": {"promptTemplate": {"$repeat": ["a", 10**12]}}}, "more than"),
        ({"op": "context", "params": {"promptTemplate": {"$concat": ["a", 1]}}}, "'$concat'"),
        ({"op": "tokens", "params": {"texts": "a"}}, "'texts' should be a list of strings"),
        ({"op": "request-budget", "params": {"messages": [{"content": "no role"}]}}, "role"),
        ({"op": "budget", "params": {"estimator": "guess", "options": {"maxInputTokens": 9}}}, "no estimator"),
    ],
)
def test_a_case_that_cannot_be_run_says_why(case: dict[str, Any], words: str) -> None:
    with pytest.raises(CaseError) as caught:
        evaluate_assembler(case, assembler_pack())
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_budget_case_of_an_unknown_kind_says_so() -> None:
    with pytest.raises(CaseError, match="no kind"):
        evaluate_budget({"input": {"kind": "other"}}, budget_pack())


def test_an_empty_context_is_a_context() -> None:
    result = evaluate_assembler({"op": "context", "params": {}}, assembler_pack())
    assert result["systemPrompt"] == ""
    assert result["messages"] == [{"role": "user", "content": "Open the turn."}]
