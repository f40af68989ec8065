"""What each command does: from a command's id to a function of the window."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from covel_inspector.app.panels.registry import PANELS
from covel_inspector.app.state import Mode
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.app.three_counts import COUNT_COMMAND
from covel_inspector.report.wording import LANGUAGES

if TYPE_CHECKING:
    from covel_inspector.app.window import MainWindow

Run = Callable[[], object]


def performers(window: "MainWindow") -> dict[str, Run]:
    """One function for every command; a test compares the ids with the table of commands."""
    return {**_files(window), **_moves(window), **_comparing(window), **_views(window), **_others(window)}


def _files(window: "MainWindow") -> dict[str, Run]:
    return {
        "open": window.ask_for_file,
        "open-sample": window.open_sample,
        "choose-root": window.ask_for_root,
        "reload": window.inspector.reload,
        "close": window.close_file,
        "quit": window.close,
    }


def _moves(window: "MainWindow") -> dict[str, Run]:
    inspector = window.inspector
    return {
        "previous-turn": partial(inspector.step, -1),
        "next-turn": partial(inspector.step, 1),
        "first-turn": partial(inspector.go_to_end, last=False),
        "last-turn": partial(inspector.go_to_end, last=True),
        "previous-call": partial(inspector.step_call, -1),
        "next-call": partial(inspector.step_call, 1),
        "quick-open": window.choosers.choose_address,
        "focus-story": window.focus_story,
        "focus-compare": window.compare.focus_tree,
        "focus-why": window.focus_why,
        "focus-panels": window.bottom.focus_current,
        "focus-filter": window.focus_filter,
    }


def _comparing(window: "MainWindow") -> dict[str, Run]:
    def target(kind: TargetKind) -> Run:
        return partial(window.inspector.state.set_target, Target(kind))

    return {
        "next-difference": partial(window.step_difference, 1),
        "previous-difference": partial(window.step_difference, -1),
        "switch-side": window.compare.switch_side,
        "with-previous-turn": target(TargetKind.PREVIOUS_TURN),
        "with-rebuilt": target(TargetKind.REBUILT),
        "with-previous-call": target(TargetKind.PREVIOUS_CALL),
        "with-address": window.choose_target,
        "with-what-if": target(TargetKind.WHAT_IF),
        "with-none": target(TargetKind.NONE),
        "swap": window.inspector.swap,
        "leave-out": window.experiments.leave_out,
        "edit-text": window.experiments.edit_text,
        "reset-what-if": window.experiments.reset,
        "open-draft": window.experiments.open_draft,
        "save-draft": window.experiments.save_draft,
    }


def _views(window: "MainWindow") -> dict[str, Run]:
    state, look = window.inspector.state, window.look
    panels = {f"panel-{panel.id}": partial(window.bottom.show_panel, panel.id) for panel in PANELS}
    languages = {f"language-{tag}": partial(look.choose_language, tag) for tag in LANGUAGES}
    return {
        "structure": partial(state.set_mode, Mode.STRUCTURE),
        "read": partial(state.set_mode, Mode.READ),
        "wire": partial(state.set_mode, Mode.WIRE),
        "expand-all": window.compare.expand_all,
        "collapse-all": window.compare.collapse_all,
        "show-story": window.turn_story_panel,
        "show-why": window.turn_why_panel,
        "larger": partial(look.resize_text, 1),
        "smaller": partial(look.resize_text, -1),
        "usual-size": partial(look.resize_text, 0),
        "theme-system": partial(look.choose_theme, "system"),
        "theme-light": partial(look.choose_theme, "light"),
        "theme-dark": partial(look.choose_theme, "dark"),
        "language-system": partial(look.choose_language, ""),
        "show-panels": window.turn_bottom,
        **panels,
        **languages,
    }


def _others(window: "MainWindow") -> dict[str, Run]:
    return {
        "palette": window.choosers.show_palette,
        COUNT_COMMAND: window.turn_counting,
        "copy-address": window.copy_address,
        "problems": window.show_problems,
        "shortcuts": window.show_shortcuts,
        "filter-help": window.show_filter_help,
        "about": window.show_about,
    }
