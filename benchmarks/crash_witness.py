"""Crashes of two boxes in PyBullet, in MuJoCo and by formula: MuJoCo is the witness of `brickphys.crash`.

    python -m benchmarks.crash_witness [SCENES [SEED]]

A corner of one vehicle strikes a side of the other, or their fronts meet squarely, on a floor without friction. Such
an impact has one contact and one answer, which follows from restitution, friction, masses and moments of inertia.
MuJoCo's contacts are springs and dampers that last 0.2 ms (`brickphys.engines.mujoco_world`). It is asked where there
is no friction between the two: of friction its model gives two bodies a fraction only.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, cos, radians, sin
from typing import Any

import click
import numpy as np

from brickphys.engines.block_impact import IMPACT_S
from brickphys.engines.block_run import FRAME_S
from brickphys.engines.mujoco_world import MujocoSettings, mujoco, set_contact, set_options
from brickphys.odds.distribution import wilson
from brickphys.seeds import generator
from brickphys.throws.conditions import ContactCoefficients
from brickphys.units import MM2_PER_UNIT2, MM_PER_UNIT, PLATE_MM, STUD_MM, UNITS_PER_M, Array
from brickphys.vehicles.course import resolve
from brickphys.vehicles.crash import SPEED_SCALE_M_S, mass_of, simulated
from brickphys.vehicles.scene import Bounds, Scene, Vehicle, distance_studs

HEIGHT_PLATES = 9.0
RESTITUTIONS = (0.05, 0.2, 0.5)
FRICTIONS = (0.0, 0.4)
AFTER_S = 0.024
"""How long after the touch the places are compared: later a second corner may strike."""
_SQUARE = 5.0
"""A corner strikes a side if the two vehicles are this many degrees off square."""
_BEFORE_S = 1e-5
"""MuJoCo begins so long before the touch."""
_GRAZE_STUDS = 0.1
"""No mover passes the other if it is so far aside: PyBullet may miss a corner that is grazed within a step."""
_SLOWEST_M_S = 0.05
"""Least closing speed: contacts below 0.02 m/s do not bounce in PyBullet."""
_FIELD = Bounds(160.0, 160.0)
_SETTINGS = MujocoSettings(step_s=1 / 800_000)
ICE = ContactCoefficients(0.0, 0.0)


@dataclass(frozen=True)
class Blow:
    """What an impact does.

    Attributes
    ----------
    impulse_mn_s
        Impulse, its size.
    delta_v_m_s : ndarray, shape (2,)
        Change of velocity of mover and other, its size.
    places : ndarray, shape (2, 3)
        x and y in studs and heading in degrees, `AFTER_S` after the touch; NaN for a formula.
    """

    impulse_mn_s: float
    delta_v_m_s: Array
    places: Array = field(default_factory=lambda: np.full((2, 3), np.nan))


@dataclass(frozen=True)
class Witnessed:
    """One scene with its answers; with friction there is none by MuJoCo."""

    scene: Scene
    between: ContactCoefficients
    bullet: Blow
    mujoco: Blow | None
    formula: Blow


def witnessed(count: int, seed: int, friction: float) -> Iterator[Witnessed]:
    """Yield random crashes in both engines and by formula."""
    rng = generator(seed, round(1000 * friction))
    for number in range(count):
        made = _scene(rng, square=number % 5 == 0)
        between = ContactCoefficients(friction, RESTITUTIONS[number % len(RESTITUTIONS)])
        found, time_s = by_bullet(made, between)
        second = None if friction else by_mujoco(made, between, time_s)
        yield Witnessed(made, between, found, second, formula(made, between))


def _scene(rng: np.random.Generator, *, square: bool) -> Scene:
    """Return a scene in which the mover strikes the other vehicle with one corner or squarely, before its move ends."""
    while True:
        speed, own = int(rng.integers(1, 13)), int(rng.integers(0, 4))
        (long, wide), (far, broad) = rng.uniform((6.0, 4.0), (16.0, 8.0), (2, 2)).tolist()
        turn = float(rng.choice([0.0, 180.0]) if square else rng.uniform(-180, 180))
        aside = 0.0 if square else float(rng.uniform(-9, 9))
        ahead = 80.0 + (long + far) / 2 + float(rng.uniform(0.5, 4))
        mover = Vehicle("mover", 80.0, 80.0, 0.0, long, wide, 0.0, HEIGHT_PLATES, speed)
        other = Vehicle("other", ahead, 80.0 + aside, turn, far, broad, 0.0, HEIGHT_PLATES, own)
        off = abs((turn + 45.0) % 90.0 - 45.0)
        if not square and off < _SQUARE:
            continue
        made = Scene(_FIELD, "mover", (mover, other))
        hits = resolve(made).hits
        grazed = any(not resolve(_aside(made, way)).hits for way in (-_GRAZE_STUDS, _GRAZE_STUDS))
        if (
            hits
            and not grazed
            and hits[0].distance_studs > 0.2
            and _meeting(made)[0][0] < -_SLOWEST_M_S
        ):
            return made


def _aside(scene: Scene, studs: float) -> Scene:
    """Return a scene whose mover is farther left."""
    mover, other = _vehicles(scene)
    return replace(scene, vehicles=(replace(mover, y_studs=mover.y_studs + studs), other))


def _vehicles(scene: Scene) -> tuple[Vehicle, Vehicle]:
    one, two = scene.vehicles
    return one, two


def _velocities_m_s(scene: Scene) -> Array:
    """Return the velocities of the two at the touch, shape (2, 2)."""
    return np.array(
        [
            [SPEED_SCALE_M_S * v.speed * cos(radians(v.heading_deg)) for v in _vehicles(scene)],
            [SPEED_SCALE_M_S * v.speed * sin(radians(v.heading_deg)) for v in _vehicles(scene)],
        ]
    ).T


def _touch(scene: Scene) -> tuple[Array, Array, Array]:
    """Return the centres at the touch in studs, shape (2, 2), the contact point, and the normal to the mover."""
    (hit, *_), (mover, other) = resolve(scene).hits, _vehicles(scene)
    centres = np.array(
        [(mover.x_studs + hit.distance_studs, mover.y_studs), (other.x_studs, other.y_studs)]
    )
    assert hit.contact is not None
    return centres, np.array(hit.contact.point_studs), np.array(hit.contact.normal)


def _meeting(scene: Scene) -> tuple[Array, Array]:
    """Return the velocity of the mover relative to the other at the touch, and its change by a unit impulse there.

    Shapes (2,) and (2, 2), along the normal towards the mover and across it; m/s and 1/g.
    """
    centres, point, (x, y) = _touch(scene)
    frame = np.array([(x, y), (-y, x)])
    one, two = _velocities_m_s(scene)
    inverse = np.zeros((2, 2))
    for vehicle, centre in zip(_vehicles(scene), centres, strict=True):
        mass = mass_of(vehicle)
        assert mass is not None
        arm_mm = frame @ (STUD_MM * (point - centre))
        levers_mm = np.array([-arm_mm[1], arm_mm[0]])
        turning = float(mass.inertia_g_mm2[2, 2])
        inverse += np.eye(2) / mass.mass_g + np.outer(levers_mm, levers_mm) / turning
    return frame @ (one - two), inverse


def formula(scene: Scene, between: ContactCoefficients) -> Blow:
    """Return the blow by Newton's restitution and Coulomb's friction.

    The bodies turn about vertical axes only. Friction stops the contact across the normal if its limit allows.
    """
    (normal, across), inverse = _meeting(scene)
    wanted = -(1.0 + between.restitution) * normal
    way = float(np.sign(across))
    push = wanted / (inverse[0, 0] - way * between.friction * inverse[0, 1])
    impulse = push * np.array([1.0, -way * between.friction])
    slides = way != 0 and way * (across + inverse[1] @ impulse) >= 0
    if not slides:
        held = np.linalg.solve(inverse, [wanted, -across])
        if abs(held[1]) > between.friction * held[0]:
            way = -float(np.sign(held[1]))
            push = wanted / (inverse[0, 0] - way * between.friction * inverse[0, 1])
            held = push * np.array([1.0, -way * between.friction])
        impulse = held
    masses = np.array([mass.mass_g for mass in map(mass_of, _vehicles(scene)) if mass])
    size = float(np.linalg.norm(impulse))
    return Blow(size, size / masses)


def by_bullet(scene: Scene, between: ContactCoefficients) -> tuple[Blow, float]:
    """Return the blow in `brickphys.crash`, and how long after the touch its places are."""
    distance = resolve(scene).hits[0].distance_studs
    move_s = distance_studs(scene.mover.speed) * STUD_MM / 1000 / _speed_m_s(scene.mover)
    touch_s = distance * STUD_MM / 1000 / _speed_m_s(scene.mover)
    frame = ceil((touch_s + AFTER_S) / FRAME_S)
    limit_s = (frame + 0.5) * FRAME_S - move_s
    found = simulated(scene, floor=ICE, between=between, limit_s=limit_s)
    impact, poses = found.impacts[0], found.recording.poses[frame, :2]
    places = np.column_stack([poses[:, :2] / STUD_MM, _headings(poses[:, 3:])])
    blow = Blow(impact.impulse_mn_s, np.array(impact.delta_v_m_s), places)
    return blow, frame * FRAME_S - touch_s


def by_mujoco(scene: Scene, between: ContactCoefficients, time_s: float) -> Blow:
    """Return the blow in MuJoCo, whose bodies move in the plane only, and their places so long after the touch."""
    centres, _, _ = _touch(scene)
    before_m_s = _velocities_m_s(scene)
    module = mujoco()
    model = _model(scene, between)
    data = module.MjData(model)
    turns = np.radians([[vehicle.heading_deg] for vehicle in _vehicles(scene)])
    start_mm = STUD_MM * centres - 1000 * before_m_s * _BEFORE_S
    data.qpos[:] = np.hstack([start_mm / MM_PER_UNIT, turns]).ravel()
    data.qvel[:] = np.hstack([before_m_s * UNITS_PER_M, np.zeros((2, 1))]).ravel()
    steps = (round((_BEFORE_S + until) / _SETTINGS.step_s) for until in (IMPACT_S, time_s))
    blow, end = next(steps), next(steps)
    after_m_s = before_m_s
    for step in range(end):
        if step == blow:
            after_m_s = data.qvel.reshape(2, 3)[:, :2] / UNITS_PER_M
        module.mj_step(model, data)
    places = data.qpos.reshape(2, 3) * [MM_PER_UNIT / STUD_MM, MM_PER_UNIT / STUD_MM, 1.0]
    places[:, 2] = np.degrees(places[:, 2])
    changes = np.linalg.norm(after_m_s - before_m_s, axis=1)
    mass = mass_of(scene.mover)
    assert mass is not None
    return Blow(float(changes[0] * mass.mass_g), changes, places)


def _model(scene: Scene, between: ContactCoefficients) -> Any:
    """Return MuJoCo's model of the two, each of which slides along x and y and turns about the vertical."""
    module = mujoco()
    spec, joint = module.MjSpec(), module.mjtJoint
    set_options(spec.option, _SETTINGS)
    for vehicle in _vehicles(scene):
        mass = mass_of(vehicle)
        assert mass is not None
        body = spec.worldbody.add_body(
            explicitinertial=True,
            mass=mass.mass_g,
            inertia=np.diag(mass.inertia_g_mm2) / MM2_PER_UNIT2,
        )
        body.add_joint(type=joint.mjJNT_SLIDE, axis=[1, 0, 0])
        body.add_joint(type=joint.mjJNT_SLIDE, axis=[0, 1, 0])
        body.add_joint(type=joint.mjJNT_HINGE, axis=[0, 0, 1])
        half_mm = (
            vehicle.length_studs * STUD_MM / 2,
            vehicle.width_studs * STUD_MM / 2,
            HEIGHT_PLATES * PLATE_MM / 2,
        )
        body.add_geom(
            name=vehicle.id,
            type=module.mjtGeom.mjGEOM_BOX,
            size=[half / MM_PER_UNIT for half in half_mm],
            contype=0,
            conaffinity=0,
        )
    set_contact(spec.add_pair(geomname1="mover", geomname2="other", condim=3), between, _SETTINGS)
    return spec.compile()


