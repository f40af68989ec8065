"""What the engine knows of models by their names. Follows the reference on the wire, sections 2 and 6.

Names are compared in lower case and without the owner in front of a slash. The first rule that fits a name decides.
"""

import re
from dataclasses import dataclass, field
from enum import StrEnum

from covel_inspector.domain import Protocol

DISABLED, NONE, AUTOMATIC = "disabled", "none", "automatic"
_LOW_TO_HIGH = ("low", "medium", "high")
_BUDGETS = {"low": 1024, "medium": 8192, "high": 24576}
_GOOGLE_END = r"(?:-(?:preview.*|latest|\d{3}.*))?$"
_QWEN_ALWAYS = re.compile(r"thinking|3\.8-2\.4t-a95b|3\.7-max-preview|3\.7-max-2026-05-17")


class Family(StrEnum):
    """Makers whose models take thinking fields of their own."""

    ANTHROPIC = "anthropic"
    DEEPSEEK = "deepseek"
    GOOGLE = "google"
    OPENAI = "openai"
    QWEN = "qwen"
    XAI = "xai"


_FAMILY_NAMES: tuple[tuple[Family, re.Pattern[str]], ...] = (
    (Family.DEEPSEEK, re.compile(r"deepseek")),
    (Family.ANTHROPIC, re.compile(r"claude|\b(?:opus|sonnet|fable|mythos)-\d")),
    (Family.GOOGLE, re.compile(r"gemini")),
    (Family.XAI, re.compile(r"grok")),
    (Family.QWEN, re.compile(r"qwen|qwq")),
    (Family.OPENAI, re.compile(r"^gpt-|^o[134]\b|openai")),
)
_ANTHROPIC = re.compile(r"(?P<line>opus|sonnet|fable|mythos)-(?P<major>\d)(?:[-.](?P<minor>\d{1,2}))?(?!\d)")


@dataclass(frozen=True, slots=True)
class Thinking:
    """The thinking levels of a model, lowest first. ``budgets`` are tokens a level stands for.

    ``adaptive``: Anthropic models that think as much as they find right. ``by_effort``: Qwen models that take an
    effort instead of a budget.
    """

    family: Family
    levels: tuple[str, ...]
    budgets: dict[str, int] = field(default_factory=dict)
    adaptive: bool = False
    by_effort: bool = False

    @property
    def off(self) -> str:
        """The level that comes nearest to no thinking."""
        return next((level for level in (NONE, DISABLED) if level in self.levels), self.levels[0])


def bare_name(model: str) -> str:
    """A model's name as the rules read it."""
    return model.lower().rpartition("/")[2]


def family_of(model: str, provider: str = "") -> Family | None:
    """The family by the model's name, else by the provider's id."""
    name = bare_name(model)
    for text in (name, provider.lower()):
        for family, pattern in _FAMILY_NAMES:
            if pattern.search(text):
                return family
    return None


def thinking_of(model: str, provider: str = "", protocol: Protocol | None = None) -> Thinking | None:
    """The levels of a known model, None for others. ``protocol`` None looks the model up for any wire."""
    name = bare_name(model)
    chat = protocol in (None, Protocol.OPENAI_CHAT)
    match family_of(model, provider):
        case Family.DEEPSEEK:
            known = re.search(r"deepseek-(?:v4|flash|chat|reasoner|r1)", name)
            return Thinking(Family.DEEPSEEK, (DISABLED, "high", "max")) if known else None
        case Family.ANTHROPIC:
            return _anthropic(name)
        case Family.GOOGLE:
            return _google(name, protocol is Protocol.OPENAI_CHAT)
        case Family.XAI:
            return _xai(name)
        case Family.QWEN:
            return _qwen(name, chat)
        case Family.OPENAI:
            return _openai(name)
    return None


def _anthropic(name: str) -> Thinking | None:
    found = _ANTHROPIC.search(name)
    if found is None:
        return None
    line, major, minor = found["line"], int(found["major"]), int(found["minor"] or 0)
    if has_fixed_sampling(name):
        always = line in ("fable", "mythos") or (major, minor) == (5, 5)
        levels = ("low", "medium", "high", "xhigh", "max")
        return Thinking(Family.ANTHROPIC, levels if always else (DISABLED, *levels), adaptive=True)
    if line in ("opus", "sonnet") and (major, minor) == (4, 6):
        return Thinking(Family.ANTHROPIC, (DISABLED, "low", "medium", "high", "max"), adaptive=True)
    if line == "opus" and (major, minor) == (4, 5):
        return Thinking(Family.ANTHROPIC, (DISABLED, *_LOW_TO_HIGH))
    return None


def is_claude(model: str) -> bool:
    """True for Anthropic's own models."""
    name = bare_name(model)
    return "claude" in name or _ANTHROPIC.search(name) is not None


