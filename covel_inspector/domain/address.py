"""The address of one model call: ``session:turn:runtime:call``."""

from dataclasses import dataclass
from typing import Self

from covel_inspector.domain.sentence import Sentence, plain, say


class AddressError(ValueError):
    """A text that is no address, or names something that is not there.

    The message is one line for people. ``sentence`` is the same for translation; ``str()`` gives English.
    """

    def __init__(self, sentence: Sentence | str) -> None:
        self.sentence = sentence if isinstance(sentence, Sentence) else plain(sentence)
        super().__init__(str(self.sentence))


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """Where a call is.

    ``session`` is the engine's id. ``turn`` is the number people use ("12"); a background execution after
    turn 12 is "12+1". ``call`` counts the calls of this runtime in this turn from 0, steps of the tool loop
    and repeated attempts alike, in the order they were made.
    """

    session: str
    turn: str
    runtime: str
    call: int

    def __str__(self) -> str:
        return f"{self.session}:{self.turn}:{self.runtime}:{self.call}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text form. A runtime may hold colons and slashes: the outer three fields are cut off first.

        The runtime may be empty: that of a call whose row cannot be read. The session may be empty or shortened,
        which only a source can resolve.
        Raises AddressError with a sentence that says what was expected.
        """
        session, first, rest = text.partition(":")
        turn, second, rest = rest.partition(":")
        runtime, third, call = rest.rpartition(":")
        if not (first and second and third and turn):
            raise AddressError(
                say(
                    "'{text}' is no address. One looks like SESSION:TURN:RUNTIME:CALL, such as :12:narrator:0.",
                    text=text,
                )
            )
        if not (call.isascii() and call.isdigit()):
            raise AddressError(
                say(
                    "'{text}' is no address: the last field counts calls from 0, and '{call}' is no number.",
                    text=text,
                    call=call,
                )
            )
        return cls(session, turn, runtime, int(call))
