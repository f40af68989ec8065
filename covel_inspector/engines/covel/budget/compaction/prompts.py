"""What the summary model is asked, and what is made of its replies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from covel_inspector.engines.covel.budget.compaction.numbers import SummaryBudget
from covel_inspector.engines.covel.budget.compaction.shapes import CompactionError, LogRow, Segment, StoredSummary
from covel_inspector.engines.covel.budget.compaction.strategy import bounded, bounded_again, plan_merge, plan_source
from covel_inspector.engines.covel.budget.estimator import Estimator
from covel_inspector.engines.covel.javascript import instruction_language, is_blank, trim
from covel_inspector.engines.covel.textpack import TextPack

_CUT_SHORT = ("length", "max_tokens")
_BETWEEN_OLD = "\n\n---\n\n"


@dataclass(frozen=True, slots=True)
class SummaryPrompt:
    """One question to the summary model."""

    system: str
    user: str
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Reply:
    """Its answer, and why it ended."""

    text: str
    finish_reason: str = ""


@dataclass(frozen=True, slots=True)
class Summariser:
    """The default strategy bound to one attempt. ``window`` is what the summary model can read, in tokens."""

    pack: TextPack
    locale: str
    window: int
    budget: SummaryBudget
    estimate: Estimator

    def run(
        self,
        rows: Sequence[LogRow],
        summaries: Sequence[StoredSummary],
        ask: Callable[[SummaryPrompt], Reply],
    ) -> list[Segment]:
        """The answer: a merge of old summaries first, if one is needed, then the new summary; empty = nothing to do.

        Raises CompactionError (source-too-large, request-too-large, incomplete-reply, empty-reply).
        """
        plan = plan_source(rows, self.budget, self.estimate, self._can_read)
        if plan is None:
            raise CompactionError("source-too-large", "not even one row fits the window of the summary model")
        if not plan.rows:
            return []
        reply = self._ask(self._fresh_prompt(plan.rows, plan.new_budget), ask)
        content, cut = self._bounded(reply, plan.new_budget)
        old = [self.estimate(summary.content) for summary in summaries]
        again = bounded_again(sum(old), self.estimate(content), plan.new_budget, self.budget)
        if again is not None:
            content, cut_again = self._bounded(content, again)
            cut = cut or cut_again
        fresh = Segment(content, tuple(row.id for row in plan.rows), truncated=cut)
        merge = plan_merge(old, self.estimate(content), self.budget)
        if merge.count == 0:
            return [fresh]
        return [self._merged(summaries[: merge.count], merge.budget, ask), fresh]

    def _merged(self, summaries: Sequence[StoredSummary], limit: int, ask: Callable[[SummaryPrompt], Reply]) -> Segment:
        sections = tuple(dict.fromkeys(section for summary in summaries for section in summary.focus_sections))
        user = self._text(
            "compaction.merge",
            prior=_BETWEEN_OLD.join(summary.content for summary in summaries),
            maxSummaryTokens=limit,
        )
        reply = self._ask(SummaryPrompt(self._system(sections), user, limit), ask)
        content, cut = self._bounded(reply, limit)
        return Segment(content, (), tuple(summary.id for summary in summaries), sections, cut)

    def _can_read(self, rows: Sequence[LogRow]) -> bool:
        return self._fits(self._fresh_prompt(rows, self.budget.segment_tokens))

    def _fits(self, prompt: SummaryPrompt) -> bool:
        return self.estimate(prompt.system) + self.estimate(prompt.user) <= self.window

    def _ask(self, prompt: SummaryPrompt, ask: Callable[[SummaryPrompt], Reply]) -> str:
        if not self._fits(prompt):
            raise CompactionError("request-too-large", "the question does not fit the window of the summary model")
        reply = ask(prompt)
        if reply.finish_reason in _CUT_SHORT:
            raise CompactionError("incomplete-reply", "the summary model ran into its output limit")
        if is_blank(reply.text):
            raise CompactionError("empty-reply", "the summary model answered nothing")
        return reply.text

    def _bounded(self, text: str, limit: int) -> tuple[str, bool]:
        return bounded(text, limit, self._text("compaction.cut"), self.estimate)

    def _fresh_prompt(self, rows: Sequence[LogRow], limit: int) -> SummaryPrompt:
        shown = "\n\n".join(f"[{row.role}]: {row.content}" for row in rows if trim(row.content))
        user = self._text("compaction.fresh", messages=shown, maxSummaryTokens=limit)
        return SummaryPrompt(self._system(()), user, limit)

    def _system(self, sections: Sequence[str]) -> str:
        wanted = sections or self.pack.words("compaction.focus", self._language)
        language = self._text(
            "compaction.language", languageName=self._text("compaction.languageName"), locale=self.locale
        )
        return "\n- ".join([self._text("compaction.system"), *wanted]) + "\n\n" + language

    @property
    def _language(self) -> str:
        return instruction_language(self.locale or None)

    def _text(self, key: str, **placeholders: object) -> str:
        return self.pack.text(key, self._language, **placeholders)
