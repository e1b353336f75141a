"""Models: models built of pieces, thrown bodies, figures, and what figures hold (`gear.toml`)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

import numpy as np

from brickphys.plots.solid import thrown as thrown_solid
from brickphys.reading import shipped_toml
from brickphys.shapes.assembly import RigidBody, assembly, build_assembly
from brickphys.shapes.body import Body
from brickphys.shapes.brick import regular_polygon
from brickphys.shapes.export import colour_meshes, detail_mesh
from brickphys.shapes.mesh import weld
from brickphys.units import Triple
from brickphys.vehicles.crash import FIGURE
from brickphys.view.builder import PlacedShape
from brickphys.view.recording import SceneShape, SceneSurface
from brickphys.view.solids import box, merged, moved, of_mesh, prism

TORSO = "red"
"""The colour of the torso of a figure in its model, which is replaced by that of its player."""
_LEGS, _TROUSERS = "blue", "#454b52"


@lru_cache
def model(name: str) -> SceneShape:
    """Return a body of a model, such as ``jeep`` or ``jeep/driver``, in the frame of the thing."""
    bodies = {body.name: body for body in assembly(name.partition("/")[0]).bodies}
    return SceneShape(name, _surfaces(bodies[name]))


_RAISED_PLATES = {"seated": 1.9}
"""Height of the lowest colliding piece over the origin of a part: the legs of a seated figure hang below it."""


@lru_cache
def part(name: str) -> SceneShape:
    """Return a part that other models include (``seated``, ``mounted``), from its own origin upwards."""
    raised = _RAISED_PLATES.get(name, 0.0)
    include = f'include = [{{ of = "{name}", at = [0, 0, 0] }}]'
    return pieces(name, f"raised_plates = {raised}\n{include}")


@lru_cache
def pieces(name: str, text: str) -> SceneShape:
    """Return a thing of pieces, given as in a model file; its origin is on the ground below its middle."""
    built = build_assembly(name, f'kind = "decor"\nabout = "a thing"\n{text}')
    return SceneShape(name, _surfaces(built.hull))


def _surfaces(body: RigidBody) -> tuple[SceneSurface, ...]:
    return tuple(of_mesh(colour, mesh) for colour, mesh in colour_meshes(body).items())


@lru_cache
def thrown(body: Body) -> SceneShape:
    """Return a thrown body about its centre of mass: a brick or plate with studs and hollow, of others the hull."""
    mesh = detail_mesh(body) or weld([thrown_solid(body, (0.0, 0.0, 0.0)).corners_mm])
    return SceneShape(f"body {body.name}", (of_mesh(TORSO, mesh),))


def torso(colour: str) -> dict[str, str]:
    """Return the colours of something whose torso, or body, has a colour of its own."""
    return {TORSO: colour}


def dressed(colour: str) -> dict[str, str]:
    """Return the colours of a figure in the colour of its player, with legs that are no player's."""
    return {TORSO: colour, _LEGS: _TROUSERS}


def torso_of(body: RigidBody) -> str:
    """Return the colour of the torso of a crew member in its model."""
    return next(one.colour for one in body.pieces if one.form == "prism" and one.axis == "x")


def hands_of(body: RigidBody) -> tuple[Triple, Triple]:
    """Return where the right and the left hand of a crew member are, in the frame of its model, in mm."""
    hands = [
        one for one in body.pieces if one.form == "cylinder" and one.axis == "x" and one.overhangs
    ]
    middles = ((one.low_mm + one.size_mm / 2).tolist() for one in hands)
    (a, b, c), (d, e, f) = sorted(middles, key=lambda at: at[1])
    return (a, b, c), (d, e, f)


RIGHT_HAND_MM: Triple = (4.4, -4.6, 17.8)
LEFT_HAND_MM: Triple = (4.4, 4.6, 17.8)
"""Where the hands of a figure are that stands on height 0 and looks along x."""
HEAD_MM = 28.8
"""Where its head begins."""

_Part = tuple[str, Triple, Triple, str]
_UNKNOWN: tuple[_Part, ...] = (("box", (-1.5, -1.5, -2.0), (1.5, 1.5, 6.0), "dark_grey"),)


@lru_cache
def gear(name: str) -> SceneShape:
    """Return what a hand holds, by its name; its origin is the hand."""
    parts = _parts().get(name, _UNKNOWN)
    return SceneShape(f"gear {name}", merged(_surface(*one) for one in parts))


