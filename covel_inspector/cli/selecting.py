"""Selectors of the command line: a session, a turn or a runtime by name. One that fits nothing says what there is."""

from collections.abc import Iterable, Sequence

from covel_inspector.domain import AddressError, Session, Source, Turn, say

_MOST = 12
"""Names listed in one line."""


def find_session(source: Source, text: str) -> Session:
    """The session with an id, or the only one whose id begins like that.

    Raises AddressError when there is none or more than one.
    """
    sessions = source.sessions()
    fitting = [one for one in sessions if one.id == text] or [one for one in sessions if one.id.startswith(text)]
    if len(fitting) == 1 and text:
        return fitting[0]
    if fitting and text:
        raise AddressError(
            say(
                "'{text}' fits {n} sessions: give more of its id. 'sessions FILE' lists them.",
                text=text,
                n=len(fitting),
            )
        )
    raise AddressError(
        say(
            "There is no session '{text}' in {file}. 'sessions FILE' lists what is there.",
            text=text,
            file=source.location,
        )
    )


def chosen_sessions(source: Source, text: str | None) -> Sequence[Session]:
    """The named session, or all of them when none is named. Raises AddressError as :func:`find_session` does."""
    return source.sessions() if text is None else [find_session(source, text)]


def listed_names(names: Iterable[str]) -> str:
    """Names in a line, in the order of the alphabet, at most a dozen of them; a dash when there are none."""
    found = sorted({name for name in names if name})
    return ", ".join([*found[:_MOST], *(["…"] if len(found) > _MOST else [])]) or "–"


def check_turn(source: Source, sessions: Iterable[Session], number: str) -> None:
    """Raise AddressError, with the turns there are, unless one of the sessions has a turn of this number."""
    turns = [source.turns(one.id) for one in sessions]
    if any(turn.number == number for found in turns for turn in found):
        return
    longest = max(turns, key=len, default=())
    if not longest:
        raise AddressError(say("There is no turn '{turn}': the story has no turns yet.", turn=number))
    near = _of_the_same_number(longest, number)
    if near:
        raise AddressError(
            say("There is no turn '{turn}'. Of this number there are: {known}.", turn=number, known=", ".join(near))
        )
    raise AddressError(
        say(
            "There is no turn '{turn}'. Turns: {first} to {last}.",
            turn=number,
            first=longest[0].number,
            last=longest[-1].number,
        )
    )


def check_runtime(known: Iterable[str], name: str) -> None:
    """Raise AddressError, with the runtimes there are, unless ``name`` is among them."""
    names = set(known)
    if name in names:
        return
    if not any(names):
        raise AddressError(say("There is no runtime '{runtime}': no call is recorded here.", runtime=name))
    raise AddressError(
        say(
            "There is no runtime '{runtime}' with recorded calls. Runtimes: {runtimes}.",
            runtime=name,
            runtimes=listed_names(names),
        )
    )


def _of_the_same_number(turns: Iterable[Turn], number: str) -> list[str]:
    """The turn and the background executions after it, for "12+5" where there are only 12 and 12+1."""
    base, plus, _ = number.partition("+")
    return [turn.number for turn in turns if plus and turn.number.partition("+")[0] == base]
