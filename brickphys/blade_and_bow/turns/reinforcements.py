"""Reinforcements: when and where the Spartans arrive at Mycale (BB 14.4, special rule 3).

Each turn of delay allows one point up or down on the die for the place.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from brickphys.blade_and_bow.command.casualties import entered
from brickphys.blade_and_bow.command.words import SquareAnswer, SquareQuestion
from brickphys.blade_and_bow.sheets.charts import FACES
from brickphys.blade_and_bow.state.pieces import Box
from brickphys.blade_and_bow.state.setting import Entry
from brickphys.blade_and_bow.state.state import State
from brickphys.blade_and_bow.turns.setup_choices import LeaderPlace
from brickphys.grid.bitset import Square
from brickphys.rules.events.dice import Tally
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import DieRoll, PendingRoll, scores
from brickphys.rules.words import Unconditional
from brickphys.text import counted

_PLAYER = 0
"""Number of the player whose reinforcements come."""


@dataclass(frozen=True, slots=True)
class ArrivalRoll(PendingRoll[State]):
    """They may come from now on by a face up to the number of the turn."""

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        is_due = not state.entry and state.turn < FACES and coming(state)
        return [] if is_due else ["pending: there are no reinforcements to roll for"]

    def event(self, state: State) -> Tally:
        """Return the die."""
        return Tally.of(1, "the reinforcements", come=state.turn, late=FACES - state.turn)

    def settle(self, state: State, outcome: Outcome) -> State:
        """Roll for the place."""
        come, _ = scores(outcome)
        return state.push_pending(EntryRoll()) if come else state


@dataclass(frozen=True, slots=True)
class EntryRoll(DieRoll[State]):
    """The die for the place where they come."""

    what = "the place of the reinforcements"

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        return ["pending: the place of the reinforcements is known"] if state.entry else []

    def rolled(self, state: State, face: int) -> State:
        """Note it, and ask whether they come."""
        return state.replaced({"entry": face}).push_pending(Arrival())


class Arrive(SquareAnswer):
    """The reinforcements come through the squares that begin with this one."""

    __slots__ = ()
    word = "arrive"
    section = "BB 14.4"


@dataclass(frozen=True, slots=True)
class Wait(Unconditional[State]):
    """The reinforcements come in a later turn."""

    word = "wait"

    def apply(self, state: State) -> State:
        """Count the turn."""
        return state.pop_pending().replaced({"delay": state.delay + 1})


@dataclass(frozen=True, slots=True)
class Arrival(SquareQuestion):
    """Whether the reinforcements come in this turn, and where."""

    answers = (Arrive, Wait)

    def squares(self, state: State) -> Iterator[Square]:
        """Return the places that the die and the delay allow, by the first of their squares."""
        return (entry.squares[0] for entry in _open_entries(state))

    def chosen(self, state: State, square: Square) -> State:
        """Put as many units as have room there, disrupted, and ask where their leaders are."""
        setting = state.setting
        entry = next(one for one in setting.special.entries if one.squares[0] == square)
        for unit, at in zip(coming(state), _free(state, entry), strict=False):
            place = {"box": Box.MAP, "square": at, "facing": entry.facing}
            state = entered(state.change_unit(unit, **place, disrupted=True), unit)
        leaders = (
            number
            for number, leader in enumerate(state.leaders)
            if leader.box is Box.WAITING and setting.leaders[number].player == _PLAYER
        )
        return state.push_pending(*map(LeaderPlace, leaders))

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        return [] if state.entry and coming(state) else ["pending: no reinforcements can come"]

    def player(self, state: State) -> int:
        """Return whose they are."""
        return _PLAYER

    def prompt(self, state: State) -> str:
        """Return the question."""
        squares, units = state.setting.squares, counted(len(coming(state)), "unit")
        places = " or ".join(
            f"{squares[entry.squares[0]]} (into {', '.join(squares[n] for n in entry.squares)})"
            for entry in _open_entries(state)
        )
        now = f"come disrupted at {places}" if places else "not come now: no square is free"
        wait = f"each turn of waiting opens the places one number farther from the {state.entry} that was rolled"
        return f"reinforcements: {units} may {now}; {wait}"


def coming(state: State) -> tuple[int, ...]:
    """Return the units that are not yet on the map."""
    return tuple(number for number, unit in enumerate(state.units) if unit.box is Box.WAITING)


def awaited(state: State) -> State:
    """Return the state in which reinforcements are rolled for, or asked for, if any are to come."""
    if not coming(state):
        return state
    if state.entry:
        return state.push_pending(Arrival())
    return state.push_pending(ArrivalRoll() if state.turn < FACES else EntryRoll())


def _open_entries(state: State) -> Iterator[Entry]:
    """Yield the places where they may come now: a face within the delay, and room."""
    for entry in state.setting.special.entries:
        is_near = any(abs(roll - state.entry) <= state.delay for roll in entry.rolls)
        if is_near and _free(state, entry):
            yield entry


def _free(state: State, entry: Entry) -> list[Square]:
    return [square for square in entry.squares if square not in state.at]
