"""The report on a whole source as JSON.

An object:

- ``engine, location, generation, access``; ``counts``: ``sessions, calls, runtimes`` of the whole source
- ``sessions``: ``id, title, turns`` (begun by players), ``backgroundRuns`` (executions between them), ``calls``,
  ``runtimes`` (figures, below), ``neverSent`` (calls that failed before they were sent: ``address, row, reason, error,
  needed, limit``; the last two in the engine's tokens, null unless it did not fit) and ``exceptions``: every call that
  is not identical, as ``address, row`` and its verdict
- ``all``: figures over all sessions shown
- ``problems``: ``severity, where, text, address``

Figures are ``runtime, calls, statuses`` (status code to count), ``independent`` and ``total`` (code points of system
prompts and messages that were rebuilt from rows and files, and all of them), ``independentShare`` (0 to 1), ``taken``
(kind to code points that came from the recording).
"""

from collections.abc import Sequence
from typing import Any

from covel_inspector.domain import Call, Problem
from covel_inspector.report.overview import Judged, Overview, RuntimeFigures
from covel_inspector.report.verdict import verdict_object
from covel_inspector.report.wording import Catalogue


def overview_object(overview: Overview, words: Catalogue) -> dict[str, Any]:
    """The JSON form (see the module's text)."""
    facts = overview.facts
    return {
        "engine": facts.engine,
        "location": facts.location,
        "generation": facts.generation,
        "access": words.text(facts.access),
        "counts": {"sessions": facts.sessions, "calls": facts.calls, "runtimes": facts.runtimes},
        "sessions": [
            {
                "id": one.session.id,
                "title": one.session.title,
                "turns": one.turns,
                "backgroundRuns": one.background,
                "calls": one.calls,
                "runtimes": [_figures_object(runtime) for runtime in one.runtimes],
                "neverSent": [_unsent_object(call, words) for call in one.unsent],
                "exceptions": [_judged_object(judged, words) for judged in one.exceptions],
            }
            for one in overview.sessions
        ],
        "all": _figures_object(overview.all_calls),
        "problems": problem_objects(overview.problems, words),
    }


def problem_objects(problems: Sequence[Problem], words: Catalogue) -> list[dict[str, Any]]:
    """The JSON form of problems."""
    return [
        {
            "severity": problem.severity.value,
            "where": problem.where,
            "text": words.text(problem.sentence),
            "address": str(problem.address) if problem.address else None,
        }
        for problem in problems
    ]


def _figures_object(figures: RuntimeFigures) -> dict[str, Any]:
    return {
        "runtime": figures.runtime,
        "calls": figures.calls,
        "statuses": {status.value: count for status, count in figures.statuses.items()},
        "independent": figures.independent,
        "total": figures.total,
        "independentShare": round(figures.independent_share, 6),
        "taken": {kind.value: characters for kind, characters in figures.taken.items()},
    }


def _unsent_object(call: Call, words: Catalogue) -> dict[str, Any]:
    return {
        "address": str(call.address),
        "row": call.row,
        "reason": words.text(call.why_unsent),
        "error": call.error,
        "needed": call.too_long.needed if call.too_long is not None else None,
        "limit": call.too_long.limit if call.too_long is not None else None,
    }


def _judged_object(judged: Judged, words: Catalogue) -> dict[str, Any]:
    return {"address": str(judged.address), "row": judged.row} | verdict_object(judged.verdict, words)
