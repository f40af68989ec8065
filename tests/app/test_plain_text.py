"""Texts of strangers in labels: where they may break."""

from covel_inspector.app.plain_text import breakable


def test_a_range_of_figures_may_break_behind_its_dash() -> None:
    assert breakable("characters 1\u202f121–1\u202f156") == "characters 1\u202f121–\u200b1\u202f156"
    assert breakable("it comes in – at last") == "it comes in – at last"
