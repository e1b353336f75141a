"""Sources: answers to the chance events of a game, by a law, a script, a person, live throws, or a mix of them.

`InverseCdfSampler` draws outcomes of an exact law by address, and `roll` is one brick roll from a law.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import accumulate
from math import lcm
from typing import Generic, Protocol, TypeVar

from brickphys.errors import BrokenGameError, InterruptedRunError, InvalidValueError
from brickphys.interface import public
from brickphys.odds.law import RollLaw
from brickphys.odds.law_choice import LawLike
from brickphys.odds.law_choice import law as law_of
from brickphys.odds.law_file import DEFAULT
from brickphys.odds.roll import Roll
from brickphys.rules.events import ChanceEvent, Outcome
from brickphys.rules.rolls import BrickRoll, OpposedRoll

_STEPS = 2**53
"""The number of values of a uniform of 53 bits."""

T = TypeVar("T")


class InverseCdfSampler(Generic[T]):
    """An exact law, ready to be sampled with 53 bits; BrokenGameError if the probabilities do not sum to exactly 1.

    The order of the outcomes is part of the `law`.
    """

    def __init__(self, law: Mapping[T, Fraction]) -> None:
        whole = lcm(*(share.denominator for share in law.values()))
        parts = [share.numerator * (whole // share.denominator) for share in law.values()]
        if (total := sum(parts)) != whole:
            raise BrokenGameError(f"a law sums to {Fraction(total, whole)}, not to 1")
        self._outcomes = tuple(law)
        self._ends = [-(-end * _STEPS // whole) for end in accumulate(parts)]

    def outcome(self, root: int, address: tuple[int, ...]) -> T:
        """Return the outcome at which the distribution function passes the uniform of this address.

        InvalidValueError if a part of the address is negative.
        """
        from brickphys.seeds import uniforms  # loads numpy

        if any(part < 0 for part in address):
            raise InvalidValueError(f"address {address} has a negative part")
        step = min(int(uniforms(root, address, 0, 1, 1)[0, 0] * _STEPS), _STEPS - 1)
        return self._outcomes[bisect_right(self._ends, step)]


LEAVING = ("quit", "exit", "q")
"""Words that a person types to leave."""


def leaves(words: Sequence[str]) -> bool:
    """Tell whether a person who types these words leaves: ``quit now``; but ``Q`` may be the letter of a unit."""
    return bool(words) and words[0] != "Q" and words[0].lower() in LEAVING


_REMEMBERED = 4096


class EventSource(Protocol):
    """Answers chance events."""

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> Outcome:
        """Return an outcome; BrickphysError if the source has no answer.

        `address` tells which event it is: non-negative integers, unique among the events of one root.
        """
        ...


class LawSource:
    """Outcomes sampled from the exact law of any event, with 53 bits each.

    InvalidValueError if `root` is out of range; on asking, if the event has no law.

    The `root` seed is from 0 to below 2**53: the same root and address give the same outcome.
    """

    def __init__(self, brick_law: RollLaw, root: int) -> None:
        from brickphys.seeds import check_root  # loads numpy

        self._root = check_root(root)
        self._sampler = lru_cache(_REMEMBERED)(partial(_sampler, brick_law))

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> Outcome:
        """Return the outcome of this address."""
        return self._sampler(event).outcome(self._root, address)


def _sampler(brick_law: RollLaw, event: ChanceEvent) -> InverseCdfSampler[Outcome]:
    return InverseCdfSampler(event.law(brick_law))


class RollSource:
    """Brick rolls from a function that throws, live for instance; other events are refused.

    `roll` throws so many bricks at an address. The two rolls of an opposed roll have the event's address with 0 and 1
    behind it.
    """

    def __init__(self, roll: Callable[[int, tuple[int, ...]], Roll]) -> None:
        self._roll = roll

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> Outcome:
        """Return the score, or the pair of scores."""
        if isinstance(event, BrickRoll):
            return self._roll(event.bricks, address).score
        if isinstance(event, OpposedRoll):
            attack = self._roll(event.attack, (*address, 0))
            return attack.score, self._roll(event.defence, (*address, 1)).score
        raise InvalidValueError(f"a source of brick rolls cannot answer: {event.question}")


class ScriptSource:
    """Outcomes from a list of texts, in order, whatever the address."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = tuple(texts)
        self._used = 0

    @property
    def left(self) -> int:
        """How many outcomes have not been asked for."""
        return len(self._texts) - self._used

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> Outcome:
        """Return the next outcome.

        InvalidValueError if the script has ended, or its text is none of the event; names the position, counted from 1.
        """
        if not self.left:
            raise InvalidValueError(
                f"the script ends after {self._used} outcomes, but the question is: {event.question}"
            )
        try:
            outcome = event.parse(self._texts[self._used])
        except InvalidValueError as error:
            raise InvalidValueError(f"script, position {self._used + 1}: {error}") from None
        self._used += 1
        return outcome


class TypedSource:
    """Outcomes rolled, drawn or measured on a table; a person types them.

    `read` returns the next line that was typed and raises EOFError when there is none, as ``input`` does. `before` is
    called before each question, such as to show what has happened so far; `take_back` when the person wants to take
    the step before back: it raises an error of its own if that is possible.
    """

    def __init__(
        self,
        read: Callable[[], str],
        write: Callable[[str], None],
        before: Callable[[], None] = lambda: None,
        take_back: Callable[[], None] = lambda: None,
    ) -> None:
        self._read = read
        self._write = write
        self._before = before
        self._take_back = take_back

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> Outcome:
        """Ask until the answer is one of the event; a roll of no bricks needs no question.

        InterruptedRunError if the input ends, or the player leaves.
        """
        if event == BrickRoll(0):
            return 0
        self._before()
        while True:
            self._write(event.asked)
            try:
                typed = self._read().strip()
            except EOFError:
                raise InterruptedRunError(
                    f"the input ended at the question: {event.question}"
                ) from None
            if leaves(typed.split()):
                raise InterruptedRunError("the player has left")
            if typed == "undo":
                self._take_back()
                self._write(
                    "nothing to take back: the last step was neither a roll that you typed nor your choice"
                )
                continue
            try:
                return event.parse(" ".join(typed.split()))
            except InvalidValueError as error:
                asks = typed in ("help", "?")
                self._write(
                    event.help
                    if asks
                    else f"{error} Type {event.wanted}; or help, undo, save, quit."
                )


class MixedSource:
    """Each kind of event from its own source."""

    def __init__(
        self, otherwise: EventSource, by_kind: Mapping[type[ChanceEvent], EventSource]
    ) -> None:
        self._otherwise = otherwise
        self._by_kind = dict(by_kind)

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> Outcome:
        """Return the outcome from the source of this kind."""
        return self._by_kind.get(type(event), self._otherwise).answer(event, address)


@public()
def roll(bricks: int, law: LawLike = DEFAULT, *, seed: int | None = None) -> Roll:
    """Roll bricks by a law, and return how many score.

    Parameters
    ----------
    bricks
        0..60.
    law
        As of `brickphys.odds`.
    seed
        Root seed; None draws one.

    Raises
    ------
    InvalidValueError
        If a number is out of range, or there is no such law.

    Examples
    --------
    >>> import brickphys
    >>> brickphys.roll(5, seed=3).score
    1
    """
    from brickphys.seeds import chosen_root  # loads NumPy

    score = LawSource(law_of(law), chosen_root(seed)).answer(BrickRoll(bricks), (0,))
    assert isinstance(score, int)
    return Roll(bricks, score)
