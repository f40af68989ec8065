"""Numbers for people."""

import pytest

from covel_inspector.app.figures import figure as window_figure
from covel_inspector.app.figures import percent as window_percent
from covel_inspector.report.figures import figure, percent
from covel_inspector.text.figures import bounded_percent, grouped


def test_thousands_are_set_apart():
    assert grouped(8214, " ") == "8 214"
    assert grouped(999, " ") == "999"
    assert grouped(-1234567, "_") == "-1_234_567"


@pytest.mark.parametrize(
    ("share", "places", "said"),
    [
        (0.0, 0, "0"),
        (0.0001, 0, "1"),
        (0.5, 0, "50"),
        (0.9999, 0, "99"),
        (1.0, 0, "100"),
        (0.00001, 1, "0.1"),
        (0.99999, 1, "99.9"),
        (1.0, 1, "100.0"),
    ],
)
def test_a_share_is_never_rounded_up_to_all_or_down_to_nothing(share, places, said):
    assert bounded_percent(share, places) == said


def test_window_and_report_differ_in_their_blanks_and_places_only():
    assert window_figure(-8214) == "\u22128\u202f214"
    assert figure(8214) == "8 214"
    assert window_percent(0.999) == "99\u202f%"
    assert percent(0.9999) == "99.9 %"
