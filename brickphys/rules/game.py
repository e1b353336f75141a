"""Game: the contract that every game fulfils, so that all of them share loop, replays, checks and bots.

A game is a value without memory: it starts a state, says who is to act, lists what he may do and applies it. States and
actions are frozen values. Chance is a move of its own, and a game holds no random generator: it names the event.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic

from brickphys.errors import BrokenGameError, IllegalActionError, InvalidValueError
from brickphys.rules.events.events import ChanceEvent, Outcome
from brickphys.rules.record import CHANCE, Action, Payoff, Record, Setup, State, Step, View

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np


class Game(ABC, Generic[State, Action, View]):
    """The contract. A game in which nothing is hidden derives from `OpenGame`, which needs less.

    Choices that are made at the same time are made one after the other, each hidden from the others until all are
    made. Big choices are split into successive small ones (which unit, what, where to), so that listing stays cheap.

    Attributes
    ----------
    name
        One word; replays and the command line use it.
    version
        Changes whenever the same actions may lead to another state.
    hidden
        Whether a player may know less than the state holds.
    lists_all_actions
        Whether `actions` lists every legal action. On a continuous table it lists a representative set.
    """

    name: str
    version: str
    hidden: bool = True
    lists_all_actions: bool = True

    @property
    @abstractmethod
    def setups(self) -> Mapping[str, Setup]:
        """The setups that ship with the game, by name; at least one."""

    @abstractmethod
    def initial(self, setup: Setup) -> State:
        """Return the first state; InvalidValueError, naming every fault, if the setup is none of this game."""

    @abstractmethod
    def players(self, state: State) -> int:
        """Return how many players there are; it never changes during a game."""

    @abstractmethod
    def actor(self, state: State) -> int:
        """Return the index of the player who is to act, `CHANCE` or `OVER`."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """Return legal actions of the player who is to act, at least one, always in the same order.

        Empty where chance is to act or the game is over.
        """

    @abstractmethod
    def problems(self, state: State, action: Action) -> list[str]:
        """Return every reason why the action is illegal, each with its section of the rulebook; empty if it is legal.

        Every action is illegal where chance is to act or the game is over.
        """

    @abstractmethod
    def chance(self, state: State) -> ChanceEvent:
        """Return what chance is asked for, in a state that waits for it."""

    @abstractmethod
    def apply(self, state: State, move: Action | Outcome) -> State:
        """Return the state after a legal action or an outcome of the event; `advance` checks them first."""

    @abstractmethod
    def returns(self, state: State) -> tuple[Payoff, ...]:
        """Return what a finished game is worth to each player: usually 1 for a win, 0 for a draw, -1 for a loss."""

    @abstractmethod
    def observe(self, state: State, player: int) -> View:
        """Return all that this player may know."""

    @abstractmethod
    def alternative(self, state: State, player: int, rng: "np.random.Generator") -> State:
        """Return a state that differs at most in what this player may not know, drawn at random.

        It is the rulebook's word on what is hidden, by which `check_game` judges `observe`.
        """

    @abstractmethod
    def imagine(self, view: View, rng: "np.random.Generator") -> State:
        """Return a state, drawn at random, that this may be the view of; bots that look ahead need it."""

    @abstractmethod
    def format_state(self, state: State) -> str:
        """Write a state as one line, from which `parse_state` makes an equal one."""

    @abstractmethod
    def parse_state(self, text: str) -> State:
        """Read a state; InvalidValueError if the text is none."""

    @abstractmethod
    def format_action(self, action: Action) -> str:
        """Write an action as one line, from which `parse_action` makes an equal one."""

    @abstractmethod
    def parse_action(self, text: str) -> Action:
        """Read an action; InvalidValueError if the text is none. Whether it is legal is another question."""

    def format_view(self, view: View) -> str:
        """Write what a player knows as one line, for people and learning programs."""
        return str(view)

    def player_name(self, state: State, player: int) -> str:  # noqa: ARG002 - what most games answer
        """Return what people call a player."""
        return f"player {player}"

    def read_setup(self, path: "Path | str") -> Setup:
        """Return the setup in a file: the mapping in its TOML, unless the game has a form of its own.

        Raises
        ------
        InvalidValueError
            If the file cannot be read, or is no TOML; names it.
        """
        from brickphys.files import read_toml

        return read_toml(path)

    def draw_setup(
        self,
        options: Mapping[str, Any],  # noqa: ARG002 - what most games answer
        rng: "np.random.Generator",  # noqa: ARG002
    ) -> tuple[str, Setup]:
        """Return a setup drawn at random, for studies, after a line that says what was drawn.

        Parameters
        ----------
        options
            What the game lets a study decide; JSON values.
        rng
            The random generator of this draw alone.

        Raises
        ------
        InvalidValueError
            If an option is impossible, or the game draws no setups.
        """
        raise InvalidValueError(f"{self.name} draws no setups: name a scenario")

    def describe(self, view: View) -> str:
        """Write what a player knows for people, in as many lines as it needs."""
        return self.format_view(view)

    def hints(self) -> Sequence[str]:
        """Return what a person may not guess about typing actions, a line each."""
        return ()

    def tell(self, before: State, step: "Step[State, Action]") -> str:
        """Return what has just happened, in a line for people who may know it; empty if it is not worth one."""
        if step.actor == CHANCE:
            return f"{self.chance(before).question} {step.text}"
        return f"{self.player_name(before, step.actor)}: {step.text}"

    def story(self, record: "Record[State, Action]") -> Iterator[str]:
        """Yield a game that was played as lines of text."""
        before = record.initial
        for step in record.steps:
            if told := self.tell(before, step):
                yield told
            before = step.after

    def estimate(self, state: State) -> tuple[float, ...]:
        """Return what a state seems worth to each player, between the returns; bots look where their search ends."""
        return (0.0,) * self.players(state)

    def midway(self, state: State) -> bool:  # noqa: ARG002 - what most games answer
        """Whether the player is in the middle of a choice that was split: it is no place to judge the state."""
        return False

    def rounds(self, state: State) -> int | None:  # noqa: ARG002
        """Return how many rounds have begun; None if the game has no rounds."""
        return None

    def conserved(self, state: State) -> Mapping[str, object]:  # noqa: ARG002
        """Return what never changes during a game, by name, such as the number of units alive and dead together."""
        return {}

    def shrinking(self, state: State) -> Mapping[str, int]:  # noqa: ARG002
        """Return what never grows during a game, by name, such as the number of units on the field."""
        return {}


class OpenGame(Game[State, Action, State]):
    """A game in which every player may know everything: he sees the state itself."""

    hidden = False

    def observe(self, state: State, player: int) -> State:  # noqa: ARG002
        """Return the state."""
        return state

    def alternative(self, state: State, player: int, rng: "np.random.Generator") -> State:  # noqa: ARG002
        """Return the state."""
        return state

    def imagine(self, view: State, rng: "np.random.Generator") -> State:  # noqa: ARG002
        """Return the state that is seen."""
        return view

    def format_view(self, view: State) -> str:
        """Write the state."""
        return self.format_state(view)


def open_actions(game: Game[State, Action, View], state: State) -> Sequence[Action]:
    """Return the listed actions of the player who is to act; BrokenGameError if there is none."""
    actions = game.actions(state)
    if not actions:
        raise BrokenGameError(
            f"{game.name}: player {game.actor(state)} has no legal action in {game.format_state(state)}"
        )
    return actions


def advance(
    game: Game[State, Action, View], state: State, move: Action | Outcome, *, checked: bool = False
) -> State:
    """Return the state after a move.

    Parameters
    ----------
    game, state
        Where it is made.
    move
        An action of the player who is to act, or an outcome where chance is.
    checked
        The move is known to be legal: it comes from the game's own list, or has been checked.

    Raises
    ------
    IllegalActionError
        If the move is illegal; it names every reason.
    """
    if not checked:
        reasons = move_problems(game, state, move)
        if reasons:
            text = format_move(game, state, move)
            raise IllegalActionError(text, reasons, game.format_state(state))
    return game.apply(state, move)


def move_problems(
    game: Game[State, Action, View], state: State, move: Action | Outcome
) -> list[str]:
    """Return every reason why an action or an outcome cannot come in this state."""
    if game.actor(state) == CHANCE:
        return game.chance(state).problems(move)  # type: ignore[arg-type]
    return game.problems(state, move)  # type: ignore[arg-type]


def format_move(game: Game[State, Action, View], state: State, move: Action | Outcome) -> str:
    """Write the action or outcome that comes in this state."""
    if game.actor(state) == CHANCE:
        return game.chance(state).format(move)  # type: ignore[arg-type]
    return game.format_action(move)  # type: ignore[arg-type]


def parse_move(game: Game[State, Action, View], state: State, text: str) -> Action | Outcome:
    """Read the action or outcome that comes in this state; InvalidValueError if the text is none."""
    if game.actor(state) == CHANCE:
        return game.chance(state).parse(text)
    return game.parse_action(text)
