"""Outlook: what a side reckons with when it plans: worths of figures, chances hand to hand and by missiles, reach.

Rows of arrays are figures of the side that acts (`Outlook.own`), columns those of all others (`Outlook.foes`). Worths
are in units of half a usual figure; `Outlook.scale` turns them into the scale of returns.
"""

from dataclasses import dataclass
from functools import cached_property
from math import dist, tanh

import numpy as np

from brickphys.geometry.polygon import Point
from brickphys.minifig.bot import errand, team_aims
from brickphys.minifig.ground import opponents
from brickphys.minifig.plans import paths
from brickphys.minifig.plans.chances import Chances, Gear, attack_total, defence_total, lead
from brickphys.minifig.setting import Setting
from brickphys.minifig.sheets import BASE_RADIUS_IN, TOUCH_IN
from brickphys.minifig.shooting import launchers
from brickphys.minifig.state import Deed, State
from brickphys.minifig.turns import shares_left
from brickphys.minifig.worth import figure_worths, scales, sums
from brickphys.rules.aims import Carry, Circle, Hold, RoundLimit
from brickphys.units import Array, Mask

TOUCH_FAR_IN = 2 * BASE_RADIUS_IN + 0.1
"""Distance of two middles at which figures fight, and a little more."""
LAST = 0.4
"""Weight of the enemy's answer to who acts last in a round: the roll may let it act first in the next one."""
LANE = 0.85
"""Share of shots whose lane is free, for those that are not reckoned exactly."""
COVER = 0.3
"""Share of the chance of a missile that is left through a wall."""
EMPTY = 0.25
"""Share of a shot next turn of a weapon that is to be reloaded before."""
STOPS = 0.05
"""How likely each enemy stops who goes for a thing, or carries it home, in a turn."""
FETCHERS = 3
"""How many figures go for a thing that their side is to carry."""
TAKING = 0.5
"""Turns that it takes to dismount, take a thing and mount again."""
CREW = 2
"""How many figures go and work an engine."""
SHARED = 0.3
"""Share of an engine that another figure works already."""


@dataclass(frozen=True)
class Missile:
    """What a figure shoots with in its next turn."""

    name: str
    """Its row of the chart of missiles."""
    chance: float
    """Of being loaded then."""


@dataclass(frozen=True)
class Engine:
    """A catapult that nobody has shot in this round."""

    missile: str
    """Its row of the chart of missiles."""
    place_in: tuple[float, float]
    touch_in: float
    """Distance of its middle from that of a figure that works it."""
    chance: float
    """Of being loaded in the next turn."""
    crew: tuple[int, ...]
    """The figures that touch it."""
    nearest: tuple[int, ...]
    """The figures on foot that are nearest to it: they go and work it."""


