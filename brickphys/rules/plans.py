"""Plans: what a unit may do up to the next roll, why, and how much better it is than holding.

A game whose bots plan gives a `Thinker`. How much it may think says a `Level`; an `Effort` counts what it has spent.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf
from time import monotonic
from typing import Generic, Protocol, TypeVar

from brickphys.errors import InvalidValueError
from brickphys.rules.record import Action

Position = TypeVar("Position", contravariant=True)

HOLDS = "holds"
"""The purpose of doing nothing; after a comma may follow what comes of it."""


@dataclass(frozen=True, slots=True)
class Plan(Generic[Action]):
    """What a unit may do up to the next roll, or up to the end of its turn."""

    unit: str
    """Who does it, as lists show it; empty for a choice of no unit."""
    purpose: str
    """What it is for, in words that follow the unit: ``takes cover``."""
    actions: tuple[Action, ...]
    """At least one; each is legal after the one before."""
    worth: float
    """How much better it is than holding for the player who acts, in the scale of returns, -2 to 2."""

    @property
    def is_holding(self) -> bool:
        """Whether nothing is done."""
        return self.purpose.partition(",")[0] == HOLDS


@dataclass(frozen=True, slots=True)
class Level:
    """How well a bot plays, and how long it may think."""

    name: str
    depth: int
    """How many plans it looks ahead: 1 for its own, 2 with the enemy's best answer, 3 with its own next one."""
    width: int
    """How many of its plans it looks at deeper."""
    nodes: float
    """States it may look at for a decision; infinite where the time alone counts."""
    noise: float
    """Standard deviation of its errors in the worth of a plan, in the scale of returns."""
    seconds: float = inf
    """Time for a decision. What is found within a time depends on the machine."""
    about: str = ""
    """What it does, for players."""
    is_wide: bool = False
    """Whether a unit that was chosen has plans for other purposes besides its best one, for persons."""


LEVELS = {
    level.name: level
    for level in (
        Level("easy", 1, 2, 500, 0.15, about="plans by one look, and often errs"),
        Level("fair", 1, 4, 2_000, 0.03, about="plans by one look, and seldom errs"),
        Level("greedy", 1, 4, 2_000, 0.0, about="plans by one look, and never errs"),
        Level("hard", 3, 6, 8_000, 0.0, about="reckons with the answers to its plans"),
    )
}
"""The levels of the bots that plan, the weakest first."""
_MOST_S, _MOST_NODES = 60.0, 1_000_000
"""A bot with a larger budget for a decision needs --yes."""
_NAME = re.compile(rf"({'|'.join(LEVELS)})(?::(.*))?")
_BUDGET = re.compile(r"(\d+(?:\.\d+)?)(s?)")


def level(name: str) -> Level | None:
    """Return the level that a bot's name means: ``hard``, ``hard:2s`` (seconds) or ``hard:5000`` (states); else None.

    InvalidValueError if the budget after the colon is none, or nothing.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    known, budget = LEVELS[match[1]], match[2]
    if budget is None:
        return known
    number = _BUDGET.fullmatch(budget)
    if number is None or not (0 < float(number[1]) < inf) or not (number[2] or number[1].isdigit()):
        raise InvalidValueError(
            f"bot {name!r}: {budget!r} is no budget of a decision; write seconds, such as {match[1]}:2s, "
            f"or states, such as {match[1]}:5000"
        )
    if number[2]:
        return replace(known, name=name, nodes=inf, seconds=float(number[1]))
    return replace(known, name=name, nodes=int(number[1]))


def thinks_long(names: Iterable[str]) -> str:
    """Return in words which bot may think for longer than anybody wants by mistake; empty if none may."""
    for one in filter(None, map(level, names)):
        if _MOST_S < one.seconds < inf or _MOST_NODES < one.nodes < inf:
            most = f"{_MOST_S:g} s or {_MOST_NODES:,} states a decision"
            return f"{one.name} may think for more than {most}: --yes allows it"
    return ""


class Effort:
    """What a decision has cost, and may still cost."""

    def __init__(self, of_level: Level, share: float = 1.0) -> None:
        self.level = of_level
        self.nodes = 0
        """How many states were looked at."""
        self._most = of_level.nodes * share
        self._deadline = monotonic() + of_level.seconds * share

    def spend(self, nodes: int = 1) -> bool:
        """Count states that are looked at; False where the budget is over."""
        self.nodes += nodes
        return not self.is_over

    @property
    def is_over(self) -> bool:
        """Whether the budget is spent: return the best that was found."""
        if self.nodes > self._most:
            return True
        return self._deadline < inf and monotonic() > self._deadline


class Thinker(Protocol[Position, Action]):
    """Finds the plans of one game; it has no memory but caches."""

    def is_open(self, state: Position) -> bool:
        """Whether plans may begin here: at the start of a turn, after a roll, at a choice of the set-up.

        Never within a choice that was split. A player is to act.
        """
        ...

    def plans(self, state: Position, effort: Effort) -> Sequence[Plan[Action]]:
        """Return the plans of the player who is to act, the best first.

        Holding is among them, with a worth of 0, wherever the rules allow it. The same state and budget of states give
        the same plans. At least the plans of a first look are returned, however small the budget is.
        """
        ...
