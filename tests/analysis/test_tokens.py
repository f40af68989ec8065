"""Tokens are counted offline, exactly or as an estimate that says so."""

import ast
import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import covel_inspector
from covel_inspector.analysis import tokens
from covel_inspector.analysis.counters import RuleCounter, character_estimate
from covel_inspector.analysis.tokens import FOLDER_VARIABLE, VocabularyError, pieces, tokenizer
from covel_inspector.resource_files import resource_path

VOCABULARIES = (tokens._O200K, tokens._CL100K)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a test went to the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def _forgetful() -> Iterator[None]:
    """Counters of this test are made anew, and not kept for the next."""
    tokenizer.cache_clear()
    tokens._cached_count.cache_clear()
    yield
    tokenizer.cache_clear()
    tokens._cached_count.cache_clear()


@pytest.fixture
def resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in the place of our resources, without any vocabulary."""
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    monkeypatch.setattr(tokens, "resource_path", tmp_path.joinpath)
    (tmp_path / "tokens").mkdir()
    return tmp_path / "tokens"


@pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=lambda vocabulary: vocabulary.encoding)
def test_our_vocabularies_are_unaltered(vocabulary: tokens.Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    assert tokens._folder_with(vocabulary) == resource_path("tokens")


@pytest.mark.parametrize(
    ("model", "encoding", "is_exact"),
    [
        ("gpt-4o", "o200k_base", True),
        ("gpt-5-mini", "o200k_base", True),
        ("openai/GPT-4.1-mini", "o200k_base", True),
        ("gpt-oss-120b", "o200k_base", True),
        ("o3", "o200k_base", True),
        ("gpt-4", "cl100k_base", True),
        ("gpt-3.5-turbo", "cl100k_base", True),
        ("claude-sonnet-4-6", "o200k_base", False),
        ("deepseek-chat", "o200k_base", False),
        ("qwen3-max", "o200k_base", False),
        ("text-davinci-003", "o200k_base", False),
        ("", "o200k_base", False),
    ],
)
def test_a_model_has_its_counter(model: str, encoding: str, is_exact: bool) -> None:
    counter = tokenizer(model)
    assert (counter.name, counter.exact) == (encoding, is_exact)
    assert ("Estimated" in str(counter.note)) is not is_exact
    assert encoding in str(counter.note)


@pytest.mark.parametrize(
    ("text", "o200k", "cl100k"),
    [
        ("", 0, 0),
        ("hello world", 2, 2),
        ("<|endoftext|>", 7, 7),
        ("tiktoken is great!", 6, 6),
    ],
)
def test_known_counts(text: str, o200k: int, cl100k: int) -> None:
    assert (tokenizer("gpt-4o").count(text), tokenizer("gpt-4").count(text)) == (o200k, cl100k)


def test_strange_texts_are_counted() -> None:
    counter = tokenizer("gpt-4o")
    assert counter.count("\ud800 half\0\ue000") > 0
    assert counter.count(" " * 1_000_000) > 0
    assert counter.count("a" * 300_000) > 0


def test_models_of_one_vocabulary_share_what_is_remembered() -> None:
    gpt, claude = tokenizer("gpt-4o"), tokenizer("claude-sonnet-4-6")
    assert isinstance(gpt, RuleCounter)
    assert isinstance(claude, RuleCounter)
    assert gpt.rule is claude.rule


@pytest.mark.usefixtures("_forgetful")
def test_without_a_vocabulary_characters_are_counted_and_that_is_said(resources: Path) -> None:
    counter = tokenizer("gpt-4o")
    assert (counter.name, counter.exact) == ("characters", False)
    assert counter.count("左手 lost") == character_estimate("左手 lost")
    assert "the vocabulary o200k_base is missing; install again" in str(counter.note)


@pytest.mark.usefixtures("_forgetful")
def test_an_altered_vocabulary_is_not_used_and_not_touched(resources: Path) -> None:
    file = resources / tokens._O200K.file
    file.write_bytes(b"IQ== 0\n")
    counter = tokenizer("claude-sonnet-4-6")
    assert counter.name == "characters"
    assert "is altered" in str(counter.note)
    assert file.read_bytes() == b"IQ== 0\n"


@pytest.mark.usefixtures("_forgetful")
def test_without_the_resources_folder_characters_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: str) -> Path:
        raise FileNotFoundError

    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    monkeypatch.setattr(tokens, "resource_path", missing)
    assert "the folder of vocabularies is missing" in str(tokenizer("gpt-4o").note)


def test_the_users_own_folder_comes_first(resources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setenv(FOLDER_VARIABLE, str(own))
    with pytest.raises(VocabularyError, match="is missing"):
        tokens._folder_with(tokens._CL100K)
    (own / tokens._CL100K.file).write_bytes(b"")
    with pytest.raises(VocabularyError, match="is altered"):
        tokens._folder_with(tokens._CL100K)
    assert (own / tokens._CL100K.file).exists()
    shutil.copy(resource_path("tokens", tokens._CL100K.file), own)
    assert tokens._folder_with(tokens._CL100K) == own


@pytest.mark.parametrize("before", [None, "", "/somewhere"])
def test_the_environment_is_left_as_it_was(before: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if before is None:
        monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    else:
        monkeypatch.setenv(FOLDER_VARIABLE, before)
    with tokens._folder_variable(Path("ours")):
        assert os.environ[FOLDER_VARIABLE] == "ours"
    assert os.environ.get(FOLDER_VARIABLE) == before


def test_the_way_to_the_network_is_closed() -> None:
    import tiktoken.load

    tokenizer("gpt-4o")
    with pytest.raises(OSError, match="no network is used"):
        tiktoken.load.read_file("https://example.org/o200k_base.tiktoken")


class PanicException(BaseException):  # The name that the Rust side gives it.
    """Stands for the class that cannot be imported."""


def test_a_panic_is_met_with_smaller_pieces() -> None:
    def encode(text: str) -> list[int]:
        if len(text) > 10:
            raise PanicException
        return [0] * len(text)

    assert tokens._count("x" * 37, encode) == 37


def test_other_ends_of_the_program_are_not_held_up() -> None:
    def encode(_: str) -> list[int]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tokens._count("text", encode)


def test_long_texts_are_cut_where_the_count_stays_the_same() -> None:
    text = "".join(f"Line {number} of a text with some words.\n" for number in range(300)) + "第一句。第二句。" * 20
    cut = list(pieces(text, 1000))
    assert "".join(cut) == text
    assert len(cut) > 10
    assert max(map(len, cut)) <= 1000
    counter = tokenizer("gpt-4o")
    assert sum(counter.count(piece) for piece in cut) == counter.count(text)


def test_no_other_module_imports_tiktoken() -> None:
    package = Path(covel_inspector.__file__).parent
    importers = [
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Import) and any(name.name.startswith("tiktoken") for name in node.names))
        or (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tiktoken"))
    ]
    assert set(importers) == {"analysis/tokens.py"}
