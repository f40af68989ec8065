"""Addresses as people write them: shortened, or naming something that is not there, which is said in a sentence."""

from collections.abc import Callable, Iterable, Sequence

from covel_inspector.domain import Address, AddressError, Session, Turn, say
from covel_inspector.engines.covel.source.listing import SessionListing


def resolve_session(part: str, text: str, ids: Sequence[str], sessions: Callable[[], Iterable[Session]]) -> str:
    """The id of the session that ``part`` is, begins, or is the title of; ``text`` is the whole address.

    ``sessions`` is asked only when the ids do not tell. Raises AddressError when that is none or more than one.
    """
    if part in ids:
        return part
    matches = [session for session in ids if session.startswith(part)]
    if len(matches) == 1:
        return matches[0]
    titled = [session.id for session in sessions() if part and session.title == part]
    if len(titled) == 1:
        return titled[0]
    if not ids:
        raise AddressError(say("'{text}': there is no session in this file.", text=text))
    if not matches:
        raise AddressError(
            say("'{text}': no session begins with '{part}'. Sessions: {ids}.", text=text, part=part, ids=_listed(ids))
        )
    raise AddressError(
        say(
            "'{text}': the file has several sessions that fit, write more of the id. They are {ids}.",
            text=text,
            ids=_listed(matches),
        )
    )


def check_call(address: Address, text: str, listing: SessionListing) -> None:
    """Raise AddressError, with what there is instead, unless the session has this call; ``text``: the whole address."""
    if listing.place(address) is not None:
        return
    if listing.turn(address.turn) is None:
        raise _no_turn(address, text, listing.turns)
    known = (*listing.places, *listing.unsent)
    here = [place for place in known if place.turn == address.turn]
    if not here:
        raise AddressError(say("'{text}': no runtime made a call in this turn.", text=text))
    runtimes = sorted({place.runtime for place in here if place.runtime})
    made = [place for place in here if place.runtime == address.runtime]
    unreadable = [f":{place.turn}:{place.runtime}:{place.call}" for place in here if not place.runtime]
    if not made and unreadable:
        raise AddressError(
            say(
                "'{text}': no readable call of runtime '{runtime}' is in this turn. Calls whose rows cannot be read, "
                "of unknown runtimes: {unreadable}. Runtimes: {runtimes}.",
                text=text,
                runtime=address.runtime,
                unreadable=_listed(unreadable),
                runtimes=_listed(runtimes) or "–",
            )
        )
    if not made:
        raise AddressError(
            say(
                "'{text}': runtime '{runtime}' made no call in this turn. Runtimes: {runtimes}.",
                text=text,
                runtime=address.runtime,
                runtimes=_listed(runtimes),
            )
        )
    raise AddressError(
        say("'{text}': calls of this runtime in this turn: {n}. Calls count from 0.", text=text, n=len(made))
    )


def _no_turn(address: Address, text: str, turns: Sequence[Turn]) -> AddressError:
    if not turns:
        return AddressError(say("'{text}': the session has no turns.", text=text))
    return AddressError(
        say(
            "'{text}': the session has no turn {turn}. It has turns {first} to {last}.",
            text=text,
            turn=address.turn,
            first=turns[0].number,
            last=turns[-1].number,
        )
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
