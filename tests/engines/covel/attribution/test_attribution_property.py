"""Whatever was recorded and whatever the rows say: the tree tiles the request and never raises."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from small_story import BODY, CONTEXT, PREAMBLE, SENTINEL

from covel_inspector.domain import Grade, Kind
from covel_inspector.engines.covel.attribution import CallMoment, SessionEvidence, attribute, index_session
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.rows import (
    LorebookRow,
    PluginDataRow,
    SessionRow,
    SummaryRow,
    ToolCallRow,
    TraceRow,
    TurnMessageRow,
    TurnResultRow,
)

SCRAPS = (
    "", " ", "\n", "\n\n", "a", "continue", "继续。", "🜁", "\ud800", "\u2028", SENTINEL, "\ue000",
    PREAMBLE, BODY, CONTEXT, "[RUNTIME] ", "[COMPLETION] x", "[retry 1] again",
    "<player-character>", "</player-character>", "<a>", "</a>",
    "<memory name=\"x\">\ny\n</memory>", "<compacted_history>\n", "\n</compacted_history>", "# sections: \n",
    "<world-lore>\n", "\n</world-lore>", "<available-events>\n- a: b\n\nc\n</available-events>",
    "<runtime-activation>\n{}\n</runtime-activation>", "[Lore: k]\n", "content", "- key | {}", "{{ a }}", "…",
)  # fmt: skip
texts = st.lists(st.sampled_from(SCRAPS), max_size=8).map("".join)
roles = st.sampled_from(["user", "assistant", "system", "tool", "developer"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | texts, lambda inner: st.lists(inner, max_size=2), max_leaves=4
)
parts = st.lists(
    st.one_of(
        st.builds(lambda text: {"type": "text", "text": text}, texts),
        st.just({"type": "image", "image": "[image data omitted: 3 base64 characters]"}),
        json_values,
    ),
    max_size=3,
)
tool_calls = st.lists(
    st.fixed_dictionaries(
        {"id": st.sampled_from(["c1", "c2"]), "name": st.sampled_from(["t", "u"]), "arguments": texts}
    ),
    max_size=2,
)
messages = st.fixed_dictionaries(
    {"role": roles, "content": st.one_of(texts, texts, parts, json_values)},
    optional={"toolCalls": tool_calls, "toolCallId": st.just("c1"), "reasoningContent": texts, "name": texts},
)
moments = st.sampled_from(["", "2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z", "2026-01-01T03:00:00Z"])
turns = st.sampled_from(["t1", "t2", "t3"])
history_rows = st.builds(
    lambda text, turn, source, role, moment, ui: TurnMessageRow(
        id=f"{turn}{source}{len(text)}", session_id="s", turn_id=turn, source_type=source, source_runtime_id="narrator",
        role=role, content=text, ui=ui, created_at=moment, summary_id="s1" if len(text) % 3 == 0 else "",
    ),
    texts, turns, st.sampled_from(["player", "runtime", "system"]), roles, moments, json_values,
)  # fmt: skip
lore_rows = st.builds(
    lambda text, position, key, extra: LorebookRow(
        id=key or "k", session_id="s", owner="world", keys=(key,), content=text, position=position, extra=extra
    ),
    texts, st.sampled_from(["before_plugin", "after_plugin", "at_depth", "odd"]), texts,
    st.one_of(json_values, st.just({"coordinate": {"position": "at_depth", "depth": 1e300}}), st.just({"title": ""})),
)  # fmt: skip


@st.composite
def stories(draw: st.DrawFn) -> SessionEvidence:
    rows = draw(st.lists(history_rows, max_size=6))
    outputs = draw(st.lists(json_values, max_size=2))
    results = [
        TurnResultRow(
            id=f"r{number}",
            session_id="s",
            turn_id=draw(turns),
            created_at=draw(moments),
            runtime_results=({"status": "success", "runtimeId": "narrator", "output": output},),
        )
        for number, output in enumerate(outputs)
    ]
    return SessionEvidence(
        session=SessionRow(id="s", active_plugins=("narrator", "memory")),
        rows=tuple(rows),
        lorebook=tuple(draw(st.lists(lore_rows, max_size=4))),
        summaries=(SummaryRow(id="s1", session_id="s", content=draw(texts), created_at=draw(moments)),),
        turn_results=tuple(results),
        tool_calls=(ToolCallRow(id="x", session_id="s", turn_id="t3", tool_name="t", runtime_id="narrator", input={}),),
        plugin_data=(
            PluginDataRow(
                id="d", session_id="s", plugin_id="narrator", namespace="n", key="key", value=draw(json_values)
            ),
        ),
        traces=(
            TraceRow(
                id="p",
                session_id="s",
                type=draw(st.sampled_from(["context.pruned", "hook.rewrote"])),
                turn_id="t3",
                payload={"runtimeId": "narrator", "prunedMessageCount": 1, "diff": draw(json_values)},
            ),
        ),
    )


@st.composite
def calls(draw: st.DrawFn) -> dict[str, Any]:
    heads = st.lists(st.sampled_from([*SCRAPS, f"{PREAMBLE}{SENTINEL}\n\n", f"{BODY}{SENTINEL}\n\n"]), max_size=10)
    head = [{"role": "system", "content": "".join(draw(heads))}] if draw(st.booleans()) else []
    return {
        "messages": [*head, *draw(st.lists(messages, max_size=8))],
        "tools": draw(st.lists(st.fixed_dictionaries({"name": texts}), max_size=2)),
        "responseFormat": draw(json_values),
        "attempt": draw(st.integers(0, 1)),
    }


@settings(max_examples=200, deadline=None)
@given(calls(), stories(), moments)
def test_any_call_is_tiled(payload: dict[str, Any], evidence: SessionEvidence, moment: str) -> None:
    call = RecordedCall.model_validate(payload)

    tree = attribute(call, CallMoment("t3", "narrator", "narrator", moment), index_session(evidence))

    assert tree.gaps() == []
    contents = {row.content for row in evidence.rows}
    entries = [row.content.rstrip() for row in evidence.lorebook]
    for segment in tree.walk():
        children = [child.key for child in segment.children]
        assert len(children) == len(set(children))
        if segment.is_leaf and segment.grade is Grade.EXACT:
            if segment.kind in (Kind.HISTORY, Kind.NOTE, Kind.PLAYER_LINE):
                assert segment.text in contents
            if segment.kind is Kind.LORE:
                assert any(segment.text.endswith(content) for content in entries)
