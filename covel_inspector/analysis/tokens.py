"""Real tokenizers, offline. The only module that imports tiktoken; follows the platform notes, section 8.

The vocabularies lie in our resources. Before tiktoken may look, we check the file ourselves, because it deletes a file
with a wrong hash and goes to the network for another; and its download function is replaced by a refusal for good.
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from types import ModuleType

from covel_inspector.analysis.counters import CachedCount, RuleCounter, TokenCounter, character_counter
from covel_inspector.domain import Sentence, say
from covel_inspector.resource_files import resource_path

__all__ = ["TokenCounter", "VocabularyError", "tokenizer"]

FOLDER_VARIABLE = "TIKTOKEN_CACHE_DIR"

_PIECE = 100_000
"""Code points that are encoded at once; a million blanks in a row make the tokenizer panic."""

_SAFE_CUT = re.compile(r"(?<=\n)(?=[^\W\d_])|(?<=[^\W\d_])(?= [^\W\d_])")
"""Cuts that do not change the count."""

_loading = Lock()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One vocabulary: its encoding, the file name under which tiktoken looks for it, and the file's SHA-256."""

    encoding: str
    file: str
    sha256: str


_O200K = Vocabulary(
    "o200k_base",
    "fb374d419588a4632f3f557e76b4b70aebbca790",
    "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
)
_CL100K = Vocabulary(
    "cl100k_base",
    "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
)
_BY_ENCODING = {
    "o200k_base": _O200K,
    # The same vocabulary; the two differ only in special tokens, which ordinary text never has.
    "o200k_harmony": _O200K,
    "cl100k_base": _CL100K,
}


class VocabularyError(Exception):
    """A vocabulary cannot be used. ``sentence`` says why, for people."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


@cache
def tokenizer(model: str) -> TokenCounter:
    """The counter for a model. Never fails and never uses a network.

    A model with a published tokenizer is counted exactly; any other with ``o200k_base``, as an estimate that says so;
    and by characters, which says why, when the vocabulary is missing or altered. The first call for an encoding takes
    half a second: make it in a worker.
    """
    try:
        vocabulary, is_exact = _vocabulary_of(model)
        count = _cached_count(vocabulary)
    except VocabularyError as error:
        return character_counter(error.sentence)
    name = vocabulary.encoding
    if is_exact:
        note = say("Counted with {encoding}, the tokenizer of {model}", encoding=name, model=model)
    else:
        note = say(
            "Estimated with {encoding}, which is not the tokenizer of {model}", encoding=name, model=model or "—"
        )
    return RuleCounter(name, note, count, is_exact)


def _vocabulary_of(model: str) -> tuple[Vocabulary, bool]:
    """The vocabulary to count a model with, and whether it is the model's own."""
    tiktoken = _tiktoken()
    name = model.lower().rpartition("/")[2]
    try:
        encoding = tiktoken.encoding_name_for_model(name)
    except KeyError:
        return _O200K, False
    vocabulary = _BY_ENCODING.get(encoding)
    return (vocabulary, True) if vocabulary else (_O200K, False)


@cache
def _cached_count(vocabulary: Vocabulary) -> Callable[[str], int]:
    """Counts with one vocabulary; all models that use it share what is remembered."""
    encode = load_encoder(vocabulary)
    return CachedCount(lambda text: _count(text, encode))


def load_encoder(vocabulary: Vocabulary) -> Callable[[str], list[int]]:
    """The function that encodes one text.

    Raises VocabularyError when no folder has the file unaltered, or the library cannot read it.
    """
    tiktoken = _tiktoken()
    with _loading, _folder_variable(_folder_with(vocabulary)):
        try:
            encoding = tiktoken.get_encoding(vocabulary.encoding)
        except (OSError, ValueError, ImportError) as error:
            raise VocabularyError(
                say("the vocabulary {name} could not be read ({error})", name=vocabulary.encoding, error=str(error))
            ) from error
    encode: Callable[[str], list[int]] = encoding.encode_ordinary
    return encode


def _folder_with(vocabulary: Vocabulary) -> Path:
    """The user's own vocabulary folder when it has the file unaltered, else ours."""
    own = os.environ.get(FOLDER_VARIABLE)
    folders = [Path(own)] if own else []
    try:
        folders.append(resource_path("tokens"))
    except FileNotFoundError as error:
        raise VocabularyError(say("the folder of vocabularies is missing; install again")) from error
    is_altered = False
    for folder in folders:
        file = folder / vocabulary.file
        try:
            data = file.read_bytes()
        except OSError:
            continue
        if hashlib.sha256(data).hexdigest() == vocabulary.sha256:
            return folder
        is_altered = True
    if is_altered:
        raise VocabularyError(say("the vocabulary {name} is altered; install again", name=vocabulary.encoding))
    raise VocabularyError(say("the vocabulary {name} is missing; install again", name=vocabulary.encoding))


@contextmanager
def _folder_variable(folder: Path) -> Iterator[None]:
    """Points tiktoken to ``folder`` while it loads, and leaves the environment as it was."""
    before = os.environ.get(FOLDER_VARIABLE)
    os.environ[FOLDER_VARIABLE] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[FOLDER_VARIABLE]
        else:
            os.environ[FOLDER_VARIABLE] = before


@cache
def _tiktoken() -> ModuleType:
    """The library, with its way to the network closed.

    Raises VocabularyError when it is missing, or built in another way than we know how to close.
    """
    try:
        import tiktoken
        import tiktoken.load
    except ImportError as error:
        raise VocabularyError(say("the library tiktoken is missing; install again")) from error
    if not hasattr(tiktoken.load, "read_file"):
        raise VocabularyError(say("this version of tiktoken might use the network, so it is left alone"))
    tiktoken.load.read_file = _refuse
    return tiktoken


def _refuse(blobpath: str) -> bytes:
    raise OSError(f"no network is used: {blobpath}")


def _count(text: str, encode: Callable[[str], list[int]]) -> int:
    return sum(_count_piece(piece, encode) for piece in pieces(text, _PIECE))


def _count_piece(piece: str, encode: Callable[[str], list[int]]) -> int:
    try:
        return len(encode(piece))
    except BaseException as error:
        # The Rust side's panic is no Exception, and its class cannot be imported.
        if type(error).__name__ != "PanicException" or len(piece) < 2:
            raise
    middle = len(piece) // 2
    return _count_piece(piece[:middle], encode) + _count_piece(piece[middle:], encode)


def pieces(text: str, limit: int) -> Iterator[str]:
    """Cuts a text into pieces of at most ``limit`` code points, where a cut leaves the count as it is if possible."""
    start = 0
    while len(text) - start > limit:
        end = start + limit
        for match in _SAFE_CUT.finditer(text, start + limit * 9 // 10, start + limit):
            end = match.start()
        yield text[start:end]
        start = end
    if start < len(text):
        yield text[start:]