def has_fixed_sampling(model: str) -> bool:
    """True for Anthropic models that refuse every sampling parameter: 5.x, and Opus 4.7 and 4.8."""
    found = _ANTHROPIC.search(bare_name(model))
    if found is None:
        return False
    major, minor = int(found["major"]), int(found["minor"] or 0)
    return major == 5 or (found["line"] == "opus" and major == 4 and minor in (7, 8))


def refuses_forced_tools(model: str) -> bool:
    """True for Anthropic models that take no forced tool: Opus and Sonnet 5.5, Fable and Mythos 5.1."""
    found = _ANTHROPIC.search(bare_name(model))
    if found is None:
        return False
    version = (int(found["major"]), int(found["minor"] or 0))
    return version == ((5, 5) if found["line"] in ("opus", "sonnet") else (5, 1))


def thinks_by_default(model: str) -> bool:
    """True for DeepSeek models that think unless told not to."""
    return re.search(r"deepseek-(?:v4|flash)", bare_name(model)) is not None


def counts_completion_tokens(model: str) -> bool:
    """True for models whose answer limit is called ``max_completion_tokens`` on the Chat wire."""
    return re.match(r"(?:gpt-[5-9]|o[134])(?!\d)", bare_name(model)) is not None


def summarises_reasoning(model: str) -> bool:
    """True for models that are asked for a summary of their reasoning on the Responses wire."""
    return re.match(r"(?:gpt-5|o[34])(?!\d)", bare_name(model)) is not None


def refuses_penalties(model: str) -> bool:
    """True for Gemini models without frequency and presence penalties."""
    return "gemini-2.5" in bare_name(model)


def _google(name: str, chat: bool) -> Thinking | None:
    def fits(pattern: str) -> bool:
        return re.search(rf"gemini-{pattern}{_GOOGLE_END}", name) is not None

    if fits(r"2\.5-pro") or fits(r"2\.5-flash(?:-lite)?"):
        lowest = {} if "pro" in name else {NONE: 0}
        budgets = {**lowest, **({"minimal": 1024} if chat else {}), **_BUDGETS}
        return Thinking(Family.GOOGLE, tuple(budgets), budgets)
    if fits("3-pro"):
        return Thinking(Family.GOOGLE, ("low", "high"))
    if fits(r"3\.1-pro"):
        return Thinking(Family.GOOGLE, ("minimal", *_LOW_TO_HIGH) if chat else _LOW_TO_HIGH)
    if fits("3-flash") or fits(r"3\.[15]-flash-lite") or fits(r"3\.[56]-flash"):
        return Thinking(Family.GOOGLE, ("minimal", *_LOW_TO_HIGH))
    return Thinking(Family.GOOGLE, _LOW_TO_HIGH) if fits(r"3\.[78]-flash") else None


def _xai(name: str) -> Thinking | None:
    if not re.search(r"grok-(?:3-mini|4)", name):
        return None
    more = re.search(r"4[.-]20|multi-agent", name) is not None
    return Thinking(Family.XAI, (*_LOW_TO_HIGH, "xhigh") if more else _LOW_TO_HIGH)


def _qwen(name: str, chat: bool) -> Thinking | None:
    if not chat or not re.search(r"qwen-?3", name):
        return None
    by_effort = re.search(r"qwen-?3\.8", name) is not None
    levels: tuple[str, ...] = (DISABLED, AUTOMATIC)
    budgets: dict[str, int] = {}
    if re.search(r"3\.8-(?:max|flash|omni-flash|27b|2\.4t-a95b)", name):
        levels = (DISABLED, AUTOMATIC, "low", "medium", "xhigh")
    elif re.search(r"3\.[567]-(?:max|plus|flash)", name):
        budgets = {"low": 2048, "medium": 8192, "high": 16384}
        levels = (DISABLED, AUTOMATIC, *budgets)
    if _QWEN_ALWAYS.search(name):
        levels = levels[1:]
    return Thinking(Family.QWEN, levels, budgets, by_effort=by_effort)


def _openai(name: str) -> Thinking | None:
    for pattern, levels in _OPENAI_LEVELS:
        if pattern.match(name):
            return Thinking(Family.OPENAI, levels)
    return None


_OPENAI_LEVELS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"gpt-[6-9]"), (NONE, "minimal", *_LOW_TO_HIGH, "xhigh", "max")),
    (re.compile(r"gpt-5-pro"), ("high",)),
    (re.compile(r"gpt-5\.1.*codex-max"), (NONE, *_LOW_TO_HIGH, "xhigh")),
    (re.compile(r"gpt-5\.1(?!\d)"), (NONE, *_LOW_TO_HIGH)),
    (re.compile(r"o[134](?!\d)"), _LOW_TO_HIGH),
    (re.compile(r"gpt-5\.[2-9]"), (NONE, "minimal", *_LOW_TO_HIGH, "xhigh")),
    (re.compile(r"gpt-5(?!\d)"), ("minimal", *_LOW_TO_HIGH)),
)
