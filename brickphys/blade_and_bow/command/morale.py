"""Morale: what an army's morale is, what changes the dice of a unit, and rolls that pass or fail (BB 3.4)."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from brickphys.blade_and_bow.command.effects import bonus
from brickphys.blade_and_bow.sheets.cards import Verb
from brickphys.blade_and_bow.sheets.charts import FACES, charts
from brickphys.blade_and_bow.sheets.counters import Size
from brickphys.blade_and_bow.state.setting import UnitNumber
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.events.dice import Tally
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import PendingRoll, scores
from brickphys.rules.turn_state import Count


def least_failing(state: State, player: int, modifier: int) -> int:
    """Return the least face of a morale die that fails, 1 to 7, given what is added to the die (BB 3.4).

    Parameters
    ----------
    state, player
        The battle, and whose unit it is. A lost camp adds to every die (BB 12).
    modifier
        All else that is added: negative if it helps.
    """
    modifier += charts().morale["lost_camp"] * state.sacked[player]
    return min(max(state.morale(player) - modifier + 1, 1), FACES + 1)


def own_modifier(state: State, unit: int) -> int:
    """Return what a unit's shield wall (BB 13.2) and its cards add to each of its morale dice."""
    wall = charts().dice["wall"] if state.units[unit].wall else 0
    return -wall - bonus(state, Verb.MORALE, state.player_of(unit), unit)


def commitment_modifier(state: State, unit: int, target: int | None) -> int:
    """Return what is added to the dice of a unit that commits itself to a melee (BB 9.4.3.1 to 9.4.3.4).

    Two leaders at the same distance help no more than one (ours). The target is None for a camp.
    """
    table, specs = charts().morale, state.setting.units
    counter = specs[unit].counter
    near, far = _leaders_near(state, unit)
    helps = table["adjacent"] * near + table["nearby"] * far
    if target is not None and specs[target].counter.is_light and counter.size is not Size.LIGHT:
        helps += table["bigger"]
    if counter.is_immortal:
        helps += table["immortal"]
    return own_modifier(state, unit) - helps


def beside_leader(state: State, unit: int) -> bool:
    """Whether a unit is adjacent to a leader of its player."""
    return _leaders_near(state, unit)[0]


def _leaders_near(state: State, unit: int) -> tuple[bool, bool]:
    """Return whether a leader of the unit's player is in an adjacent square, and two squares away."""
    square, grid = state.square_of(unit), state.setting.grid
    leaders = state.leader_squares(state.player_of(unit))
    first = grid.around(1 << square)
    second = grid.around(first)
    return bool(leaders & first & ~(1 << square)), bool(leaders & second & ~first)


@dataclass(frozen=True, slots=True)
class MoraleRoll(PendingRoll[State]):
    """A morale roll that passes if all of its dice do; see `ask_morale`.

    Attributes
    ----------
    what
        What it is rolled for.
    on_map
        Whether the unit is on the map.
    """

    what: ClassVar[str]
    on_map: ClassVar[bool] = True
    unit: UnitNumber
    dice: Count = 1

    @abstractmethod
    def passed(self, state: State) -> State:
        """Return the state after it has passed."""

    @abstractmethod
    def failed(self, state: State) -> State:
        """Return the state after it has failed."""

    def modifier(self, state: State) -> int:
        """Return what is added to each die, besides that of a lost camp."""
        return own_modifier(state, self.unit)

    def least(self, state: State) -> int:
        """Return the least face that fails."""
        return least_failing(state, state.player_of(self.unit), self.modifier(state))

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        if self.on_map and state.units[self.unit].square is None:
            return [f"pending: {state.setting.units[self.unit].name} is off the map"]
        if self.dice < 1:
            return ["pending: a morale roll needs at least one die"]
        return [] if 1 < self.least(state) <= FACES else ["pending: this morale roll is certain"]

    def event(self, state: State) -> Tally:
        """Return the dice."""
        least = self.least(state)
        name = state.unit_name(self.unit)
        faces = {"pass": least - 1, "fail": FACES + 1 - least}
        return Tally.of(self.dice, f"{self.what} of {name}", **faces)

    def settle(self, state: State, outcome: Outcome) -> State:
        """Pass if no die fails."""
        _, fails = scores(outcome)
        return self.failed(state) if fails else self.passed(state)


def ask_morale(state: State, roll: MoraleRoll) -> State:
    """Roll before anything else that is pending; what is certain is not rolled.

    Of several rolls in turn, each is asked for when the one before it is settled: that may change its modifier.
    """
    least = roll.least(state)
    if least > FACES:
        return roll.passed(state)
    return roll.failed(state) if least <= 1 else state.push_pending(roll)
