"""Built: models that are built of pieces, thrown bodies, and things of pieces of our own."""

from functools import lru_cache

from brickphys.arrays import Triple
from brickphys.plots.render.solid import thrown as thrown_solid
from brickphys.shapes.assembly import RigidBody
from brickphys.shapes.assembly_file import assembly, build_assembly
from brickphys.shapes.assembly_model import colour_meshes
from brickphys.shapes.body import Body
from brickphys.shapes.export import detail_mesh
from brickphys.shapes.mesh import weld
from brickphys.view.recording import Shape, Surface
from brickphys.view.shapes.solids import of_mesh

TORSO = "red"
"""The colour of the torso of a figure in its model, which is replaced by that of its player."""
_LEGS, _TROUSERS = "blue", "#454b52"


@lru_cache
def model(name: str) -> Shape:
    """Return a body of a model, such as ``jeep`` or ``jeep/driver``, in the frame of the thing."""
    bodies = {body.name: body for body in assembly(name.partition("/")[0]).bodies}
    return Shape(name, _surfaces(bodies[name]))


_RAISED_PLATES = {"seated": 1.9}
"""Height of the lowest colliding piece over the origin of a part: the legs of a seated figure hang below it."""


@lru_cache
def part(name: str) -> Shape:
    """Return a part that other models include (``seated``, ``mounted``), from its own origin upwards."""
    raised = _RAISED_PLATES.get(name, 0.0)
    include = f'include = [{{ of = "{name}", at = [0, 0, 0] }}]'
    return pieces(name, f"raised_plates = {raised}\n{include}")


@lru_cache
def pieces(name: str, text: str) -> Shape:
    """Return a thing of pieces, given as in a model file; its origin is on the ground below its middle."""
    built = build_assembly(name, f'kind = "decor"\nabout = "a thing"\n{text}')
    return Shape(name, _surfaces(built.hull))


def _surfaces(body: RigidBody) -> tuple[Surface, ...]:
    return tuple(of_mesh(colour, mesh) for colour, mesh in colour_meshes(body).items())


@lru_cache
def thrown(body: Body) -> Shape:
    """Return a thrown body about its centre of mass: a brick or plate with studs and hollow, of others the hull."""
    mesh = detail_mesh(body) or weld([thrown_solid(body, (0.0, 0.0, 0.0)).corners_mm])
    return Shape(f"body {body.name}", (of_mesh(TORSO, mesh),))


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
    middles = sorted(
        ((one.low_mm + one.size_mm / 2).tolist() for one in hands), key=lambda at: at[1]
    )
    (a, b, c), (d, e, f) = middles
    return (a, b, c), (d, e, f)
