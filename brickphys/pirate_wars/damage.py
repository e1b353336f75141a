"""Damage: hits on hull and sails, critical hits, lost minifigs and guns, and ships that sink (PW Damage Chart).

The owner chooses which minifigs and which guns are lost (PW, Critical Hit Chart). A ship without hull lines sinks at
the end of the phase.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from brickphys.pirate_wars.setting import ShipNumber
from brickphys.pirate_wars.sheets import Damage, Line, Role, ShipPlace, tasks_chart
from brickphys.pirate_wars.state import (
    GUN,
    Fate,
    Life,
    MoraleCause,
    OwnerQuestion,
    State,
    rounded,
)
from brickphys.rules.moves import OptionAnswer, OptionQuestion
from brickphys.rules.turn_state import Count, DieRoll, FollowUp, number_problems
from brickphys.rules.words import NAME
from brickphys.text import counted


class CasualtyGroup(Enum):
    """Among whom a casualty is chosen."""

    CREW = "crew"
    """The crew aboard the ship."""
    FIGHTERS = "fighters"
    """The crew aboard the ship, and those of it who have boarded another."""
    BOARDERS = "boarders"
    """Who has boarded the ship."""
    VISIBLE = "visible"
    """The crew that is neither in a cabin nor on the gun deck (PW Firing)."""


def fighters(state: State, ship: int) -> list[int]:
    """Return the numbers of the crew of a ship, and of those who have boarded another from it (PW Boarding)."""
    away = (
        number
        for boarding in state.boardings
        if boarding.attacker == ship
        for number in state.boarders(boarding.defender)
    )
    return [*state.crews[ship], *away]


def is_visible(state: State, minifig: int) -> bool:
    """Whether a minifig aboard a ship can see others, and be hit by muskets (PW Firing)."""
    now = state.minifigs[minifig]
    if now.ship is None or now.place in (ShipPlace.CABIN, ShipPlace.GUN_DECK):
        return False
    return now.gun is None or not state.sheet(now.ship).guns[now.gun].is_below


def visible(state: State, ship: int) -> list[int]:
    """Return the numbers of the crew of a ship that can be seen, and hit by muskets (PW Firing)."""
    return [number for number in state.crews[ship] if is_visible(state, number)]


def captain(state: State, ship: int) -> int | None:
    """Return the captain of a ship: who began as that, else another one aboard; None if there is none (ours)."""
    specs = state.setting.minifigs
    found = [number for number in state.crews[ship] if specs[number].role is Role.CAPTAIN]
    return min(found, key=lambda number: specs[number].ship != ship, default=None)


def is_pirate_captain(state: State, minifig: int) -> bool:
    """Whether a minifig is a captain of pirates, who always ends in the water, the last for the sharks."""
    setting = state.setting
    return setting.minifigs[minifig].role is Role.CAPTAIN and setting.is_pirate(minifig)


def kill(state: State, minifig: int) -> State:
    """Return the state after a minifig has died; its ship may have to test its morale."""
    after = _noted(state, state.lost(minifig), minifig)
    spec, was_aboard = state.setting.minifigs[minifig], state.minifigs[minifig].ship is not None
    if spec.role is Role.CAPTAIN and was_aboard and _has_its_crew(state, spec.ship):
        return after.with_cause(spec.ship, MoraleCause.CAPTAIN)
    return after


def imprison(state: State, minifig: int) -> State:
    """Return the state after a minifig has surrendered."""
    return _noted(state, state.lost(minifig, Life.PRISONER), minifig)


def overboard(state: State, minifig: int) -> State:
    """Return the state with a minifig in the water to the left of its ship (the place is ours)."""
    now = state.minifigs[minifig]
    assert now.ship is not None
    pose, sheet = state.ships[now.ship].pose, state.sheet(now.ship)
    at = rounded(pose.on_field((0.0, sheet.width_studs / 2)))
    wet = state.change_minifig(minifig, ship=None, place=ShipPlace.WATER, gun=None, at_studs=at)
    return _noted(state, wet, minifig)


def _noted(before: State, after: State, minifig: int) -> State:
    """Return the state after a loss, with the cause for morale if it makes up one half of the crew (PW Morale)."""
    ship = before.setting.minifigs[minifig].ship
    if before.minifigs[minifig].ship is None or not _has_its_crew(before, ship):
        return after
    crew = before.setting.crews[ship]
    left = sum(after.minifigs[number].ship is not None for number in crew)
    is_half = 2 * left <= len(crew) < 2 * left + 2
    return after.with_cause(ship, MoraleCause.HALF_CREW) if is_half else after


def _has_its_crew(state: State, ship: int) -> bool:
    """Whether a ship that does not sink is still sailed by the player who began with it."""
    now = state.ships[ship]
    return now.is_afloat and now.hull > 0 and now.owner == state.setting.ships[ship].player


def one_of_each(state: State, minifigs: Iterable[int]) -> Iterator[int]:
    """Yield of minifigs that are alike only the first one, so that lists stay short."""
    seen = set()
    for number in minifigs:
        spec = state.setting.minifigs[number]
        kind = spec.player, spec.role, spec.is_woman, state.minifigs[number]
        if kind not in seen:
            seen.add(kind)
            yield number


def names_of_each(state: State, minifigs: Iterable[int]) -> Iterator[tuple[str]]:
    """Yield the names of `one_of_each`, as arguments of answers."""
    return ((state.minifig_name(number),) for number in one_of_each(state, minifigs))


def lose_crew(
    state: State, ship: int, count: int, among: CasualtyGroup = CasualtyGroup.CREW
) -> State:
    """Return the state in which the owner is asked for casualties; all die if no more are there than that."""
    casualty = Casualty(ship, count, among)
    there = casualty.candidates(state)
    if 0 < count < len(there):
        return state.push_pending(casualty)
    for number in there if count else ():
        state = kill(state, number)
    return state


@dataclass(frozen=True, slots=True)
class Lose(OptionAnswer[State]):
    """Whom the owner loses (PW Minifigs)."""

    word = "lose"
    does = "lose a minifig"
    section = "PW Damage Chart"
    minifig: Annotated[str, NAME]

    def refusals(self, state: State, name: str) -> Iterator[str]:
        casualty = state.awaited(Casualty)
        if state.setting.minifig_numbers.get(name) not in casualty.candidates(state):
            where = state.ship_name(casualty.ship)
            yield f"{name} is not among those who can be lost on {where}"


@dataclass(frozen=True, slots=True)
class Casualty(OptionQuestion[State]):
    """The question whom the owner loses: how many on a ship, and among whom."""

    answers = (Lose,)
    ship: ShipNumber
    count: Count
    among: CasualtyGroup = CasualtyGroup.CREW

    def candidates(self, state: State) -> list[int]:
        """Return the numbers of those who can be lost; a captain of pirates never goes down with the ship."""
        there = _CANDIDATES[self.among](state, self.ship)
        if state.ships[self.ship].hull:
            return there
        return [number for number in there if not is_pirate_captain(state, number)]

    def options(self, state: State) -> Iterable[tuple[str]]:
        return names_of_each(state, self.candidates(state))

    def answered(self, state: State, name: str) -> State:
        state = kill(state, state.setting.minifig_numbers[name])
        return lose_crew(state, self.ship, self.count - 1, self.among)

    def problems(self, state: State) -> list[str]:
        return number_problems("count", self.count, len(state.minifigs) + 1, 1)

    def lapses(self, state: State) -> bool:
        return not self.candidates(state)

    def player(self, state: State) -> int:
        """Return the owner of the ship, or of that from which it was boarded."""
        ship = self.ship
        if self.among is CasualtyGroup.BOARDERS:
            ship = next(one.attacker for one in state.boardings if one.defender == ship)
        return state.ships[ship].owner

    def prompt(self, state: State) -> str:
        who = "who is next?" if self.count > 1 else "who?"
        return f"{state.called(self.ship)} loses {counted(self.count, 'minifig')}: {who}"


_CANDIDATES: Mapping[CasualtyGroup, Callable[[State, int], list[int]]] = {
    CasualtyGroup.CREW: lambda state, ship: list(state.crews[ship]),
    CasualtyGroup.FIGHTERS: fighters,
    CasualtyGroup.BOARDERS: lambda state, ship: list(state.boarders(ship)),
    CasualtyGroup.VISIBLE: visible,
}


def guns_left(state: State, ship: int) -> list[int]:
    """Return the numbers of the guns of a ship that are not destroyed."""
    return [number for number, gun in enumerate(state.ships[ship].guns) if not gun.is_lost]


def lose_gun(state: State, ship: int, gun: int) -> State:
    """Return the state after a gun is destroyed with its crew."""
    for number in state.gunners(ship, gun):
        state = kill(state, number)
    return state.change_gun(ship, gun, loads=0, is_lost=True)


def lose_some_gun(state: State, ship: int) -> State:
    """Return the state in which the owner is asked which gun is destroyed, if it has several (ours)."""
    left = guns_left(state, ship)
    if len(left) > 1:
        return state.push_pending(GunLoss(ship))
    return lose_gun(state, ship, left[0]) if left else state


@dataclass(frozen=True, slots=True)
class LoseGun(OptionAnswer[State]):
    """Which gun is destroyed with its crew."""

    word = "lose_gun"
    does = "lose a gun"
    section = "PW, Critical Hit Chart"
    gun: Annotated[int, GUN]

    def refusals(self, state: State, gun: int) -> Iterator[str]:
        ship = state.awaited(GunLoss).ship
        if gun not in guns_left(state, ship):
            yield f"{state.ship_name(ship)} has no gun{gun} to lose"


@dataclass(frozen=True, slots=True)
class GunLoss(OwnerQuestion, OptionQuestion[State]):
    """The question which gun the owner of a ship loses."""

    answers = (LoseGun,)
    asks = "{ship} loses a gun and its crew: which?"
    ship: ShipNumber

    def lapses(self, state: State) -> bool:
        return not guns_left(state, self.ship)

    def options(self, state: State) -> Iterable[tuple[int]]:
        return ((gun,) for gun in guns_left(state, self.ship))

    def answered(self, state: State, gun: int) -> State:
        return lose_gun(state, self.ship, gun)


def hit(state: State, ship: int, hits: int, line: Line | None = None) -> State:
    """Return the state after some hits; each line that goes costs a minifig of the crew.

    Each crosses off the topmost open line of a kind, sails by shot and hull by a ram; by ball, the topmost of all.
    """
    chart, before = state.sheet(ship).chart, state.ships[ship].damage
    damage = before
    for _ in range(hits):
        damage = chart.hit(damage, line)
    lost = before.hull + before.sails - damage.hull - damage.sails
    return lose_crew(_damaged(state, ship, damage), ship, lost)


def lose_sails(state: State, ship: int, count: int) -> State:
    """Return the state after the loss of sails for want of sailors, which kills nobody (PW Sailing)."""
    now = state.ships[ship]
    return _damaged(state, ship, Damage(now.hull, max(now.sails - count, 0)))


def _damaged(state: State, ship: int, damage: Damage) -> State:
    """Return the state with other damage; a ship that loses its last sail goes adrift (PW Movement)."""
    is_last = state.ships[ship].sails > 0 == damage.sails and damage.hull > 0
    state = state.change_ship(ship, hull=damage.hull, sails=damage.sails)
    return state.with_cause(ship, MoraleCause.ADRIFT) if is_last else state


def sink(state: State, ship: int) -> State:
    """Return the state in which a ship goes down: half of the crew, rounded up, dies; all others are in the water.

    The captain of an imperial ship is among the dead, that of a pirate ship never is.
    """
    deaths = (len(state.crews[ship]) + 1) // 2
    master = captain(state, ship)
    if master is not None and not is_pirate_captain(state, master):
        state, deaths = kill(state, master), deaths - 1
    return lose_crew(state.push_pending(Foundering(ship)), ship, deaths)


@dataclass(frozen=True, slots=True)
class Foundering(FollowUp[State]):
    """The ship disappears, and who is still aboard is in the water."""

    ship: ShipNumber

    def happen(self, state: State) -> State:
        """Put all in the water: boarders too, and those of the crew who have boarded another ship."""
        for number in (*fighters(state, self.ship), *state.boarders(self.ship)):
            state = overboard(state, number)
        return state.cast_off(self.ship).change_ship(self.ship, fate=Fate.SUNK)


@dataclass(frozen=True, slots=True)
class CriticalRoll(DieRoll[State]):
    """The die of a critical hit on a ship."""

    ship: ShipNumber

    def reason(self, state: State) -> str:
        return f"critical hit on {state.called(self.ship)}"

    def rolled(self, state: State, face: int) -> State:
        return critical(state, self.ship, face)


def critical(state: State, ship: int, face: int) -> State:
    """Return the state after the effect of a face of the die."""
    match tasks_chart().critical[face - 1]:
        case "rudder":
            return state.change_ship(ship, rudder_lost=True).with_cause(ship, MoraleCause.ADRIFT)
        case "mast":
            return state.change_ship(ship, mast_turns=1).with_cause(ship, MoraleCause.ADRIFT)
        case "cannon":
            return lose_some_gun(state, ship)
        case "captain":
            master = captain(state, ship)
            return state if master is None else kill(state, master)
        case _:
            return hit(state, ship, tasks_chart().powder_hits, Line.HULL)
