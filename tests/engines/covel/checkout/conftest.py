"""Folders written for a test, and short ways to look at what was read."""

from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from covel_inspector.engines.covel.records.manifests import Checkout

Write = Callable[[Mapping[str, str | bytes]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files (path to dedented text, or bytes) below a root folder and gives that folder."""
    root = tmp_path / "root"

    def write(files: Mapping[str, str | bytes]) -> Path:
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else dedent(content).encode())
        return root

    return write


@pytest.fixture
def told() -> Callable[[Checkout], list[str]]:
    """The problems of a checkout as lines: severity, place and English sentence."""

    def told(checkout: Checkout) -> list[str]:
        return [f"{problem.severity} {problem.where}: {problem.sentence}" for problem in checkout.problems]

    return told
