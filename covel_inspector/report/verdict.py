"""The verdict of a call, as lines and as JSON.

JSON: ``status, reason, normalisations`` (sentences), ``differences``: each ``group, title, recorded, rebuilt, note``,
places being ``{part, start, end}`` in code points, null where a side has nothing; ``independent, total`` (code points),
``taken``: each ``kind, title, characters, why``.
"""

from collections.abc import Iterator
from typing import Any

from covel_inspector.domain import Difference, Place, Sentence, Taken, Verdict, say
from covel_inspector.report import names
from covel_inspector.report.figures import figure, percent
from covel_inspector.report.terminal import one_line
from covel_inspector.report.wording import Catalogue

_MOST_DIFFERENCES = 12
"""Places listed under one call; the rest are counted."""


def verdict_object(verdict: Verdict, words: Catalogue) -> dict[str, Any]:
    """The JSON form (see the module's text)."""
    return {
        "status": verdict.status.value,
        "reason": words.text(verdict.reason),
        "normalisations": [words.text(one) for one in verdict.normalisations],
        "differences": [_difference_object(one, words) for one in verdict.differences],
        "independent": verdict.independent,
        "total": verdict.total,
        "taken": [
            {"kind": one.kind.value, "title": one.title, "characters": one.characters, "why": words.text(one.why)}
            for one in verdict.taken
        ],
    }


def _difference_object(difference: Difference, words: Catalogue) -> dict[str, Any]:
    return {
        "group": difference.group.value,
        "title": words.text(difference.title),
        "recorded": place_object(difference.recorded),
        "rebuilt": place_object(difference.rebuilt),
        "note": words.text(difference.note),
    }


def place_object(place: Place | None) -> dict[str, int] | None:
    """A place as JSON: ``part, start, end``."""
    return {"part": place.part, "start": place.start, "end": place.end} if place else None


def verdict_details(verdict: Verdict) -> Iterator[Sentence]:
    """What lies behind a verdict, a sentence each: normalisations, then the places that differ."""
    yield from verdict.normalisations
    for difference in verdict.differences[:_MOST_DIFFERENCES]:
        yield say(
            "{group}, {title}: {note}",
            group=names.GROUP[difference.group],
            title=difference.title,
            note=difference.note,
        )
    rest = len(verdict.differences) - _MOST_DIFFERENCES
    if rest > 0:
        yield say("and {n} more places", n=rest)


def verdict_lines(verdict: Verdict, words: Catalogue) -> list[str]:
    """The verdict in a few lines: outcome and reason, details, and how much of the text came from where."""
    lines = [
        words.text(
            say(
                "Recorded against rebuilt: {status}: {reason}",
                status=names.STATUS[verdict.status],
                reason=verdict.reason,
            )
        )
    ]
    lines.extend(f"  {one_line(words.text(sentence))}" for sentence in verdict_details(verdict))
    if verdict.total:
        lines.append(
            words.text(
                say(
                    "{share} of {total} characters were rebuilt from rows and files alone (those of the system prompt "
                    "and the messages, without cache marks and the blanks between segments).",
                    share=percent(verdict.independent_share),
                    total=figure(verdict.total),
                )
            )
        )
    if verdict.taken:
        lines.append(words.text(say("Taken from the recording:")))
    lines.extend(f"  {one_line(words.text(_taken(one)))}" for one in verdict.taken)
    return [line if line.startswith("  ") else one_line(line) for line in lines]


def _taken(taken: Taken) -> Sentence:
    return say(
        "{kind}, {characters} characters: {why}",
        kind=names.KIND[taken.kind],
        characters=figure(taken.characters),
        why=taken.why,
    )
