"""What providers publish about caching and prices, from two editable tables.

Ours are in the resources, with source and date of every entry; files of the same names in the user's settings folder
are looked at first. Nothing of this is a bill: views say where a figure comes from.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from covel_inspector.domain import Sentence, SourceError, say
from covel_inspector.resource_files import resource_path

CACHING, PRICES = "caching.toml", "prices.toml"


class TableError(SourceError):
    """A table that cannot be used. ``sentence`` says which file, where, and what is wrong."""


class Strategy(StrEnum):
    """How a provider decides what it keeps."""

    MARKS = "marks"
    PREFIX = "prefix"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Fit:
    """Which calls an entry is for: patterns in small letters, empty = any."""

    models: tuple[str, ...]
    providers: tuple[str, ...] = ()
    protocols: tuple[str, ...] = ()

    def matches(self, model: str, provider: str, protocol: str) -> bool:
        """Whether a call is meant; a model may be written with its maker in front (``maker/model``)."""
        name = model.lower()
        names = {name, name.rpartition("/")[2]}
        return (
            any(fnmatchcase(one, pattern) for one in names for pattern in self.models)
            and (not self.providers or any(fnmatchcase(provider.lower(), pattern) for pattern in self.providers))
            and (not self.protocols or protocol in self.protocols)
        )


@dataclass(frozen=True, slots=True)
class CachingRule:
    """How one kind of model caches. ``minimum`` and ``step`` in tokens, ``lifetime`` in seconds; None = not known."""

    fit: Fit
    strategy: Strategy
    source: str
    date: str
    minimum: int | None = None
    step: int = 1
    lifetime: float | None = None
    lookback: int = 0
    picture_tokens: int = 1500
    message_parameters: frozenset[str] = frozenset()
    all_parameters: frozenset[str] = frozenset()

    @property
    def told(self) -> Sentence:
        """The rule's origin, for people."""
        return say("{source} ({date})", source=self.source, date=self.date)


@dataclass(frozen=True, slots=True)
class Price:
    """Prices of input, per million tokens: neither read nor written, read from a cache, written to it."""

    fit: Fit
    currency: str
    input: float
    read: float
    write: float
    source: str
    date: str

    def of(self, uncached: int, read: int, written: int) -> float:
        """What these tokens cost together."""
        return (uncached * self.input + read * self.read + written * self.write) / 1_000_000

    @property
    def told(self) -> Sentence:
        """The price's origin, for people."""
        return say("{source} ({date})", source=self.source, date=self.date)


@dataclass(frozen=True, slots=True)
class ProviderTables:
    """Rules and prices, those that count first in front."""

    rules: tuple[CachingRule, ...]
    prices: tuple[Price, ...]

    def rule(self, model: str, provider: str, protocol: str) -> CachingRule | None:
        """The rule for a call; None when none fits."""
        return next((one for one in self.rules if one.fit.matches(model, provider, protocol)), None)

    def price(self, model: str, provider: str, protocol: str) -> Price | None:
        """The price for a call; None when none fits."""
        return next((one for one in self.prices if one.fit.matches(model, provider, protocol)), None)


@cache
def default_tables() -> ProviderTables:
    """The tables that come with the program."""
    return _tables(resource_path("providers"))


def load_tables(settings_folder: Path | None) -> ProviderTables:
    """Our tables, with those of the user's settings folder in front. Raises TableError for one that is wrong."""
    ours = default_tables()
    if settings_folder is None:
        return ours
    own = _tables(settings_folder)
    return ProviderTables((*own.rules, *ours.rules), (*own.prices, *ours.prices))


def _tables(folder: Path) -> ProviderTables:
    rules = _entries(folder / CACHING, "rule")
    prices = _entries(folder / PRICES, "price")
    return ProviderTables(
        tuple(_Entry(folder / CACHING, number, entry).rule() for number, entry in enumerate(rules, 1)),
        tuple(_Entry(folder / PRICES, number, entry).price() for number, entry in enumerate(prices, 1)),
    )


def _entries(file: Path, name: str) -> list[Any]:
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = " ".join(str(error).split())
        raise TableError(
            say("{file} cannot be read ({reason}). Mend or remove it.", file=str(file), reason=reason)
        ) from error
    entries = table.get(name, [])
    if not isinstance(entries, list) or set(table) - {name}:
        raise TableError(say("{file}: entries are written as [[{name}]].", file=str(file), name=name))
    return entries


class _Entry:
    """One entry of a table, read field by field."""

    def __init__(self, file: Path, number: int, values: object) -> None:
        self._file = file
        self._number = number
        self._values: Mapping[str, Any] = values if isinstance(values, Mapping) else {}

    def rule(self) -> CachingRule:
        self._check_names(CachingRule)
        strategy = self._text("strategy")
        if strategy not in list(Strategy):
            raise self._wrong("strategy")
        return CachingRule(
            fit=self._fit(),
            strategy=Strategy(strategy),
            source=self._text("source"),
            date=self._text("date"),
            minimum=self._whole("minimum", None),
            step=self._whole("step", 1) or 1,
            lifetime=self._number_or("lifetime", None),
            lookback=self._whole("lookback", 0) or 0,
            picture_tokens=self._whole("picture_tokens", 1500) or 0,
            message_parameters=frozenset(self._texts("message_parameters")),
            all_parameters=frozenset(self._texts("all_parameters")),
        )

    def price(self) -> Price:
        self._check_names(Price)
        return Price(
            fit=self._fit(),
            currency=self._text("currency"),
            input=self._needed("input"),
            read=self._needed("read"),
            write=self._needed("write"),
            source=self._text("source"),
            date=self._text("date"),
        )

    def _check_names(self, kind: type[CachingRule | Price]) -> None:
        """A field that is not known would be passed over silently, and its entry would say something else."""
        known = [field.name for field in (*fields(Fit), *fields(kind)) if field.name != "fit"]
        for name in self._values:
            if name not in known:
                raise TableError(
                    say(
                        "{file}: entry {number} has a field '{name}' that is not known; there are {known}.",
                        file=str(self._file),
                        number=self._number,
                        name=name,
                        known=", ".join(known),
                    )
                )

    def _fit(self) -> Fit:
        models = self._texts("models")
        if not models:
            raise self._wrong("models")
        return Fit(
            tuple(name.lower() for name in models),
            tuple(name.lower() for name in self._texts("providers")),
            self._texts("protocols"),
        )

    def _text(self, name: str) -> str:
        value = self._values.get(name)
        if not isinstance(value, str) or not value:
            raise self._wrong(name)
        return value

    def _texts(self, name: str) -> tuple[str, ...]:
        value = self._values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self._wrong(name)
        return tuple(value)

    def _whole(self, name: str, default: int | None) -> int | None:
        value = self._values.get(name, default)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
            raise self._wrong(name)
        return value

    def _number_or(self, name: str, default: float | None) -> float | None:
        value = self._values.get(name, default)
        if value is not None and (not isinstance(value, int | float) or isinstance(value, bool) or not value >= 0):
            raise self._wrong(name)
        return value

    def _needed(self, name: str) -> float:
        value = self._number_or(name, None)
        if value is None:
            raise self._wrong(name)
        return float(value)

    def _wrong(self, name: str) -> TableError:
        return TableError(
            say(
                "{file}: entry {number} has no usable '{name}'. The file that comes with the program shows the form.",
                file=str(self._file),
                number=self._number,
                name=name,
            )
        )
