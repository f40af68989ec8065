"""The explaining half of the fake source: small, plausible answers about its two stories."""

from collections.abc import Mapping, Sequence

from covel_inspector.domain import (
    Address,
    DeclaredSegment,
    Fate,
    Finding,
    FindingPlace,
    GoOn,
    Kind,
    LoreHistory,
    LoreHit,
    LoreOutcome,
    LoreRow,
    LoreState,
    Observation,
    Origin,
    PieceUse,
    PluginReport,
    Rule,
    RuntimeReport,
    Severity,
    Standing,
    TemplatePiece,
    TemplateReport,
    TemplateVariable,
    ValueSource,
    Volatility,
    plain,
    say,
)

CLOCK = Observation(
    key="segment:dimensions/dimensions", name="dimensions", kind=Kind.EXTENSION, title=plain("Segment · dimensions"),
    origin=Origin(plugin="dimensions", segment="dimensions"), seen=4, turns=5, texts=3, steps=3, changes=2,
    standing=Standing.TURN, runtimes=("narrator",), missing=("3",), changed=("2", "5"), volatilities=(Volatility.TURN,),
    audience="story", may_be_contract=True, counts_as=Volatility.TURN,
)  # fmt: skip
TONE = Observation(
    key="segment:narrator/tone", name="tone", kind=Kind.EXTENSION, title=plain("Segment · tone"),
    origin=Origin(plugin="narrator", segment="tone", file="plugins/narrator/PLUGIN.md", line=8), seen=5, turns=5,
    texts=1, steps=4, changes=0, standing=Standing.LOOSE, runtimes=("narrator",),
    volatilities=(Volatility.STABLE, Volatility.SESSION), counts_as=Volatility.STABLE, meant_for="self",
)  # fmt: skip
"""What the fake source observed: a segment made by code, and one of a file."""

_KEYS = ("lantern", "敲门")
_RULE = Rule("made-up-rule", plain("A rule of the made-up engine"), Severity.WARNING)


class FakeExplaining:
    """One lore entry that wakes by a key, one that is switched off, one plugin, one body, one finding."""

    def lorebook(self, address: Address) -> Sequence[LoreState]:
        line = "I ask the clerk about the red lantern." if address.turn != "1" else "I walk down to the quay."
        return _states(line, sent=address.turn != "1")

    def lorebook_history(self, session: str, runtime: str) -> LoreHistory:
        addresses = (Address(session, "1", runtime, 0), Address(session, "2", runtime, 0))
        outcomes = (LoreOutcome.NO_KEY, LoreOutcome.KEY)
        night = LoreRow("night", "lore:night", "night", "world", outcomes, ("", "lantern"), (False, True))
        draft = LoreRow("draft", "lore:draft", "draft", "player", (LoreOutcome.DISABLED,) * 2, ("", ""), (False, False))
        return LoreHistory(session, runtime, addresses, (night, draft))

    def try_line(self, address: Address, text: str) -> Sequence[LoreState]:
        return _states(text, sent=None)

    def plugins(self, session: str, turn: str) -> Sequence[PluginReport]:
        address = Address(session, turn, "narrator", 0)
        rules = DeclaredSegment(
            "segment:narrator/tone", "tone", True, "post-history", "system", "self", Volatility.STABLE, None,
            "Keep it short.", 4, "plugins/narrator/PLUGIN.md", 8,
        )  # fmt: skip
        runtime = RuntimeReport(
            "narrator", True, "narrative", visibility="story", slot="story", file="plugins/narrator/PLUGIN.md", line=12,
            calls=(address,),
        )  # fmt: skip
        uses = (
            PieceUse("body", Kind.BODY, plain("Runtime body"), address, Fate.SENT, plain("equal to the file"), 20, 0.2),
            PieceUse(
                "segment:narrator/tone", Kind.EXTENSION, plain("Segment · tone"), address, Fate.TRIMMED,
                plain("the budget left it out"),
            ),
        )  # fmt: skip
        narrator = PluginReport(
            "narrator", "Narrator", "1.0.0", True, True, file="plugins/narrator/PLUGIN.md", line=1, segments=(rules,),
            runtimes=(runtime,), uses=uses, tokens=20, share=0.2,
        )  # fmt: skip
        return (narrator, PluginReport("codex", "codex", is_declared=False, active=True))

    def observed(self, session: str, go_on: GoOn | None = None) -> Mapping[str, Observation] | None:
        if go_on is not None and not all(go_on(done, 3) for done in range(3)):
            return None
        return {CLOCK.key: CLOCK, TONE.key: TONE}

    def template(self, address: Address) -> TemplateReport | None:
        if address.runtime != "narrator":
            return None
        template = "The place is {{ world.name }}.\nHe says: {{ player.message }}"
        hour = TemplateVariable(
            "world.name", "Tidewater", ValueSource.WORLD, plain("the world's row"), Volatility.SESSION, changed=False,
            before="Tidewater", tokens=3, line=12,
        )  # fmt: skip
        line = TemplateVariable(
            "player.message", "I row out.", ValueSource.PLAYER_LINE, plain("the player's row"), Volatility.TURN,
            changed=True, before="I walk.", tokens=3, line=13,
        )  # fmt: skip
        pieces = (
            TemplatePiece("The place is ", "The place is ", 0),
            TemplatePiece("{{ world.name }}", "Tidewater", 13, "world.name"),
            TemplatePiece(".\nHe says: ", ".\nHe says: ", 29),
            TemplatePiece("{{ player.message }}", "I row out.", 40, "player.message"),
        )
        return TemplateReport(address, "narrator", "plugins/narrator/PLUGIN.md", 12, "", template, pieces, (hour, line))

    def finding_rules(self) -> Sequence[Rule]:
        return (_RULE,)

    def findings(self, session: str) -> Sequence[Finding]:
        place = FindingPlace(file="plugins/narrator/PLUGIN.md", line=12)
        return (
            Finding(
                _RULE.id, _RULE.severity, _RULE.title, say("{what} is not as it should be", what="the body"),
                plain("mend it"), place,
            ),
        )  # fmt: skip


def _states(line: str, sent: bool | None) -> tuple[LoreState, ...]:
    key = next((key for key in _KEYS if key in line.lower()), None)
    start = line.lower().find(key) if key else -1
    hits = (LoreHit(key, None, start, start + len(key), 0, line),) if key else ()
    night = LoreState(
        "night", "lore:night", "night", "world", "The night watch carries red lanterns.", "selective", _KEYS,
        "before_plugin", None, 10, 2, LoreOutcome.KEY if key else LoreOutcome.NO_KEY,
        plain("a key hit") if key else plain("no key hit"), hits,
        None if key else say("The key '{key}' stands in '{word}', but keys match whole words", key="x", word="xy"),
        None, 10, sent,
    )  # fmt: skip
    draft = LoreState(
        "draft", "lore:draft", "draft", "player", "An old draft.", "constant", (), "after_plugin", None, 90, 0,
        LoreOutcome.DISABLED, plain("the entry is switched off"), tokens=4, sent=None if sent is None else False,
    )  # fmt: skip
    return (night, draft)
