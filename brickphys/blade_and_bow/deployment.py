"""Deployment: ranks, places of leaders and camps, shield walls before the battle (BB 14.1 to 14.4); reinforcements.

The first player makes all choices before the second one (ours). The Spartans arrive at Mycale later (BB 14.4, special
rule 3): each turn of delay allows one point up or down on the die for the place.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from brickphys.blade_and_bow.command import actions
from brickphys.blade_and_bow.command.cards import ARMY
from brickphys.blade_and_bow.command.morale import entered
from brickphys.blade_and_bow.pieces import Box
from brickphys.blade_and_bow.setting import Entry, LeaderNumber
from brickphys.blade_and_bow.sheets import FACES
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import Square
from brickphys.rules.events import Outcome
from brickphys.rules.moves import OptionAnswer, OptionQuestion
from brickphys.rules.rolls import DiceCount
from brickphys.rules.turn_state import DieRoll, PendingRoll, PlayerNumber, Question, scores
from brickphys.rules.words import NAME, Unconditional
from brickphys.text import agreed, counted


@dataclass(frozen=True, slots=True)
class Ranks(OptionAnswer[State]):
    """The ranks of the unit that is asked for, besides itself."""

    word = "ranks"
    section = "BB 14.2 Steps"
    ranks: Annotated[int, actions.NUMBER]

    def refusals(self, state: State, ranks: int) -> Iterator[str]:
        """Yield that the unit cannot have so many, with the numbers that it can have."""
        choices = rank_choices(state, state.awaited(RankChoice).unit)
        if ranks not in choices:
            yield f"{ranks} does not fit; choose from {', '.join(map(str, choices))}"


@dataclass(frozen=True, slots=True)
class RankChoice(actions.UnitQuestion):
    """How many ranks a unit has (BB 14.2)."""

    answers = (Ranks,)

    def options(self, state: State) -> Iterator[tuple[int]]:
        return ((ranks,) for ranks in rank_choices(state, self.unit))

    def answered(self, state: State, ranks: int) -> State:
        return state.change_unit(self.unit, ranks=ranks)

    def problems(self, state: State) -> list[str]:
        is_asked = self.unit in state.setting.chosen_ranks
        return [] if is_asked else ["unit: its ranks are not for the player to choose"]

    def prompt(self, state: State) -> str:
        left = counted(ranks_left(state, state.player_of(self.unit)), "rank")
        after = counted(len(chosen_later(state, self.unit)), "unit")
        name = state.unit_name(self.unit)
        return f"how many of the {left} left stand behind {name}? {agreed(after, 'follow')}"


def unchosen(state: State) -> tuple[int, ...]:
    """Return the units whose ranks are still to be chosen, the next one first."""
    return tuple(one.unit for one in state.pending if isinstance(one, RankChoice))


def chosen_later(state: State, unit: int) -> tuple[int, ...]:
    """Return the other units of a unit's army whose ranks are still to be chosen."""
    player = state.player_of(unit)
    return tuple(n for n in unchosen(state) if n != unit and state.player_of(n) == player)


def ranks_left(state: State, player: int) -> int:
    """Return how many ranks a player has still to give, before the first turn (BB 14.2)."""
    given = sum(unit.ranks for n, unit in enumerate(state.units) if state.player_of(n) == player)
    return state.setting.ranks[player] - given


def rank_choices(state: State, unit: int) -> range:
    """Return the ranks that a unit may have, given those before it and the limits of those after it."""
    specs, rest = state.setting.units, ranks_left(state, state.player_of(unit))
    later = sum(specs[other].most_ranks for other in chosen_later(state, unit))
    return range(max(0, rest - later), min(specs[unit].most_ranks, rest) + 1)


@dataclass(frozen=True, slots=True)
class Station(OptionAnswer[State]):
    """Put a leader into the square of a friendly unit (BB 14.1 Setup)."""

    word = "station"
    does = "place the leader"
    section = "BB 14.1 Setup"
    leader: Annotated[str, NAME]
    square: Annotated[str, actions.SQUARE]


