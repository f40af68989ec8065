"""The vectors of the assembler and the budget: JSON cases with expected results."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from covel_inspector.engines.covel.textpack import TextPack

VECTORS = Path(__file__).parents[1] / "data" / "vectors"


@cache
def assembler_pack() -> TextPack:
    """The text pack that the expected results of the assembler were made with."""
    return TextPack.load(VECTORS / "assembler" / "support" / "texts.json")


@cache
def budget_pack() -> TextPack:
    """The text pack that the expected results of the budget were made with."""
    return TextPack.load(VECTORS / "budget" / "texts.json")


def assembler_cases(*operations: str) -> list[str]:
    """Names of the assembler's cases, of some operations only when any are given."""
    names = sorted(path.stem for path in (VECTORS / "assembler").glob("*.json"))
    return [name for name in names if not operations or assembler_case(name)["op"] in operations]


@cache
def assembler_case(name: str) -> dict[str, Any]:
    """One case of the assembler."""
    return _read(VECTORS / "assembler" / f"{name}.json")


def contexts() -> list[str]:
    """Names of the cases that give a context, not an error."""
    return [name for name in assembler_cases("context", "pipeline") if "error" not in assembler_case(name)["expected"]]


def budget_cases() -> list[str]:
    """Names of the budget's cases."""
    return sorted(path.stem for path in (VECTORS / "budget").glob("[0-9]*.json"))


@cache
def budget_case(name: str) -> dict[str, Any]:
    """One case of the budget."""
    return _read(VECTORS / "budget" / f"{name}.json")


def _read(path: Path) -> dict[str, Any]:
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return case
