"""Lanes: which figures stand in the way of a shot, what it gains if they step aside, or before a friend who is shot at.

A figure is in the way in the lane of a shot, or because it touches the target, at whom nobody shoots then (MF
Projectiles, option ``no_missiles_in_contact``).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from brickphys.geometry.polygon import Point
from brickphys.minifig.plans.ideas import Idea
from brickphys.minifig.plans.outlook import TOUCH_FAR_IN, Outlook
from brickphys.minifig.plans.prospects import Prospects
from brickphys.minifig.sheets import BASE_RADIUS_IN, TOUCH_IN
from brickphys.units import Array, Mask

HALF_LANE_IN, SPREAD = BASE_RADIUS_IN + 0.05, 0.05
"""A figure is in the way if its middle is nearer than this to the line of a shot, and more with the way of the shot:
two standard deviations of its direction."""
BLOCKED = 0.3
"""Share of the best shot next turn of a friend that a figure spoils in its lane."""
LEAST_GAIN, LEAST_LOSS = 0.25, 0.1
"""Nobody steps aside for a shot that gains less, nor where he himself should lose less by it."""


class Opening(NamedTuple):
    """What a figure gives to its side by leaving a lane."""

    gain: float
    shooter: int
    target: int
    """The column of the enemy who is shot at then."""
    is_contact: bool
    """Whether it is in the way because it touches the target."""

    def opens(self, look: Outlook, found: Prospects) -> Mask:
        """Tell at which of its places a figure is out of the way, shape (k,)."""
        if self.is_contact:
            clear: Mask = found.hits[:, self.target] == 0.0
            return clear
        here = look.state.figures[self.shooter].place_in
        return ~in_lane(np.asarray(here), look.foe_at[self.target], found.places_in)


def in_lane(from_in: Array, to_in: Array, places_in: Array) -> Mask:
    """Tell which places, shape (k, 2), are between two others, shape (2,): shape (k,)."""
    ahead = to_in - from_in
    far = float(np.hypot(*ahead))
    toward, away = ahead / max(far, 1e-9), places_in - from_in
    along = away @ toward
    aside = np.abs(away[:, 0] * toward[1] - away[:, 1] * toward[0])
    between: Mask = (along > 0.0) & (along < far) & (aside < HALF_LANE_IN + SPREAD * along)
    return between


def cover(from_in: Array, to_in: Array, screens_in: Array) -> Array:
    """Return the share of missiles from a place to others, shape (k, 2), that figures between stop: (k, screens).

    A figure in the middle of the lane stops all but one in fifty, one that is aside by a fifth of an inch four fifths.
    """
    ahead = to_in - from_in
    far = np.hypot(*ahead.T)
    toward, away = ahead / np.maximum(far, 1e-9)[:, None], screens_in - from_in
    along = toward @ away.T
    aside = np.abs(toward[:, :1] * away[:, 1] - toward[:, 1:] * away[:, 0])
    between = (along > 0.0) & (along < far[:, None] - BASE_RADIUS_IN)
    found: Array = np.where(between, np.maximum(1.0 - aside, 0.0), 0.0)
    return found


def let_through(look: Outlook, places_in: Array, screens_in: Array) -> Array:
    """Return the share of each enemy's missiles that figures in their way let through to places, shape (k, n)."""
    columns = [look.foe_row[foe] for foe in look.missiles if foe in look.foe_row]
    return _passed(look, places_in, screens_in, columns, look.foe_move_in)


def free_lanes(look: Outlook, found: Prospects) -> Array:
    """Return the share of a figure's chances that its own side leaves to it at its places, shape (k, n)."""
    figure, foes = found.figure, look.foes
    others = np.delete(look.own_at, look.own_row[figure], axis=0)
    columns = range(len(foes)) if figure in look.missiles else ()
    most = np.full(len(foes), look.state.move_in(figure) + TOUCH_FAR_IN)
    touched = {look.foe_row[foe] for foe, by in look.touched.items() if set(by) - {figure}}
    return _passed(look, found.places_in, others, columns, most, touched)


def _passed(
    look: Outlook,
    places_in: Array,
    screens_in: Array,
    columns: Iterable[int],
    most_in: Array,
    touched: Collection[int] = (),
) -> Array:
    """Return the share of missiles between places and enemies that pass, shape (k, n): all of those not so far."""
    shares = np.ones((len(places_in), len(look.foes)))
    for column in columns:
        there = look.foe_at[column]
        stopped = cover(there, places_in, screens_in).max(axis=1, initial=0.0)
        stopped = np.maximum(stopped, column in touched)
        shares[:, column] -= stopped * (np.hypot(*(places_in - there).T) > most_in[column])
    return shares


