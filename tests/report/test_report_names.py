"""Names of estimates and generations in the reader's language."""

from covel_inspector.engines.covel.database.generation import Generation
from covel_inspector.report.names import estimator_name, generation_name
from covel_inspector.report.wording import CHINESE, catalogue


def test_every_generation_has_a_name_in_chinese() -> None:
    text = catalogue(CHINESE).text
    for generation in Generation:
        named = generation_name(generation.value)
        assert text(named) != str(named), generation


def test_estimate_of_the_engine_is_translated_and_an_unknown_one_stays() -> None:
    text = catalogue(CHINESE).text
    assert text(estimator_name("Covel estimate")) == "Covel 估算"
    assert text(estimator_name("letters / 4")) == "letters / 4"
    assert text(generation_name("made up")) == "made up"
