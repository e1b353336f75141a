"""Conformance: checks any game against the contract of `brickphys.rules.game`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from json import dumps, loads
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.interface import public
from brickphys.odds.law import RollLaw
from brickphys.odds.law_choice import LawLike, named_law
from brickphys.rules import registry
from brickphys.rules.checks import hidden_information, state_checks
from brickphys.rules.checks.state_checks import Finding, Position
from brickphys.rules.events import ChanceEvent, Measurement, Outcome
from brickphys.rules.game import AnyGame
from brickphys.rules.play import play
from brickphys.rules.players.bots import Bot, RandomBot
from brickphys.rules.players.search import Budget, Search, SearchBot
from brickphys.rules.record import CHANCE, Ending, Record, Setup, Step, Watcher
from brickphys.rules.replay import format_replay, parse_replay, play_back
from brickphys.rules.sources import LawSource

_CHECK_ADDRESS = 2
_STORY_ADDRESS = 3
_FOREIGN = 60
_STATES = 100
"""The most states of one game that are checked."""
_GREEDY_STEPS = 30
_GREEDY_BUDGET = Budget(depth=1, first=200)
_CHECKS = (*state_checks.CHECKS, *hidden_information.CHECKS)
_SHOWN = 160
_BLIND = RandomBot()


@public()
def check_game(
    game: str | AnyGame,
    setups: Mapping[str, Setup] | None = None,
    *,
    seed: int = 0,
    games: int = 20,
    max_steps: int = 2_000,
    brick_law: LawLike | None = None,
) -> list[str]:
    """Play a game at random and check its states against the contract.

    It looks for illegal actions that are listed and legal ones that are not, impure moves, notations that do not read
    back, laws that do not sum to 1 or contradict each other, broken invariants, games that differ for the same seed
    or do not end, units that appear or disappear, output that reveals hidden things or is not text, bounds that are
    too low, replays that do not play back, setups that accept errors, and games that break a greedy bot. Forecasts
    may depend on hidden things: a player is told their mean over imagined states.

    Parameters
    ----------
    game
        Its name, or the game.
    setups
        The setups, by name; None for the shipped ones.
    seed
        Root seed of the check.
    games
        Number of games played from each setup.
    max_steps
        A longer game counts as endless.
    brick_law
        The law of a roll of bricks, as of `brickphys.odds`; independent bricks of chance 1/4 if None.

    Returns
    -------
    list of str
        Each kind of fault once, with its first case and the number of further cases; empty if there is none.
    """
    game = registry.game(game) if isinstance(game, str) else game
    law, _ = named_law(Fraction(1, 4) if brick_law is None else brick_law)
    examination = _Examination(game, law, seed, max_steps)
    chosen = game.setups if setups is None else setups
    examination.identity(chosen)
    for cell, (name, setup) in enumerate(chosen.items()):
        examination.setup(name, setup)
        for number in range(games):
            examination.one_game(f"setup {name!r}, game {number}", setup, (cell, number))
        examination.greedy(f"setup {name!r}, greedy", setup, (cell, games))
    examination.secrets()
    return [
        cases[0] + (f", and {len(cases) - 1} more" if len(cases) > 1 else "")
        for cases in examination.found.values()
    ]


@dataclass
class _Examination:
    """One game under examination."""

    game: AnyGame
    brick_law: RollLaw
    seed: int
    max_steps: int
    found: dict[str, list[str]] = field(default_factory=dict)
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
        self.check("the game", "hints", state_checks.hints_findings, self.game)

    def setup(self, name: str, setup: Setup) -> None:
        """Check that the setup alone decides the first state."""
        self.check(f"setup {name!r}", "initial", _setup_findings, self.game, setup)

    def one_game(self, where: str, setup: Setup, address: tuple[int, ...]) -> None:
        """Play a game, check it as a whole, and check the states in it; what breaks off is checked until there."""
        from brickphys.seeds import generator

        steps: list[Step[Any, Any]] = []
        try:
            record = self.play(setup, address, watchers=[lambda _, step: steps.append(step)])
            if self.play(setup, address) != record:
                case = "the same seed gives two different games"
                self.blame(where, "a game cannot be repeated", case)
            if record.ending is Ending.LIMIT:
                case = f"the game is not over after {len(record.steps)} steps"
                self.blame(where, "a game does not end", case)
            for what, findings in _RECORD_CHECKS.items():
                self.check(where, what, findings, self.game, record)
            if address[-1] == 0:
                self.check(where, "the story", state_checks.story_findings, self.game, record)
                rng = generator(self.seed, *address, _STORY_ADDRESS)
                alike = hidden_information.section_findings
                self.check(where, "the story of a part of the game", alike, self.game, record, rng)
        except Exception as error:
            self.blame(where, "a game breaks off", _describe(error))
        self.states(where, setup, steps, address)

    def greedy(self, where: str, setup: Setup, address: tuple[int, ...]) -> None:
        """Let greedy bots begin a game, unless something in it is measured, which no bot can search."""
        if self.has_measures:
            return
        search = Search(self.game, self.brick_law, _GREEDY_BUDGET)
        try:
            self.play(setup, address, SearchBot("greedy", search), _GREEDY_STEPS)
        except Exception as error:
            self.blame(where, "a greedy bot breaks off", _describe(error))

    def play(
        self,
        setup: Setup,
        address: tuple[int, ...],
        bot: Bot[Any, Any] = _BLIND,
        max_steps: int | None = None,
        watchers: Sequence[Watcher[Any, Any]] = (),
    ) -> Record[Any, Any]:
        """Play one game, blindly unless another bot is given."""
        return play(
            self.game,
            setup,
            [bot] * self.game.players(self.game.initial(setup)),
            _CheckSource(self.brick_law, self.seed),
            root=self.seed,
            address=address,
            max_steps=max_steps or self.max_steps,
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
                self.check(place, check.__name__, check, position)
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
        """Check that a game with secrets has hidden something."""
        if self.has_secrets and not self.saw_secrets:
            case = "alternative never differs from the state, so no hidden information was tested"
            self.blame("the game", "no secrets", case)

    def check(
        self, where: str, what: str, findings: Callable[..., Iterator[Finding]], *args: Any
    ) -> None:
        """Report what a check finds; an exception in it is one more finding."""
        try:
            for found in findings(*args):
                self.blame(where, found.kind, found.case)
        except Exception as error:
            self.blame(where, f"{what} ends in an error", _describe(error))

    def blame(self, where: str, kind: str, case: str) -> None:
        """Report one fault."""
        self.found.setdefault(kind, []).append(f"{kind}: {case} ({where})")


class _CheckSource:
    """Samples laws, and for measured events numbers between their limits."""

    def __init__(self, brick_law: RollLaw, root: int) -> None:
        self._laws = LawSource(brick_law, root)
        self._root = root

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> Outcome:
        from brickphys.seeds import generator

        if not isinstance(event, Measurement):
            return self._laws.answer(event, address)
        rng = generator(self._root, *address)
        return tuple(float(rng.uniform(low, high)) for _, low, high in event.quantities)


def _setup_findings(game: AnyGame, setup: Setup) -> Iterator[Finding]:
    """Yield how the first state depends on more than the setup, or on less."""
    state = game.initial(setup)
    if game.initial(setup) != state:
        yield Finding("initial is not pure", "the same setup gives two different states")
    if game.initial(loads(dumps(setup))) != state:
        yield Finding(
            "the setup is not JSON", "after it was written and read, it gives another state"
        )
    try:
        game.initial({**setup, "no such key": 1})
    except InvalidValueError:
        return
    yield Finding("an unknown key of a setup is ignored", "'no such key' should be refused")


def _replay_findings(game: AnyGame, record: Record[Any, Any]) -> Iterator[Finding]:
    if play_back(game, parse_replay(format_replay(game, record, "check"))) != record:
        yield Finding("a replay gives another game", "played back, the record differs")


def _conservation_findings(game: AnyGame, record: Record[Any, Any]) -> Iterator[Finding]:
    for number, (before, after) in enumerate(pairwise(record.states), start=1):
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
    for number, state in enumerate(record.states):
        for problem in game.invariant_problems(state):
            yield Finding("an invariant is broken", f"{problem} after step {number}")


_RECORD_CHECKS = {
    "the replay": _replay_findings,
    "conserved or shrinking": _conservation_findings,
    "invariant_problems": _invariant_findings,
}
"""What is checked of a whole game; names are those of errors in them."""


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _state_text(game: AnyGame, state: Any) -> str:
    try:
        return game.format_state(state)[:_SHOWN]
    except Exception:  # the notation check reports it
        return repr(state)[:_SHOWN]
