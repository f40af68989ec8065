"""The assembler's rules on JSON cases: one function an operation."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from covel_inspector.engines.covel.assembler.assembly import Assembly
from covel_inspector.engines.covel.assembler.build import assemble
from covel_inspector.engines.covel.assembler.errors import AssemblerError
from covel_inspector.engines.covel.assembler.escaping import json_of
from covel_inspector.engines.covel.assembler.params import ContextParams
from covel_inspector.engines.covel.assembler.snapshot import take_snapshot
from covel_inspector.engines.covel.assembler.world_lore import fit_lore, without_narrator_marks
from covel_inspector.engines.covel.budget.estimator import covel_tokens
from covel_inspector.engines.covel.budget.limits import BudgetError
from covel_inspector.engines.covel.evaluate.budget_ops import prune_result, request_result
from covel_inspector.engines.covel.evaluate.compaction_ops import compaction_result, plan_result
from covel_inspector.engines.covel.evaluate.context_params import context_params, manifest, summary
from covel_inspector.engines.covel.evaluate.expanding import CaseError, Json, expand, rows, section, text, texts
from covel_inspector.engines.covel.evaluate.messages import message_json
from covel_inspector.engines.covel.evaluate.session_cases import history_view, session_state, snapshot_result
from covel_inspector.engines.covel.records.naming import SENTINEL
from covel_inspector.engines.covel.textpack import TextPack, default_pack

Operation = Callable[[Mapping[str, Json], TextPack], Json]


def evaluate_assembler(case: Mapping[str, Json], pack: TextPack) -> Json:
    """The result of one case, in the shape of its ``expected``; a refusal is ``{"error": {kind, detail?}}``.

    Texts that ``pack`` lacks come from the default pack. Raises CaseError for a case that cannot be run.
    """
    operation = OPERATIONS.get(text(case, "op"))
    if operation is None:
        raise CaseError(f"'{case.get('op')}' is no operation; there are {', '.join(OPERATIONS)}")
    params = expand(section(case, "params"))
    try:
        return operation(params, default_pack().overlaid(pack))
    except AssemblerError as error:
        return {"error": {"kind": error.kind}}
    except BudgetError:
        return {"error": {"kind": "invalid-budget"}}


def params_of(case: Mapping[str, Json], pack: TextPack) -> ContextParams:
    """The assembler's params of a ``context`` or ``pipeline`` case. Raises CaseError for any other."""
    params = expand(section(case, "params"))
    operation = text(case, "op")
    if operation == "context":
        return context_params(params)
    if operation == "pipeline":
        return _pipeline_params(params, pack)
    raise CaseError(f"'{operation}' assembles no context")


def _context(params: Mapping[str, Json], pack: TextPack) -> Json:
    return context_result(assemble(context_params(params), pack))


def _pipeline(params: Mapping[str, Json], pack: TextPack) -> Json:
    return context_result(assemble(_pipeline_params(params, pack), pack))


def _pipeline_params(params: Mapping[str, Json], pack: TextPack) -> ContextParams:
    runtime = manifest(section(params, "manifest"))
    policy = section(params, "policy")
    history = history_view(params, runtime.name)
    summaries = tuple(map(summary, rows(params, "summaries")))
    if "maxTurns" in policy and policy.get("includeSummaries") is not True:
        summaries = ()
    return replace(
        context_params(section(params, "context")),
        manifest=runtime,
        session=take_snapshot(session_state(params), pack),
        message_history=history.rows,
        summaries=summaries,
        left_out=history.left_out,
    )


def _history(params: Mapping[str, Json], _pack: TextPack) -> Json:
    view = history_view(params, text(params, "runtimeName"))
    return {"rows": [{"id": row.id, "content": row.content} for row in view.rows]}


def _tokens(params: Mapping[str, Json], _pack: TextPack) -> Json:
    return [covel_tokens(item) for item in texts(params, "texts")]


def _model_facing(params: Mapping[str, Json], _pack: TextPack) -> Json:
    values = params.get("values")
    if not isinstance(values, list):
        raise CaseError("'values' should be a list")
    return [json_of(value) for value in values]


def _world_lore(params: Mapping[str, Json], _pack: TextPack) -> Json:
    fitted = fit_lore(without_narrator_marks(text(params, "lore")))
    return {"text": fitted.text, "tokens": fitted.tokens, "truncated": fitted.truncated}


def context_result(assembly: Assembly) -> dict[str, Json]:
    """A context in the shape of the vectors, with the parts before they were joined."""
    context, made = assembly.context, assembly.composition
    sections = {part.name: part.text for part in made.sections}
    result: dict[str, Json] = {
        "systemPrompt": context.system_prompt,
        "frameworkHead": context.framework_head,
        "messages": [message_json(message) for message in context.messages],
        "turnContext": context.turn_context,
        "currentTurnUserMessages": context.current_turn_user_messages,
        "cacheBreaks": context.system_prompt.count(SENTINEL),
        "segments": {
            "frameworkPreamble": sections["preamble"],
            "pluginInstructions": sections["body"],
            "stableExtensions": sections["stable"],
            "worldInfoBeforePlugin": sections["lore-before"],
            "sessionInjects": sections["session"],
            "worldInfoAfterPlugin": sections["lore-after"],
            "turnExtensions": sections["turn"],
            "turnData": made.turn_data,
            "turnContextExtensions": "\n\n".join(segment.content for segment in made.landing.turn_context),
            "preHistoryExtensions": [
                {"role": segment.role, "content": segment.content} for segment in made.landing.before_history
            ],
            "postHistoryInstructions": [
                {"role": segment.role or "system", "content": segment.content} for segment in made.landing.after_history
            ],
            "depthContributions": [
                {**message_json(item.placed.message), "depth": item.depth, "order": item.order}
                for item in made.conversation.depth_items
            ],
        },
    }
    if context.budget is not None:
        result["prunedMessageCount"] = context.pruned_message_count
        result["budget"] = {"totalTokens": context.budget.total_tokens, "overBudget": context.budget.over_budget}
    return result


OPERATIONS: Mapping[str, Operation] = {
    "context": _context,
    "snapshot": snapshot_result,
    "history": _history,
    "pipeline": _pipeline,
    "budget": prune_result,
    "request-budget": request_result,
    "compaction": compaction_result,
    "strategy-plan": plan_result,
    "tokens": _tokens,
    "model-facing": _model_facing,
    "world-lore": _world_lore,
}
