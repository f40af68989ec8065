"""What is known of models by name: levels, traits, and the fields that a thinking level becomes."""

from typing import Any

import pytest

from covel_inspector.domain import Protocol
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.textpack import default_pack
from covel_inspector.engines.covel.wire import WireCall, WireTexts, build
from covel_inspector.engines.covel.wire.models import (
    Family,
    counts_completion_tokens,
    family_of,
    has_fixed_sampling,
    refuses_forced_tools,
    thinking_of,
)

ANTHROPIC, CHAT = Protocol.ANTHROPIC, Protocol.OPENAI_CHAT
RESPONSES, GOOGLE = Protocol.OPENAI_RESPONSES, Protocol.GOOGLE
SAID = (KernelMessage(role="user", content="hello"),)
TOOL = ({"name": "roll", "jsonSchema": {"type": "object"}},)


def sent(protocol: Protocol, model: str, tools: Any = (), defaults: Any = None, **metadata: Any) -> dict[str, Any]:
    call = WireCall(protocol, model, SAID, tools, metadata=metadata, defaults=defaults or {})
    body = build(call, WireTexts.of(default_pack())).body
    return {key: value for key, value in body.items() if key not in ("model", "messages", "input", "contents", "tools")}


@pytest.mark.parametrize(
    ("model", "protocol", "levels"),
    [
        ("deepseek-reasoner", None, "disabled high max"),
        ("owner/DeepSeek-V4-Pro", None, "disabled high max"),
        ("claude-opus-5", None, "disabled low medium high xhigh max"),
        ("claude-sonnet-5.5", None, "low medium high xhigh max"),
        ("claude-fable-5-1", None, "low medium high xhigh max"),
        ("claude-mythos-5", None, "low medium high xhigh max"),
        ("claude-opus-4-8", None, "disabled low medium high xhigh max"),
        ("claude-sonnet-4-6", None, "disabled low medium high max"),
        ("claude-opus-4-5-20251101", None, "disabled low medium high"),
        ("claude-opus-4-20250514", None, ""),
        ("claude-haiku-4-5", None, ""),
        ("claude-3-7-sonnet-latest", None, ""),
        ("gemini-2.5-pro", None, "low medium high"),
        ("gemini-2.5-pro", CHAT, "minimal low medium high"),
        ("models/gemini-2.5-flash-lite-preview-09-2025", None, "none low medium high"),
        ("gemini-3-pro-preview", None, "low high"),
        ("gemini-3.1-pro", None, "low medium high"),
        ("gemini-3.1-pro", CHAT, "minimal low medium high"),
        ("gemini-3.6-flash-001", None, "minimal low medium high"),
        ("gemini-3.8-flash-latest", None, "low medium high"),
        ("gemini-3.8-flash-image", None, ""),
        ("grok-3-mini", None, "low medium high"),
        ("grok-4.20-multi-agent", None, "low medium high xhigh"),
        ("grok-2", None, ""),
        ("qwen3.8-max", CHAT, "disabled automatic low medium xhigh"),
        ("qwen3.8-2.4t-a95b", CHAT, "automatic low medium xhigh"),
        ("qwen3.7-max-preview", CHAT, "automatic low medium high"),
        ("qwen3.5-plus", CHAT, "disabled automatic low medium high"),
        ("qwen3-235b-a22b-thinking-2507", CHAT, "automatic"),
        ("qwen3-32b", CHAT, "disabled automatic"),
        ("qwen3-32b", RESPONSES, ""),
        ("qwen2.5-72b", CHAT, ""),
        ("gpt-6", None, "none minimal low medium high xhigh max"),
        ("gpt-5-pro", None, "high"),
        ("gpt-5.1-codex-max", None, "none low medium high xhigh"),
        ("gpt-5.1", None, "none low medium high"),
        ("gpt-5.4-mini", None, "none minimal low medium high xhigh"),
        ("gpt-5-nano", None, "minimal low medium high"),
        ("o3-mini", None, "low medium high"),
        ("gpt-4.1", None, ""),
        ("local-mix-7b", None, ""),
    ],
)
def test_levels_lowest_first(model: str, protocol: Protocol | None, levels: str) -> None:
    known = thinking_of(model, protocol=protocol)
    assert (known.levels if known is not None else ()) == tuple(levels.split())