@dataclass(frozen=True, slots=True)
class LeaderPlace(OptionQuestion[State]):
    """Where a leader begins, or comes with reinforcements."""

    answers = (Station,)
    leader: LeaderNumber

    def options(self, state: State) -> Iterator[tuple[str, str]]:
        name, squares = state.setting.leaders[self.leader].name, state.setting.squares
        return ((name, squares[square]) for square in _leader_places(state, self.leader))

    def answered(self, state: State, name: str, place: str) -> State:
        square = state.setting.square_numbers[place]
        return state.change_leader(self.leader, box=Box.MAP, square=square)

    def problems(self, state: State) -> list[str]:
        has_place = _leader_places(state, self.leader)
        return [] if has_place else ["leader: no unit can take the leader in"]

    def player(self, state: State) -> int:
        return state.setting.leaders[self.leader].player

    def prompt(self, state: State) -> str:
        return f"which unit is {state.leader_name(self.leader)} with?"


def _leader_places(state: State, leader: int) -> list[Square]:
    """Return the squares of the leader's units; one who comes later comes with units that do."""
    spec = state.setting.leaders[leader]
    comes_later = spec.square is None
    return sorted(
        square
        for square, unit in state.at.items()
        if state.player_of(unit) == spec.player
        and (state.setting.units[unit].square is None) >= comes_later
    )


class PitchCamp(actions.SquareAnswer):
    """Put the camp into a square (BB 14.3)."""

    __slots__ = ()
    word = "camp"
    does = "pitch the camp"
    section = "BB 14.3"


@dataclass(frozen=True, slots=True)
class CampPlace(actions.SquareQuestion):
    """Where the camp of a player is."""

    answers = (PitchCamp,)
    asks = "where is your camp?"
    rule = "the battle has other places for this camp (BB 14.3)"
    owner: PlayerNumber

    def squares(self, state: State) -> tuple[Square, ...]:
        return state.setting.camp_places[self.owner]

    def chosen(self, state: State, square: Square) -> State:
        return state.with_entry("camps", self.owner, square)

    def player(self, state: State) -> int:
        return self.owner


@dataclass(frozen=True, slots=True)
class BeginWall(OptionAnswer[State]):
    """A unit begins in a shield wall, or all that may (BB 14.4)."""

    word = "wall"
    does = "form a shield wall"
    section = "BB 14.4"
    unit: Annotated[str, NAME]


class NoWall(actions.Decline):
    """No other units begin in a shield wall."""

    __slots__ = ()
    word = "no_wall"


@dataclass(frozen=True, slots=True)
class WallChoice(OptionQuestion[State]):
    """Which units of a player begin in a shield wall."""

    answers = (BeginWall, NoWall)
    asks = "which units begin in a shield wall, one by one, or the whole army?"
    owner: PlayerNumber

    def units(self, state: State) -> list[int]:
        """Return the foot units on the map that are in none yet."""
        specs, own = state.setting.units, sorted(state.on_map(self.owner))
        return [n for n in own if not (state.units[n].wall or specs[n].counter.is_horse)]

    def options(self, state: State) -> Iterator[tuple[str]]:
        names = [state.setting.units[unit].name for unit in self.units(state)]
        return ((name,) for name in (*names, *[ARMY] * (len(names) > 1)))

    def answered(self, state: State, name: str) -> State:
        for unit in self.units(state) if name == ARMY else [state.setting.unit_numbers[name]]:
            state = state.change_unit(unit, wall=True)
        return state.push_pending(self) if self.units(state) else state

    def player(self, state: State) -> int:
        return self.owner


def ask_for_setup(state: State) -> State:
    """Return the state in which both players choose; ranks that are chosen are none before (BB 14.2)."""
    setting = state.setting
    if not setting.options.free_setup:
        return state
    for unit in setting.chosen_ranks:
        state = state.change_unit(unit, ranks=0)
    questions = (one for player in range(len(setting.players)) for one in _choices(state, player))
    return state.push_pending(*questions)