@dataclass(frozen=True, eq=False)
class Outlook:
    """What a side reckons with at one moment."""

    state: State
    player: int
    chances: Chances

    @cached_property
    def setting(self) -> Setting:
        """The setting of the battle."""
        return self.state.setting

    @cached_property
    def team(self) -> int:
        """The team of the side that acts."""
        return self.setting.teams[self.player]

    @cached_property
    def tempo(self) -> float:
        """How likely, and how much, the enemy acts before this side does again."""
        state, teams = self.state, self.setting.teams
        later = state.order[state.turn + 1 :]
        if self.setting.options.fixed_order and not later:
            later = state.order[: state.turn]
        return 1.0 if any(teams[player] != self.team for player in later) else LAST

    @cached_property
    def urgency(self) -> float:
        """How near the side is to losing by the clock, 0 to 1: an enemy holds an area, or has more left at the end."""
        state, found = self.state, 0.0
        shares = shares_left(state)
        is_behind = shares[self.team] < max(shares.values())
        for aim, rounds in zip(self.setting.aims, state.holding, strict=False):
            if isinstance(aim, Hold) and aim.team != self.team:
                found = max(found, rounds / aim.rounds)
            elif isinstance(aim, RoundLimit) and is_behind:
                found = max(found, min(state.round / aim.rounds, 1.0))
        return found

    @cached_property
    def own(self) -> list[int]:
        """The living figures of the team that acts, of all its players."""
        return [one for one in self.state.alive if self.state.team(one) == self.team]

    @cached_property
    def foes(self) -> list[int]:
        """All other living figures."""
        return [one for one in self.state.alive if self.state.team(one) != self.team]

    @cached_property
    def own_row(self) -> dict[int, int]:
        """The row of each of `own`."""
        return {one: row for row, one in enumerate(self.own)}

    @cached_property
    def foe_row(self) -> dict[int, int]:
        """The column of each of `foes`."""
        return {one: row for row, one in enumerate(self.foes)}

    @cached_property
    def _worths(self) -> tuple[dict[int, float], float]:
        worths, scale = figure_worths(self.state, self.team)
        for aim in self.setting.aims:
            if isinstance(aim, Carry) and aim.team != self.team:
                holder = self.state.items[self.setting.item_numbers[aim.item]].holder
                if holder is not None and self.state.team(holder) == aim.team:
                    lost = (1.0 + self.value) / scale
                    turns = self.home_in(holder, aim, self.state.figures[holder].place_in)
                    worths[holder] += lost * (1.0 - STOPS) ** (len(self.own) * turns)
        return worths, scale

    @cached_property
    def value(self) -> float:
        """The worth of the battle for the team, -1 to 1, if all live."""
        odds = scales(self.state, self.team).log_odds(*sums(self.state, self.team))
        return tanh(0.5 * odds)

    def home_in(self, figure: int, aim: "Carry[Circle]", place_in: Point) -> float:
        """Return how many turns a figure goes from a place to where it is to carry a thing."""
        far = dist(place_in, aim.area.centre) - aim.area.radius
        return max(far, 0.0) / self.state.move_in(figure)

    def prizes(self, figure: int, ways_in: Array) -> Array:
        """Return what it is worth to go for a thing, or to carry it, by the ways of places to the goal, shape (k,)."""
        if figure not in self.carriers:
            return np.zeros(len(ways_in))
        (aim, at), most = self.carriers[figure], self.state.move_in(figure)
        if at is None:
            return self.prize(np.maximum(ways_in - aim.area.radius, 0.0) / most)
        return self.prize(ways_in / most + TAKING + self.home_in(figure, aim, at))

    def prize(self, turns: Array) -> Array:
        """Return what it is worth to have a thing home in some turns, any shape."""
        won: Array = (1.0 - self.value) / self.scale * (1.0 - STOPS) ** (len(self.foes) * turns)
        return won

    @property
    def scale(self) -> float:
        """The unit of worths in the scale of returns."""
        return self._worths[1]

    def worth(self, figure: int) -> float:
        """Return the worth of a figure."""
        return self._worths[0][figure]

    @cached_property
    def own_worth(self) -> Array:
        """The worth of each of `own`, shape (m,)."""
        return np.array([self.worth(one) for one in self.own])

    @cached_property
    def foe_worth(self) -> Array:
        """The worth of each of `foes`, shape (n,)."""
        return np.array([self.worth(one) for one in self.foes])

    def places(self, figures: list[int]) -> Array:
        """Return places of figures in inches, shape (n, 2)."""
        return np.array([self.state.figures[one].place_in for one in figures]).reshape(-1, 2)

    @cached_property
    def own_at(self) -> Array:
        """Places of `own` in inches, shape (m, 2)."""
        return self.places(self.own)

    @cached_property
    def foe_at(self) -> Array:
        """Places of `foes` in inches, shape (n, 2)."""
        return self.places(self.foes)

    @cached_property
    def foe_move_in(self) -> Array:
        """How far each of `foes` moves and strikes, shape (n,)."""
        return np.array([self.state.move_in(one) for one in self.foes]) + TOUCH_FAR_IN

    @cached_property
    def foes_key(self) -> tuple[object, ...]:
        """What the dangers and chances of a figure rest on besides itself: equal keys, equal arrays."""
        state, items = self.state, self.state.items
        held = [state.held.get(one, ()) for one in self.foes]
        loaded = [[items[item].is_loaded for item in its] for its in held]
        foes = tuple((state.figures[one], one) for one in self.foes)
        lying = tuple(item.at_in for item in items)
        return foes, tuple(held), str(loaded), lying, self.engines, state.walls

    @cached_property
    def gears(self) -> dict[int, Gear]:
        """The gear of each living figure."""
        return {one: Gear.of(self.state, one) for one in self.state.alive}

    def fights(self, attackers: list[int], defenders: list[int]) -> Array:
        """Return the chances of attacks in the open, face to face: shape (attackers, defenders)."""
        gears, fight = self.gears, self.chances.fight
        attack = [attack_total(gears[one]) for one in attackers]
        defence = [defence_total(gears[one]) for one in defenders]
        return np.array(
            [
                [
                    fight(a, d, lead(gears[one], gears[other]))
                    for d, other in zip(defence, defenders, strict=True)
                ]
                for a, one in zip(attack, attackers, strict=True)
            ]
        ).reshape(len(attackers), len(defenders))

    @cached_property
    def own_fights(self) -> Array:
        """Chances of attacks of `own` on `foes`, shape (m, n)."""
        return self.fights(self.own, self.foes)

    @cached_property
    def foe_fights(self) -> Array:
        """Chances of attacks of `foes` on `own`, shape (n, m)."""
        return self.fights(self.foes, self.own)

    @cached_property
    def goals_in(self) -> dict[int, list[Point]]:
        """The places that each of `own` is to go to: areas of aims, and for a few what their side is to carry."""
        state, areas = self.state, team_aims(self.setting, self.team)[0]
        found = dict.fromkeys(self.own, areas)
        for one, (aim, at) in self.carriers.items():
            found[one] = [*areas, aim.area.centre if at is None else at]
        return {one: errand(state, one, self.team) or places for one, places in found.items()}

    @cached_property
    def carriers(self) -> "dict[int, tuple[Carry[Circle], Point | None]]":
        """Who carries a thing home, and the few who go for one, with the place where it is."""
        state, found = self.state, dict[int, tuple[Carry[Circle], Point | None]]()
        able = [one for one in self.own if self.setting.figures[one].kind.hands]
        for aim in self.setting.aims:
            if not isinstance(aim, Carry) or aim.team != self.team:
                continue
            item = state.items[self.setting.item_numbers[aim.item]]
            at = item.at_in
            if item.holder is not None:
                if item.holder in self.own_row:
                    found[item.holder] = aim, None
                    continue
                at = state.figures[item.holder].place_in
            if at is not None:
                far = [dist(state.figures[one].place_in, at) / state.move_in(one) for one in able]
                found |= dict.fromkeys(
                    [able[each] for each in np.argsort(far)[:FETCHERS]], (aim, at)
                )
        return found

    @cached_property
    def engines(self) -> tuple[Engine, ...]:
        """The catapults on the table."""
        found, figures = [], self.state.figures
        able = [
            one
            for one in self.own
            if self.setting.figures[one].kind.hands and figures[one].horse is None
        ]
        for number in self.state.standing_things():
            kind, now = self.setting.things[number].kind, self.state.things[number]
            if kind.missile is not None:
                touch = BASE_RADIUS_IN + kind.radius_in + TOUCH_IN
                far = {one: dist(figures[one].place_in, now.place_in) for one in able}
                crew = tuple(one for one in able if far[one] <= touch + 1e-9)
                chance = 1.0 if now.is_loaded else EMPTY
                crews = tuple(sorted(able, key=far.__getitem__)[:CREW])
                found.append(Engine(kind.missile, now.place_in, touch, chance, crew, crews))
        return tuple(found)

    @cached_property
    def missiles(self) -> dict[int, Missile]:
        """What figures that shoot shoot with."""
        found: dict[int, Missile] = {}
        setting = self.setting
        for one in self.state.alive:
            for launcher in launchers(self.state, one):
                if launcher.item is not None:
                    name = setting.items[launcher.item].arm.missile
                else:
                    assert launcher.thing is not None
                    name = setting.things[launcher.thing].kind.missile
                assert name is not None
                if one not in found or launcher.is_loaded:
                    found[one] = Missile(name, 1.0 if launcher.is_loaded else EMPTY)
        return found

    def ways_in(self, places_in: Array) -> Array:
        """Return how far places, shape (k, 2), are from each of `foes` on foot, shape (k, n)."""
        return paths.ways_in(self.setting, self.state.walls, self.foe_at, places_in)

    def strikes_on(self, figure: int, places_in: Array, ways: Array, engaged: Array) -> Array:
        """Return the chances that each of `foes` eliminates a figure at places, shape (k, 2): shape (k, n).

        `ways` are those to each of the foes, shape (k, n). `engaged` is the chance that the figure still touches an
        enemy at each place: then no missile is shot at it, by option.
        """
        setting, row = self.setting, self.own_row[figure]
        found: Array = np.where(ways <= self.foe_move_in, self.foe_fights[:, row], 0.0)
        body = self.state.body(figure)
        for column, foe in enumerate(self.foes):
            missile = self.missiles.get(foe)
            if missile is not None:
                by_missile = self.missile_chances(missile, body, self.foe_at[column], places_in)
                if setting.options.no_missiles_in_contact:
                    by_missile = (1.0 - engaged) * by_missile
                found[:, column] = np.maximum(found[:, column], by_missile)
        return found

    def strikes_from(self, figure: int, places_in: Array, ways: Array, engaged: Array) -> Array:
        """Return the chances that a figure at places eliminates each of `foes` next turn: as `strikes_on`."""
        row, most = self.own_row[figure], self.state.move_in(figure) + TOUCH_FAR_IN
        found: Array = np.where(ways <= most, self.own_fights[row], 0.0)
        missile = self.missiles.get(figure)
        if missile is not None:
            for column, foe in enumerate(self.foes):
                body = self.state.body(foe)
                there = self.foe_at[column]
                far = self.missile_chances(missile, body, there, places_in)
                if self.setting.options.no_missiles_in_contact:
                    far = (1.0 - engaged) * far
                found[:, column] = np.maximum(found[:, column], far)
        return found

    def engine_at(self, figure: int, places_in: Array) -> list[tuple[Engine, Mask]]:
        """Return the engines that a figure may work, each with the places, of k, where it touches it."""
        if (
            not self.setting.figures[figure].kind.hands
            or self.state.figures[figure].horse is not None
        ):
            return []
        far = [np.hypot(*(places_in - np.array(one.place_in)).T) for one in self.engines]
        touching = [
            away <= one.touch_in + 1e-9 for one, away in zip(self.engines, far, strict=True)
        ]
        return [pair for pair in zip(self.engines, touching, strict=True) if pair[1].any()]

    def engine_chances(self, engine: Engine, figure: int) -> Array:
        """Return the chances that a figure eliminates each of `foes` with an engine in its next turn, shape (n,)."""
        share = SHARED if any(one != figure for one in engine.crew) else 1.0
        missile, at = Missile(engine.missile, share * engine.chance), np.array([engine.place_in])
        return np.array(
            [
                self.missile_chances(missile, self.state.body(foe), there, at)[0]
                for foe, there in zip(self.foes, self.foe_at, strict=True)
            ]
        )

    def missile_chances(
        self, missile: Missile, body: str, one_in: Array, places_in: Array
    ) -> Array:
        """Return the chances of a missile between a place and others, shape (k, 2): shape (k,)."""
        away = np.hypot(*(places_in - one_in).T)
        found = LANE * missile.chance * self.chances.kills(missile.name, body, away)
        if self.setting.walls:
            through = paths.crossed(self.setting, self.state.walls, one_in[None], places_in)[:, 0]
            found = np.where(through, COVER * found, found)
        return found

    @cached_property
    def touched(self) -> dict[int, tuple[int, ...]]:
        """The figures of the side that touch each enemy; enemies whom nobody touches are left out."""
        found: dict[int, tuple[int, ...]] = {}
        for one in self.own:
            if one in self.state.near:
                for foe in opponents(self.state, one):
                    found[foe] = (*found.get(foe, ()), one)
        return found

    @cached_property
    def alive_chance(self) -> Array:
        """Chance that each of `foes` lives through the attacks that moves of this turn have settled, shape (n,)."""
        lives = np.ones(len(self.foes))
        for row, one in enumerate(self.own):
            now, spec = self.state.figures[one], self.setting.figures[one]
            if spec.player == self.player and now.deed is Deed.MOVED:
                touched = [self.foe_row[foe] for foe in opponents(self.state, one)]
                if touched:
                    gains = self.foe_worth[touched] * lives[touched] * self.own_fights[row, touched]
                    best = touched[int(np.argmax(gains))]
                    lives[best] *= 1.0 - self.own_fights[row, best]
        return lives
