"""A row or a file that could not be read as it should. The problems are the source's own; they become findings."""

import re

from covel_inspector.domain import Finding, FindingPlace, Problem, Rule, Severity, say

RULE = Rule("unreadable", say("Row or file that cannot be read"), Severity.ERROR)

_FILE = re.compile(r"(^[^ ]*/|\.(md|ya?ml|toml|json)(:\d+)?$)")

_FOLDERS = ("plugins", "worlds", ".")


def as_finding(problem: Problem) -> Finding:
    """A problem as a finding of its own severity."""
    remedy = (
        say("Mend the file; until then what it declares is not known.")
        if _FILE.search(problem.where)
        else say("Give a folder with fewer entries; what was not looked at is not known.")
        if problem.where in _FOLDERS
        else say("Nothing can be done here: the row stays as it is, and only what can be read of it is shown.")
    )
    return Finding(RULE.id, problem.severity, RULE.title, problem.sentence, remedy, _place(problem))


def _place(problem: Problem) -> FindingPlace:
    path, colon, line = problem.where.rpartition(":")
    if colon and line.isascii() and line.isdigit():
        return FindingPlace(file=path, line=int(line), address=problem.address)
    table, blank, row = problem.where.partition(" ")
    if blank:
        return FindingPlace(table=table, row=row, address=problem.address)
    return FindingPlace(file=problem.where, address=problem.address)