def _headings(quaternions: Array) -> Array:
    x, y, z, w = quaternions.T
    return np.asarray(np.degrees(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))))


def _speed_m_s(vehicle: Vehicle) -> float:
    return SPEED_SCALE_M_S * vehicle.speed


def differences(found: Sequence[Witnessed]) -> dict[str, Array]:
    """Return what is compared -> the differences of all scenes: shares, studs, or degrees."""
    told = {"impulse, brickphys to formula": _shares([(w.bullet, w.formula) for w in found])}
    pairs = [(w.bullet, w.mujoco) for w in found if w.mujoco]
    if pairs:
        told["impulse, brickphys to MuJoCo"] = _shares(pairs)
        told["impulse, MuJoCo to formula"] = _shares(
            [(w.mujoco, w.formula) for w in found if w.mujoco]
        )
        changes = [one.delta_v_m_s / two.delta_v_m_s - 1 for one, two in pairs]
        told["delta-v, brickphys to MuJoCo"] = np.array(changes).ravel()
        off = np.array([one.places - two.places for one, two in pairs])
        told["place, studs"] = np.hypot(off[..., 0], off[..., 1]).ravel()
        told["heading, degrees"] = ((off[..., 2] + 180.0) % 360.0 - 180.0).ravel()
    return told


def _shares(pairs: Sequence[tuple[Blow, Blow]]) -> Array:
    return np.array([one.impulse_mn_s / two.impulse_mn_s - 1 for one, two in pairs])


