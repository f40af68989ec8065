"""The outcome of a check as JUnit XML, the form that servers for continuous integration read.

``testsuites`` holds one ``testsuite`` with one ``testcase`` a rule: ``failure`` for a broken one, ``skipped`` for one
that is off. What a rule tells without being broken is its ``system-out``.
"""

import re
from collections.abc import Iterable, Iterator
from html import escape

from covel_inspector.analysis.checking.outcome import CheckOutcome, RuleResult, Violation
from covel_inspector.report.check import where
from covel_inspector.report.wording import Catalogue

_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot carry, not even as a reference: control characters, halves of surrogate pairs, noncharacters."""

_SUITE = "covel-inspector check"


def junit_lines(outcome: CheckOutcome, words: Catalogue, *, ascii_only: bool = False) -> Iterator[str]:
    """The lines of a whole document. ``ascii_only`` writes all other characters as references, which every reader
    turns back, for outputs that are not UTF-8."""
    for line in _document(outcome, words):
        yield line.encode("ascii", "xmlcharrefreplace").decode("ascii") if ascii_only else line


def _document(outcome: CheckOutcome, words: Catalogue) -> Iterator[str]:
    results = outcome.results
    counts = f'tests="{len(results)}" failures="{len(outcome.broken)}" errors="0"'
    skipped = sum(1 for result in results if result.is_off)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites name="{_SUITE}" {counts}>'
    yield f'  <testsuite name="{_attribute(outcome.location)}" {counts} skipped="{skipped}">'
    for result in results:
        yield from _case(result, words)
    yield "  </testsuite>"
    yield "</testsuites>"


def _case(result: RuleResult, words: Catalogue) -> Iterator[str]:
    head = f'    <testcase classname="{_SUITE}" name="{_attribute(result.rule.id)}"'
    breaking = [violation for violation in result.violations if violation.breaks]
    told = [violation for violation in result.violations if not violation.breaks]
    if not result.violations and not result.is_off:
        yield f"{head}/>"
        return
    yield f"{head}>"
    if result.is_off:
        yield "      <skipped/>"
    if breaking:
        kind, message = breaking[0].severity.value, _attribute(words.text(result.rule.title))
        yield f'      <failure type="{kind}" message="{message}">{_texts(breaking, words)}</failure>'
    if told:
        yield f"      <system-out>{_texts(told, words)}</system-out>"
    yield "    </testcase>"


def _texts(violations: Iterable[Violation], words: Catalogue) -> str:
    texts = []
    for violation in violations:
        lines = [f"{words.text(violation.sentence)} ({where(violation.place)})"]
        if violation.remedy is not None:
            lines.append(f"→ {words.text(violation.remedy)}")
        texts.append("\n".join(lines))
    return escape(_carried("\n".join(texts)), quote=False)


def _attribute(text: str) -> str:
    """A text inside double quotes; line ends would become blanks, so they are references."""
    escaped = escape(_carried(text), quote=True)
    return escaped.replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;")


def _carried(text: str) -> str:
    """The text with what XML cannot carry written as an escape such as ``\\x1b``."""
    return _NOT_XML.sub(lambda found: _escape(ord(found.group())), text)


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