def test_the_name_of_a_model_says_more_than_its_provider() -> None:
    assert family_of("claude-opus-4-6", "openai-relay") is Family.ANTHROPIC
    assert family_of("house-blend", "deepseek") is Family.DEEPSEEK
    assert family_of("house-blend", "relay") is None


def test_traits() -> None:
    assert [has_fixed_sampling(f"claude-{name}") for name in ("opus-4-6", "opus-4-7", "sonnet-4-8", "sonnet-5")] == [
        False,
        True,
        False,
        True,
    ]
    refusing = ("claude-opus-5-5", "claude-sonnet-5.5", "claude-fable-5-1", "claude-mythos-5.1")
    assert all(map(refuses_forced_tools, refusing))
    assert not any(map(refuses_forced_tools, ("claude-opus-5", "claude-fable-5", "claude-opus-5-1", "gpt-5.5")))
    assert all(map(counts_completion_tokens, ("gpt-5", "openai/gpt-9-x", "o1-preview", "o4-mini")))
    assert not any(map(counts_completion_tokens, ("gpt-4.1", "gpt-50", "o30", "claude-opus-5")))


@pytest.mark.parametrize(
    ("protocol", "model", "level", "fields"),
    [
        (ANTHROPIC, "claude-opus-4-6", "disabled", {"thinking": {"type": "disabled"}}),
        (ANTHROPIC, "claude-opus-4-5", "high", {"output_config": {"effort": "high"}}),
        (ANTHROPIC, "claude-opus-4-5", "max", {}),  # A level that the model does not list.
        (ANTHROPIC, "unheard-of", "high", {"output_config": {"effort": "high"}}),
        (
            ANTHROPIC,
            "deepseek-chat",
            "max",
            {"thinking": {"type": "enabled"}, "output_config": {"effort": "max"}},
        ),
        (CHAT, "gpt-5", "minimal", {"reasoning_effort": "minimal"}),
        (CHAT, "gpt-5", "xhigh", {}),
        (CHAT, "unheard-of", "high", {"reasoning_effort": "high"}),
        (CHAT, "deepseek-chat", "high", {"thinking": {"type": "enabled"}, "reasoning_effort": "high"}),
        (CHAT, "qwen3.8-max", "automatic", {"enable_thinking": True}),
        (CHAT, "qwen3.8-max", "xhigh", {"enable_thinking": True, "reasoning_effort": "xhigh"}),
        (CHAT, "qwen3.5-flash", "high", {"enable_thinking": True, "thinking_budget": 16384}),
        (CHAT, "qwen3-8b", "high", {}),
        (CHAT, "grok-4", "low", {"reasoning_effort": "low"}),
        (CHAT, "gemini-2.5-pro", "minimal", {"reasoning_effort": "minimal"}),
    ],
)
def test_a_level_that_the_slot_sets(protocol: Protocol, model: str, level: str, fields: dict[str, Any]) -> None:
    body = sent(protocol, model, parameterOverrides={"reasoningEffort": level})
    body.pop("max_tokens", None)
    assert body == fields


@pytest.mark.parametrize(
    ("metadata", "limits"),
    [
        ({}, 16384),
        ({"parameterOverrides": {"maxOutputTokens": 12}}, 12),
    ],
)
def test_anthropic_always_has_a_limit(metadata: dict[str, Any], limits: int) -> None:
    assert sent(ANTHROPIC, "claude-opus-4-6", **metadata)["max_tokens"] == limits