class Lane(NamedTuple):
    """The lane of a shot of either side, and what it is worth to step into it."""

    shooter: int
    from_in: Array
    to_in: Array
    gain: float
    """What a figure in the way saves, negative if it spoils a shot of its own side."""

    @property
    def place_in(self) -> Point:
        """Where a figure blocks it best: before the figure that is shot at."""
        ahead = self.from_in - self.to_in
        x, y = self.to_in + ahead * (2 * BASE_RADIUS_IN + TOUCH_IN / 2) / np.hypot(*ahead)
        return float(x), float(y)


def lanes(look: Outlook, stays: Sequence[Prospects], done: Sequence[int]) -> list[Lane]:
    """Return the lanes that a side wants to be free, and those of enemies that it wants to be blocked.

    `stays` are the prospects of each of `Outlook.own` where it stands, `done` the rows of those that have acted: only
    before them others step.
    """
    found = []
    pains = look.own_worth[:, None] * np.array([each.dangers[0] for each in stays])
    pains *= look.tempo * let_through(look, look.own_at, look.own_at[done])
    for shooter, missile in look.missiles.items():
        here = np.asarray(look.state.figures[shooter].place_in)
        if missile.chance < 1.0:
            continue
        if shooter in look.own_row:
            gains = look.foe_worth * look.alive_chance * stays[look.own_row[shooter]].chances[0]
            best = int(gains.argmax())
            found.append(Lane(shooter, here, look.foe_at[best], -BLOCKED * float(gains[best])))
            continue
        column = look.foe_row[shooter]
        best = int(pains[:, column].argmax())
        target = look.own_at[best]
        if best in done and np.hypot(*(target - here)) > look.foe_move_in[column]:
            others = np.delete(pains[:, column], best).max(initial=0.0)
            found.append(Lane(shooter, here, target, float(pains[best, column] - others)))
    return found


def stepped_in(found: Prospects, lanes: Sequence[Lane]) -> Array:
    """Return what a figure saves its side at each of its places by stepping into lanes, shape (k,)."""
    saved = np.zeros(len(found.places_in))
    for lane in lanes:
        if lane.shooter != found.figure:
            saved += lane.gain * cover(lane.from_in, lane.to_in[None], found.places_in)[0]
    return saved


def openings(
    look: Outlook,
    prospects: Mapping[int, Prospects],
    ideas: Mapping[int, Sequence[Idea]],
) -> dict[int, Opening]:
    """Return for figures that may still act the best lane that each of them alone opens.

    `prospects` and `ideas` are those of the figures that may still act.
    """
    found: dict[int, Opening] = {}
    for shooter in prospects:
        missile = look.missiles.get(shooter)
        if missile is None or missile.chance < 1.0 or prospects[shooter].touching[0]:
            continue
        shots = [idea for idea in ideas[shooter] if idea.kind == "shot" and idea.gain > 0.0]
        best = 0.0
        if shots:
            shot = max(shots, key=lambda idea: idea.gain)
            best = shot.gain
            for one, loss in shot.losses.items():
                if shot.foe is not None and loss >= LEAST_LOSS and one in prospects:
                    _keep(found, one, Opening(loss, shooter, shot.foe, is_contact=False))
        rough = look.foe_worth * look.alive_chance * prospects[shooter].chances[0]
        for target in np.argsort(-rough)[:3].tolist():
            gain = float(rough[target]) - best
            if gain < LEAST_GAIN:
                break
            blocker = _blocker(look, shooter, target)
            if blocker is None or blocker[0] not in prospects:
                continue
            one, is_contact = blocker
            _keep(found, one, Opening(gain, shooter, target, is_contact))
    return found


def _keep(found: dict[int, Opening], one: int, opening: Opening) -> None:
    if one not in found or found[one].gain < opening.gain:
        found[one] = opening


def _blocker(look: Outlook, shooter: int, target: int) -> tuple[int, bool] | None:
    """Return the only figure of the side in the way of a shot, and whether by contact; None if none or several are."""
    others = [one for one in look.own if one != shooter]
    if not others:
        return None
    at = look.places(others)
    here = np.asarray(look.state.figures[shooter].place_in)
    touching = set(look.touched.get(look.foes[target], ()))
    inside = in_lane(here, look.foe_at[target], at)
    lane = {one for one, is_inside in zip(others, inside.tolist(), strict=True) if is_inside}
    if len(lane | touching) != 1:
        return None
    return next(iter(lane | touching)), bool(touching)
