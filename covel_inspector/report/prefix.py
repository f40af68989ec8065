"""The prefix measurement as a table and as JSON.

JSON, a list of objects with the field names of the engine's own report: ``sessionId, runtimeId, turns, calls,
totalChars, firstRequestChars, pairs``; a pair is ``{size, tokens, shared, sharedTokens, firstDifference, offset, was,
now}``. Characters are UTF-16 units, tokens that report's estimate; ``runtimeId`` is absent where a record names none,
``was`` and ``now`` where nothing differs. With pairs inside turns each object has ``insideTurns`` too, a list of such
pairs with ``kind`` (``step``, ``retry`` or ``rerun``) and ``turn`` (counted from 1) in front; and behind all entries
come objects ``{sessionId, runtimeId, functionCalls, inputTokens, outputTokens}`` for runtimes whose functions called a
model: their prompts are not recorded, the tokens are the provider's (null = not reported).
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from covel_inspector.analysis.prefix import PairKind, PrefixEntry, PrefixPair
from covel_inspector.domain import FunctionCall, Sentence, Session, say
from covel_inspector.report.figures import figure
from covel_inspector.report.terminal import Column, one_line, table
from covel_inspector.report.wording import Catalogue

_KINDS: dict[PairKind, Sentence] = {
    PairKind.TURN: say("turn"),
    PairKind.STEP: say("step"),
    PairKind.RETRY: say("retry"),
    PairKind.RERUN: say("another run"),
}


_NOTHING_KEPT = say("concealed, or not readable: nothing to compare")


def prefix_objects(entries: Iterable[PrefixEntry], *, with_inner: bool = False) -> list[dict[str, Any]]:
    """The JSON form (see the module's text)."""
    return [_entry_object(entry, with_inner=with_inner) for entry in entries]


def _entry_object(entry: PrefixEntry, *, with_inner: bool) -> dict[str, Any]:
    made: dict[str, Any] = {"sessionId": entry.session}
    if entry.runtime is not None:
        made["runtimeId"] = entry.runtime
    made |= {
        "turns": entry.turns,
        "calls": entry.calls,
        "totalChars": entry.total_chars,
        "firstRequestChars": list(entry.first_request_chars),
        "pairs": [_pair_object(pair) for pair in entry.pairs],
    }
    if with_inner:
        made["insideTurns"] = [
            {"kind": pair.kind.value, "turn": pair.turn, **_pair_object(pair)} for pair in entry.inner
        ]
    return made


def _pair_object(pair: PrefixPair) -> dict[str, Any]:
    made: dict[str, Any] = {
        "size": pair.size,
        "tokens": pair.tokens,
        "shared": pair.shared,
        "sharedTokens": pair.shared_tokens,
        "firstDifference": pair.first_difference,
        "offset": pair.offset,
    }
    if pair.was is not None:
        made |= {"was": pair.was, "now": pair.now}
    return made


def function_objects(calls: Iterable[FunctionCall]) -> list[dict[str, Any]]:
    """The JSON form of calls without a recorded prompt, runtime by runtime."""
    return [
        {
            "sessionId": session,
            "runtimeId": runtime,
            "functionCalls": len(own),
            "inputTokens": _total(call.usage.input if call.usage else None for call in own),
            "outputTokens": _total(call.usage.output if call.usage else None for call in own),
        }
        for (session, runtime), own in _by_runtime(calls).items()
    ]


def function_lines(calls: Iterable[FunctionCall], words: Catalogue) -> list[str]:
    """A line for each runtime whose functions called a model."""
    return [
        one_line(
            words.text(
                say(
                    "{runtime}: calls of a function {n}, input tokens reported {tokens}; no prompt of them is kept.",
                    runtime=runtime or "—",
                    n=len(own),
                    tokens=figure(_total(call.usage.input if call.usage else None for call in own) or 0),
                )
            )
        )
        for (_, runtime), own in _by_runtime(calls).items()
    ]


def _by_runtime(calls: Iterable[FunctionCall]) -> dict[tuple[str, str], list[FunctionCall]]:
    found: dict[tuple[str, str], list[FunctionCall]] = defaultdict(list)
    for call in calls:
        found[call.session, call.runtime].append(call)
    return found


def _total(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def prefix_lines(
    entries: Sequence[PrefixEntry],
    sessions: Sequence[Session],
    words: Catalogue,
    *,
    ignores_marks: bool = False,
    with_inner: bool = False,
    show: str | None = None,
) -> list[str]:
    """A table for each session with its sums below; with ``show`` every pair of that runtime as well."""
    if not entries:
        return [words.text(say("No call was recorded here."))]
    titles = {session.id: session.title for session in sessions}
    by_session: dict[str, list[PrefixEntry]] = defaultdict(list)
    for entry in entries:
        by_session[entry.session].append(entry)
    lines: list[str] = []
    for session, own in by_session.items():
        lines.append(one_line(" · ".join(dict.fromkeys((titles.get(session, session), session)))))
        lines += _table(own, words, with_inner=with_inner)
        lines.append(_sums(own, words))
        for entry in own:
            if show is not None and entry.runtime == show:
                lines += _details(entry, words, with_inner=with_inner)
        lines.append("")
    lines.append(words.text(_method(ignores_marks=ignores_marks)))
    return lines


def _table(entries: Sequence[PrefixEntry], words: Catalogue, *, with_inner: bool) -> list[str]:
    columns = [
        Column(words.text(say("Runtime"))),
        Column(words.text(say("Turns")), right=True),
        Column(words.text(say("Calls")), right=True),
        Column(words.text(say("Tokens a request")), right=True),
        Column(words.text(say("Shared")), right=True),
        Column("%", right=True),
        Column(words.text(say("Last first difference"))),
    ]
    rows = []
    for entry in entries:
        rows.append(_row(entry, entry.pairs, words))
        if with_inner and entry.inner:
            name = words.text(say("{runtime}, inside turns", runtime=entry.runtime or "—"))
            rows.append((f"  {name}", "", figure(len(entry.inner)), *_means(entry.inner, words)))
    return table(columns, rows)


def _row(entry: PrefixEntry, pairs: Sequence[PrefixPair], words: Catalogue) -> tuple[str, ...]:
    head = (entry.runtime or "—", figure(entry.turns), figure(entry.calls))
    if not pairs:
        return (*head, "", "", "", words.text(say("only one turn: nothing to compare with")))
    return (*head, *_means(pairs, words))


def _means(pairs: Sequence[PrefixPair], words: Catalogue) -> tuple[str, str, str, str]:
    tokens, shared = sum(pair.tokens for pair in pairs), sum(pair.shared_tokens for pair in pairs)
    last = pairs[-1]
    if not any(pair.size for pair in pairs):
        return "–", "–", "–", words.text(_NOTHING_KEPT)
    return (
        figure(_rounded(tokens, len(pairs))),
        figure(_rounded(shared, len(pairs))),
        str(_rounded(100 * shared, max(1, tokens))),
        f"{last.first_difference} +{last.offset}",
    )


def _sums(entries: Sequence[PrefixEntry], words: Catalogue) -> str:
    tokens, shared = sum(entry.tokens for entry in entries), sum(entry.shared_tokens for entry in entries)
    return words.text(
        say(
            "All pairs of turns together: {tokens} tokens, {shared} of them shared ({percent} %).",
            tokens=figure(tokens),
            shared=figure(shared),
            percent=_rounded(100 * shared, max(1, tokens)),
        )
    )


def _details(entry: PrefixEntry, words: Catalogue, *, with_inner: bool) -> list[str]:
    pairs = [*entry.pairs, *(entry.inner if with_inner else ())]
    lines: list[str] = []
    for pair in sorted(pairs, key=lambda pair: pair.turn):
        before = pair.turn - 1 if pair.kind is PairKind.TURN else pair.turn
        if not pair.size:
            told = say(
                "{kind} {before} → {turn}: {why}",
                kind=_KINDS[pair.kind],
                before=before,
                turn=pair.turn,
                why=_NOTHING_KEPT,
            )
            lines.append("  " + one_line(words.text(told)))
            continue
        lines.append(
            "  "
            + one_line(
                words.text(
                    say(
                        "{kind} {before} → {turn}: {label} +{offset}, {shared} of {size} characters shared",
                        kind=_KINDS[pair.kind],
                        before=before,
                        turn=pair.turn,
                        label=pair.first_difference,
                        offset=pair.offset,
                        shared=figure(pair.shared),
                        size=figure(pair.size),
                    )
                )
            )
        )
        if pair.was is not None:
            lines += [f"    - {_quoted(pair.was)}", f"    + {_quoted(pair.now or '')}"]
    return lines


def _method(*, ignores_marks: bool) -> Sentence:
    if ignores_marks:
        return say(
            "Measured on what was recorded, cache marks left out. Tokens are an estimate by characters. What a "
            "provider really reads from its cache also depends on its least length, its lifetime, and which of its "
            "machines answers."
        )
    return say(
        "Measured on what was recorded; cache marks count as text, as in the engine's own report (--ignore-marks "
        "leaves them out). Tokens are an estimate by characters. What a provider really reads from its cache also "
        "depends on its least length, its lifetime, and which of its machines answers."
    )


def _quoted(text: str) -> str:
    return one_line(json.dumps(text, ensure_ascii=False))


def _rounded(number: int, parts: int) -> int:
    """A quotient, halves up."""
    return (2 * number + parts) // (2 * parts)
