"""How much of the samples' requests is rebuilt without their recordings, counted strictly.

Independent is what rows and files give. The second figure adds the engine's sentences that another request of the
session shows too (inside other segments: in a segment of the same kind), so that a call's own recording was not needed.
"""

from collections import Counter
from pathlib import Path

import pytest

from covel_inspector.domain import Address
from covel_inspector.engines.covel.rebuild.taken import LEARNED
from covel_inspector.engines.covel.source import open_covel

DATA = Path(__file__).parents[3] / "data"
NARRATORS = ("narrator", "tide-narrator")
Shown = tuple[str, str, str]


def test_most_of_the_samples_is_rebuilt_without_their_recordings(capsys: pytest.CaptureFixture[str]) -> None:
    total: Counter[str] = Counter()
    independent: Counter[str] = Counter()
    elsewhere: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    for name in ("emberwatch", "tidewater"):
        source = open_covel(str(DATA / f"{name}.db"), str(DATA / "sample-root"))
        sentences: dict[Address, dict[Shown, int]] = {}
        for session in source.sessions():
            for call in source.calls(session.id):
                verdict, runtime = source.verdict(call.address), call.address.runtime
                total[runtime] += verdict.total
                independent[runtime] += verdict.independent
                for one in verdict.taken:
                    taken[f"{one.kind}: {one.title}"] += one.characters
                tree = source.rebuilt(call.address)
                learned = [leaf for leaf in tree.leaves() if leaf.taken and leaf.reason == LEARNED] if tree else []
                sentences[call.address] = {(session.id, leaf.key, leaf.text): len(leaf.text) for leaf in learned} | {
                    (session.id, one.kind.value, one.title): one.characters
                    for one in verdict.taken
                    if one.why == LEARNED and "inside other segments" in one.title
                }
        seen = Counter(shown for of_call in sentences.values() for shown in of_call)
        for address, of_call in sentences.items():
            elsewhere[address.runtime] += sum(size for shown, size in of_call.items() if seen[shown] > 1)
        source.close()

    def share(runtimes: list[str], learned: bool = False) -> float:
        found = sum(independent[one] + (elsewhere[one] if learned else 0) for one in runtimes)
        return found / sum(total[one] for one in runtimes)

    groups = {"all": list(total), "narrators": list(NARRATORS), **{one: [one] for one in total if total[one]}}
    with capsys.disabled():
        print(f"\n{'runtime':32}{'independent':>12}{'with sentences learned from other requests':>44}")
        for title, runtimes in groups.items():
            print(f"{title:32}{share(runtimes):12.1%}{share(runtimes, learned=True):44.1%}")
        for title, characters in taken.most_common():
            print(f"{characters:8} taken  {title}")
    assert share(groups["all"]) >= 0.60
    assert share(groups["narrators"]) >= 0.65
