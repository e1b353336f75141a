"""Play: the loop in which players and chance move a game from its setup to its end, and the record of that."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic

from brickphys.errors import IllegalActionError, InterruptedRunError, InvalidValueError
from brickphys.rules.bots import Bot, TakeBackError
from brickphys.rules.events.events import Outcome
from brickphys.rules.events.sources import EventSource
from brickphys.rules.game import Game, advance, format_move, open_actions
from brickphys.rules.record import (
    CHANCE,
    OVER,
    Action,
    Ending,
    Record,
    Setup,
    State,
    Step,
    View,
    Watcher,
)

MAX_STEPS = 100_000
_CHANCE_ADDRESS = 0
_BOT_ADDRESS = 1
_LONGEST = 60
"""Letters of what a bot chose, in a message."""


def may_take_back(
    game: Game[State, Action, View], steps: Sequence[Step[State, Action]], actor: int
) -> bool:
    """Tell whether the last step is one that a player may take back.

    It is his own, so that nobody has rolled, drawn or chosen anything since; and nothing is hidden in the game, or
    his action might have shown him what he should not have known when he chose.
    """
    return not game.hidden and bool(steps) and steps[-1].actor == actor


@dataclass
class _Table(Generic[State, Action, View]):
    """Everybody who takes part in one game."""

    game: Game[State, Action, View]
    initial: State
    players: Sequence[Bot[View, Action]]
    chance: EventSource
    root: int
    address: tuple[int, ...]
    steps: list[Step[State, Action]] = field(default_factory=list)

    @property
    def last(self) -> State:
        """The state in which the game is now."""
        return self.steps[-1].after if self.steps else self.initial

    def take_steps(self, max_steps: int) -> Iterator[tuple[State, Step[State, Action]]]:
        """Yield each step with the state before it, until the game is over or the limit is reached."""
        state = self.initial
        while (actor := self.game.actor(state)) != OVER and len(self.steps) < max_steps:
            try:
                move = self._next_move(state, actor)
            except TakeBackError:
                state = self._taken_back(actor)
                continue
            after = advance(self.game, state, move, checked=actor != CHANCE)
            self.steps.append(Step(actor, move, format_move(self.game, state, move), after))
            yield state, self.steps[-1]
            state = after

    def run(self, max_steps: int, watchers: Sequence[Watcher[State, Action]]) -> Ending:
        """Show each step to all who watch, until the game ends; return how it has."""
        try:
            for before, taken in self.take_steps(max_steps):
                for show in watchers:
                    show(before, taken)
        except (InterruptedRunError, KeyboardInterrupt):  # what was played so far is not lost
            return Ending.INTERRUPTED
        return Ending.OVER if self.game.actor(self.last) == OVER else Ending.LIMIT

    def _next_move(self, state: State, actor: int) -> Action | Outcome:
        """Return what comes next; an action is legal."""
        return self._outcome(state) if actor == CHANCE else self._action(state, actor)

    def _taken_back(self, actor: int) -> State:
        """Undo the last step; return the state before it."""
        if not may_take_back(self.game, self.steps, actor):
            raise InvalidValueError(f"player {actor} has nothing that he may take back")
        self.steps.pop()
        return self.last

    def _outcome(self, state: State) -> Outcome:
        address = (*self.address, _CHANCE_ADDRESS, len(self.steps))
        return self.chance.answer(self.game.chance(state), address)

    def _action(self, state: State, actor: int) -> Action:
        from brickphys.seeds import generator  # loads numpy

        actions = open_actions(self.game, state)
        rng = generator(self.root, *self.address, _BOT_ADDRESS, len(self.steps))
        chosen = self.players[actor].choose(self.game.observe(state, actor), actions, rng)
        if not any(chosen is action for action in actions):
            self._check(state, actor, chosen)
        return chosen

    def _check(self, state: State, actor: int, chosen: Action) -> None:
        """Refuse what is none of the listed actions and not another legal one; the message names who chose it."""
        who, game = f"{self.players[actor].name} (player {actor + 1})", self.game
        try:
            text, reasons = game.format_action(chosen), game.problems(state, chosen)
        except Exception as error:  # whatever a game meets in what is none of its actions
            what = " ".join(repr(chosen).split())[:_LONGEST]
            raise InvalidValueError(f"{who} chose {what}: no action of {game.name}") from error
        if reasons:
            raise IllegalActionError(text, reasons, game.format_state(state), by=who)


def play(
    game: Game[State, Action, View],
    setup: Setup,
    players: Sequence[Bot[View, Action]],
    chance: EventSource,
    *,
    root: int,
    address: tuple[int, ...] = (),
    max_steps: int = MAX_STEPS,
    watchers: Iterable[Watcher[State, Action]] = (),
) -> Record[State, Action]:
    """Play one game; Ctrl-C ends it where it is, and the record says so.

    Every choice and every event has an address of its own, so the same root and address give the same game.

    Parameters
    ----------
    game, setup
        What is played.
    players
        Who chooses, by index.
    chance
        Who answers the chance events.
    root, address
        Root seed, and which game of that root it is: non-negative integers.
    max_steps
        After so many actions and outcomes the game stops, and the record says so.
    watchers
        Are shown every step.

    Raises
    ------
    InvalidValueError
        If the setup is none of this game, or has another number of players; if what a player chooses is no action.
    IllegalActionError
        If a player chooses an illegal action or a source gives an impossible outcome.
    BrokenGameError
        If a player should act and can do nothing.
    """
    initial = game.initial(setup)
    if len(players) != game.players(initial):
        raise InvalidValueError(
            f"{len(players)} players where {game.name} needs {game.players(initial)}"
        )
    table = _Table(game, initial, players, chance, root, address)
    ending = table.run(max_steps, tuple(watchers))
    return Record(
        game=game.name,
        version=game.version,
        setup=setup,
        initial=initial,
        steps=tuple(table.steps),
        ending=ending,
        returns=tuple(game.returns(table.last)) if ending is Ending.OVER else None,
        players=tuple(player.name for player in players),
        root=root,
        address=address,
    )
