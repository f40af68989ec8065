"""From a text in a widget, edited, back to a source text in which only the edited stretch differs. Pure.

A text widget rewrites line ends and drops lone surrogates. What was not touched must come back as it was.
"""

from itertools import takewhile

_LINE_ENDS = "\r\u2028\u2029"


def as_shown(text: str) -> tuple[str, list[int]]:
    """What a text widget makes of a text, and for each of its characters (and its end) the place in the text."""
    shown: list[str] = []
    places: list[int] = []
    skip = False
    for place, character in enumerate(text):
        if skip:
            skip = False
            continue
        if "\ud800" <= character <= "\udfff":
            continue
        places.append(place)
        if character in _LINE_ENDS:
            shown.append("\n")
            skip = character == "\r" and text[place + 1 : place + 2] == "\n"
        else:
            shown.append(character)
    places.append(len(text))
    return "".join(shown), places


def spliced(source: str, edited: str) -> str:
    """What ``source`` became, when its shown form became ``edited``: what was not touched stays as in the source."""
    shown, places = as_shown(source)
    if edited == shown:
        return source
    most = min(len(shown), len(edited))
    head = _common(shown, edited, most)
    tail = _common(shown[::-1], edited[::-1], most - head)
    start = places[head] if head < len(shown) else len(source)
    end = places[len(shown) - tail]
    made = source[:start] + edited[head : len(edited) - tail] + source[end:]
    # A line end put in behind a lone carriage return would make one of the two.
    return made if as_shown(made)[0] == edited else edited


def _common(one: str, other: str, most: int) -> int:
    pairs = zip(one[:most], other[:most], strict=True)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def from_file(source: str, saved: str) -> str:
    """A text as an editor saved it: without the signs that editors add by themselves.

    A mark at the front of the file, line ends of another system and one line end at the end are no edits, where the
    source has none of them.
    """
    saved = saved.removeprefix("\ufeff") if not source.startswith("\ufeff") else saved
    if "\r" not in source:
        saved = saved.replace("\r\n", "\n")
    if saved.endswith("\n") and not source.endswith("\n"):
        saved = saved[:-1]
    return saved
