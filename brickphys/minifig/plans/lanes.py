"""Lanes: which figures stand in the way of a shot of their own side, and what it gains if they step aside.

A figure is in the way in the lane of a shot, or because it touches the target, at whom nobody shoots then (MF
Projectiles, option ``no_missiles_in_contact``).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from brickphys.minifig.plans.ideas import Idea
from brickphys.minifig.plans.outlook import Outlook
from brickphys.minifig.plans.prospects import Prospects
from brickphys.minifig.sheets import BASE_RADIUS_IN
from brickphys.units import Array, Mask

HALF_LANE_IN, SPREAD = BASE_RADIUS_IN + 0.05, 0.05
"""A figure is in the way if its middle is nearer than this to the line of a shot, and more with the way of the shot:
two standard deviations of its direction."""
LEAST_GAIN = 0.25
"""Nobody steps aside for less."""


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


class Lane(NamedTuple):
    """The lane of the best shot of a figure."""

    shooter: int
    from_in: Array
    to_in: Array
    gain: float
    """What the shot gains if nobody is in the way."""


def lanes(look: Outlook, chances: Mapping[int, Array]) -> list[Lane]:
    """Return the lanes that a side wants to be free.

    Parameters
    ----------
    chances
        For each figure that shoots, its chance to eliminate each enemy from where it stands.
    """
    found = []
    for shooter, missile in look.missiles.items():
        if shooter in chances and missile.chance == 1.0:
            gains = look.foe_worth * look.alive_chance * chances[shooter]
            best = int(gains.argmax())
            if gains[best] > 0.0:
                here = np.asarray(look.state.figures[shooter].place_in)
                found.append(Lane(shooter, here, look.foe_at[best], float(gains[best])))
    return found


def blocked(found: Prospects, wanted: Sequence[Lane]) -> Array:
    """Return what the side loses by a figure at each of its places that is in the way of its shots, shape (k,)."""
    losses = np.zeros(len(found.places_in))
    for lane in wanted:
        if lane.shooter != found.figure:
            losses += lane.gain * in_lane(lane.from_in, lane.to_in, found.places_in)
    return losses


def openings(
    look: Outlook,
    prospects: Mapping[int, Prospects],
    ideas: Mapping[int, Sequence[Idea]],
) -> dict[int, Opening]:
    """Return for figures that may still act the best lane that each of them alone opens.

    Parameters
    ----------
    prospects, ideas
        Of the figures that may still act.
    """
    found: dict[int, Opening] = {}
    for shooter in prospects:
        missile = look.missiles.get(shooter)
        if missile is None or missile.chance < 1.0 or prospects[shooter].touching[0]:
            continue
        best = max((idea.gain for idea in ideas[shooter] if idea.kind == "shot"), default=0.0)
        rough = look.foe_worth * look.alive_chance * prospects[shooter].chances[0]
        for target in np.argsort(-rough)[:3].tolist():
            gain = float(rough[target]) - max(best, 0.0)
            if gain < LEAST_GAIN:
                break
            blocker = _blocker(look, shooter, target)
            if blocker is None or blocker[0] not in prospects:
                continue
            one, is_contact = blocker
            if one not in found or found[one].gain < gain:
                found[one] = Opening(gain, shooter, target, is_contact)
    return found


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