def row(what: str, values: Array) -> str:
    """Return a row of the table in ``docs/crash.md``."""
    sizes = np.abs(values)
    middle, most, largest = np.percentile(sizes, [50, 98, 100]).tolist()
    if "," in what and what.split(", ")[1] in ("studs", "degrees"):
        return f"| {what} | {middle:.3f} | {most:.3f} | {largest:.3f} | |"
    low, high = wilson(int((sizes < 0.01).sum()), len(sizes))
    cells = f"{middle:.2%} | {most:.2%} | {largest:.2%} | {np.mean(sizes < 0.01):.1%}"
    return f"| {what} | {cells} ({low:.1%} to {high:.1%}) |".replace("%", " %")


def main() -> None:
    """Print a table of crashes without friction between the two, and one with it."""
    count, seed = (int(word) for word in [*sys.argv[1:], *["200", "1"][len(sys.argv) - 1 :]])
    for friction in FRICTIONS:
        found = differences(list(witnessed(count, seed, friction)))
        click.echo(f"\n{count} crashes, friction {friction:g} between the two\n")
        click.echo("| compared | median | 98 of 100 | largest | within 1 % (95 % interval) |")
        click.echo("|---|---|---|---|---|")
        for what, values in found.items():
            click.echo(row(what, values))


if __name__ == "__main__":
    main()
