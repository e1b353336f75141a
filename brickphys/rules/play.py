"""Play: the loop in which players and chance move a game from its setup to its end, and the record of that."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

from brickphys.errors import IllegalActionError, InterruptedRunError, InvalidValueError
from brickphys.rules.events.event import Outcome
from brickphys.rules.events.sources import EventSource
from brickphys.rules.game import Game
from brickphys.rules.moves import advance, format_move, open_actions
from brickphys.rules.players.bots import Bot, TakeBackError
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
"""The most letters of a wrong choice in a message."""
_WORLDS = 8
"""Number of states of the same view in which an action is tried, to find whether it shows its player something."""


def may_take_back(
    game: Game[State, Action, View], before: State, step: Step[State, Action], player: int
) -> bool:
    """Tell whether a player may take the last step back.

    The step must be the player's own, so that nothing was rolled and no other player has chosen since. Where something
    is hidden, it must also have shown nothing that was: nobody who sees what came of it can rule out a state that was
    possible before. Only the player who chose knows the choice.

    Parameters
    ----------
    game
        The game.
    before, step
        The last step, and the state before it.
    player
        The player who wants to take it back.
    """
    if step.actor != player:
        return False
    if not (game.hidden(before) or game.hidden(step.after)):
        return True
    from brickphys.seeds import generator  # loads numpy

    rng = generator(0)
    for viewer in range(game.players(before)):
        seen = game.observe(step.after, viewer)
        if viewer != player and seen == game.observe(before, viewer):
            continue
        for _ in range(_WORLDS):
            world = game.alternative(before, viewer, rng)
            moves = [step.move]
            if viewer != player:  # the actual choice first: it is the likeliest
                moves = sorted(game.actions(world), key=lambda each: each != step.move)
            if not any(game.observe(game.apply(world, move), viewer) == seen for move in moves):
                return False
    return True


@dataclass
class _Session(Generic[State, Action, View]):
    """One game while it is played."""

    game: Game[State, Action, View]
    setup: Setup
    initial: State
    players: Sequence[Bot[View, Action]]
    chance: EventSource
    root: int
    address: tuple[int, ...]
    steps: list[Step[State, Action]]
    corrects: Callable[[State], bool]

    @property
    def last(self) -> State:
        """The state in which the game is now."""
        return self.steps[-1].after if self.steps else self.initial

    def take_steps(self, max_steps: int) -> Iterator[tuple[State, Step[State, Action]]]:
        """Yield each step with the state before it, until the game is over or the limit is reached."""
        state = self.last
        while (actor := self.game.actor(state)) != OVER and len(self.steps) < max_steps:
            try:
                move = self._outcome(state) if actor == CHANCE else self._action(state, actor)
            except TakeBackError:
                state = self._taken_back(actor)
                continue
            after = advance(self.game, state, move, checked=actor != CHANCE)
            self.steps.append(Step(actor, move, format_move(self.game, state, move), after))
            yield state, self.steps[-1]
            state = after

    def run(self, max_steps: int, watchers: Sequence[Watcher[State, Action]]) -> Ending:
        """Show each step to every watcher, until the game ends; return how it has."""
        try:
            for before, taken in self.take_steps(max_steps):
                for show in watchers:
                    show(before, taken)
        except (InterruptedRunError, KeyboardInterrupt):  # what was played so far is not lost
            return Ending.INTERRUPTED
        return Ending.OVER if self.game.actor(self.last) == OVER else Ending.LIMIT

    def record(self, ending: Ending) -> Record[State, Action]:
        """Return the game as it was played."""
        return Record(
            game=self.game.name,
            version=self.game.version,
            setup=self.setup,
            initial=self.initial,
            steps=tuple(self.steps),
            ending=ending,
            returns=tuple(self.game.returns(self.last)) if ending is Ending.OVER else None,
            players=tuple(player.name for player in self.players),
            root=self.root,
            address=self.address,
        )

    def _taken_back(self, actor: int) -> State:
        """Undo the last step; return the state before it."""
        last = self.steps.pop() if self.steps else None
        if last is not None and last.actor == CHANCE and self.corrects(self.last):
            return self.last
        player = last.actor if last is not None and actor == CHANCE else actor
        if last is None or player < 0 or not may_take_back(self.game, self.last, last, player):
            raise InvalidValueError(f"player {actor} has nothing to take back")
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
        """Refuse a choice that is no legal action; the message names the player."""
        who, game = f"{self.players[actor].name} (player {actor + 1})", self.game
        try:
            text, reasons = game.format_action(chosen), game.problems(state, chosen)
        except (
            Exception
        ) as error:  # a game may raise anything for a value that is none of its actions
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
    steps: Sequence[Step[State, Action]] = (),
    max_steps: int = MAX_STEPS,
    watchers: Iterable[Watcher[State, Action]] = (),
    corrects: Callable[[State], bool] = lambda _: False,
) -> Record[State, Action]:
    """Play one game; Ctrl-C ends it where it is, and the record says so.

    Every choice and every event has an address of its own, so the same root and address give the same game.

    Parameters
    ----------
    game, setup
        The game, and its setup.
    players
        The bots or persons, by the index of the player.
    chance
        The source of outcomes.
    root, address
        Root seed, and which game of that root it is: non-negative integers.
    steps
        The steps so far, of a game that was not played to its end; with the same players, chance, root and address it
        goes on as if it had never stopped.
    max_steps
        The most actions and outcomes, with those of `steps`; a longer game is stopped, and the record says so.
    watchers
        Functions that are called with each step.
    corrects
        Whether the outcome of a state's event may be taken back: a person typed it, and may have mistyped.

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
    session = _Session(game, setup, initial, players, chance, root, address, [*steps], corrects)
    return session.record(session.run(max_steps, tuple(watchers)))
