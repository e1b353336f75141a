"""Firing: cannons, muskets and pistols (PW Firing)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Self

from brickphys.geometry.polygon import TOLERANCE
from brickphys.pirate_wars import damage, orders
from brickphys.pirate_wars.setting import MinifigNumber, ShipNumber
from brickphys.pirate_wars.sheets import Ammunition, Line, WeaponSheet, minifigs, tasks_chart
from brickphys.pirate_wars.state import LOADED, Phase, State, Strike
from brickphys.rules.events import Outcome
from brickphys.rules.rolls import DiceCount
from brickphys.rules.turn_state import Count, PendingRoll, number_problems
from brickphys.rules.words import one_of, without_problems
from brickphys.text import spoken

_FACES = 6
_AMMUNITION = one_of("ball or shot", Ammunition)


def cannon(state: State, ship: int, gun: int, ammunition: Ammunition) -> WeaponSheet:
    """Return the dice, range and target number of a gun (PW, Weapons Chart)."""
    return state.sheet(ship).guns[gun].cannon(ammunition)


def mean_hits(state: State, ship: int, gun: int, ammunition: Ammunition) -> float:
    """Return how many dice of a gun hit on the mean."""
    weapon = cannon(state, ship, gun, ammunition)
    return weapon.dice * (weapon.target or 0) / 6


def enemy_aim(state: State, ship: int, gun: int) -> Strike | None:
    """Return the enemy at whom a gun points within range of ball; None if it points at none."""
    if (ship, gun) not in state.aims:
        aim = orders.strike(state, ship, gun, cannon(state, ship, gun, Ammunition.BALL).range_studs)
        is_enemy = aim is not None and state.team(aim.ship) != state.team(ship)
        state.aims[ship, gun] = aim if is_enemy else None
    return state.aims[ship, gun]


def ready_guns(state: State, ship: int) -> Iterator[int]:
    """Yield the numbers of the guns of a ship that are loaded, with a crew that has no other task."""
    for gun, gun_state in enumerate(state.ships[ship].guns):
        if gun_state.loads >= LOADED and orders.free(state, state.gunners(ship, gun)):
            yield gun


def can_hit(state: State, ship: int) -> bool:
    """Tell whether a gun of a ship could hit an enemy if all ships stayed where they are."""
    guns = ready_guns(state, ship) if orders.takes_orders(state, ship) else ()
    return any(enemy_aim(state, ship, gun) for gun in guns)


@dataclass(frozen=True, slots=True)
class Fire(orders.OrderMove):
    """Fire a cannon at a ship; a shot that does not reach it is wasted (PW Firing)."""

    word = "fire"
    does = "fire a gun"
    section = "PW Reloading"
    gain = 0.0
    ship: Annotated[str, orders.SHIP]
    gun: Annotated[int, orders.MANNED_GUN]
    ammunition: Annotated[Ammunition, _AMMUNITION]
    target: Annotated[str, orders.TARGET]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield shots that hit an enemy within range; others are legal too."""
        for ship in orders.commanded(state):
            for gun in ready_guns(state, ship):
                aim = enemy_aim(state, ship, gun)
                for kind in Ammunition:
                    if aim and aim.distance_studs <= cannon(state, ship, gun, kind).range_studs:
                        yield cls(state.ship_name(ship), gun, kind, state.ship_name(aim.ship))

    def refusals(self, state: State, ship: int, gun: int, *_: object) -> Iterator[str]:
        """Return why the gun does not fire; the range is measured only afterwards."""
        if state.ships[ship].guns[gun].loads < LOADED:
            yield f"gun{gun} of {self.ship} is not loaded"

    def waste(self, state: State) -> str:
        """Return why it would be wasted; see `shot_waste`."""
        return shot_waste(state, *self.things(state))

    @staticmethod
    def deed(state: State, ship: int, gun: int, ammunition: Ammunition, target: int) -> State:
        """Fire a gun that can still fire; nothing is rolled for a shot that is wasted."""
        crew = [number for number in state.gunners(ship, gun) if number not in state.busy]
        if not crew or state.ships[ship].guns[gun].loads < LOADED:
            return state
        state = state.change_gun(ship, gun, loads=0)
        state = state.replaced({"busy": state.busy.union(crew)})
        if shot_waste(state, ship, gun, ammunition, target):
            return state
        return state.push_pending(GunRoll(ship, gun, ammunition, target))


