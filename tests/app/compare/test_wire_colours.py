"""Colours of lines of JSON, also of lines that begin or end inside a string."""

from covel_inspector.app.compare.wire_colours import colour_value, colours_of_line
from covel_inspector.app.theme_colours import DARK, LIGHT


def told(line: str, *, starts_inside: bool = False, ends_inside: bool = False) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for start, end, role in colours_of_line(line, starts_inside=starts_inside, ends_inside=ends_inside):
        found.setdefault(role, []).append(line[start:end])
    return found


def test_keys_numbers_words_and_brackets_have_colours_of_their_own() -> None:
    assert told('  "max_tokens": 4096,') == {"link": ['"max_tokens"'], "quiet": [":", ","], "changed_mark": ["4096"]}
    assert told('  "stream": true') == {"link": ['"stream"'], "quiet": [":"], "moved_mark": ["true"]}
    assert told("  ],") == {"quiet": ["],"]}


def test_escapes_are_quieter_than_words() -> None:
    assert told('"a\\n\\u00e9"') == {"quiet": ["\\n", "\\u00e9"]}


def test_a_string_that_goes_on_is_no_mistake() -> None:
    assert told('  "text": "one \\"two\\n', ends_inside=True) == {
        "link": ['"text"'],
        "quiet": [":", '\\"', "\\n"],
    }
    assert told('  "one {1: true', ends_inside=True) == {}
    assert told('12 true {"a": 1}\\n', starts_inside=True, ends_inside=True) == {"quiet": ["\\n"]}


def test_every_role_is_a_colour_of_both_themes() -> None:
    for role in ("link", "quiet", "changed_mark", "moved_mark"):
        assert colour_value(LIGHT, role).startswith("#")
        assert colour_value(DARK, role).startswith("#")
