"""Effects: what a custom action does to its target, a function for each kind of effect (BOW B.2, B.3)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Self

from brickphys.bow.actions.damage import hurt
from brickphys.bow.actions.move import outside_field, standing_problems, stud_on_field
from brickphys.bow.actions.reach import ground_stud
from brickphys.bow.actions.treat_repair import heal
from brickphys.bow.actions.words import CELL, Cell
from brickphys.bow.field.field import Stud
from brickphys.bow.field.walk import reachable
from brickphys.bow.sheets.custom_actions import EffectKind
from brickphys.bow.sheets.gear import Item
from brickphys.bow.sheets.loadout import Place
from brickphys.bow.state.pieces import MOST_GUARD_BRICKS
from brickphys.bow.state.state import State, UnitNumber
from brickphys.geometry.polygon import TOLERANCE
from brickphys.grid.bitset import each
from brickphys.grid.directions import DIRECTIONS
from brickphys.rules.pending import Question
from brickphys.rules.words import Action, without_problems
from brickphys.text import spoken


def apply_effect(state: State, what: EffectKind, target: str, points: int) -> State:
    """Apply an effect of some points to a unit, a vehicle, or a door or window, by its name."""
    if what in _EFFECTS_ON_UNITS:
        return _EFFECTS_ON_UNITS[what](state, state.setting.unit_numbers[target], points)
    return _EFFECTS[what](state, target, points)


def _damage(state: State, target: str, points: int) -> State:
    return hurt(state, target, points, state.player, state.player)


def _push(state: State, target: int, points: int) -> State:
    """Push the target away stud by stud, up to the first obstacle; who belongs to a vehicle is not moved (ours)."""
    unit_state = state.units[target]
    if unit_state.stud is None or not unit_state.on_foot:
        return state
    dx, dy = _away(state, target)
    field, stud = state.setting.field, unit_state.stud
    for _ in range(points):
        x, y = field.xy(stud)
        if not (0 <= x + dx < field.width and 0 <= y + dy < field.length):
            break
        there = field.stud(x + dx, y + dy)
        if not reachable(state.board, stud, 1).studs >> there & 1:
            break
        stud = there
        state = state.with_unit(target, replace(unit_state, stud=stud))
    return state


def _away(state: State, target: int) -> tuple[int, int]:
    """Return the one of the eight directions that is nearest to the line from the active unit to another."""
    here, there = state.stance(state.active), state.stance(target)
    dx, dy = there.x_studs - here.x_studs, there.y_studs - here.y_studs
    scale = [1.0 if x == 0 or y == 0 else 0.5**0.5 for x, y in DIRECTIONS]
    ahead = [s * (x * dx + y * dy) for (x, y), s in zip(DIRECTIONS, scale, strict=True)]
    return DIRECTIONS[ahead.index(max(ahead))]


def _leap(state: State, target: int, points: int) -> State:
    if not state.units[target].on_foot:
        return state
    return state.push_pending(Leaping(target, points))


def _guard(state: State, target: int, points: int) -> State:
    unit_state = state.units[target]
    guard = min(unit_state.guard + points, MOST_GUARD_BRICKS)
    return state.with_unit(target, replace(unit_state, guard=guard))


def _hold(state: State, target: int, points: int) -> State:
    unit_state = state.units[target]
    return state.with_unit(target, replace(unit_state, held_up=unit_state.held_up + points))


def _disarm(state: State, target: int, points: int) -> State:
    """Drop objects held, in the order of names and a shield last, until a number of hands are empty."""
    unit_state, dropped = state.units[target], list[Item]()
    for item in unit_state.sheet.gear.held:
        if sum(other.hands for other in dropped) < points:
            dropped.append(item)
    sheet = unit_state.sheet
    for item in dropped:
        sheet = sheet.take(item, Place.HELD)
    stud = ground_stud(state, target)
    state = state.with_unit(target, replace(unit_state, sheet=sheet))
    return state.with_objects(*((stud, item.name) for item in dropped))


_EFFECTS: dict[EffectKind, Callable[[State, str, int], State]] = {
    EffectKind.DAMAGE: _damage,
    EffectKind.HEAL: heal,
    EffectKind.OPEN: lambda state, door, _: state.replaced({"open_ids": state.open_ids | {door}}),
    EffectKind.NOTHING: lambda state, *_: state,
}
_EFFECTS_ON_UNITS: dict[EffectKind, Callable[[State, int, int], State]] = {
    EffectKind.PUSH: _push,
    EffectKind.LEAP: _leap,
    EffectKind.GUARD: _guard,
    EffectKind.HOLD: _hold,
    EffectKind.DISARM: _disarm,
}


@dataclass(frozen=True, slots=True)
class Leap(Action[State]):
    """The stud on which a leaping unit lands: a free one within the leap, or its own."""

    word = "leap"
    arguments = (CELL,)
    to: Cell

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every free stud within the leap, and the unit's own."""
        field, stud = state.setting.field, _leaper(state)[1]
        leaps = (cls(field.xy(there)) for there in each(state.board.free | 1 << stud))
        return without_problems(state, leaps)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot land there."""
        leaping, own = _leaper(state)
        stud = stud_on_field(state, self.to)
        if stud is None:
            yield outside_field(state, self.to)
            return
        yield from standing_problems(state, stud, but=own)
        x, y = state.setting.field.xy(own)
        far = (self.to[0] - x) ** 2 + (self.to[1] - y) ** 2
        if far > leaping.studs**2 + TOLERANCE:
            yield f"{CELL.write(self.to)} is more than {leaping.studs} studs away (BOW B.2)"

    def apply(self, state: State) -> State:
        """Put the unit there."""
        unit = _leaper(state)[0].unit
        unit_state = replace(state.units[unit], stud=state.setting.field.stud(*self.to))
        return state.pop_pending().with_unit(unit, unit_state)


@dataclass(frozen=True, slots=True)
class Leaping(Question[State]):
    """The question where a leaping unit lands (BOW B.2)."""

    answers = (Leap,)
    unit: UnitNumber
    studs: Annotated[int, range(1, 10_000)]

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        on_foot = state.units[self.unit].on_foot
        return [] if on_foot else [f"unit: {self.unit} is not on foot"]

    def player(self, state: State) -> int:
        """Return the player whose turn it is."""
        return state.player

    def prompt(self, state: State) -> str:
        """Return the unit that leaps."""
        return f"the stud to which {spoken(state.setting.units[self.unit].name)} leaps"


def _leaper(state: State) -> tuple[Leaping, Stud]:
    leaping = state.awaited(Leaping)
    stud = state.units[leaping.unit].stud
    assert stud is not None
    return leaping, stud
