"""Game: the contract that every game fulfils, so that all games share the play loop, replays, checks and bots.

A game is a value without memory. It starts a state, names the player to act, lists the legal actions and applies one.
States and actions are frozen values. Chance is a move of its own; a game holds no random generator, it names the event.
The functions below the classes check, apply, write and read actions and outcomes alike.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from brickphys.errors import BrokenGameError, IllegalActionError
from brickphys.odds.law import BinomialLaw, RollLaw
from brickphys.rules.events import ChanceEvent, Outcome
from brickphys.rules.names import Readings
from brickphys.rules.plans import Thinker
from brickphys.rules.record import (
    CHANCE,
    NOBODY,
    Action,
    Forecast,
    Payoff,
    Record,
    Setup,
    State,
    Step,
    View,
    player_colours,
)
from brickphys.rules.report.parts import Parts
from brickphys.rules.report.story import under_rounds

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

_ANY_LAW = BinomialLaw(Fraction(1, 2))
"""A law of bricks that makes every outcome possible."""
_WORLDS = 8
"""Number of states that look the same to a viewer, from which is decided whether the viewer may know a move."""


class Game(Parts[State, Action], ABC, Generic[State, Action, View]):
    """The contract. A game in which nothing is hidden derives from `OpenGame`, which needs less.

    Simultaneous choices are made one after the other, each hidden from the other players until all are made. Big
    choices are split into successive small ones (which unit, what, where to), so that listing stays cheap.
    """

    name: str
    """One word; replays and the command line use it."""
    version: str
    """Changes whenever the same actions may lead to another state."""
    lists_all_actions: bool = True
    """Whether `actions` lists every legal action. On a continuous table it lists a representative set."""
    rolls_bricks: bool = True
    """Whether some event is a roll of bricks. In a game of ordinary dice, a law or live throws would change nothing."""
    round_word: str = "Round"
    """What the game calls a round, in headings."""
    has_grades: bool = False
    """Whether a victory may be worth less than 1 to the winner. Batches then tell how often one is worth it all."""

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
        """Return the chance event of a state that waits for one."""

    @abstractmethod
    def apply(self, state: State, move: Action | Outcome) -> State:
        """Return the state after a legal action or an outcome of the event; `advance` checks them first."""

    @abstractmethod
    def returns(self, state: State) -> tuple[Payoff, ...]:
        """Return the worth of a finished game to each player: usually 1 for a win, 0 for a draw, -1 for a loss.

        Where all have the same return, all have won if it is above 0, and lost if it is below; so can a single player.
        """

    @abstractmethod
    def observe(self, state: State, player: int) -> View:
        """Return all that this player may know."""

    def hidden(self, state: State) -> bool:
        """Whether some player may know less than this state holds; every player knows the answer."""
        return True

    @abstractmethod
    def alternative(self, state: State, player: int, rng: "np.random.Generator") -> State:
        """Return a state, drawn at random, that differs at most in things hidden from this player.

        It says what the rulebook hides: `check_game` judges by it all that a player is shown or told.
        """

    @abstractmethod
    def imagine(self, view: View, rng: "np.random.Generator") -> State:
        """Return a state, drawn at random, that has this view; bots that look ahead need it."""

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

    def readings(self, state: State, text: str) -> Readings:
        """Return the actions that words of a person may mean: at a keyboard more forms are read than in replays."""
        return Readings((text,))

    def action_words(self) -> Sequence[str]:
        """Return the first words of all actions that the game knows, for suggestions where one is mistyped."""
        return ()

    def is_asked(self, state: State, text: str) -> bool:
        """Whether actions can be chosen now of the type with whose word a text begins; True if it begins with none."""
        return True

    def opener(self, text: str, name: str) -> Action | None:
        """Return the choice after which who has a name can do what a text begins with; None if any choice will do."""
        return None

    def needs_word(self, word: str) -> bool:
        """Return whether the actions with a first word are never meant without it: a place alone means to go there."""
        return False

    def format_view(self, view: View) -> str:
        """Write the view of a player as one line, for people and learning programs."""
        return str(view)

    def player_name(self, state: State, player: int) -> str:
        """Return the name of a player, for people."""
        return f"player {player}"

    def read_setup(self, path: "Path | str") -> Setup:
        """Return the setup in a file: the mapping in its TOML, unless the game has a form of its own.

        InvalidValueError, with the name of the file, if it cannot be read, or is no TOML.
        """
        from brickphys.reading import MOST_SETUP_BYTES, read_text

        return self.parse_setup(read_text(path, MOST_SETUP_BYTES), str(path))

    def parse_setup(self, text: str, name: str) -> Setup:
        """Return the setup in the text of a file: the mapping in its TOML, unless the game has a form of its own.

        InvalidValueError, with the name of the file, if it is no TOML.
        """
        from brickphys.reading import parse_toml

        return parse_toml(text, name)

    def describe(self, view: View) -> str:
        """Write the view of a player for people, in as many lines as it needs."""
        return self.format_view(view)

    def hints(self) -> Sequence[str]:
        """Return hints on typing actions, a line each."""
        return ()

    def prompt(self, state: State) -> str:
        """Return what the player who is to act is asked for, in a line; it tells that player nothing hidden."""
        return "your action"

    def player_colours(self, state: State) -> Sequence[str]:
        """Return the colour of each player, by which pictures and texts tell them apart."""
        players = range(self.players(state))
        return player_colours([self.player_name(state, player) for player in players])

    def unlisted(self, state: State) -> Sequence[Action]:
        """Return legal actions that people may want, and that `actions` leaves out because bots choose from it, too."""
        return ()

    def question(self, state: State, viewer: int | None = None) -> str:
        """Return the question to chance, as a viewer may know it; as all players may hear it, if None."""
        return self.chance(state).question

    def tell(self, before: State, step: Step[State, Action], viewer: int | None = None) -> str:
        """Return the last step in lines, one for each unit that it is about, as a viewer may know it; empty if in none.

        The viewer is a player's index, or `NOBODY` for one who watches; None for a reader who may know everything,
        such as after the game.
        """
        viewers = range(self.players(before)) if viewer == NOBODY else (viewer,)
        known = all(one is None or self._is_known(before, step, one) for one in viewers)
        if step.actor == CHANCE:
            question = self.question(before, None if viewer == NOBODY else viewer)
            rolled = question.rpartition(": ")[0] or question
            return f"{rolled}: {self.chance(before).told(step.text) if known else '(hidden)'}"
        return f"{self.player_name(before, step.actor)}: {step.text if known else '(hidden)'}"

    def _is_known(self, before: State, step: Step[State, Action], viewer: int) -> bool:
        """Whether a viewer may know a move: in states that look the same before it, no other move looks the same."""
        if step.actor == viewer or not (self.hidden(before) or self.hidden(step.after)):
            return True
        from brickphys.seeds import generator  # loads numpy

        rng, seen = generator(0), self.observe(step.after, viewer)
        worlds = {before, *(self.alternative(before, viewer, rng) for _ in range(_WORLDS))}
        return not any(self._has_double(world, step.move, viewer, seen) for world in worlds)

    def _has_double(self, state: State, move: Action | Outcome, viewer: int, seen: View) -> bool:
        """Whether another move than this leads to a state of its own that looks to a viewer like the one seen."""
        after = {other: self.apply(state, other) for other in listed_moves(self, state)}
        return any(
            other != move and found != after.get(move) and self.observe(found, viewer) == seen
            for other, found in after.items()
        )

    def story(self, record: Record[State, Action], viewer: int | None = None) -> Iterator[str]:
        """Yield a game that was played as lines of text, round by round, as a viewer may know it; see `tell`.

        The record may be of a part of a game.
        """
        lines = (
            (self.rounds(before), line)
            for before, step in zip(record.states, record.steps, strict=False)
            for line in self.tell(before, step, viewer).splitlines()
        )
        if self.rounds(record.initial) is None:
            yield from (line for _, line in lines)
        else:
            yield from under_rounds(((n or 0, line) for n, line in lines), self.round_word)

    def settled(self, state: State) -> bool:
        """Whether the last choice is complete, with all that is rolled for it: here a search stops and judges.

        False in the middle of a choice that was split, and while its dice are to be rolled. True also where dice come
        next that are not the choice's, such as those that begin a round. By default, wherever a player is to act.
        """
        return self.actor(state) != CHANCE

    def estimate(self, state: State) -> tuple[float, ...]:
        """Return the estimated worth of a settled state to each player, between the returns; bots judge by it."""
        return (0.0,) * self.players(state)

    def hand_estimate(self, state: State) -> tuple[float, ...]:
        """Return the estimate with weights that were chosen by hand, by which ``greedy1`` and ``lookahead`` judge."""
        return self.estimate(state)

    plan_slope: float = 1.0
    """By how much the logarithm of the odds to win grows with that by which plans are compared; fitted to games."""

    def plan_estimate(self, state: State) -> float:
        """Return the worth of a state, by which plans are compared, to the player who is to act."""
        return self.estimate(state)[self.actor(state)]

    def thinker(self, brick_law: RollLaw) -> Thinker[State, Action] | None:
        """Return what finds the plans of this game for bots, hints and analysis; None to search single actions."""
        return None

    def conduct(self, record: Record[State, Action], player: int) -> Mapping[str, int]:
        """Return how often a player did what tells of its play, by fixed names, such as ``friendly_rams``.

        A name is the same in every game of a setup, and its count may be 0. Ladders add them up.
        """
        return {}

    def chain_law(
        self,
        state: State,
        brick_law: RollLaw,
    ) -> Mapping[State, Fraction] | None:
        """Return the states after a chain of rolls that begins here -> probability; None to follow the rolls.

        For bots and odds: one law of few states in place of many rolls one after the other, such as a melee with
        re-rolls. Choices that players have within the chain are made as the game expects them.
        """
        return None

    def forecasts(
        self,
        state: State,
        action: Action,
        brick_law: RollLaw,
    ) -> Sequence[Forecast] | None:
        """Return the odds of an action, where they are not those of the rolls that follow it at once; else None.

        An order that is rolled for later has odds only by this method.
        """
        return None

    def strikes(self, before: State, after: State) -> Mapping[str, bool]:
        """Return whether an attack has hit and killed, by these words, for the list and the odds of a person.

        `before` and `after` are the states before the rolls of an action, and after all of them. Empty if what was
        rolled is no attack, or the game's own `forecasts` tell it.
        """
        return {}

    def may_strike(self, state: State, action: Action) -> bool:
        """Whether an action may be an attack; of others the list of a person tells no odds."""
        return True

    def waste(self, state: State, action: Action) -> str:
        """Return why a legal action would be wasted, such as a shot out of range; empty if it would not."""
        return ""

    def is_roll_off(self, state: State) -> bool:
        """Whether chance is to decide who begins: the rolls of all players for it are told together."""
        return False

    def rounds(self, state: State) -> int | None:
        """Return how many rounds have begun; None if the game has no rounds."""
        return None

    def most_actions(self, initial: State) -> int:
        """Return a bound on the actions listed at once in any game from this first state; learning programs need it."""
        return 512

    def most_text(self, initial: State) -> int:
        """Return a bound on the bytes of `format_view` in any game from this first state, by default from its view."""
        return 2048 + 4 * len(self.format_view(self.observe(initial, 0)).encode())

    def conserved(self, state: State) -> Mapping[str, object]:
        """Return values that never change during a game, by name, such as the number of all units, alive or dead."""
        return {}

    def invariant_problems(self, state: State) -> Iterator[str]:
        """Yield the faults of a state that no play can reach, such as two things in one place."""
        return iter(())

    def shrinking(self, state: State) -> Mapping[str, int]:
        """Return numbers that never grow during a game, by name, such as the number of units on the field."""
        return {}


class OpenGame(Game[State, Action, State]):
    """A game in which every player may know everything: the view is the state itself."""

    def hidden(self, state: State) -> bool:
        return False

    def observe(self, state: State, player: int) -> State:
        return state

    def alternative(self, state: State, player: int, rng: "np.random.Generator") -> State:
        return state

    def imagine(self, view: State, rng: "np.random.Generator") -> State:
        return view

    def format_view(self, view: State) -> str:
        return self.format_state(view)


AnyGame: TypeAlias = Game[Any, Any, Any]
"""A game of any state, action and view."""


def listed_moves(game: Game[State, Action, View], state: State) -> Sequence[Any]:
    """Return the listed actions, or the outcomes of the event where it has a law; none where the game is over."""
    if game.actor(state) != CHANCE:
        return game.actions(state)
    event = game.chance(state)
    return tuple(event.law(_ANY_LAW)) if event.exact else ()


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
    """Return the state after a move; IllegalActionError if it is illegal, with every reason.

    A move is an action of the player who is to act, or an outcome where chance is. One that is `checked` is known to
    be legal: it comes from the game's own list, or has been checked.
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