@lru_cache
def _parts() -> Mapping[str, Sequence[_Part]]:
    return shipped_toml(files("brickphys.view") / "gear.toml")


def _surface(form: str, low: Triple, high: Triple, colour: str) -> SceneSurface:
    """Return a box between two corners, or a round rod: its lower middle, then its radii and its upper end."""
    if form == "box":
        return box(low, high, colour)
    (x, y, bottom), (radius, _, top) = low, high
    return moved(prism(regular_polygon(radius, 8), bottom, top, colour), (x, y, 0.0))


@lru_cache
def shield(colour: str) -> SceneShape:
    """Return a shield in a colour, before the left hand."""
    rim = regular_polygon(6.5, 16)
    flat, boss = prism(rim, 0.0, 1.0, colour), prism(0.3 * rim, 1.0, 2.0, "pale_grey")
    return SceneShape(f"shield {colour}", tuple(_upright(one) for one in (flat, boss)))


def _upright(surface: SceneSurface) -> SceneSurface:
    """Return a surface with what was up ahead, and what was ahead down."""
    x, y, z = surface.points_mm.T
    return SceneSurface(surface.colour, np.column_stack([z + 2.0, y, -x]), surface.corners)


@lru_cache
def helmet(colour: str) -> SceneShape:
    """Return a helmet over the cap of a figure that stands on height 0."""
    bowl = prism(regular_polygon(5.2, 16), HEAD_MM - 3.2, HEAD_MM + 3.4, colour, 0.75)
    return SceneShape(f"helmet {colour}", (moved(bowl, (-0.6, 0.0, 8.6)),))


@lru_cache
def lying(name: str) -> SceneShape:
    """Return a thing as it lies on the ground."""
    shape = shield("white") if name == "shield" else gear(name)
    parts = [_upright(one) for one in shape.surfaces]
    low = min(float(one.points_mm[:, 2].min()) for one in parts)
    return SceneShape(f"lying {name}", tuple(moved(one, (0.0, 0.0, -low)) for one in parts))


def figure(
    key: str,
    at_mm: Triple,
    heading_deg: float,
    colour: str,
    held: Sequence[str] = (),
    label: str = "",
    parent: str = "",
) -> Iterator[PlacedShape]:
    """Yield a figure (see `PlacedShape`) whose torso and name have a colour ``#rrggbb``, and what it holds.

    The first thing is in the right hand, the second in the left one; a shield is always in the left hand, a helmet on
    the head.
    """
    tag, own = colour if label else "", dressed(colour)
    yield PlacedShape(key, model(FIGURE), at_mm, heading_deg, label, tag, own, parent)
    yield from in_hands(key, held, colour)


def rider(
    key: str, body: RigidBody, colour: str, held: Sequence[str], parent: str
) -> Iterator[PlacedShape]:
    """Yield a crew member of a model, in the frame of its model, and what it holds."""
    own = {**dressed(colour), torso_of(body): colour}
    yield PlacedShape(key, model(body.name), colours=own, parent=parent)
    yield from in_hands(key, held, colour, hands_of(body))


def in_hands(
    key: str,
    held: Sequence[str],
    colour: str,
    hands_mm: tuple[Triple, Triple] = (RIGHT_HAND_MM, LEFT_HAND_MM),
) -> Iterator[PlacedShape]:
    """Yield what a figure holds and wears; `key` is that of the figure."""
    free = [gear(name) for name in held if name not in ("shield", "helmet")]
    for number, (shape, hand) in enumerate(zip(free, hands_mm, strict=False)):
        yield PlacedShape(f"{key}/hand {number}", shape, hand, parent=key)
    if "shield" in held:
        yield PlacedShape(f"{key}/shield", shield(colour), hands_mm[1], parent=key)
    if "helmet" in held:
        (x, y, z), (a, b, c) = hands_mm[0], RIGHT_HAND_MM
        yield PlacedShape(f"{key}/helmet", helmet("pale_grey"), (x - a, y - b, z - c), parent=key)


@lru_cache
def soldier(held: tuple[str, ...]) -> SceneShape:
    """Return a figure with what it holds as one shape, for many that look alike."""
    parts = list(model(FIGURE).surfaces)
    for name, hand in zip(held, (RIGHT_HAND_MM, LEFT_HAND_MM), strict=False):
        shape = shield(TORSO) if name == "shield" else gear(name)
        parts += [moved(one, hand) for one in shape.surfaces]
    return SceneShape(f"soldier {' '.join(held)}".rstrip(), merged(parts))
