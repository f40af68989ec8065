"""What was observed of the extension segments of a session, as a table and as JSON.

JSON, a list of objects, one a session: ``session`` and ``segments``, a list of objects ``key, title, plugin, segment,
file, line, seen, turns, missing, texts, steps, changes, changed, standing, runtimes, unnamed, doubled, declared,
counts_as, meant_for, suggests`` (``volatilities, audience, may_be_contract, audience_is_guess``), ``told`` (sentences:
what was seen and what that suggests) and ``contradictions`` (sentences).

``seen`` counts the turns that held the segment, ``turns`` those in which one of its ``runtimes`` made a call that can
be read; ``missing`` and ``changed`` are numbers of turns. ``declared`` is true for a segment whose text stands in
``file``: for it ``counts_as`` and ``meant_for`` are declared, for others they follow from place and name. ``suggests``
is observed: empty where it is too little, or where places and texts disagree. ``plugin`` is empty where nobody knows
it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from covel_inspector.domain import Observation, Sentence, say
from covel_inspector.domain.listing import labelled
from covel_inspector.report.observation_words import (
    STANDING,
    departures,
    details_told,
    seen_told,
    suggested_words,
    suggestions,
    volatility_words,
)
from covel_inspector.report.terminal import Column, one_line, table
from covel_inspector.report.wording import Catalogue


def distinct(observed: Mapping[str, Observation]) -> list[Observation]:
    """Each observation once, by plugin and key; several keys may share one."""
    found = {seen.key: seen for seen in observed.values()}
    return sorted(found.values(), key=lambda seen: (not seen.origin.plugin, seen.origin.plugin, seen.key))


def observation_object(seen: Observation, words: Catalogue) -> dict[str, Any]:
    """The JSON form of one observation (see the module's text)."""
    return {
        "key": seen.key,
        "title": words.text(seen.title),
        "plugin": seen.origin.plugin,
        "segment": seen.origin.segment,
        "file": seen.origin.file,
        "line": seen.origin.line,
        "seen": seen.seen,
        "turns": seen.turns,
        "missing": list(seen.missing),
        "texts": seen.texts,
        "steps": seen.steps,
        "changes": seen.changes,
        "changed": list(seen.changed),
        "standing": seen.standing.value,
        "runtimes": list(seen.runtimes),
        "unnamed": seen.unnamed,
        "doubled": seen.is_doubled,
        "declared": seen.is_declared,
        "counts_as": seen.counts_as.value if seen.counts_as is not None else None,
        "meant_for": seen.meant_for,
        "suggests": {
            "volatilities": [volatility.value for volatility in seen.volatilities],
            "audience": seen.audience,
            "may_be_contract": seen.may_be_contract,
            "audience_is_guess": seen.audience_is_guess,
        },
        "told": [words.text(sentence) for sentence in (*seen_told(seen), *details_told(seen), *suggestions(seen))],
        "contradictions": [words.text(sentence) for sentence in departures(seen)],
    }


def session_object(session: str, observed: Iterable[Observation], words: Catalogue) -> dict[str, Any]:
    """The JSON form of a session (see the module's text)."""
    return {"session": session, "segments": [observation_object(seen, words) for seen in observed]}


def observation_lines(observed: Sequence[Observation], words: Catalogue) -> list[str]:
    """A table, and below it what does not go together."""
    if not observed:
        return [words.text(say("No extension segment was seen in this session."))]
    columns = [
        Column(words.text(say("Segment")), most=40),
        Column(words.text(say("Plugin")), most=24),
        Column(words.text(say("Turns")), right=True),
        Column(words.text(say("Text changed")), right=True),
        Column(words.text(say("Stands")), most=54),
        Column(words.text(say("Counts as")), most=36),
        Column(words.text(say("Observed behaviour suggests")), most=44),
        Column(words.text(say("In requests of")), most=60),
    ]
    lines = table(columns, [_cells(seen, words) for seen in observed])
    told = [(seen, sentence) for seen in observed for sentence in departures(seen)]
    if told:
        lines.append("")
        lines.extend(one_line(words.text(labelled(seen.name or seen.key, sentence))) for seen, sentence in told)
    return lines


def _cells(seen: Observation, words: Catalogue) -> tuple[str, ...]:
    changed = f"{seen.changes}/{seen.steps}" if seen.steps and not seen.is_doubled else "–"
    return (
        seen.name or seen.key,
        seen.origin.plugin or "–",
        f"{seen.seen}/{seen.turns}",
        changed,
        words.text(STANDING[seen.standing]),
        _text(_counts_as(seen), words),
        "" if seen.is_declared else _text(suggested_words(seen), words),
        ", ".join(seen.runtimes),
    )


def _counts_as(seen: Observation) -> Sentence | None:
    changes = volatility_words([seen.counts_as] if seen.counts_as is not None else [])
    if changes is None:
        return None
    if seen.meant_for:
        changes = say("{changes}, audience {audience}", changes=changes, audience=seen.meant_for)
    return say("declared: {what}", what=changes) if seen.is_declared else changes


def _text(sentence: Sentence | None, words: Catalogue) -> str:
    return words.text(sentence) if sentence is not None else "–"
