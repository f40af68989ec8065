"""Which headings are the engine's own: a text of somebody else may end like one, or look like one.

The wording is not known, but one engine has one wording: what stands around the label is the same for every entry, and
it is short. A heading that reads otherwise is no proof. Follows the reference on attribution, section 6.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from covel_inspector.domain import Grade, Kind, Sentence, say
from covel_inspector.engines.covel.attribution.claims import Claim, Label

Form = tuple[str, str]
"""What stands before the label and behind it."""

_SHORT = re.compile(r"[^\w\n]*(?:\w+(?: \w+){0,3})?[^\w\n]*")
"""Signs, at most a few words in a row, signs."""

_ODD = say("Its heading reads otherwise than the engine's: it may be part of another text.")
BEHIND_UNKNOWN = say("Behind text of unknown source: this may be a part of it.")
OUT_OF_ORDER = say("The entries here do not stand in their order, so some of them may be parts of other texts.")
BEHIND_EDITED = say("An entry before it was edited later: this may be a part of its old text.")
FOREIGN_MARKS = say(
    "The system prompt holds cache marks that the engine did not write: this may be a part of the text around them."
)
_TWICE = say("The entry stands in other places of the text too: which one is the engine's cannot be told.")


def forms(heading: str, label: str) -> frozenset[Form]:
    """Every way to read a heading line: more than one when it holds its label more than once."""
    if not label:
        return frozenset()
    places = [found.start() for found in re.finditer(f"(?={re.escape(label)})", heading)]
    return frozenset((heading[:place], heading[place + len(label) :]) for place in places)


def is_short(form: Form) -> bool:
    """Whether the words around a label are few enough for a heading."""
    return all(_SHORT.fullmatch(side) for side in form)


def with_sure_headings(text: str, claims: Iterable[Claim]) -> list[Claim]:
    """The claims on a text; entries under an odd heading, and those that stand there more than once, as guesses.

    An engine never sends an entry twice in one text: of several places at most one is right.
    """
    claims = list(claims)
    exact = [claim for claim in claims if claim.label.kind is Kind.LORE and claim.label.grade is Grade.EXACT]
    if not exact:
        return claims
    read = {claim.start: _forms_of(text, claim) for claim in exact}
    own = _own_forms([(claim.label.key, read[claim.start]) for claim in exact])
    sure: dict[str, list[Claim]] = defaultdict(list)
    for claim in exact:
        if read[claim.start] & own:
            sure[claim.label.key].append(claim)
    kept = {found[0].start for found in sure.values() if len(found) == 1}
    doubts = {claim.start: _TWICE if read[claim.start] & own else _ODD for claim in exact if claim.start not in kept}
    return [_doubted(claim, doubts) for claim in claims]


def has_sure_heading(text: str, label: Label) -> bool:
    """Whether an entry that is the only one of its message has a heading that can be the engine's."""
    return any(map(is_short, forms(text.partition("\n")[0], _label_of(label))))


def odd_heading(label: Label) -> Label:
    """The label of an entry whose heading is no proof."""
    return label.doubted(_ODD)


def doubted_behind(claims: Iterable[Claim], place: float, why: Sentence, constant: Collection[str]) -> list[Claim]:
    """The claims, those on lorebook entries behind a place of the text as guesses, because of ``why``.

    Not so the keys of ``constant`` entries: they are always in, and stand nowhere else.
    """
    claims = list(claims)
    doubts = {
        claim.start: why
        for claim in claims
        if claim.start > place and claim.label.grade is Grade.EXACT and claim.label.key not in constant
    }
    return [_doubted(claim, doubts) for claim in claims]


def _doubted(claim: Claim, doubts: Mapping[int, Sentence]) -> Claim:
    doubt = doubts.get(claim.start) if claim.label.kind is Kind.LORE else None
    if doubt is None:
        return claim
    return replace(claim, label=claim.label.doubted(doubt))


def _forms_of(text: str, claim: Claim) -> frozenset[Form]:
    return forms(text[claim.start : text.find("\n", claim.start)], _label_of(claim.label))


def _label_of(label: Label) -> str:
    return str(label.title.values.get("label", ""))


def _own_forms(read: Sequence[tuple[str, frozenset[Form]]]) -> frozenset[Form]:
    """The engine's form: a short one that most entries have, else a longer one that several have. Empty = unclear."""
    entries: dict[Form, set[str]] = defaultdict(set)
    for key, of_entry in read:
        for form in of_entry:
            entries[form].add(key)
    short = {form for form in entries if is_short(form)}
    if not short:
        shared = {form for form, keys in entries.items() if len(keys) > 1}
        return _agreed(shared, entries, read)
    return _agreed(short, entries, read)


def _agreed(
    possible: set[Form], entries: Mapping[Form, set[str]], read: Sequence[tuple[str, frozenset[Form]]]
) -> frozenset[Form]:
    """Those of the possible forms that most entries have, unless entries of other forms are as many."""
    if not possible:
        return frozenset()
    most = max(len(entries[form]) for form in possible)
    best = frozenset(form for form in possible if len(entries[form]) == most)
    supporters = [of_entry & best for _, of_entry in read if of_entry & best]
    return frozenset.intersection(*supporters)
