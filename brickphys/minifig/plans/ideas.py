"""Ideas: what a figure may do besides moving: shoot, throw, launch, reload, fetch a thing that wins the battle.

A shot is judged by its exact law over all who stand in its lane: own men count against it (MF Projectiles). Nobody
shoots where they are likelier to fall than enemies.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from math import ceil, dist

import numpy as np

from brickphys.minifig.actions import Exchange, PickUp
from brickphys.minifig.bot import goals
from brickphys.minifig.ground import BREACH_BRICKS
from brickphys.minifig.missiles import TOTAL, bricks_of
from brickphys.minifig.movement import Dismount, Go, Mount
from brickphys.minifig.plans import paths
from brickphys.minifig.plans.outlook import Outlook
from brickphys.minifig.plans.prospects import Prospects
from brickphys.minifig.sheets import charts
from brickphys.minifig.shooting import (
    Besiege,
    Launch,
    Launcher,
    ReloadWeapon,
    ShootBow,
    ShotRoll,
    ThrowSpear,
    hits,
    launchers,
)
from brickphys.minifig.state import State
from brickphys.rules.aims import Carry
from brickphys.rules.plans import Effort
from brickphys.rules.words import Action
from brickphys.text import spoken
from brickphys.units import Array

Move = Action[State]
Shot = ShootBow | ThrowSpear | Launch

THROWN, LOADED = 0.25, 0.45
"""Worth of a spear in the hand, and of a weapon that is loaded."""


@dataclass(frozen=True, eq=False)
class Idea:
    """What a figure may do besides moving on foot or as it rides."""

    figure: int
    kind: str
    purpose: str
    actions: tuple[Move, ...]
    gain: float
    """How much better it is than holding."""
    foe: int | None = None
    """The column of the enemy who pays for it."""
    row: int = 0
    """Where it ends, in the prospects of the figure."""
    losses: Mapping[int, float] = field(default_factory=dict)
    """What it should cost the own side, by figure."""


@dataclass(frozen=True, eq=False)
class Ideas:
    """What a figure may do that has been taken."""

    look: Outlook
    state: State
    """The state in which it has been taken."""
    found: Prospects
    """Its prospects if it moves."""
    effort: Effort
    near: float
    """What an inch on the way of a figure is worth."""

    def all(self) -> Iterator[Idea]:
        """Yield everything."""
        state, figure = self.state, self.found.figure
        for launcher in launchers(state, figure):
            if launcher.is_worked:
                continue
            if launcher.is_loaded:
                yield from self._shots(launcher)
            elif launcher.reloads:
                yield self._reload(launcher)
        yield from self._fetches()

    def _shots(self, launcher: Launcher) -> Iterator[Idea]:
        numbers = self.look.setting.figure_numbers
        state, figure = self.state, self.found.figure
        kinds = [kind for kind in (ShootBow, ThrowSpear, Launch) if kind.word in launcher.words]
        shots = [(kind, shot) for kind in kinds for shot in kind.listed(state, figure)]
        ranked = sorted(shots, key=lambda each: -self._rough(numbers[each[1].target]))
        if Besiege.word in launcher.words:
            yield from self._sieges(launcher)
        for number, (kind, shot) in enumerate(ranked[: self.effort.level.width]):
            foe = numbers[shot.target]
            if not self.effort.spend() and number:
                return
            idea = self._shot(shot, foe, self.falls(kind.roll(figure, launcher, foe)))
            if idea is not None:
                yield idea

    def _shot(self, shot: Shot, foe: int, falls: Mapping[int, float]) -> Idea | None:
        """Return a shot at an enemy by who may fall; None if own men are likelier to fall than enemies."""
        look, figure = self.look, self.found.figure
        own = {one: falls[one] for one in look.own if one in falls}
        foes = {one: falls.get(one, 0.0) for one in look.foes if one in falls or one == foe}
        if sum(own.values()) > sum(foes.values()):
            return None
        losses = {one: look.worth(one) * chance for one, chance in own.items()}
        gains = {one: look.worth(one) * chance for one, chance in foes.items()}
        best = max(gains, key=lambda one: (gains[one], one == foe))
        gain = sum(gains.values()) - sum(losses.values()) - THROWN * isinstance(shot, ThrowSpear)
        hit = f" to hit {spoken(look.setting.figures[best].name)}" * (best != foe)
        purpose = f"shoots at {spoken(shot.target)}{hit} ({foes[best]:.0%})"
        return Idea(figure, "shot", purpose, (shot,), gain, look.foe_row[best], losses=losses)

    def _rough(self, foe: int) -> float:
        column, look = self.look.foe_row[foe], self.look
        chance = self.found.chances[0, column]
        rough: float = look.foe_worth[column] * look.alive_chance[column] * chance
        return rough

    def falls(self, roll: ShotRoll) -> dict[int, float]:
        """Return how likely a shot eliminates each figure of either side, by its exact law."""
        numbers, missile = self.look.setting.figure_numbers, roll.missile(self.state)
        found: dict[int, float] = {}
        for outcome, weight in roll.event(self.state).weights:
            for name, how in hits(outcome):
                if name in numbers:
                    chance = weight / TOTAL * self.look.chances.falls(bricks_of(missile, how))
                    found[numbers[name]] = found.get(numbers[name], 0.0) + chance
        return found

    def _sieges(self, launcher: Launcher) -> Iterator[Idea]:
        """Yield shots at walls: each is worth a share of what the way through them saves."""
        look, walls = self.look, self.look.setting.wall_numbers
        goals_in = np.array(goals(self.state, look.team) or look.foe_at)
        for siege in Besiege.listed(self.state, self.found.figure):
            wall = walls[siege.target]
            roll = siege.roll(self.found.figure, launcher, wall)
            brick = roll.goal(self.state).brick
            assert brick is not None
            saved, bricks = way_saved_in(look, wall, brick, goals_in)
            chance = self._breach(roll, wall)
            gain = chance / bricks * self.near * saved
            purpose = f"breaks {spoken(siege.target)} ({chance:.0%})"
            yield Idea(self.found.figure, "shot", purpose, (siege,), gain)

    def _breach(self, roll: ShotRoll, wall: int) -> float:
        """Return the chance that a shot takes a brick out of a wall."""
        name, falls = self.look.setting.walls[wall].name, self.look.chances.falls
        bricks = charts().missiles[roll.missile(self.state)].bricks
        weights = (
            weight
            for outcome, weight in roll.event(self.state).weights
            if any(hit == name for hit, _ in hits(outcome))
        )
        return sum(weights) / TOTAL * falls(bricks)

    def _reload(self, launcher: Launcher) -> Idea:
        name, figure = spoken(launcher.name), self.found.figure
        return Idea(figure, "reload", f"reloads {name}", (ReloadWeapon(launcher.name),), LOADED)

    def _fetches(self) -> Iterator[Idea]:
        """Yield how a figure fetches what its team is to carry, if it comes so far."""
        look, setting = self.look, self.look.setting
        state, figure = self.state, self.found.figure
        if not setting.figures[figure].kind.hands:
            return
        for aim in setting.aims:
            if not isinstance(aim, Carry) or aim.team != look.team:
                continue
            item = setting.item_numbers[aim.item]
            at = state.items[item].at_in
            here = state.figures[figure].place_in
            if at is not None and dist(at, here) <= state.move_in(figure) + 1.5:
                for row, actions in _fetched(state, item, at, self.found):
                    purpose = f"fetches {spoken(aim.item)}"
                    turns = look.home_in(figure, aim, self.found.ends[row].place_in)
                    gain = float(look.prize(np.array(turns)))
                    yield Idea(figure, "fetch", purpose, actions, gain, row=row)


MOST_SAVED_IN = 8.0
"""Greatest way of a figure that counts as saved by a breach: a round on foot."""
_BREACH_STUDS = 4
"""Width of a breach that figures pass with ease."""


def way_saved_in(look: Outlook, wall: int, brick: int, goals_in: Array) -> tuple[float, int]:
    """Return how many inches a breach where a brick stands saves a team, and how many bricks it takes."""
    setting, state = look.setting, look.state
    first, end, _ = setting.walls[wall].spans[brick]
    aside = max(0, ceil((_BREACH_STUDS - (end - first)) / 2))
    first, end = first - aside, end + aside
    out = set(state.walls[wall])
    column = [
        number
        for number, (left, right, course) in enumerate(setting.walls[wall].spans)
        if left < end and right > first and course >= BREACH_BRICKS and number not in out
    ]
    opened = tuple(sorted(out.union(column)))
    walls = (*state.walls[:wall], opened, *state.walls[wall + 1 :])
    before, after = (
        paths.ways_in(setting, each, goals_in, look.own_at).min(axis=1)
        for each in (state.walls, walls)
    )
    is_open = np.isfinite(after)
    saved = np.minimum(before[is_open] - after[is_open], MOST_SAVED_IN)
    return float(np.maximum(saved, 0.0).sum()), max(len(column), 1)


def _fetched(
    state: State, item: int, at_in: tuple[float, float], found: Prospects
) -> Iterator[tuple[int, tuple[Move, ...]]]:
    """Yield how a figure goes to an item that lies there and takes it, with the row of the place where it ends."""
    figure = found.figure
    for down in Dismount.listed(state, figure):  # who stays may mount again
        on_foot = down.apply(state)
        take = _take(on_foot, figure, item)
        if take is not None:
            up = Mount.listed(take.apply(on_foot), figure)
            yield 0, (down, take, *islice(up, 1))
            return
    order = sorted(range(len(found.ends)), key=lambda row: dist(found.ends[row].place_in, at_in))
    for row in order[:2]:
        go = Go(*found.ends[row].place_in, found.ends[row].facing_deg)
        after = go.apply(state)
        if after.active != figure:
            continue
        ways: list[tuple[tuple[Move, ...], State]] = [((go,), after)]
        if after.figures[figure].horse is not None:
            downs = Dismount.listed(after, figure)
            ways = [((go, down), down.apply(after)) for down in downs]
        for moves, on_foot in ways:
            take = _take(on_foot, figure, item) if on_foot.active == figure else None
            if take is not None:
                yield row, (*moves, take)
                return


def _take(state: State, figure: int, item: int) -> Move | None:
    """Return how a figure takes an item that lies beside it; None if it cannot."""
    takes: list[PickUp | Exchange] = [*PickUp.listed(state, figure)]
    takes += Exchange.listed(state, figure)
    numbers = state.setting.item_numbers
    return next((take for take in takes if numbers[take.item] == item), None)