def _choices(state: State, player: int) -> Iterator[Question[State]]:
    """Yield what a player chooses before the battle."""
    setting = state.setting
    chosen = (unit for unit in setting.chosen_ranks if state.player_of(unit) == player)
    yield from map(RankChoice, chosen)
    for number, leader in enumerate(setting.leaders):
        if leader.player == player and leader.square is not None:
            yield LeaderPlace(number)
    if len(setting.camp_places[player]) > 1:
        yield CampPlace(player)
    if setting.special.shield_walls[player] and WallChoice(player).units(state):
        yield WallChoice(player)


_REINFORCED_PLAYER = 0
"""Number of the player whose reinforcements come."""


@dataclass(frozen=True, slots=True)
class ArrivalRoll(PendingRoll[State]):
    """They may come from now on by a face up to the number of the turn."""

    def problems(self, state: State) -> list[str]:
        is_due = not state.entry and state.turn < FACES and coming(state)
        return [] if is_due else ["pending: there are no reinforcements to roll for"]

    def event(self, state: State) -> DiceCount:
        return DiceCount.of(1, "the reinforcements", come=state.turn, late=FACES - state.turn)

    def settle(self, state: State, outcome: Outcome) -> State:
        come, _ = scores(outcome)
        return state.push_pending(EntryRoll()) if come else state


@dataclass(frozen=True, slots=True)
class EntryRoll(DieRoll[State]):
    """The die for the place where they come."""

    what = "the place of the reinforcements"

    def problems(self, state: State) -> list[str]:
        return ["pending: the place of the reinforcements is known"] if state.entry else []

    def rolled(self, state: State, face: int) -> State:
        return state.replaced({"entry": face}).push_pending(ArrivalQuestion())


class Arrive(actions.SquareAnswer):
    """The reinforcements come through the squares that begin with this one."""

    __slots__ = ()
    word = "arrive"
    section = "BB 14.4"


@dataclass(frozen=True, slots=True)
class Wait(Unconditional[State]):
    """The reinforcements come in a later turn."""

    word = "wait"

    def apply(self, state: State) -> State:
        return state.pop_pending().replaced({"delay": state.delay + 1})


@dataclass(frozen=True, slots=True)
class ArrivalQuestion(actions.SquareQuestion):
    """Whether the reinforcements come in this turn, and where."""

    answers = (Arrive, Wait)
    rule = (
        "reinforcements come through the first square of a place that the die and the delay have opened, if it has a "
        "free square (BB 14.4)"
    )

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
            if leader.box is Box.WAITING and setting.leaders[number].player == _REINFORCED_PLAYER
        )
        return state.push_pending(*map(LeaderPlace, leaders))

    def problems(self, state: State) -> list[str]:
        return [] if state.entry and coming(state) else ["pending: no reinforcements can come"]

    def player(self, state: State) -> int:
        return _REINFORCED_PLAYER

    def prompt(self, state: State) -> str:
        squares, units = state.setting.squares, counted(len(coming(state)), "unit")
        places = " or ".join(squares[entry.squares[0]] for entry in _open_entries(state))
        now = f"come, disrupted, from {places} on" if places else "not come now: no square is free"
        return f"{units} may {now}; to wait opens places one number farther from {state.entry}"


def coming(state: State) -> tuple[int, ...]:
    """Return the units that are not yet on the map."""
    return tuple(number for number, unit in enumerate(state.units) if unit.box is Box.WAITING)


def awaited(state: State) -> State:
    """Return the state in which reinforcements are rolled for, or asked for, if any are to come."""
    if not coming(state):
        return state
    if state.entry:
        return state.push_pending(ArrivalQuestion())
    return state.push_pending(ArrivalRoll() if state.turn < FACES else EntryRoll())


def _open_entries(state: State) -> Iterator[Entry]:
    """Yield the places where they may come now: a face within the delay, and room."""
    for entry in state.setting.special.entries:
        is_near = any(abs(roll - state.entry) <= state.delay for roll in entry.rolls)
        if is_near and _free(state, entry):
            yield entry


def _free(state: State, entry: Entry) -> list[Square]:
    return [square for square in entry.squares if square not in state.at]
