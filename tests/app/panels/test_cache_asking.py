"""The report of the Cache panel follows the reader's own tables of rules and prices."""

from pathlib import Path

import pytest
from fake_source import CHINESE, fake_source

from covel_inspector.analysis.provider_tables import TableError
from covel_inspector.app.panels.cache_asking import read_report
from covel_inspector.app.panels.panel import Watch
from covel_inspector.app.settings import settings_file

OWN = """
[[price]]
models = ["imaginary-large"]
currency = "¤"
input = 1_000_000
read = 100_000
write = 1_000_000
source = "my own table"
date = "today"
"""


class _Silent(Watch):
    def __init__(self) -> None:
        pass

    def tell(self, share: float) -> None:
        pass


def _own(text: str) -> None:
    folder = settings_file().parent
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "prices.toml").write_text(text, encoding="utf-8")


def test_the_readers_own_prices_count(own_settings: Path) -> None:
    before = read_report(fake_source(), _Silent(), session=CHINESE, runtime="narrator")
    assert all(row.cost is None for row in before.runtimes[0].rows)
    _own(OWN)
    costs = [
        row.cost for row in read_report(fake_source(), _Silent(), session=CHINESE, runtime="narrator").runtimes[0].rows
    ]
    assert costs
    assert all(cost is not None and cost.currency == "¤" for cost in costs)
    assert costs[0] is not None
    assert costs[0].paid == pytest.approx(800 - 640 + 64)


def test_a_table_that_is_wrong_says_so(own_settings: Path) -> None:
    _own(OWN.replace("input =", "inptu ="))
    with pytest.raises(TableError, match="a field 'inptu' that is not known"):
        read_report(fake_source(), _Silent(), session=CHINESE, runtime="narrator")
