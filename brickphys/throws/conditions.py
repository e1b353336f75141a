"""Conditions of a throw: distributions of height, speed and spin at release, with named presets; materials of floors.

A surface has ranges of friction and restitution of the pair brick and surface. Shipped surfaces and those of the user
are files of one form; those that ship are in ``throws/materials``.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import product
from typing import Any

from brickphys.errors import InvalidValueError, naming, unknown
from brickphys.odds import provenance
from brickphys.odds.roll import MAX_BRICKS
from brickphys.reading import parse_toml, read_text, shipped_toml


@dataclass(frozen=True)
class Conditions(provenance.LawConditions):
    """Conditions of release of a hand of bricks.

    Raises InvalidValueError if a value is not finite, negative, reversed or above its limit (5 m, 20 m/s, 500 rad/s, 60
    bricks).
    """

    bricks: int = 1
    picked_up: float = 0.0
    """Share of bricks of any orientation that start as picked up: on a stable face, each pose as likely."""

    def __post_init__(self) -> None:
        low, high = self.height_mm
        _check("height_mm", low, provenance.MAX_HEIGHT_MM)
        _check("height_mm", high, provenance.MAX_HEIGHT_MM)
        if low <= 0:
            raise InvalidValueError(f"height_mm {low:g} must be above 0")
        if low > high:
            raise InvalidValueError(
                f"height_mm {low:g}:{high:g} is reversed: write {high:g}:{low:g}"
            )
        _check("speed_m_s", self.speed_m_s, provenance.MAX_SPEED_M_S)
        _check("spin_rad_s", self.spin_rad_s, provenance.MAX_SPIN_RAD_S)
        _check("scatter", self.scatter, 1.0)
        _check("picked_up", self.picked_up, 1.0)
        if not 1 <= self.bricks <= MAX_BRICKS:
            raise InvalidValueError(f"bricks {self.bricks} is outside 1..{MAX_BRICKS}")

    @property
    def of_one(self) -> provenance.LawConditions:
        """The conditions of each brick, as a law tells them."""
        return provenance.LawConditions(
            self.height_mm,
            self.speed_m_s,
            self.spin_rad_s,
            self.scatter,
            self.start,
            preset=self.preset,
        )


def _check(name: str, value: float, limit: float) -> None:
    if not math.isfinite(value) or not 0 <= value <= limit:
        raise InvalidValueError(f"{name} {value:g} is outside 0 to {limit:g}")


HAND_SPEED_M_S = (1.0, 3.0)
"""Horizontal speed in all of hand throws of dice and coins, as reported."""
HAND_SPIN_RAD_S = (10.0, 60.0)
"""Their spin in all."""

PRESETS: Mapping[str, Conditions] = {
    # Within reports on hand throws of dice and coins: released 0.1 to 0.4 m up, at HAND_SPEED_M_S and HAND_SPIN_RAD_S.
    # In all, over two and three axes, these values are 1.4 m/s and 52 rad/s.
    "hand": Conditions((100.0, 300.0), 1.0, 30.0, preset="hand"),
    # Hardly thrown: let go near the table, with a little push and a turn of about one radian before it lands.
    "gentle": Conditions((50.0, 100.0), 0.3, 10.0, preset="gentle"),
    # Tossed up: it falls back from the heights of a hand and with its spin, but does not travel along the table.
    "toss": Conditions((100.0, 300.0), 0.0, 30.0, preset="toss"),
    # Rolled along the table: let go just above it, with the speed and the spin of a hand.
    "roll": Conditions((40.0, 80.0), 1.0, 30.0, preset="roll"),
    # Dropped without a throw and with little spin; the bricks fall side by side.
    "drop": Conditions((200.0, 200.0), 0.0, 2.0, preset="drop"),
    # Shaken and poured out of a cup just above the table: low and slow, with much spin and much scatter.
    "cup": Conditions((50.0, 150.0), 0.6, 40.0, scatter=0.5, preset="cup"),
    # Flipped with the thumb, as a coin: it turns over 17 to 34 times a second and falls back on the table. A drift
    # aside of a tenth of a m/s is a supposition; without any it would move in a plane, which no hand does.
    "flip": Conditions((300.0, 600.0), 0.1, 160.0, start=provenance.FLIP, preset="flip"),
}


def preset(name: str) -> Conditions:
    """Return the preset of a name, else raise InvalidValueError with the nearest name."""
    if name not in PRESETS:
        raise unknown("preset", name, PRESETS)
    return PRESETS[name]


_FOLDER = files("brickphys.throws") / "materials"
_SUFFIX = ".toml"
_NAMES = ("wood", "glass", "cloth", "plastic")


@dataclass(frozen=True)
class ContactCoefficients:
    """Coefficients of Coulomb friction and of Newton's restitution of a pair of bodies, and the losses of rolling.

    Raises InvalidValueError if friction is outside 0..5, restitution outside 0..1, or an arm outside 0..10 mm.
    """

    friction: float
    restitution: float
    rolling_mm: float = 0.2
    """Arm, under the normal force, of the torque on a round body that rolls at 30 rad/s; it grows with the spin."""
    drilling_mm: float = 0.002
    """Arm of the torque on a round body that spins about the vertical."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.friction) or not 0 <= self.friction <= provenance.MAX_FRICTION:
            raise InvalidValueError(
                f"friction {self.friction:g} is outside 0 to {provenance.MAX_FRICTION:g}"
            )
        if not math.isfinite(self.restitution) or not 0 <= self.restitution <= 1:
            raise InvalidValueError(f"restitution {self.restitution:g} is outside 0 to 1")
        _check("rolling_mm", self.rolling_mm, 10.0)
        _check("drilling_mm", self.drilling_mm, 10.0)


