"""Conformance: checks any game against the contract."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import pairwise
from json import dumps, loads
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw, RollLaw
from brickphys.rules.bots import RandomBot
from brickphys.rules.checks.hidden_information import imagination_check, secrecy_check, varies
from brickphys.rules.checks.state_checks import CHECKS, AnyGame, Fault, Scene
from brickphys.rules.events.event import ChanceEvent, Outcome
from brickphys.rules.events.measured import Measured
from brickphys.rules.events.sources import LawSource
from brickphys.rules.play import play
from brickphys.rules.record import CHANCE, Ending, Record, Setup, Step, Watcher
from brickphys.rules.replay.playback import play_back
from brickphys.rules.replay.replay_file import format_replay, parse_replay

_CHECK_ADDRESS = 2
_FOREIGN = 60
_STATES = 100
"""So many states of one game are checked at most."""
_SHOWN = 160


def check_game(
    game: AnyGame,
    setups: Mapping[str, Setup] | None = None,
    *,
    seed: int = 0,
    games: int = 20,
    max_steps: int = 2_000,
    brick_law: RollLaw | None = None,
) -> list[str]:
    """Play a game blindly and check the states on the way against the contract.

    It looks for illegal actions that are listed and legal ones that are not, moves that are not pure, notations that do
    not read back, laws that do not sum to 1, games that differ for the same seed or do not end, units that come or go,
    views that show what is hidden, replays that do not play back, and setups that are read carelessly.

    Parameters
    ----------
    game
        What is checked.
    setups
        Which setups, by name; those that ship with the game if None.
    seed
        Root seed of the check.
    games
        How many are played from each setup.
    max_steps
        A game that lasts longer counts as endless.
    brick_law
        What a roll of bricks scores; independent bricks of chance 1/4 if None.

    Returns
    -------
    list of str
        Every kind of fault once, with its first case and how many more there are; empty if there is none.
    """
    examination = _Examination(game, brick_law or BinomialLaw(Fraction(1, 4)), seed, max_steps)
    chosen = game.setups if setups is None else setups
    examination.identity(chosen)
    for cell, (name, setup) in enumerate(chosen.items()):
        examination.setup(name, setup)
        for number in range(games):
            examination.one_game(f"setup {name!r}, game {number}", setup, (cell, number))
    examination.secrets()
    return examination.report.lines()


class _Report:
    """Collects faults, each kind once."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._count: dict[str, int] = {}

    def add(self, where: str, faults: Iterator[Fault]) -> None:
        for fault in faults:
            self._first.setdefault(fault.kind, f"{fault.kind}: {fault.case} ({where})")
            self._count[fault.kind] = self._count.get(fault.kind, 0) + 1

    def lines(self) -> list[str]:
        return [
            line + (f", and {self._count[kind] - 1} more" if self._count[kind] > 1 else "")
            for kind, line in self._first.items()
        ]


@dataclass
class _Examination:
    """One game under examination."""

    game: AnyGame
    brick_law: RollLaw
    seed: int
    max_steps: int
    report: _Report = field(default_factory=_Report)
    has_secrets: bool = False
    saw_secrets: bool = False

    def identity(self, setups: Mapping[str, Setup]) -> None:
        """Check that the game has a name, a version and something to play."""
        for key in ("name", "version"):
            value = getattr(self.game, key, None)
            if not isinstance(value, str) or not value or " " in value:
                self.blame("the game", f"no {key}", f"{value!r} is not one word")
        if not setups:
            self.blame("the game", "no setup", "there is nothing to play")

    def setup(self, name: str, setup: Setup) -> None:
        """Check that a setup is the whole truth about the first state."""
        faults = _guarded(partial(_setup_faults, self.game, setup), "initial")
        self.report.add(f"setup {name!r}", faults)

    def one_game(self, where: str, setup: Setup, address: tuple[int, ...]) -> None:
        """Play a game, check it as a whole, and check the states in it; what breaks off is checked until there."""
        steps: list[Step[Any, Any]] = []
        try:
            record = self.play(setup, address, [lambda _, step: steps.append(step)])
            if self.play(setup, address, []) != record:
                case = "the same seed gives two different games"
                self.blame(where, "a game cannot be repeated", case)
            self.report.add(where, _record_faults(self.game, record))
        except Exception as error:
            self.blame(where, "a game breaks off", _describe(error))
        self.states(where, setup, steps, address)

    def play(
        self, setup: Setup, address: tuple[int, ...], watchers: Sequence[Watcher[Any, Any]]
    ) -> Record[Any, Any]:
        """Play one game blindly."""
        return play(
            self.game,
            setup,
            [RandomBot()] * self.game.players(self.game.initial(setup)),
            _CheckSource(self.brick_law, self.seed),
            root=self.seed,
            address=address,
            max_steps=self.max_steps,
            watchers=watchers,
        )

    def states(
        self, where: str, setup: Setup, steps: Sequence[Step[Any, Any]], address: tuple[int, ...]
    ) -> None:
        """Check the states of a game that was played: all of them, or as many as are enough."""
        from brickphys.seeds import generator

        try:
            states = [self.game.initial(setup), *(step.after for step in steps)]
        except Exception:  # the setup was reported
            return
        rng = generator(self.seed, *address, _CHECK_ADDRESS)
        foreign = [step.move for step in steps if step.actor != CHANCE][-_FOREIGN:]
        numbers = rng.permutation(len(states))[:_STATES]
        for number in sorted({0, len(states) - 1, *map(int, numbers)}):
            scene = Scene(self.game, states[number], self.brick_law, foreign, rng)
            place = f"{where}, after step {number}: {_state_text(self.game, scene.state)}"
            for check in (*CHECKS, secrecy_check, imagination_check):
                self.report.add(place, _guarded(partial(check, scene), check.__name__))
            self.has_secrets = self.has_secrets or self.game.hidden(scene.state)
            self.saw_secrets = self.saw_secrets or _hides(scene)

    def secrets(self) -> None:
        """Check that where something should be hidden, something was."""
        if self.has_secrets and not self.saw_secrets:
            case = "alternative never differs from the state, so nothing hidden was put to the test"
            self.blame("the game", "no secrets", case)

    def blame(self, where: str, kind: str, case: str) -> None:
        """Report one fault."""
        self.report.add(where, iter([Fault(kind, case)]))


