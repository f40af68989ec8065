"""What a trace keeps of a body."""

import pytest

from covel_inspector.engines.covel.wire.observation import REDACTED, has_secrets, observe


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("https://a.example/x", False),
        ("https://a.example/x?", False),
        ("https://a.example/x?k=1", True),
        ("HTTP://a.example#top", True),
        ("http://user@a.example/", True),
        ("http://user:pass@a.example/", True),
        ("https://@a.example/", False),
        ("https://a.example/one two?three", True),
        ("https://a.example/line\nbreak#x", True),
        ("https://[::1]:8080/?k", True),
        ("https://烬望塔.example/?k", True),
        ("https://no host.example/?k", False),
        ("https://?k=1", False),
        ("https:", False),
        ("see https://a.example/?k=1", False),
        ("ftp://a.example/?k=1", False),
    ],
)
def test_addresses_with_user_query_or_fragment(text: str, secret: bool) -> None:
    assert has_secrets(text) is secret
    seen = observe({"messages": [{"content": text}]})
    assert seen.body["messages"][0]["content"] == (REDACTED if secret else text)
    assert seen.complete is not secret


def test_unknown_fields_are_counted_and_the_order_of_the_others_kept() -> None:
    seen = observe({"zeta": 1, "tools": [], "prompt_cache_key": "k", "model": "m", "store": False})
    assert list(seen.body) == ["tools", "model", "store"]
    assert (seen.complete, seen.omitted_field_count) == (False, 2)
