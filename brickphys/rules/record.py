"""Record: a game that was played, step by step, and the values and constants that every game shares.

`GameSetting` has the constants of a game, and the digest of its setup. `Forecast` is the odds of an action that is
rolled for. `Episode` is a game within a game, such as a battle of a campaign. The colours of players are the same in
maps, pictures, films and pages.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import chain, cycle, zip_longest
from json import dumps
from typing import Any, Generic, Self, TypeAlias, TypeVar

from brickphys.errors import InvalidValueError
from brickphys.files import digest
from brickphys.rules.events import Outcome
from brickphys.text import shown

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)
View = TypeVar("View", bound=Hashable)

Setup: TypeAlias = Mapping[str, Any]
"""The start of a game: JSON values under string keys, complete, without names of files."""
Payoff: TypeAlias = int | Fraction
"""The return of a finished game to a player."""

CHANCE = -1
"""The actor of a state that waits for chance."""
OVER = -2
"""The actor of a state in which the game has ended."""
NOBODY = -3
"""A viewer who is none of the players, and may know what all of them know."""


class Ending(Enum):
    """How a game that was played ended."""

    OVER = "over"
    LIMIT = "limit"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Step(Generic[State, Action]):
    """One move of a game that was played."""

    actor: int
    """The player's index, or `CHANCE`."""
    move: Action | Outcome
    text: str
    """Its notation."""
    after: State


@dataclass(frozen=True)
class Record(Generic[State, Action]):
    """A played game."""

    game: str
    version: str
    setup: Setup
    initial: State
    steps: tuple[Step[State, Action], ...]
    ending: Ending
    """Over, stopped at the limit of steps, or interrupted: by a player or a source that left, or by Ctrl-C."""
    returns: tuple[Payoff, ...] | None
    """The return to each player; None unless the game is over."""
    players: tuple[str, ...]
    """Names by index."""
    root: int
    address: tuple[int, ...] = ()
    verdict: str = ""
    """How players have ended it without its rules: who gave up, and who wins by that, or a draw."""

    @property
    def states(self) -> tuple[State, ...]:
        """Every state of the game, from the first to the last."""
        return (self.initial, *(step.after for step in self.steps))

    @property
    def final(self) -> State:
        """The last state."""
        return self.steps[-1].after if self.steps else self.initial

    @property
    def winner(self) -> int | None:
        """The one player with the highest return; None if there is none, or the game is not over.

        A player who plays alone has won only with a return above 0.
        """
        if self.returns is None:
            return None
        best = max(self.returns)
        is_won = best > 0 if len(self.returns) == 1 else self.returns.count(best) == 1
        return self.returns.index(best) if is_won else None

    @property
    def actions(self) -> int:
        """How many actions players took."""
        return sum(step.actor != CHANCE for step in self.steps)


Watcher: TypeAlias = Callable[[State, Step[State, Action]], None]
"""Is shown the state before each step, and the step; after a step that was taken back, another one from its state."""


OWN_MEN = "own men"
"""The word of `Forecast.strikes` for the chance that somebody of the attacker's own side is killed."""


@dataclass(frozen=True)
class Forecast:
    """The roll for an action, or for one of the choices that it leads to."""

    text: str
    """The action's notation."""
    question: str
    outcomes: Mapping[str, Fraction]
    """Outcome in words -> probability; outcomes of the same meaning are one. Empty if there is no law."""
    losses: Mapping[str, Fraction]
    """Name of a number of `Game.shrinking`, such as the units in play -> probability that it shrinks."""
    strikes: Mapping[str, Fraction] = field(default_factory=dict)
    """``hit`` and ``kill``, or other such words -> probability: what the player wants to know first of an attack. A
    list of choices shows it behind the attack. Empty if it is no attack."""
    own: Mapping[str, Fraction] = field(default_factory=dict)
    """Name of each own man who may be hit by a shot at somebody else -> probability that it kills him."""
    is_defence: bool = False
    """Whether it is an attack on who is asked; then the words of `strikes` say who hits whom."""

    @property
    def harms_own(self) -> bool:
        """Whether an attack is likelier to kill one of its own side than an enemy."""
        enemies = sum(chance for name, chance in self.strikes.items() if name != OWN_MEN)
        return self.strikes.get(OWN_MEN, Fraction(0)) > enemies