class _CheckSource:
    """Samples laws, and numbers between their limits where there is none."""

    def __init__(self, brick_law: RollLaw, root: int) -> None:
        self._laws = LawSource(brick_law, root)
        self._root = root

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> Outcome:
        from brickphys.seeds import generator

        if not isinstance(event, Measured):
            return self._laws.answer(event, address)
        rng = generator(self._root, *address)
        return tuple(float(rng.uniform(low, high)) for _, low, high in event.quantities)


def _setup_faults(game: AnyGame, setup: Setup) -> Iterator[Fault]:
    """Yield where a setup is not the whole truth about the first state."""
    state = game.initial(setup)
    if game.initial(setup) != state:
        yield Fault("initial is not pure", "the same setup gives two different states")
    if game.initial(loads(dumps(setup))) != state:
        yield Fault("the setup is no JSON", "written and read again, it gives another state")
    try:
        game.initial({**setup, "no such key": 1})
    except InvalidValueError:
        return
    yield Fault("an unknown key of a setup is ignored", "'no such key' should be refused")


def _record_faults(game: AnyGame, record: Record[Any, Any]) -> Iterator[Fault]:
    """Yield what is wrong with a whole game."""
    if record.ending is Ending.LIMIT:
        yield Fault("a game does not end", f"after {len(record.steps)} steps it still goes on")
    yield from _guarded(partial(_replay_faults, game, record), "the replay")
    yield from _guarded(partial(_conservation_faults, game, record), "conserved or shrinking")


def _replay_faults(game: AnyGame, record: Record[Any, Any]) -> Iterator[Fault]:
    if play_back(game, parse_replay(format_replay(game, record, "check"))) != record:
        yield Fault("a replay gives another game", "played back, the record differs")


def _conservation_faults(game: AnyGame, record: Record[Any, Any]) -> Iterator[Fault]:
    states = [record.initial, *(step.after for step in record.steps)]
    for number, (before, after) in enumerate(pairwise(states), start=1):
        if game.players(after) != game.players(before):
            yield Fault("the number of players changes", f"in step {number}")
        old, new = game.conserved(before), game.conserved(after)
        for key in sorted({*old, *new}):
            if old.get(key) != new.get(key):
                case = f"from {old.get(key)!r} to {new.get(key)!r} in step {number}"
                yield Fault(f"{key} is not conserved", case)
        less, now = game.shrinking(before), game.shrinking(after)
        for key in sorted({*less, *now}):
            if now.get(key, 0) > less.get(key, 0):
                case = f"from {less.get(key, 0)} to {now[key]} in step {number}"
                yield Fault(f"{key} grows", case)


def _guarded(faults: Callable[[], Iterator[Fault]], what: str) -> Iterator[Fault]:
    """Yield the faults; an exception is one more."""
    try:
        yield from faults()
    except Exception as error:
        yield Fault(f"{what} ends in an error", _describe(error))


def _hides(scene: Scene) -> bool:
    try:
        return varies(scene)
    except Exception:  # the secrecy check has reported it
        return False


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _state_text(game: AnyGame, state: Any) -> str:
    try:
        return game.format_state(state)[:_SHOWN]
    except Exception:  # the notation check reports it
        return repr(state)[:_SHOWN]
