"""What template paths stand for. Follows the reference on the assembler, section 7."""

from collections.abc import Callable, Mapping

from covel_inspector.engines.covel.assembler.characters import current_character, npc_lines
from covel_inspector.engines.covel.assembler.escaping import Json, json_of, printed
from covel_inspector.engines.covel.assembler.params import ContextParams, SessionMeta
from covel_inspector.engines.covel.assembler.wording import Wording
from covel_inspector.engines.covel.javascript import is_array_index


class Variables:
    """The variables of one context; each root is computed when a template first asks for it."""

    def __init__(self, params: ContextParams, wording: Wording) -> None:
        self._params = params
        self._wording = wording
        self._meta = session_meta(params)
        self._roots: dict[str, Json] = {}
        self._makers: dict[str, Callable[[], Json]] = {
            "player": self._player,
            "characters": self._characters,
            "session": self._session,
            "inputs": self._inputs,
            "world": lambda: params.session.world if params.session is not None else None,
            "userSettings": lambda: params.user_settings,
        }

    def text(self, path: str) -> tuple[str, bool]:
        """The text of a path, and True when the caller gave it to be inserted as it stands."""
        given = self._params.rendered_variables.get(path)
        if given is not None:
            return given, True
        return printed(self.value(path)), False

    def value(self, path: str) -> Json:
        """The value of a path by own properties only; None for anything missing."""
        first, *rest = path.split(".")
        if first not in self._makers:
            return None
        if first not in self._roots:
            self._roots[first] = self._makers[first]()
        value = self._roots[first]
        for name in rest:
            value = _member(value, name)
        return value

    def _player(self) -> Json:
        form = self._meta.last_form_values
        filled = form is not None and form != {}
        return {
            "message": self._params.turn_input.player_message,
            "character": current_character(self._meta),
            "lastFormValues": json_of(form) if filled else "",
            "lastFormValuesRaw": form,
        }

    def _characters(self) -> Json:
        return {"npcs": npc_lines(self._meta, self._wording)}

    def _session(self) -> Json:
        return {"turnNumber": self._meta.turn_number or 0}

    def _inputs(self) -> Json:
        plugins: dict[str, dict[str, Json]] = {}
        for result in self._params.completed_results:
            plugin, _, runtime = result.runtime.partition("/")
            plugins.setdefault(plugin, {})[runtime or plugin] = result.output
        return plugins


def session_meta(params: ContextParams) -> SessionMeta:
    """The snapshot's figures, else the ones given beside it."""
    if params.session is not None and params.session.meta is not None:
        return params.session.meta
    return params.session_meta or SessionMeta()


def _member(value: Json, name: str) -> Json:
    if isinstance(value, Mapping):
        return value.get(name)
    if isinstance(value, list | tuple):
        if name == "length":
            return len(value)
        if is_array_index(name) and int(name) < len(value):
            return value[int(name)]
    return None
