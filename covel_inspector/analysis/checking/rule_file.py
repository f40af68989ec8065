"""The file of rules: TOML, read from a text.

``fail-on`` is the least severity of a finding that breaks its rule (error, warning, hint). ``[rules]`` gives a lint
rule another severity, or ``"off"``. ``[verdict] allow`` lists the verdicts that are fine. ``[prefix] least`` is the
least share (0 to 1) of a turn's first request that repeats the turn before, summed over a runtime's turns; ``[tokens]
most`` the most tokens of a request by the engine's estimate; both have ``.runtimes`` for single runtimes. ``[unknown]
most-percent`` limits what nobody claims of a request. ``[forbidden] findings`` lists rules of which any finding breaks
them. A table that is missing is not checked.
"""

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from covel_inspector.domain import Sentence, Severity, SourceError, Status, say

OFF = "off"
_TABLES = ("fail-on", "rules", "verdict", "prefix", "tokens", "unknown", "forbidden")


@dataclass(frozen=True, slots=True)
class Threshold:
    """A figure for all runtimes (None = none), and for single ones."""

    usual: float | None = None
    runtimes: Mapping[str, float] = field(default_factory=dict)

    def of(self, runtime: str) -> float | None:
        """The figure of a runtime; None when there is none."""
        return self.runtimes.get(runtime, self.usual)

    def __bool__(self) -> bool:
        """True when there is anything to check."""
        return self.usual is not None or bool(self.runtimes)


@dataclass(frozen=True, slots=True)
class RuleFile:
    """What to check. The default is what a check without a file does: findings from warnings up break their rule."""

    fail_on: Severity = Severity.WARNING
    severities: Mapping[str, Severity] = field(default_factory=dict)
    off: frozenset[str] = frozenset()
    allowed_verdicts: frozenset[Status] | None = None
    prefix: Threshold = field(default_factory=Threshold)
    tokens: Threshold = field(default_factory=Threshold)
    unknown_percent: Threshold = field(default_factory=Threshold)
    forbidden: frozenset[str] = frozenset()


def read_rule_file(text: str, name: str, known_rules: Collection[str]) -> RuleFile:
    """The rules of a TOML text. ``name`` is the file's, for complaints.

    Raises SourceError with one sentence: no TOML, an unknown name, a value of the wrong kind.
    """
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise SourceError(say("{file} is no TOML: {reason}.", file=name, reason=str(error).rstrip("."))) from error
    reader = _Reader(name)
    reader.known(data, _TABLES, "")
    severities, off = _severities(reader, reader.table(data, "rules"), known_rules)
    forbidden = reader.texts(reader.table(data, "forbidden", ("findings",)), "forbidden", "findings")
    reader.known(forbidden, known_rules, "forbidden.findings")
    return RuleFile(
        fail_on=Severity(reader.choice(data.get("fail-on", "warning"), "fail-on", [one.value for one in Severity])),
        severities=severities,
        off=off - set(forbidden),
        allowed_verdicts=_verdicts(reader, data),
        prefix=_threshold(reader, data, "prefix", "least", 1.0),
        tokens=_threshold(reader, data, "tokens", "most", None),
        unknown_percent=_threshold(reader, data, "unknown", "most-percent", 100.0),
        forbidden=frozenset(forbidden),
    )


def _severities(
    reader: "_Reader", table: Mapping[str, Any], known_rules: Collection[str]
) -> tuple[dict[str, Severity], frozenset[str]]:
    reader.known(table, known_rules, "rules")
    choices = [*(one.value for one in Severity), OFF]
    chosen = {rule: reader.choice(value, f"rules.{rule}", choices) for rule, value in table.items()}
    severities = {rule: Severity(value) for rule, value in chosen.items() if value != OFF}
    return severities, frozenset(rule for rule, value in chosen.items() if value == OFF)


def _verdicts(reader: "_Reader", data: Mapping[str, Any]) -> frozenset[Status] | None:
    if "verdict" not in data:
        return None
    allowed = reader.texts(reader.table(data, "verdict", ("allow",)), "verdict", "allow")
    choices = [status.value for status in Status]
    return frozenset(Status(reader.choice(value, "verdict.allow", choices)) for value in allowed)


def _threshold(reader: "_Reader", data: Mapping[str, Any], table: str, key: str, top: float | None) -> Threshold:
    found = reader.table(data, table, (key, "runtimes"))
    usual = reader.number(found[key], f"{table}.{key}", top) if key in found else None
    runtimes = reader.table(found, "runtimes", within=table)
    return Threshold(
        usual, {name: reader.number(value, f"{table}.runtimes.{name}", top) for name, value in runtimes.items()}
    )


class _Reader:
    """Takes values of the right kind, and complains in one sentence about others."""

    def __init__(self, name: str) -> None:
        self._name = name

    def table(
        self, data: Mapping[str, Any], key: str, names: Collection[str] | None = None, within: str = ""
    ) -> Mapping[str, Any]:
        """A table by name, empty when it is missing; with ``names`` nothing else may stand in it."""
        where = f"{within}.{key}" if within else key
        value = data.get(key, {})
        if not isinstance(value, dict):
            raise self._wrong(where, say("a table"))
        if names is not None:
            self.known(value, names, where)
        return value

    def texts(self, table: Mapping[str, Any], within: str, key: str) -> list[str]:
        """A list of texts, empty when it is missing."""
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._wrong(f"{within}.{key}", say("a list of texts"))
        return list(value)

    def number(self, value: object, where: str, top: float | None) -> float:
        """A number from 0 up to ``top``."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= (top or value):
            raise self._wrong(
                where, say("a number from 0 up") if top is None else say("a number from 0 to {top}", top=f"{top:g}")
            )
        return float(value)

    def choice(self, value: object, where: str, choices: Collection[str]) -> str:
        """One of some words."""
        if isinstance(value, str) and value in choices:
            return value
        raise self._wrong(where, say("one of {choices}", choices=", ".join(f'"{choice}"' for choice in choices)))

    def known(self, found: Iterable[str], names: Collection[str], where: str) -> None:
        """Complain about the first name that is not known."""
        for name in found:
            if name not in names:
                meant = get_close_matches(name, names, 1)
                raise SourceError(
                    say(
                        "{file}: there is no '{name}'; did you mean '{meant}'?", file=self._name,
                        name=f"{where}.{name}" if where else name, meant=meant[0],
                    )
                    if meant
                    else say(
                        "{file}: there is no '{name}'; known are: {known}.", file=self._name,
                        name=f"{where}.{name}" if where else name, known=", ".join(names),
                    )
                )  # fmt: skip

    def _wrong(self, where: str, expected: Sentence) -> SourceError:
        return SourceError(
            say("{file}: '{field}' must be {expected}.", file=self._name, field=where, expected=expected)
        )
