"""Numbers in reports."""

import pytest

from covel_inspector.report.figures import figure, percent


def test_thousands_are_set_apart() -> None:
    assert [figure(number) for number in (0, 999, 8214, 1234567)] == ["0", "999", "8 214", "1 234 567"]


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0.0, "0.0 %"), (1.0, "100.0 %"), (0.99999, "99.9 %"), (0.00001, "0.1 %"), (0.6666, "66.7 %")],
)
def test_percent_never_claims_all_or_nothing_falsely(share: float, shown: str) -> None:
    assert percent(share) == shown