PLAYER_COLOURS = ("red", "blue", "yellow", "orange", "white", "black")
"""Colours of the palette of pieces that players can have."""


def player_colours(names: Sequence[str], chosen: Sequence[str | None] = ()) -> tuple[str, ...]:
    """Return a colour for each player: the chosen one, the one it is named after, or else the next that is free.

    `chosen` is what the setup says of each, if anything; each is one of `PLAYER_COLOURS`.
    """
    wanted = list(_wanted(names, chosen))
    free = chain([each for each in PLAYER_COLOURS if each not in wanted], cycle(PLAYER_COLOURS))
    return tuple(colour or next(free) for colour in wanted)


def colour_faults(names: Sequence[str], chosen: Sequence[str | None]) -> Iterator[str]:
    """Yield which colours several players have by choice or name."""
    for colour, count in Counter(filter(None, _wanted(names, chosen))).items():
        if count > 1:
            yield f"players: {count} have the colour {colour!r}"


def _wanted(names: Sequence[str], chosen: Sequence[str | None]) -> Iterator[str | None]:
    for name, colour in zip_longest(names, chosen[: len(names)]):
        yield colour or (name if name in PLAYER_COLOURS else None)


def setup_digest(setup: Setup) -> str:
    """Return the digest of a setup; the order of its keys does not matter.

    InvalidValueError if it does not consist of JSON values under string keys.
    """
    try:
        return digest(dumps(setup, sort_keys=True, default=repr))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValueError(f"setup: not JSON: {error}") from None


@dataclass(frozen=True)
class DigestedSetup:
    """A setup, known by its digest: the argument of cached functions that read equal setups once."""

    digest: str
    setup: Setup = field(compare=False)

    @classmethod
    def of(cls, setup: Setup) -> Self:
        """Return a setup with its digest; InvalidValueError for a name, or anything else that is no table."""
        if not isinstance(setup, Mapping):
            raise InvalidValueError(f"setup: {shown(setup)} is not a table: game.setups has them")
        return cls(setup_digest(setup), setup)


def with_options(setup: Setup, options: Mapping[str, Any]) -> Setup:
    """Return a setup with some of its options changed; the game checks them.

    InvalidValueError if the setup of the game has options of another form.
    """
    if not options:
        return setup
    given = setup.get("options", {})
    if not isinstance(given, Mapping):
        raise InvalidValueError(f"options: {given!r} is not a table")
    return {**setup, "options": {**given, **options}}


def numbered(things: str) -> "cached_property[dict[str, int]]":
    """Return a property of a setting: the number of each of its things by name, such as `units`."""

    def numbers(setting: Any) -> dict[str, int]:
        """Return the number of each by name."""
        return {one.name: number for number, one in enumerate(getattr(setting, things))}

    return cached_property(numbers)


@dataclass(frozen=True, eq=False)
class GameSetting:
    """The constants of a game; two settings are equal if they were made from equal setups."""

    digest: str
    """Digest of the setup: the notation of a state names its setting by it."""
    players: tuple[str, ...]
    """The name of each player."""
    chosen_colours: tuple[str | None, ...] = field(default=(), kw_only=True)
    """The colour that the setup gives to each player; None for none, and empty if to nobody."""

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The colour of each player; see `player_colours`."""
        return player_colours(self.players, self.chosen_colours)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameSetting) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # a frozen value


@dataclass(frozen=True)
class Episode:
    """A game within a game."""

    title: str
    """When it was, and what about."""
    game: Any
    """Which game it is, a `brickphys.rules.game.Game`."""
    record: Record[Any, Any]
