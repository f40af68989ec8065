"""The tables of caching rules and prices: ours, and what a user puts in front of them."""

import tomllib
from pathlib import Path

import pytest

from covel_inspector.analysis.provider_tables import Strategy, TableError, default_tables, load_tables
from covel_inspector.domain import SourceError
from covel_inspector.resource_files import resource_path

RULE = """
[[rule]]
models = ["My-Model*"]
providers = ["home*"]
strategy = "prefix"
minimum = 7
step = 2
lifetime = 1.5
picture_tokens = 3
source = "me"
date = "today"
"""
PRICE = """
[[price]]
models = ["claude-sonnet-4*"]
currency = "€"
input = 1
read = 0.5
write = 2
source = "me"
date = "today"
"""


@pytest.mark.parametrize(
    ("model", "minimum"),
    [
        ("claude-opus-5", 512),
        ("claude-opus-5-20260724", 512),
        ("anthropic/claude-sonnet-4-6", 1024),
        ("claude-opus-4-20250514", 1024),
        ("claude-opus-4-7", 2048),
        ("claude-opus-4-6", 4096),
        ("claude-haiku-4-5-20251001", 4096),
        ("claude-opus-5-5", None),
        ("claude-haiku-5-5", None),
    ],
)
def test_minimums_of_anthropic(model: str, minimum: int | None) -> None:
    rule = default_tables().rule(model, "anthropic", "anthropic-messages-v1")
    assert rule is not None
    assert (rule.strategy, rule.minimum, rule.lifetime) == (Strategy.MARKS, minimum, 300)


def test_rules_of_others() -> None:
    tables = default_tables()
    openai = tables.rule("gpt-5.2", "openai", "openai-chat-v1")
    deepseek = tables.rule("deepseek-chat", "deepseek", "openai-chat-v1")
    gemini = tables.rule("gemini-2.5-flash", "google", "google-generative-ai-v1")
    assert openai is not None
    assert deepseek is not None
    assert gemini is not None
    assert (openai.minimum, openai.step, openai.strategy) == (1024, 128, Strategy.PREFIX)
    assert (deepseek.minimum, gemini.minimum, gemini.lifetime) == (None, 2048, None)
    assert tables.rule("gpt-5.2", "openai", "") is None, "a protocol that nobody knows has no rule"


def test_every_entry_of_ours_names_its_source_and_date() -> None:
    for file, name in (("caching.toml", "rule"), ("prices.toml", "price")):
        entries = tomllib.loads(resource_path("providers", file).read_text(encoding="utf-8"))[name]
        assert entries
        assert all(entry["source"] and entry["date"] for entry in entries)


def test_prices() -> None:
    price = default_tables().price("claude-opus-5", "anthropic", "anthropic-messages-v1")
    assert price is not None
    assert price.of(uncached=1_000_000, read=1_000_000, written=1_000_000) == pytest.approx(5 + 0.5 + 6.25)
    assert default_tables().price("nobody-knows", "", "") is None


def test_a_users_tables_come_first(tmp_path: Path) -> None:
    (tmp_path / "caching.toml").write_text(RULE, encoding="utf-8")
    (tmp_path / "prices.toml").write_text(PRICE, encoding="utf-8")
    tables = load_tables(tmp_path)
    rule = tables.rule("my-MODEL-2", "Homebrew", "anything")
    assert rule is not None
    assert (rule.minimum, rule.step, rule.lifetime, rule.picture_tokens) == (7, 2, 1.5, 3)
    assert tables.rule("my-model", "elsewhere", "anything") is None
    price = tables.price("claude-sonnet-4-6", "anthropic", "")
    assert price is not None
    assert price.currency == "€"
    assert tables.rule("claude-sonnet-4-6", "anthropic", "anthropic-messages-v1") is not None, "ours are still there"


def test_a_folder_without_tables_changes_nothing(tmp_path: Path) -> None:
    assert load_tables(tmp_path) == load_tables(None) == default_tables()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[[rule]", "cannot be read"),
        ("rule = 5", "[[rule]]"),
        ("rule = [5]", "'strategy'"),
        (RULE.replace('"prefix"', '"magic"'), "'strategy'"),
        (RULE.replace("minimum = 7", "minimum = -7"), "'minimum'"),
        (RULE.replace("minimum = 7", "minimum = true"), "'minimum'"),
        (RULE.replace("lifetime = 1.5", 'lifetime = "long"'), "'lifetime'"),
        (RULE.replace("lifetime = 1.5", "lifetime = nan"), "'lifetime'"),
        (RULE.replace('models = ["My-Model*"]', "models = []"), "'models'"),
        (RULE.replace('models = ["My-Model*"]', 'models = "one"'), "'models'"),
        (RULE.replace('source = "me"', ""), "'source'"),
        (PRICE, "[[rule]]"),
        (RULE.replace("minimum = 7", "minimun = 7"), "'minimun' that is not known; there are models"),
    ],
)
def test_a_table_that_is_wrong_says_where(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "caching.toml").write_text(text, encoding="utf-8")
    with pytest.raises(TableError) as error:
        load_tables(tmp_path)
    assert named in str(error.value)
    assert "caching.toml" in str(error.value)
    assert isinstance(error.value, SourceError), "the command line shows it as one line"


def test_a_price_needs_all_its_figures(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(PRICE.replace("read = 0.5", ""), encoding="utf-8")
    with pytest.raises(TableError, match="'read'"):
        load_tables(tmp_path)


def test_a_table_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(TableError, match=r"prices\.toml"):
        load_tables(tmp_path)
