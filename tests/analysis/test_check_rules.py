"""The file of rules, and what a check makes of it."""

import re
from pathlib import Path

import pytest
from fake_source import fake_source
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.analysis.checking.check import check
from covel_inspector.analysis.checking.outcome import CheckOutcome
from covel_inspector.analysis.checking.rule_file import RuleFile, read_rule_file
from covel_inspector.analysis.lint.registry import all_rules
from covel_inspector.domain import Severity, SourceError, Status
from covel_inspector.engines.covel.source import open_covel
from covel_inspector.report.wording import catalogue

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "resources" / "sample" / "check-rules.toml"
KNOWN = ["unclosed-tag", "tool-order"]


def read(text: str) -> RuleFile:
    return read_rule_file(text, "rules.toml", KNOWN)


def outcome_of(text: str) -> CheckOutcome:
    source = fake_source()
    return check(source, read_rule_file(text, "rules.toml", [rule.id for rule in all_rules(source)]))


def broken(text: str) -> list[str]:
    return [result.rule.id for result in outcome_of(text).broken]


def test_an_empty_file_is_the_usual_check() -> None:
    assert read("") == RuleFile()


def test_everything_that_can_be_said_is_read() -> None:
    rules = read(
        """
        fail-on = "error"
        [rules]
        unclosed-tag = "hint"
        tool-order = "off"
        [verdict]
        allow = ["identical"]
        [prefix]
        least = 1
        runtimes = {narrator = 0.5}
        [tokens]
        most = 100
        [unknown]
        most-percent = 2.5
        runtimes = {"a/b" = 0}
        [forbidden]
        findings = ["unclosed-tag"]
        """
    )
    assert rules.fail_on is Severity.ERROR
    assert rules.severities == {"unclosed-tag": Severity.HINT}
    assert (rules.off, rules.forbidden) == ({"tool-order"}, {"unclosed-tag"})
    assert rules.allowed_verdicts == {Status.IDENTICAL}
    assert (rules.prefix.of("narrator"), rules.prefix.of("codex")) == (0.5, 1.0)
    assert (rules.unknown_percent.of("a/b"), rules.tokens.of("x")) == (0.0, 100.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = [", "rules.toml is no TOML: "),
        ("verdicts = 1", "rules.toml: there is no 'verdicts'; did you mean 'verdict'?"),
        ("zzz = 1", "rules.toml: there is no 'zzz'; known are: fail-on, rules, "),
        ('[rules]\nunclosed-tags = "off"', "there is no 'rules.unclosed-tags'; did you mean 'unclosed-tag'?"),
        ('[rules]\nunclosed-tag = "bad"', 'must be one of "error", "warning", "hint", "off".'),
        ("[rules]\nunclosed-tag = 1", "'rules.unclosed-tag' must be one of"),
        ("rules = 1", "'rules' must be a table."),
        ("fail-on = 3", "'fail-on' must be one of"),
        ('[verdict]\nallow = "identical"', "'verdict.allow' must be a list of texts."),
        ('[verdict]\nallow = ["fine"]', "'verdict.allow' must be one of"),
        ("[verdict]\nallows = []", "there is no 'verdict.allows'"),
        ("[prefix]\nleast = 2", "'prefix.least' must be a number from 0 to 1."),
        ("[prefix]\nleast = true", "'prefix.least' must be a number from 0 to 1."),
        ("[prefix]\nleast = nan", "'prefix.least' must be a number from 0 to 1."),
        ("[tokens]\nmost = -1", "'tokens.most' must be a number from 0 up."),
        ("[tokens]\nmost = nan", "'tokens.most' must be a number from 0 up."),
        ("[tokens.runtimes]\nnarrator = '9'", "'tokens.runtimes.narrator' must be a number from 0 up."),
        ("[prefix]\nruntimes = 3", "'prefix.runtimes' must be a table."),
        ('[forbidden]\nfindings = ["x"]', "there is no 'forbidden.findings.x'"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_file_is_one_sentence(text: str, said: str) -> None:
    with pytest.raises(SourceError) as raised:
        read(text)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    told = ""
    try:
        read(text)
    except SourceError as error:
        told = str(error)
    assert told.startswith("rules.toml") or not told


def test_the_sample_file_names_every_rule_and_changes_few() -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    source = open_covel(str(ROOT / "tests/data/tidewater.db"))
    known = {rule.id: rule for rule in all_rules(source)}
    source.close()
    rules = read_rule_file(text, SAMPLE.name, known)
    assert {*rules.severities, *rules.off} == set(known)
    for rule_id, line in re.findall(
        r'^([a-z-]+) = ("[a-z]+".*)$', text.partition("[rules]")[2].partition("[")[0], re.MULTILINE
    ):
        usual = re.search(r'usually "([a-z]+)"', line)
        said = usual[1] if usual else line.split('"')[1]
        assert said == known[rule_id].severity.value, rule_id


def test_without_rules_warnings_break_and_hints_are_told() -> None:
    outcome = outcome_of("")
    assert {result.rule.id for result in outcome.broken} >= {"unreadable", "made-up-rule", "turn-variable-in-body"}
    assert outcome.calls == 11


def test_fail_on_decides_what_breaks() -> None:
    assert broken('fail-on = "error"') == ["unreadable"]
    assert broken('fail-on = "error"\n[rules]\nmade-up-rule = "error"\nunreadable = "warning"') == ["made-up-rule"]


def test_a_rule_that_is_off_is_marked_so() -> None:
    outcome = outcome_of('[rules]\nunreadable = "off"')
    (result,) = (result for result in outcome.results if result.rule.id == "unreadable")
    assert (result.is_off, result.violations) == (True, ())


def test_a_forbidden_finding_breaks_whatever_its_severity() -> None:
    quiet = 'fail-on = "error"\n[rules]\nmade-up-rule = "hint"\nunreadable = "off"\n'
    assert broken(quiet) == []
    assert broken(quiet + '[forbidden]\nfindings = ["made-up-rule"]') == ["made-up-rule"]
    off = (
        'fail-on = "error"\n[rules]\nmade-up-rule = "off"\nunreadable = "off"\n[forbidden]\nfindings = ["made-up-rule"]'
    )
    assert broken(off) == ["made-up-rule"]


QUIET = 'fail-on = "error"\n[rules]\nunreadable = "off"\n'


def test_verdicts_that_are_not_allowed_break() -> None:
    outcome = outcome_of(QUIET + '[verdict]\nallow = ["identical"]')
    (result,) = outcome.broken
    statuses = {str(violation.sentence).partition(":")[0] for violation in result.violations}
    # The concealed call is not judged; the broken row is.
    assert statuses == {"same after normalisation", "differs", "cannot be rebuilt", "nothing recorded"}
    assert "omens/quiet" not in {violation.place.address.runtime for violation in result.violations}
    everything = ", ".join(f'"{status.value}"' for status in Status)
    assert broken(QUIET + f"[verdict]\nallow = [{everything}]") == []


def test_limits_of_tokens_name_the_worst_call_of_a_runtime() -> None:
    (result,) = outcome_of(QUIET + "[tokens]\nmost = 60").broken
    narrators = [one for one in result.violations if one.place.address.runtime == "narrator"]
    assert [one.place.address.session for one in narrators] == ["tide-01", "watch-01"]
    assert narrators[0].times > 1
    assert "(letters / 4), more than 60" in str(narrators[0].sentence)
    assert broken(QUIET + "[tokens]\nmost = 100000") == []
    assert broken(QUIET + "[tokens.runtimes]\nnobody = 0") == []


def test_limits_of_unknown_text() -> None:
    (result,) = outcome_of(QUIET + "[unknown]\nmost-percent = 0").broken
    assert {one.place.address.runtime for one in result.violations} == {"harbor-clerk/ledger", "codex"}
    assert broken(QUIET + "[unknown]\nmost-percent = 0\nruntimes = {codex = 50, 'harbor-clerk/ledger' = 50}") == []


def test_limits_of_shared_prefixes() -> None:
    (result,) = outcome_of(QUIET + "[prefix]\nleast = 1").broken
    assert all("shares" in str(one.sentence) for one in result.violations)
    assert broken(QUIET + "[prefix]\nleast = 0") == []


def test_only_the_chosen_session_is_checked() -> None:
    source = fake_source()
    chosen = [session for session in source.sessions() if session.id == "watch-01"]
    assert check(source, RuleFile(), chosen).calls == 4


@pytest.mark.parametrize(
    ("name", "broken_rules"),
    [("emberwatch", []), ("tidewater", ["never-sent", "turn-variable-in-body"])],
)
def test_the_samples_and_the_sample_file(name: str, broken_rules: list[str]) -> None:
    source = open_covel(str(ROOT / f"tests/data/{name}.db"), str(ROOT / "tests/data/sample-root"))
    known = [rule.id for rule in all_rules(source)]
    outcome = check(source, read_rule_file(SAMPLE.read_text(encoding="utf-8"), SAMPLE.name, known))
    source.close()
    assert [result.rule.id for result in outcome.broken] == broken_rules


def test_no_english_name_stands_in_a_chinese_sentence() -> None:
    """Verdicts and estimators have names in the reader's language."""
    words = catalogue("zh-CN")
    source = open_covel(str(ROOT / "tests" / "data" / "driftwood-old-schema.db"))
    outcomes = check(source, read("[tokens]\nmost = 1\n")), outcome_of('[verdict]\nallow = ["identical"]\n')
    told = [words.text(one.sentence) for made in outcomes for result in made.results for one in result.violations]
    assert any("Covel 估算" in sentence for sentence in told)
    assert any(sentence.startswith("无法重建：") for sentence in told)
    assert not [sentence for sentence in told if "estimate" in sentence or "cannot" in sentence]
