"""Bots: players that are programs. They see what a player sees, never the state."""

from collections import Counter
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from brickphys import errors
from brickphys.odds.law import RollLaw
from brickphys.rules.game import AnyGame, Game
from brickphys.rules.players.search import Budget, Search
from brickphys.rules.record import Action, State, View
from brickphys.rules.registry import entries, entry_at, is_own_class, line_of, made, package_of

if TYPE_CHECKING:
    import numpy as np

_BUDGETS = {"greedy": Budget(depth=1), "lookahead": Budget()}
"""The bots that search: greedy looks only at the odds of its next choice, lookahead as far as its budget allows."""
BOTS = ("random", *_BUDGETS)
"""The bots that every game has, by name."""

GROUP = "brickphys.bots"
"""Group of the entry points of bots. Each names a class that takes a game and a law."""

_TIE = 1e-12
"""Smaller differences between worths are rounding errors."""


class TakeBackError(Exception):
    """A player takes the last action back; the play loop undoes it and asks again (see `may_take_back`)."""


Seen = TypeVar("Seen", contravariant=True)
Chosen = TypeVar("Chosen")


class Bot(Protocol[Seen, Chosen]):
    """Chooses actions: a program, or a person at a keyboard. It never sees the state."""

    @property
    def name(self) -> str:
        """Its name in replays and tables."""
        ...

    def choose(self, view: Seen, actions: Sequence[Chosen], rng: "np.random.Generator") -> Chosen:
        """Return a legal action.

        Parameters
        ----------
        view
            The view of the player who is to act.
        actions
            Legal actions; where the game does not list all, another legal one may be chosen.
        rng
            The random generator of this choice alone.

        Raises
        ------
        InterruptedRunError
            If the player has left; the game then ends here.
        TakeBackError
            If the player takes the last action back instead.
        """
        ...


class RandomBot:
    """Takes any of the listed actions, all equally likely."""

    name = "random"

    def choose(
        self,
        view: object,
        actions: Sequence[Chosen],
        rng: "np.random.Generator",
    ) -> Chosen:
        """Return one of the actions."""
        return actions[int(rng.integers(len(actions)))]


class SearchBot(Generic[State, Action, View]):
    """Takes the action that a search finds best; among equals it takes any.

    Where something is hidden, it imagines several states that look like what it sees, searches each of them as if
    it were the true one, and goes by the mean (Ginsberg, "GIB: imperfect information in a computationally
    challenging game", JAIR 14, 2001). So it never bluffs, and believes that it will know more later than it will.

    Parameters
    ----------
    search
        How to search; the states that are imagined for a choice share its budget.
    worlds
        How many states it imagines where something is hidden.
    """

    def __init__(self, name: str, search: Search[State, Action, View], worlds: int = 4) -> None:
        if worlds < 1:
            raise errors.InvalidValueError(f"worlds: {worlds} is below 1")
        self.name = name
        self._search = search
        self._worlds = worlds

    def choose(self, view: View, actions: Sequence[Action], rng: "np.random.Generator") -> Action:
        """Return one of the best actions."""
        if len(actions) == 1:
            return actions[0]
        states = imagined(self._search.game, view, rng, self._worlds)
        totals = [0.0] * len(actions)
        for state, times in Counter(states).items():
            look = self._search.look(state, actions, len(states))
            for index, worth in enumerate(look.worth):
                totals[index] += times * worth
        best = max(totals)
        equals = [index for index, total in enumerate(totals) if total >= best - _TIE * len(states)]
        return actions[equals[int(rng.integers(len(equals)))]]


def imagined(
    game: Game[State, Action, View], view: View, rng: "np.random.Generator", worlds: int
) -> list[State]:
    """Return states that have a view: several if something is hidden, else the one state."""
    first = game.imagine(view, rng)
    more = worlds - 1 if game.hidden(first) else 0
    return [first, *(game.imagine(view, rng) for _ in range(more))]


class OwnBot:
    """A bot of somebody else, under the name by which it was asked for."""

    def __init__(self, name: str, inner: Bot[Any, Any]) -> None:
        self.name = name
        self._inner = inner

    def choose(self, view: Any, actions: Sequence[Any], rng: "np.random.Generator") -> Any:
        """Return what the bot chooses.

        Raises
        ------
        BotFailedError
            If the bot raises anything else than what `Bot.choose` allows.
        """
        try:
            return self._inner.choose(view, actions, rng)
        except (errors.InterruptedRunError, TakeBackError):
            raise
        except (Exception, SystemExit) as error:
            if errors.is_short_of_memory(error):
                raise
            where = line_of(error, type(self._inner).__module__)
            raise errors.BotFailedError(
                f"bot {self.name!r}: {errors.in_words(error)}{where}"
            ) from error


def bots() -> tuple[str, ...]:
    """Return the names of all bots: those that every game has, and those of installed packages."""
    return (*BOTS, *sorted(entries(GROUP).keys() - {*BOTS}))


def bot(name: str, game: AnyGame, brick_law: RollLaw) -> Bot[Any, Any]:
    """Return a bot for a game.

    Parameters
    ----------
    name
        One of `bots`, or a class of somebody else as ``module:Class``. A class is made with the game and the law.
    game, brick_law
        The game, and the law that the bot reckons with.

    Raises
    ------
    InvalidValueError
        If there is no such bot (with the nearest name), or if it cannot be loaded (with the reason); outside `trusting`
        also if it is a class in a module.
    """
    if name == "random":
        return RandomBot()
    if name in _BUDGETS:
        return SearchBot(name, Search(game, brick_law, _BUDGETS[name]))
    inner = made(_entry(name), "bot", game, brick_law)
    if not callable(getattr(inner, "choose", None)):
        raise errors.InvalidValueError(f"bot {name!r}: it has no method choose(view, actions, rng)")
    return OwnBot(name, inner)


def bot_package(name: str) -> str | None:
    """Return the package or module of a bot of somebody else; None for those that every game has."""
    if name in BOTS:
        return None
    return package_of(name if is_own_class(name) else _entry(name).value)


def _entry(name: str) -> EntryPoint:
    if is_own_class(name):
        return entry_at(name, GROUP)
    known = entries(GROUP)
    if name not in known:
        raise errors.unknown("bot", name, bots())
    return known[name]