def shot_waste(state: State, ship: int, gun: int, ammunition: Ammunition, target: int) -> str:
    """Return why a shot at a target would be wasted as the ships lie; empty if it would not (PW Firing)."""
    sea = state.setting.sea
    aim = orders.strike(state, ship, gun, sea.width_studs + sea.height_studs)
    if aim is None:
        return f"gun{gun} points at no hull"
    if aim.ship != target:
        return f"gun{gun} points at {state.called(aim.ship)} first"
    reach, far = cannon(state, ship, gun, ammunition).range_studs, aim.distance_studs
    if far <= reach + TOLERANCE:
        return ""
    away = f"{state.called(target)} is {far:.4g} studs from gun{gun}"
    return f"{away}, but {ammunition.value} reaches only {reach:g}"


@dataclass(frozen=True, slots=True)
class GunRoll(PendingRoll[State]):
    """The dice of a cannon: the numbers of the ship that fires and of its gun, what it fires, and at which ship."""

    ship: ShipNumber
    gun: Count
    ammunition: Ammunition
    target: ShipNumber

    def problems(self, state: State) -> list[str]:
        return number_problems("gun", self.gun, len(state.ships[self.ship].guns))

    def event(self, state: State) -> DiceCount:
        """Return its dice; a six always fails."""
        weapon = cannon(state, self.ship, self.gun, self.ammunition)
        assert weapon.target is not None
        what = f"gun {self.gun} of {state.called(self.ship)} fires {self.ammunition.value}"
        reason = f"{what} at {state.called(self.target)}, {hits_text(weapon.target)}"
        misses = "misses other than sixes", _FACES - 1 - weapon.target
        return DiceCount(weapon.dice, (("hits", weapon.target), misses, ("sixes", 1)), reason)

    def settle(self, state: State, outcome: Outcome) -> State:
        """Cross off what is hit; three hits with ball are critical; with three sixes the gun explodes."""
        hits, _, sixes = map(int, outcome)  # type: ignore[arg-type]
        if sixes >= tasks_chart().bursting_sixes:
            return damage.lose_gun(state, self.ship, self.gun)
        if self.ammunition is Ammunition.SHOT:
            twice = 2 if orders.rakes(state, self.ship, self.target) else 1
            return damage.hit(state, self.target, hits * twice, Line.SAIL)
        if hits >= tasks_chart().critical_hits:
            state = state.push_pending(damage.CriticalRoll(self.target))
        return damage.hit(state, self.target, hits)


def musket_studs() -> float:
    """Return the longest range of a musket or pistol."""
    return max(weapon.range_studs for weapon in minifigs().weapons.values())


def in_musket_range(state: State, ship: int) -> list[int]:
    """Return the enemies of a ship whose visible crew its muskets may reach."""
    return [
        enemy
        for enemy, _ in state.enemies(state.ships[ship].owner)
        if damage.visible(state, enemy)
        and orders.is_within(state, ship, enemy, musket_studs() + TOLERANCE)
    ]