@pytest.mark.parametrize(
    "own",
    [
        {"thinking": {"type": "enabled"}},
        {"reasoning": {}},
        {"enable_thinking": False},
        {"thinking_budget": 1},
        {"output_config": {}},
        {"generationConfig": {"thinkingConfig": {"thinkingBudget": 9}}},
    ],
)
def test_the_runtimes_preference_yields_to_the_slot(own: dict[str, Any]) -> None:
    assert "reasoning_effort" not in sent(CHAT, "gpt-5", defaults={"reasoningEffort": "disabled"}, **own)
    assert "reasoning_effort" in sent(CHAT, "gpt-5", defaults={"reasoningEffort": "disabled"})


def test_provider_default_takes_back_the_tool_preference_too() -> None:
    defaults = {"toolChoice": "required"}
    asked = {"parameterOverrides": {"reasoningEffort": "provider-default"}}
    assert sent(CHAT, "gpt-5", TOOL, defaults)["tool_choice"] == "required"
    assert sent(CHAT, "gpt-5", TOOL, defaults, **asked)["tool_choice"] == "auto"
    assert "tool_choice" not in sent(ANTHROPIC, "claude-opus-4-6", TOOL, defaults, **asked)
    assert (
        sent(GOOGLE, "gemini-3-pro", TOOL, defaults, **asked)["toolConfig"]["functionCallingConfig"]["mode"] == "AUTO"
    )


def test_gemini_is_forced_even_while_it_thinks() -> None:
    forced = sent(GOOGLE, "gemini-3-pro", TOOL, {"toolChoice": "required"}, enable_thinking=True)
    assert forced["toolConfig"]["functionCallingConfig"]["mode"] == "ANY"


def test_a_forced_tool_yields_to_thinking_on_the_other_wires() -> None:
    for protocol in (CHAT, RESPONSES):
        assert (
            sent(protocol, "m", TOOL, {"toolChoice": {"name": "roll"}}, enable_thinking=True)["tool_choice"] == "auto"
        )


def test_sampling_that_claude_refuses() -> None:
    asked = {"temperature": 1, "top_k": 5, "top_p": 0.5}
    assert set(asked) <= set(sent(ANTHROPIC, "claude-opus-4-5", **asked))
    assert not set(asked) & set(sent(ANTHROPIC, "claude-opus-5", **asked))
    thinking = sent(ANTHROPIC, "claude-opus-4-5", thinking={"type": "enabled"}, **asked)
    assert not set(asked) & set(thinking)
    assert "top_p" in sent(ANTHROPIC, "claude-opus-4-5", thinking={"type": "adaptive"}, top_p=0.95)
    assert set(asked) <= set(sent(ANTHROPIC, "deepseek-chat", thinking={"type": "enabled"}, **asked))
    off = sent(ANTHROPIC, "claude-opus-4-6", thinking={"type": "disabled"}, output_config={"effort": "low"})
    assert off["output_config"] == {}


def test_gemini_25_has_no_penalties() -> None:
    asked = {"parameterOverrides": {"frequencyPenalty": 1, "presencePenalty": 1, "topK": 3}, "seed": 4}
    assert sent(GOOGLE, "gemini-2.5-pro", **asked)["generationConfig"] == {"topK": 3, "seed": 4}
    assert "frequencyPenalty" in sent(GOOGLE, "gemini-3-pro", **asked)["generationConfig"]


def test_free_settings_are_spread_and_protected_ones_are_not() -> None:
    asked = {"user": "u", "stream": True, "model": "other", "promptCacheKey": True, "lateSystemAsUser": False}
    for protocol in (ANTHROPIC, CHAT, RESPONSES):
        body = build(WireCall(protocol, "m", SAID, metadata=asked), WireTexts.of(default_pack())).body
        assert body["model"] == "m"
        assert body["user"] == "u"
        assert not {"stream", "promptCacheKey", "lateSystemAsUser"} & set(body)
