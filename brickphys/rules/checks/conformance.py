"""Conformance: checks any game against the contract."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import pairwise
from json import dumps, loads
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw, RollLaw
from brickphys.rules.checks import chance_checks, hidden_information, state_checks, text_checks
from brickphys.rules.checks.position import Finding, Position
from brickphys.rules.events.event import ChanceEvent, Outcome
from brickphys.rules.events.measured import Measured
from brickphys.rules.events.sources import LawSource
from brickphys.rules.game import AnyGame
from brickphys.rules.play import play
from brickphys.rules.players.bots import Bot, RandomBot, SearchBot
from brickphys.rules.players.search import Budget, Search
from brickphys.rules.record import CHANCE, Ending, Record, Setup, Step, Watcher
from brickphys.rules.replay.playback import play_back
from brickphys.rules.replay.replay_file import format_replay, parse_replay

_CHECK_ADDRESS = 2
_STORY_ADDRESS = 3
_FOREIGN = 60
_STATES = 100
"""So many states of one game are checked at most."""
_GREEDY_STEPS = 30
_GREEDY_BUDGET = Budget(depth=1, first=200)
_CHECKS = (
    *state_checks.CHECKS,
    *chance_checks.CHECKS,
    *text_checks.CHECKS,
    *hidden_information.CHECKS,
)
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

    It looks for illegal actions that are listed and legal ones that are not, moves that are not pure, notations that
    do not read back, laws that do not sum to 1 or disagree, invariants that are broken, games that differ for the same
    seed or do not end, units that come or go, things shown or told that depend on what is hidden, things told that are
    no text, bounds that are too low, replays that do not play back, setups that are read carelessly, and games that
    break a greedy bot. Forecasts may depend on what is hidden: a player is told their mean over imagined states.

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
        examination.greedy(f"setup {name!r}, greedy", setup, (cell, games))
    examination.secrets()
    return examination.report.lines()


class _Report:
    """Collects what checks find, each kind once."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._count: dict[str, int] = {}

    def add(self, where: str, findings: Iterator[Finding]) -> None:
        for found in findings:
            self._first.setdefault(found.kind, f"{found.kind}: {found.case} ({where})")
            self._count[found.kind] = self._count.get(found.kind, 0) + 1

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
    has_measures: bool = False

    def identity(self, setups: Mapping[str, Setup]) -> None:
        """Check that the game has a name, a version and something to play."""
        for key in ("name", "version"):
            value = getattr(self.game, key, None)
            if not isinstance(value, str) or not value or " " in value:
                self.blame("the game", f"no {key}", f"{value!r} is not one word")
        if not setups:
            self.blame("the game", "no setup", "there is nothing to play")
        self.report.add(
            "the game", _guarded(partial(text_checks.hints_findings, self.game), "hints")
        )

    def setup(self, name: str, setup: Setup) -> None:
        """Check that a setup is the whole truth about the first state."""
        findings = _guarded(partial(_setup_findings, self.game, setup), "initial")
        self.report.add(f"setup {name!r}", findings)

    def one_game(self, where: str, setup: Setup, address: tuple[int, ...]) -> None:
        """Play a game, check it as a whole, and check the states in it; what breaks off is checked until there."""
        from brickphys.seeds import generator

        steps: list[Step[Any, Any]] = []
        try:
            record = self.play(setup, address, [lambda _, step: steps.append(step)])
            if self.play(setup, address, []) != record:
                case = "the same seed gives two different games"
                self.blame(where, "a game cannot be repeated", case)
            self.report.add(where, _record_findings(self.game, record))
            if address[-1] == 0:
                story = partial(text_checks.story_findings, self.game, record)
                self.report.add(where, _guarded(story, "the story"))
                rng = generator(self.seed, *address, _STORY_ADDRESS)
                alike = partial(hidden_information.section_findings, self.game, record, rng)
                self.report.add(where, _guarded(alike, "the story of a part of the game"))
        except Exception as error:
            self.blame(where, "a game breaks off", _describe(error))
        self.states(where, setup, steps, address)

    def play(
        self, setup: Setup, address: tuple[int, ...], watchers: Sequence[Watcher[Any, Any]]
    ) -> Record[Any, Any]:
        """Play one game blindly."""
        return self._play(RandomBot(), setup, address, self.max_steps, watchers)

    def greedy(self, where: str, setup: Setup, address: tuple[int, ...]) -> None:
        """Let greedy bots begin a game, unless something in it is measured, which no bot can search."""
        if self.has_measures:
            return
        search = Search(self.game, self.brick_law, _GREEDY_BUDGET)
        try:
            self._play(SearchBot("greedy", search), setup, address, _GREEDY_STEPS, ())
        except Exception as error:
            self.blame(where, "a greedy bot breaks off", _describe(error))

    def _play(
        self,
        bot: Bot[Any, Any],
        setup: Setup,
        address: tuple[int, ...],
        max_steps: int,
        watchers: Sequence[Watcher[Any, Any]],
    ) -> Record[Any, Any]:
        return play(
            self.game,
            setup,
            [bot] * self.game.players(self.game.initial(setup)),
            _CheckSource(self.brick_law, self.seed),
            root=self.seed,
            address=address,
            max_steps=max_steps,
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
            position = Position(self.game, states[number], states[0], self.brick_law, foreign, rng)
            place = f"{where}, after step {number}: {_state_text(self.game, position.state)}"
            for check in _CHECKS:
                self.report.add(place, _guarded(partial(check, position), check.__name__))
            self._note(position)

    def _note(self, position: Position) -> None:
        """Note whether anything is hidden or measured, for the checks of the game as a whole."""
        with suppress(Exception):  # the checks have reported it
            self.has_secrets = self.has_secrets or self.game.hidden(position.state)
            self.saw_secrets = self.saw_secrets or hidden_information.varies(position)
            if position.actor == CHANCE:
                exact = self.game.chance(position.state).exact
                self.has_measures = self.has_measures or not exact

    def secrets(self) -> None:
        """Check that where something should be hidden, something was."""
        if self.has_secrets and not self.saw_secrets:
            case = "alternative never differs from the state, so nothing hidden was put to the test"
            self.blame("the game", "no secrets", case)

    def blame(self, where: str, kind: str, case: str) -> None:
        """Report one fault."""
        self.report.add(where, iter([Finding(kind, case)]))


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


def _setup_findings(game: AnyGame, setup: Setup) -> Iterator[Finding]:
    """Yield where a setup is not the whole truth about the first state."""
    state = game.initial(setup)
    if game.initial(setup) != state:
        yield Finding("initial is not pure", "the same setup gives two different states")
    if game.initial(loads(dumps(setup))) != state:
        yield Finding("the setup is no JSON", "written and read again, it gives another state")
    try:
        game.initial({**setup, "no such key": 1})
    except InvalidValueError:
        return
    yield Finding("an unknown key of a setup is ignored", "'no such key' should be refused")


def _record_findings(game: AnyGame, record: Record[Any, Any]) -> Iterator[Finding]:
    """Yield what is wrong with a whole game."""
    if record.ending is Ending.LIMIT:
        yield Finding("a game does not end", f"after {len(record.steps)} steps it still goes on")
    yield from _guarded(partial(_replay_findings, game, record), "the replay")
    yield from _guarded(partial(_conservation_findings, game, record), "conserved or shrinking")
    yield from _guarded(partial(_invariant_findings, game, record), "invariant_problems")


def _replay_findings(game: AnyGame, record: Record[Any, Any]) -> Iterator[Finding]:
    if play_back(game, parse_replay(format_replay(game, record, "check"))) != record:
        yield Finding("a replay gives another game", "played back, the record differs")


def _conservation_findings(game: AnyGame, record: Record[Any, Any]) -> Iterator[Finding]:
    states = [record.initial, *(step.after for step in record.steps)]
    for number, (before, after) in enumerate(pairwise(states), start=1):
        if game.players(after) != game.players(before):
            yield Finding("the number of players changes", f"in step {number}")
        old, new = game.conserved(before), game.conserved(after)
        for key in sorted({*old, *new}):
            if old.get(key) != new.get(key):
                case = f"from {old.get(key)!r} to {new.get(key)!r} in step {number}"
                yield Finding(f"{key} is not conserved", case)
        less, now = game.shrinking(before), game.shrinking(after)
        for key in sorted({*less, *now}):
            if now.get(key, 0) > less.get(key, 0):
                case = f"from {less.get(key, 0)} to {now[key]} in step {number}"
                yield Finding(f"{key} grows", case)


def _invariant_findings(game: AnyGame, record: Record[Any, Any]) -> Iterator[Finding]:
    for number, state in enumerate([record.initial, *(step.after for step in record.steps)]):
        for problem in game.invariant_problems(state):
            yield Finding("an invariant is broken", f"{problem} after step {number}")


def _guarded(findings: Callable[[], Iterator[Finding]], what: str) -> Iterator[Finding]:
    """Yield the findings; an exception is one more."""
    try:
        yield from findings()
    except Exception as error:
        yield Finding(f"{what} ends in an error", _describe(error))


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _state_text(game: AnyGame, state: Any) -> str:
    try:
        return game.format_state(state)[:_SHOWN]
    except Exception:  # the notation check reports it
        return repr(state)[:_SHOWN]