@dataclass(frozen=True, slots=True)
class Shoot(orders.OrderMove):
    """Fire a musket or pistol at the visible crew of a ship (PW Firing)."""

    word = "shoot"
    section = "PW Firing"
    gain = 0.0
    minifig: Annotated[str, orders.MINIFIG]
    target: Annotated[str, orders.TARGET]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield one shot of each kind of minifig at each enemy within range; others are legal too."""
        specs = state.setting.minifigs
        for ship in orders.commanded(state):
            near = [state.ship_name(enemy) for enemy in in_musket_range(state, ship)]
            ready = damage.one_of_each(state, orders.free(state, state.crews[ship])) if near else ()
            shots = (cls(specs[number].name, target) for number in ready for target in near)
            yield from without_problems(state, shots)

    def refusals(self, state: State, number: int, _target: int) -> Iterator[str]:
        """Return why the minifig does not shoot; the range is measured only afterwards."""
        if state.setting.minifigs[number].weapon is None:
            yield f"{self.minifig} has no musket and no pistol"
        elif not state.minifigs[number].is_loaded:
            yield f"the weapon of {self.minifig} is not loaded (PW Reloading)"
        elif not damage.is_visible(state, number):
            yield f"{self.minifig} cannot see a target from its place"

    def waste(self, state: State) -> str:
        """Return why it would be wasted; see `musket_waste`."""
        return musket_waste(state, **self.order(state).given)

    @staticmethod
    def deed(state: State, ship: int, minifig: int, target: int) -> State:
        """Fire the weapon of a minifig that is still there; nothing is rolled for a shot that is wasted."""
        if minifig not in state.crews[ship]:
            return state
        # a woman has any number of loaded pistols (PW Minifigs)
        state = state.change_minifig(minifig, is_loaded=state.setting.minifigs[minifig].is_woman)
        if musket_waste(state, ship, minifig, target):
            return state
        return state.push_pending(MusketRoll(minifig, target))


def musket_waste(state: State, ship: int, minifig: int, target: int) -> str:
    """Return why a shot with a musket or pistol would be wasted as the ships lie; empty if it would not (PW Firing)."""
    name, far = state.called(target), orders.gap_studs(state, ship, target)
    reach = _weapon(state, minifig).range_studs
    if far > reach + TOLERANCE:
        return f"{name} is {far:.4g} studs away, but the weapon reaches only {reach:g}"
    return "" if damage.visible(state, target) else f"nobody can be seen on {name}"


def _weapon(state: State, minifig: int) -> WeaponSheet:
    weapon = state.setting.minifigs[minifig].weapon
    assert weapon is not None
    return weapon


@dataclass(frozen=True, slots=True)
class MusketRoll(PendingRoll[State]):
    """The die of a musket or pistol: the numbers of the minifig that fires, and of the ship at whose crew."""

    minifig: MinifigNumber
    target: ShipNumber

    def lapses(self, state: State) -> bool:
        return not damage.visible(state, self.target)

    def event(self, state: State) -> DiceCount:
        """Return its die; a six always fails."""
        spec, dice = state.setting.minifigs[self.minifig], _weapon(state, self.minifig).dice
        hits = min(spec.attack, _FACES - 1)
        what = f"{spoken(spec.name)} shoots at {state.called(self.target)}, {hits_text(hits)}"
        return DiceCount.of(dice, what, hits=hits, misses=_FACES - hits)

    def settle(self, state: State, outcome: Outcome) -> State:
        """Let a hit cost one of the visible crew, whom the owner chooses."""
        hits, _ = map(int, outcome)  # type: ignore[arg-type]
        return damage.lose_crew(state, self.target, hits, damage.CasualtyGroup.VISIBLE)


def coming_shots(state: State) -> Iterator[GunRoll | MusketRoll]:
    """Yield the shots that are about to be rolled, and those that orders should lead to."""
    yield from (roll for roll in state.pending if isinstance(roll, GunRoll | MusketRoll))
    for order in state.orders:
        if order.task == Fire.word:
            yield GunRoll(**order.given)
        elif order.task == Shoot.word:
            yield MusketRoll(order.minifig, order.target)  # type: ignore[arg-type]


def bearing_hits(state: State, ship: int) -> float:
    """Return the hits of guns that bear on an enemy, if they can still be fired in this turn and are not yet."""
    now, written = state.ships[ship], state.turn if state.phase is Phase.TASKS else 0
    may_fire = state.phase in (Phase.MOVEMENT, Phase.FALLING_OFF, Phase.TASKS)
    if not may_fire or now.owner not in state.order[written:]:
        return 0.0
    fired = {order.gun for order in state.orders if order.ship == ship and order.task == Fire.word}
    return sum(
        mean_hits(state, ship, gun, Ammunition.BALL)
        for gun, gun_state in enumerate(now.guns)
        if gun not in fired
        and gun_state.loads >= LOADED
        and state.gunners(ship, gun)
        and enemy_aim(state, ship, gun)
    )


def hits_text(target: int) -> str:
    """Return which faces hit: 1 to the target number."""
    return f"{target} or less hits" if target > 1 else "1 hits"
