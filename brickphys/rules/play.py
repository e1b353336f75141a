"""Play: a game while it is played (`Session`), and the loop in which players and chance move it to its end.

A session has the steps so far; the last one may be taken back. The loop returns the record.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from brickphys import errors
from brickphys.rules.events import Outcome
from brickphys.rules.game import Game, advance, format_move, open_actions
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
from brickphys.rules.sources import EventSource

if TYPE_CHECKING:
    import numpy as np

_CHANCE_ADDRESS = 0
_BOT_ADDRESS = 1
_LONGEST = 60
"""The most letters of a wrong choice in a message."""
_WORLDS = 8
"""Number of states with the same view in which an action is tried, to find out whether it reveals something."""


def may_take_back(
    game: Game[State, Action, View], before: State, step: Step[State, Action], player: int
) -> bool:
    """Tell whether a player may take the last step back.

    The step must be the player's own, so that nothing was rolled and no other player has chosen since. Where something
    is hidden, it must also have shown nothing that was: nobody who sees what came of it can rule out a state that was
    possible before. Only the player who chose knows the choice.
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


def why_not_back(steps: Sequence[Step[State, Action]], player: int) -> str:
    """Return in words why a player may not take the last of some steps back."""
    if not any(step.actor == player for step in steps):
        return "you have chosen nothing yet"
    if steps[-1].actor not in (CHANCE, player):
        return "another player has acted since"
    return "a roll, a draw, an answer or something revealed cannot be undone"


@dataclass
class Session(Generic[State, Action, View]):
    """One game while it is played.

    Every choice and every event has an address of its own, so the same root seed and address of the game,
    non-negative integers, give the same game.
    """

    game: Game[State, Action, View]
    setup: Setup
    initial: State
    players: Sequence[Bot[View, Action]]
    """The bots or persons, by the index of the player."""
    chance: EventSource
    root: int
    address: tuple[int, ...]
    steps: list[Step[State, Action]]
    corrects: Callable[[State], bool]
    """Whether the outcome of a state's event may be taken back: a person typed it, and may have mistyped."""
    verdict: str = ""
    """How players have ended it without its rules; empty otherwise."""

    @property
    def last(self) -> State:
        """The state in which the game is now."""
        return self.steps[-1].after if self.steps else self.initial

    @property
    def actor(self) -> int:
        """Who is to act now: the index of a player, `CHANCE` or `OVER`."""
        return self.game.actor(self.last)

    @property
    def rng(self) -> "np.random.Generator":
        """The random generator of the next choice alone."""
        from brickphys.seeds import generator  # loads numpy

        return generator(self.root, *self.address, _BOT_ADDRESS, len(self.steps))

    def step(self) -> Step[State, Action] | None:
        """Take the next step, by the player or the source; None if a player took the last one back instead."""
        state, actor = self.last, self.actor
        try:
            move = self._outcome(state) if actor == CHANCE else self._action(state, actor)
        except TakeBackError:
            self.take_back(actor)
            return None
        return self._add(state, actor, move, checked=actor != CHANCE)

    def take(self, move: Action | Outcome, *, checked: bool = False) -> Step[State, Action]:
        """Take a step: an action of the player who is to act, or an outcome.

        IllegalActionError if it is illegal, unless it is `checked` already.
        """
        return self._add(self.last, self.actor, move, checked=checked)

    def take_back(self, player: int) -> None:
        """Undo the last step of a player, or the last outcome if that was typed.

        InvalidValueError if it cannot be undone.
        """
        if not self.may_take_back(player):
            raise errors.InvalidValueError(f"player {player} has nothing to take back")
        self.steps.pop()

    def may_take_back(self, player: int) -> bool:
        """Whether a player may undo the last step, or whoever rolls that of another one; see `may_take_back`."""
        if not self.steps:
            return False
        last, before = self.steps[-1], self.steps[-2].after if self.steps[1:] else self.initial
        if last.actor == CHANCE:
            return self.corrects(before)
        chosen_by = last.actor if player == CHANCE else player
        return may_take_back(self.game, before, last, chosen_by)

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
            verdict=self.verdict,
        )

    def so_far(self) -> Record[State, Action]:
        """Return the game as it was played so far: over, or interrupted here."""
        return self.record(Ending.OVER if self.actor == OVER else Ending.INTERRUPTED)

    def _add(
        self, state: State, actor: int, move: Action | Outcome, *, checked: bool
    ) -> Step[State, Action]:
        after = advance(self.game, state, move, checked=checked)
        self.steps.append(Step(actor, move, format_move(self.game, state, move), after))
        return self.steps[-1]

    def _outcome(self, state: State) -> Outcome:
        address = (*self.address, _CHANCE_ADDRESS, len(self.steps))
        return self.chance.answer(self.game.chance(state), address)

    def _action(self, state: State, actor: int) -> Action:
        actions = open_actions(self.game, state)
        chosen = self.players[actor].choose(self.game.observe(state, actor), actions, self.rng)
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
            if errors.is_short_of_memory(error):
                raise
            what = " ".join(repr(chosen).split())[:_LONGEST]
            raise errors.InvalidValueError(
                f"{who} chose {what}, which is not an action of {game.name}"
            ) from error
        if reasons:
            raise errors.IllegalActionError(text, reasons, game.format_state(state), by=who)


MAX_STEPS = 100_000


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

    Parameters
    ----------
    steps
        The steps so far, of a game that was not played to its end; with the same players, chance, root and address it
        goes on as if it had never stopped.
    max_steps
        The most actions and outcomes, with those of `steps`; a longer game is stopped, and the record says so.

    Raises
    ------
    InvalidValueError
        If the setup is none of this game, or has another number of players; if what a player chooses is no action.
    IllegalActionError
        If a player chooses an illegal action or a source gives an impossible outcome.
    BrokenGameError
        If a player should act and can do nothing.
    """
    session = started(game, setup, players, chance, root, address, steps, corrects)
    return session.record(_run(session, max_steps, tuple(watchers)))


def started(
    game: Game[State, Action, View],
    setup: Setup,
    players: Sequence[Bot[View, Action]],
    chance: EventSource,
    root: int,
    address: tuple[int, ...] = (),
    steps: Sequence[Step[State, Action]] = (),
    corrects: Callable[[State], bool] = lambda _: False,
) -> Session[State, Action, View]:
    """Return the session of a game with its steps so far; see `play` for the parameters.

    InvalidValueError if the setup is none of this game, or has another number of players.
    """
    initial = game.initial(setup)
    if len(players) != game.players(initial):
        raise errors.InvalidValueError(
            f"{len(players)} players, but {game.name} needs {game.players(initial)}"
        )
    return Session(game, setup, initial, players, chance, root, address, [*steps], corrects)


def _run(
    session: Session[State, Action, View],
    max_steps: int,
    watchers: Sequence[Watcher[State, Action]],
) -> Ending:
    """Show each step to every watcher, until the game ends; return how it has."""
    try:
        while session.actor != OVER and len(session.steps) < max_steps:
            before, taken = session.last, session.step()
            if taken is not None:
                for show in watchers:
                    show(before, taken)
    except (errors.InterruptedRunError, KeyboardInterrupt):  # what was played so far is not lost
        return Ending.INTERRUPTED
    return Ending.OVER if session.actor == OVER else Ending.LIMIT
