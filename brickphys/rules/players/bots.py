"""Bots: players that are programs. They see what a player sees, never the state."""

import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from brickphys import errors
from brickphys.files import digest
from brickphys.odds.law import RollLaw
from brickphys.rules.game import AnyGame
from brickphys.rules.plans import LEVELS, level
from brickphys.rules.players.planner import PLANNER_VERSION, Planner
from brickphys.rules.players.search import Budget, Search, SearchBot
from brickphys.rules.registry import entries, entry_at, is_own_class, line_of, made, package_of
from brickphys.stamp import stamp_now

if TYPE_CHECKING:
    import numpy as np

_BUDGETS = {"lookahead": Budget(), "greedy1": Budget(depth=1)}
"""The bots that search single choices, by weights that were chosen by hand: lookahead as far as its budget allows, the
yardstick greedy1, which never changes, only to the odds of its next choice."""
BOTS = ("random", *LEVELS, *_BUDGETS)
"""The bots that every game has, by name."""

_WEIGHTS = ("worth.toml", "plans.toml", "points.toml", "parts.toml")
"""Files in the folder ``data`` of a game by which its bots judge."""

GROUP = "brickphys.bots"
"""Group of the entry points of bots. Each names a class that takes a game and a law."""


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


class OwnBot:
    """A bot of somebody else, under the name by which it was asked for."""

    def __init__(self, name: str, inner: Bot[Any, Any]) -> None:
        self.name = name
        self._inner = inner

    def choose(self, view: Any, actions: Sequence[Any], rng: "np.random.Generator") -> Any:
        """Return what the bot chooses; BotFailedError if the bot raises anything else than what `Bot.choose` allows."""
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


def is_bot(name: str) -> bool:
    """Whether a name is one of `bots`, or a level with a budget."""
    return name in bots() or level(name) is not None


def bot(name: str, game: AnyGame, brick_law: RollLaw) -> Bot[Any, Any]:
    """Return a bot for a game.

    InvalidValueError if there is no such bot (with the nearest name), or if it cannot be loaded (with the reason);
    outside `trusting` also if it is a class in a module.

    The name is one of `bots`, a level with its budget such as ``hard:2s``, or a class of somebody else as
    ``module:Class``. A class is made with the game and the law.
    """
    if name == "random":
        return RandomBot()
    if name in _BUDGETS:
        return SearchBot(name, Search(game, brick_law, _BUDGETS[name], game.hand_estimate))
    if (wanted := level(name)) is not None:
        return Planner(game, brick_law, wanted)
    inner = made(_entry(name), "bot", game, brick_law)
    if not callable(getattr(inner, "choose", None)):
        raise errors.InvalidValueError(f"bot {name!r}: it has no method choose(view, actions, rng)")
    return OwnBot(name, inner)


def bot_package(name: str) -> str | None:
    """Return the package or module of a bot of somebody else; None for those that every game has."""
    if name in BOTS or level(name) is not None:
        return None
    return package_of(name if is_own_class(name) else _entry(name).value)


def bot_version(name: str, game: AnyGame) -> str:
    """Return a digest of what decides how a bot plays a game.

    Of a bot that every game has these are its budget, the version of the planner and the files of the game's weights;
    of others, their sources. The sources of this package are not among them: stamps tell whether these have changed.
    """
    package = bot_package(name)
    if package is not None:
        _entry(name)  # from now on its module is found
        return stamp_now(package).sources[package]
    parts = [name, str(_BUDGETS.get(name))]
    if name not in ("random", "greedy1"):
        folder = Path(getattr(sys.modules[type(game).__module__], "__file__", None) or "").parent
        # a game within the folder of another one, such as the campaign, plans by its weights, too
        found = (room / "data" / name for room in (folder, folder.parent) for name in _WEIGHTS)
        parts += [path.read_text() for path in found if path.is_file()]
    if (wanted := level(name)) is not None:
        parts += [str(wanted), PLANNER_VERSION]
    return digest("\n".join(parts))


def _entry(name: str) -> EntryPoint:
    if is_own_class(name):
        return entry_at(name, GROUP)
    known = entries(GROUP)
    if name not in known:
        raise errors.unknown("bot", name, bots())
    return known[name]
