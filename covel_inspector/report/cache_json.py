"""The cache report as JSON.

A list of objects, one a session: ``{session, estimator, boundaryEstimator, notes, runtimes}``; a runtime is
``{runtime, plugin, rows}``; a row:

``address``, ``kind`` (turn, step, retry, rerun), ``against`` (address of the request it is compared with, or null),
``model``, ``provider``, ``protocol``, ``startedAt``; ``measured {tokens, shared}`` (estimates of what was recorded,
cache marks left out); ``reported {input, cached, cacheWrite}`` or null (null inside = not reported); ``predicted
{cached, written, uncached, boundariesApart, rule, why}`` or null (in the provider's scale when it reported the whole
input); ``disagreement`` (sentence or null); ``cause {kind, sentence, segment, title, plugin, variable, old, new,
tokensUncached, tokensLost, remedy, providerReason, isBreak, isGuess, notes}``; ``cost {paid, withoutCache, lost,
currency, basis, price}`` or null; ``boundaries``, a list of ``{number, setter, tokens, note, read, readers}``
(``tokens`` stand before it, segment by segment by ``boundaryEstimator``: the engine's estimate, as trees count).
"""

from collections.abc import Sequence
from typing import Any

from covel_inspector.analysis.cache_report import CacheReport, CacheRow, Cost, Prediction
from covel_inspector.analysis.causes import Cause
from covel_inspector.domain import Sentence, Usage
from covel_inspector.domain.names import estimator_name
from covel_inspector.report.wording import Catalogue


def cache_objects(reports: Sequence[CacheReport], words: Catalogue, *, with_inner: bool = True) -> list[dict[str, Any]]:
    """The JSON form (see the module's text)."""
    return [
        {
            "session": report.session,
            "estimator": words.text(report.estimator),
            "boundaryEstimator": words.text(estimator_name(report.boundary_estimator)),
            "notes": [words.text(note) for note in report.notes],
            "runtimes": [
                {
                    "runtime": runtime.runtime,
                    "plugin": runtime.plugin,
                    "rows": [_row(row, words) for row in (runtime.rows if with_inner else runtime.turns)],
                }
                for runtime in report.runtimes
            ],
        }
        for report in reports
    ]


def _row(row: CacheRow, words: Catalogue) -> dict[str, Any]:
    return {
        "address": str(row.address),
        "kind": row.kind.value,
        "against": None if row.against is None else str(row.against),
        "model": row.model,
        "provider": row.provider,
        "protocol": row.protocol,
        "startedAt": row.started_at,
        "measured": {"tokens": row.tokens, "shared": row.shared},
        "reported": _usage(row.usage),
        "predicted": _prediction(row.predicted, words),
        "disagreement": _text(row.disagreement, words),
        "cause": _cause(row.cause, words),
        "cost": _cost(row.cost, words),
        "boundaries": [
            {
                "number": boundary.number,
                "setter": boundary.setter.value,
                "tokens": boundary.tokens,
                "note": words.text(boundary.note),
                "read": boundary.is_read,
                "readers": [str(address) for address in boundary.readers],
            }
            for boundary in row.boundaries
        ],
    }


def _usage(usage: Usage | None) -> dict[str, int | None] | None:
    if usage is None:
        return None
    return {"input": usage.input, "cached": usage.cached, "cacheWrite": usage.cache_write}


def _prediction(predicted: Prediction | None, words: Catalogue) -> dict[str, Any] | None:
    if predicted is None:
        return None
    return {
        "cached": predicted.cached,
        "written": predicted.written,
        "uncached": predicted.uncached,
        "boundariesApart": predicted.steps,
        "rule": words.text(predicted.rule),
        "why": words.text(predicted.why),
    }


def _cause(cause: Cause, words: Catalogue) -> dict[str, Any]:
    return {
        "kind": cause.kind.value,
        "sentence": words.text(cause.sentence),
        "segment": cause.key or None,
        "title": _text(cause.title, words),
        "plugin": cause.plugin or None,
        "variable": cause.variable or None,
        "old": cause.old,
        "new": cause.new,
        "tokensUncached": cause.tokens_uncached,
        "tokensLost": cause.tokens_lost,
        "remedy": _text(cause.remedy, words),
        "providerReason": cause.provider_reason or None,
        "isBreak": cause.is_break,
        "isGuess": cause.is_guess,
        "notes": [words.text(note) for note in cause.notes],
    }


def _cost(cost: Cost | None, words: Catalogue) -> dict[str, Any] | None:
    if cost is None:
        return None
    return {
        "paid": cost.paid,
        "withoutCache": cost.without_cache,
        "lost": cost.lost,
        "currency": cost.currency,
        "basis": words.text(cost.basis),
        "price": words.text(cost.price),
    }


def _text(sentence: Sentence | None, words: Catalogue) -> str | None:
    return None if sentence is None else words.text(sentence)
