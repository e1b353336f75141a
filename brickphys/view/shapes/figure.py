"""Figure: a figure in the colour of its player, with what it holds, as things on the table."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from brickphys.arrays import Triple
from brickphys.shapes.assembly import RigidBody
from brickphys.vehicles.physics.masses import FIGURE
from brickphys.view.builder import Placed
from brickphys.view.recording import Shape
from brickphys.view.shapes.built import TORSO, dressed, hands_of, model, torso_of
from brickphys.view.shapes.gear import LEFT_HAND_MM, RIGHT_HAND_MM, gear, helmet, shield
from brickphys.view.shapes.solids import merged, moved


def figure(
    key: str,
    at_mm: Triple,
    heading_deg: float,
    colour: str,
    held: Sequence[str] = (),
    label: str = "",
    parent: str = "",
) -> Iterator[Placed]:
    """Yield a figure and what it holds: the first thing in the right hand, the second in the left one.

    Parameters
    ----------
    key, at_mm, heading_deg, label, parent
        See `Placed`.
    colour
        Of its torso and its name, ``#rrggbb``.
    held
        Names of things; a shield is always in the left hand, a helmet on the head.
    """
    yield Placed(
        key,
        model(FIGURE),
        at_mm,
        heading_deg,
        label,
        colour if label else "",
        dressed(colour),
        parent,
    )
    yield from in_hands(key, held, colour)


def rider(
    key: str, body: RigidBody, colour: str, held: Sequence[str], parent: str
) -> Iterator[Placed]:
    """Yield a crew member of a model, in the frame of its model, and what it holds."""
    yield Placed(
        key, model(body.name), colours={**dressed(colour), torso_of(body): colour}, parent=parent
    )
    yield from in_hands(key, held, colour, hands_of(body))


def in_hands(
    key: str,
    held: Sequence[str],
    colour: str,
    hands_mm: tuple[Triple, Triple] = (RIGHT_HAND_MM, LEFT_HAND_MM),
) -> Iterator[Placed]:
    """Yield what a figure holds and wears; `key` is that of the figure."""
    free = [gear(name) for name in held if name not in ("shield", "helmet")]
    for number, (shape, hand) in enumerate(zip(free, hands_mm, strict=False)):
        yield Placed(f"{key}/hand {number}", shape, hand, parent=key)
    if "shield" in held:
        yield Placed(f"{key}/shield", shield(colour), hands_mm[1], parent=key)
    if "helmet" in held:
        (x, y, z), (a, b, c) = hands_mm[0], RIGHT_HAND_MM
        yield Placed(f"{key}/helmet", helmet("pale_grey"), (x - a, y - b, z - c), parent=key)


@lru_cache
def soldier(held: tuple[str, ...]) -> Shape:
    """Return a figure with what it holds as one shape, for many that look alike."""
    parts = list(model(FIGURE).surfaces)
    for name, hand in zip(held, (RIGHT_HAND_MM, LEFT_HAND_MM), strict=False):
        shape = shield(TORSO) if name == "shield" else gear(name)
        parts += [moved(one, hand) for one in shape.surfaces]
    return Shape(f"soldier {' '.join(held)}".rstrip(), merged(parts))
