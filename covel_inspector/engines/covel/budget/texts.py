"""The sentences that a budget writes, in the instruction language."""

from dataclasses import dataclass

from covel_inspector.engines.covel.textpack import TextPack


@dataclass(frozen=True, slots=True)
class BudgetTexts:
    """Markers of pruning, cuts, omissions and folds."""

    pruned: str
    tool_cut: str
    summary_cut: str
    omitted: str
    fold_title: str

    @classmethod
    def of(cls, pack: TextPack, language: str) -> "BudgetTexts":
        """The sentences of a pack. Raises TextPackError when one is missing."""
        return cls(
            pack.text("pruned.marker", language),
            pack.text("truncation.toolResult", language),
            pack.text("truncation.summary", language),
            pack.text("ledger.omitted", language),
            pack.text("ledger.foldTitle", language),
        )
