"""Sources: who answers the chance events of a game; any mix of a law, a script, a person and live throws."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Protocol

from brickphys.errors import InterruptedRunError, InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.events.events import (
    BrickRoll,
    ChanceEvent,
    DiceRoll,
    Draw,
    OpposedRoll,
    Outcome,
)
from brickphys.rules.events.rolls import ChanceSource, Ladder

_REMEMBERED = 4096


class EventSource(Protocol):
    """Answers chance events."""

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> Outcome:
        """Return an outcome.

        Parameters
        ----------
        event
            What is asked.
        address
            Which event it is: non-negative integers, unique among the events of one root.

        Raises
        ------
        BrickphysError
            If the source has no answer.
        """
        ...


class LawSource:
    """Outcomes sampled from the exact law of any event, with 53 bits each.

    Parameters
    ----------
    brick_law
        What a roll of bricks scores.
    root
        Root seed, ``0 <= root < 2**53``: the same root and address give the same outcome.

    Raises
    ------
    InvalidValueError
        If `root` is out of range; on asking, if the event has no law.
    """

    def __init__(self, brick_law: RollLaw, root: int) -> None:
        from brickphys.seeds import check_root  # loads numpy

        self._root = check_root(root)
        self._ladder = lru_cache(_REMEMBERED)(partial(_ladder, brick_law))

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> Outcome:
        """Return the outcome of this address."""
        return self._ladder(event).outcome(self._root, address)


def _ladder(brick_law: RollLaw, event: ChanceEvent) -> Ladder[Outcome]:
    return Ladder(event.law(brick_law))


class RollSource:
    """Brick rolls from a source of rolls: bricks thrown live, for instance. It answers nothing else.

    Parameters
    ----------
    rolls
        Who rolls. The two rolls of an opposed roll have the event's address with 0 and 1 behind it.
    """

    def __init__(self, rolls: ChanceSource) -> None:
        self._rolls = rolls

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> Outcome:
        """Return the score, or the pair of scores."""
        if isinstance(event, BrickRoll):
            return self._rolls.roll(event.bricks, address, event.reason).score
        if isinstance(event, OpposedRoll):
            attack = self._rolls.roll(event.attack, (*address, 0), _side(event, "attack"))
            defence = self._rolls.roll(event.defence, (*address, 1), _side(event, "defence"))
            return attack.score, defence.score
        raise InvalidValueError(f"a source of brick rolls cannot answer: {event.question}")


class ScriptSource:
    """Outcomes from a list of texts, in order, whatever the address.

    Parameters
    ----------
    texts
        The 1st, 2nd, ... outcome in its notation.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = tuple(texts)
        self._used = 0

    @property
    def left(self) -> int:
        """How many outcomes have not been asked for."""
        return len(self._texts) - self._used

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> Outcome:  # noqa: ARG002 - protocol
        """Return the next outcome.

        Raises
        ------
        InvalidValueError
            If the script has ended, or its text is none of the event; names the position, counted from 1.
        """
        if not self.left:
            raise InvalidValueError(
                f"the script ends after {self._used} outcomes, and asked is: {event.question}"
            )
        try:
            outcome = event.parse(self._texts[self._used])
        except InvalidValueError as error:
            raise InvalidValueError(f"script, position {self._used + 1}: {error}") from None
        self._used += 1
        return outcome


_NUMBERS = "type the numbers in the order in which they are asked for, with a blank between them"
_HELP: Mapping[type[ChanceEvent], str] = {
    BrickRoll: "throw the bricks, count those that lie on a side, and type that number",
    OpposedRoll: "each side throws its bricks and counts those that lie on a side; "
    "type both numbers with a blank between them, the attack's first: 2 0",
    DiceRoll: "throw the dice, and type what each shows, with a blank between them",
    Draw: "type the name that was drawn",
}
"""How people answer each kind of event."""


def _wanted(event: ChanceEvent) -> str:
    """Return what answers an event, for people."""
    match event:
        case BrickRoll():
            return f"a number from 0 to {event.bricks}"
        case OpposedRoll(attack, defence):
            example = f"{min(1, attack)} {min(2, defence)}"
            return f"two numbers, 0 to {attack} and 0 to {defence}, such as {example}"
        case DiceRoll(dice, sides) if dice > 1:
            return f"{dice} numbers from 1 to {sides} with a blank between them"
        case DiceRoll():
            return f"a number from 1 to {event.sides}"
        case Draw():
            return "one of these names"
    return "a number for each thing that is asked for, with a blank between them"


class TypedSource:
    """Outcomes rolled, drawn or measured on a table; a person types them.

    Parameters
    ----------
    read
        Returns the next line that was typed and raises EOFError when there is none, as ``input`` does.
    write
        Shows a line.
    """

    def __init__(self, read: Callable[[], str], write: Callable[[str], None]) -> None:
        self._read = read
        self._write = write

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> Outcome:  # noqa: ARG002 - protocol
        """Ask until the answer is one of the event; what needs no brick needs no question.

        Raises
        ------
        InterruptedRunError
            If the typing ends.
        """
        if event == BrickRoll(0):
            return 0
        while True:
            self._write(event.question)
            try:
                typed = self._read().strip()
            except EOFError:
                raise InterruptedRunError(f"the input ended when asked: {event.question}") from None
            if typed == "quit":
                raise InterruptedRunError("the player has left")
            try:
                return event.parse(" ".join(typed.split()))
            except InvalidValueError as error:
                asks = typed in ("help", "?")
                self._write(
                    _HELP.get(type(event), _NUMBERS)
                    if asks
                    else f"{error} Type {_wanted(event)}; or help, or quit."
                )


class MixedSource:
    """Each kind of event from its own source.

    Parameters
    ----------
    otherwise
        Who answers the kinds that are not named.
    by_kind
        Kind of event -> who answers it.
    """

    def __init__(
        self, otherwise: EventSource, by_kind: Mapping[type[ChanceEvent], EventSource]
    ) -> None:
        self._otherwise = otherwise
        self._by_kind = dict(by_kind)

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> Outcome:
        """Return the outcome from the source of this kind."""
        return self._by_kind.get(type(event), self._otherwise).answer(event, address)


def _side(event: OpposedRoll, side: str) -> str:
    return f"{event.reason}, {side}" if event.reason else side