@dataclass(frozen=True)
class Surface:
    """A material of floors.

    Raises InvalidValueError if a range is reversed or has an impossible end.
    """

    name: str
    """As on the command line."""
    friction: tuple[float, float]
    restitution: tuple[float, float]
    """Least and greatest plausible value for the pair ABS brick and surface."""
    source: str
    rolling_mm: tuple[float, float] = (0.05, 0.5)
    drilling_mm: tuple[float, float] = (0.0, 0.01)
    """Those of the arms for round bodies, see `ContactCoefficients`: suppositions, since no measurement was found."""
    impact_friction: tuple[float, float] | None = None
    """Friction that may act in impacts, from below real records of it up to that of sliding; None for `friction`."""

    def __post_init__(self) -> None:
        ranges = {"friction": self.friction, "restitution": self.restitution} | self.losses
        for ends in zip(*ranges.values(), strict=True):
            ContactCoefficients(*ends)
        for what, (low, high) in ranges.items():
            if low > high:
                raise InvalidValueError(f"{what} [{low:g}, {high:g}] is reversed")
        _ = self.impact_friction and self.of_impacts

    @property
    def nominal(self) -> ContactCoefficients:
        """The middle of both ranges, and the usual arms within theirs, used unless the caller gives other values."""
        rolling, drilling = ContactCoefficients.rolling_mm, ContactCoefficients.drilling_mm
        arms = sorted((rolling, *self.rolling_mm))[1], sorted((drilling, *self.drilling_mm))[1]
        return ContactCoefficients(_middle(self.friction), _middle(self.restitution), *arms)

    @property
    def of_impacts(self) -> "Surface":
        """The surface with the friction that may act in impacts, over which a law's 90 % range goes."""
        return replace(self, friction=self.impact_friction or self.friction, impact_friction=None)

    @property
    def losses(self) -> dict[str, tuple[float, float]]:
        """The ranges for round bodies alone, by name."""
        return {"rolling_mm": self.rolling_mm, "drilling_mm": self.drilling_mm}

    @property
    def extremes(self) -> tuple[ContactCoefficients, ContactCoefficients]:
        """The least friction and restitution, and the greatest ones."""
        return self.corners[0], self.corners[-1]

    @property
    def corners(self) -> tuple[ContactCoefficients, ...]:
        """Both ends of the range of friction, each with both of restitution."""
        return tuple(
            ContactCoefficients(*each) for each in product(self.friction, self.restitution)
        )


def _middle(span: tuple[float, float]) -> float:
    return round((span[0] + span[1]) / 2, 6)


def _surface(document: Mapping[str, Any]) -> Surface:
    spans = {key: tuple(value) for key, value in document.items() if isinstance(value, list)}
    return Surface(name=document["name"], source=document["source"], **spans)


# No measurement of these bricks on these surfaces was found. The ranges are wide and come from similar pairs.
SURFACES: Mapping[str, Surface] = {
    name: _surface(shipped_toml(_FOLDER / f"{name}{_SUFFIX}")) for name in _NAMES
}
"""The surfaces that ship, by name."""

BRICK_ON_BRICK = ContactCoefficients(friction=0.4, restitution=0.5)
"""Contact between bricks of one hand: plastic on plastic, estimated."""


def surface(name: str) -> Surface:
    """Return the shipped surface of a name, or the surface in a file: a name that ends in ``.toml``.

    Raises InvalidValueError if no such surface ships, with the nearest name; or as `parse_surface`.
    """
    if is_surface_file(name):
        return parse_surface(read_text(name), name)
    if name not in SURFACES:
        raise unknown("surface", name, SURFACES)
    return SURFACES[name]


def is_surface_file(name: str) -> bool:
    """Return whether a name is that of a surface file."""
    return name.lower().endswith(_SUFFIX)


def parse_surface(text: str, place: str) -> Surface:
    """Return the surface in a TOML text; messages start with `place`.

    Raises InvalidValueError if the text is not TOML, has an unknown or missing key or an impossible value, or its name
    is that of a shipped surface.
    """
    from brickphys.throws.surface_schema import surface_document

    document = surface_document(parse_toml(text, place), place)
    with naming(place):
        found = _surface(document)
    if found.name in SURFACES:
        raise InvalidValueError(f"{place}: name: {found.name!r} is a surface that ships")
    return found
