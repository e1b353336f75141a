"""Things of Minifig battles that are no models of the package: dogs, wagons and catapults, of pieces."""

from functools import lru_cache

from brickphys.minifig.sheets.charts import ThingKind
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.view.recording import Shape
from brickphys.view.shapes.built import model, pieces

_DOG = """
pieces = [
    { form = "block", at = [-1.1, -0.35, 2.2], size = [1.8, 0.7, 2.0], colour = "brown" },
    { form = "block", at = [-1.1, 0.1, 0], size = [0.35, 0.25, 2.2], colour = "brown", mirror = true },
    { form = "block", at = [0.3, 0.1, 0], size = [0.35, 0.25, 2.2], colour = "brown", mirror = true },
    { form = "block", at = [0.5, -0.35, 3.4], size = [0.8, 0.7, 2.2], colour = "brown" },
    { form = "block", at = [1.3, -0.2, 3.5], size = [0.5, 0.4, 1.0], colour = "black" },
    { form = "block", at = [0.55, 0.12, 5.6], size = [0.3, 0.2, 0.8], colour = "black", mirror = true },
    { form = "block", at = [-1.6, -0.1, 3.8], size = [0.6, 0.2, 0.6], colour = "brown" },
    { form = "block", at = [0.25, -0.38, 3.2], size = [0.25, 0.76, 1.3], colour = "red" },
]
"""
"""Its collar is red, which its player's colour replaces."""
_WAGON = """
pieces = [
    {{ form = "block", at = [0, 0, 2.4], size = [{l}, {w}, 0.9], colour = "pale_brown" }},
    {{ form = "block", at = [0, 0, 3.3], size = [{l}, 0.4, 2.6], colour = "pale_brown", copies = [[0, {inner}, 0]] }},
    {{ form = "block", at = [0, 0.4, 3.3], size = [0.4, {across}, 2.6], colour = "brown", copies = [[{far}, 0, 0]] }},
{wheels}]
"""
_WHEEL = """
    {{ form = "cylinder", axis = "y", at = [{x}, {y}, 0], size = [{wide}, 0.3, {high}], colour = "dark_grey" }},
"""
_LEVER = 'colour = "tan", outline = [[0, 0.86], [0.06, 1], [1, 0.14], [1, 0], [0.9, 0]]'
_CATAPULT = """
pieces = [
    {{ form = "block", at = [0, 0, 1.6], size = [{l}, 0.6, 1.4], colour = "pale_brown", copies = [[0, {inner}, 0]] }},
    {{ form = "block", at = [0, 0.6, 1.6], size = [0.7, {across}, 1.2], colour = "brown", copies = [[{far}, 0, 0]] }},
    {{ form = "block", at = [{post}, 0, 3], size = [0.7, 0.6, {tall}], colour = "brown", copies = [[0, {inner}, 0]] }},
    {{ form = "block", at = [{post}, 0, {beam}], size = [0.7, {w}, 0.9], colour = "pale_brown" }},
    {{ form = "prism", axis = "y", at = [{arm}, {middle}, 2.6], size = [{reach}, 0.5, {rise}], {lever} }},
    {{ form = "cylinder", axis = "z", at = [{spoon}, {cup}, {lip}], size = [1.2, 1.2, 0.9], colour = "tan" }},
{wheels}]
"""


@lru_cache
def dog() -> Shape:
    """Return a dog that stands on height 0 and looks along x; its collar is that of a torso."""
    return pieces("dog", _DOG)


@lru_cache
def thing(kind: ThingKind) -> Shape:
    """Return a horse, a wagon or a catapult of the size of its kind."""
    if kind.is_ridden:
        return model("horse")
    length, width = (size / STUD_MM for size in kind.size_mm[:2])
    height = kind.size_mm[2] / PLATE_MM
    sizes = {
        "l": length,
        "w": width,
        "inner": width - (0.4 if kind.missile is None else 0.6),
        "across": width - (0.8 if kind.missile is None else 1.2),
        "far": length - (0.4 if kind.missile is None else 0.7),
        "post": 0.6 * length,
        "tall": height - 3.9,
        "beam": height - 0.9,
        "middle": width / 2 - 0.25,
        "arm": 0.1 * length,
        "reach": 0.55 * length,
        "rise": height - 3.0,
        "spoon": 0.1 * length - 0.4,
        "cup": width / 2 - 0.6,
        "lip": height - 1.2,
    }
    numbers = {name: round(value, 3) for name, value in sizes.items()}
    text = _WAGON if kind.missile is None else _CATAPULT
    return pieces(kind.name, text.format(wheels=_wheels(length, width), lever=_LEVER, **numbers))


def _wheels(length: float, width: float) -> str:
    """Return four wheels as pieces, beside the sides of a thing."""
    wide, high = 1.6, 4.0
    places = ((x, y) for x in (0.25, length - wide - 0.25) for y in (-0.3, width))
    return "".join(
        _WHEEL.format(x=round(x, 3), y=round(y, 3), wide=wide, high=high) for x, y in places
    )


@lru_cache
def stone() -> Shape:
    """Return the stone of a loaded catapult."""
    text = 'pieces = [{ form = "cylinder", at = [0, 0, 0], size = [1, 1, 2], colour = "grey", material = "abs" }]'
    return pieces("stone", text)


def stone_place_mm(kind: ThingKind) -> tuple[float, float, float]:
    """Return where the stone lies in the spoon of a catapult, in its frame."""
    length, _, height = kind.size_mm
    return -0.4 * length + 0.2 * STUD_MM, 0.0, height - 0.3 * PLATE_MM
