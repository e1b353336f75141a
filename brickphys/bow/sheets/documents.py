"""Documents: the form of a file of sheets; loads pydantic."""

from enum import Enum
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import BeforeValidator, Field

from brickphys.bow.sheets import library
from brickphys.bow.sheets.gear import Armor, ArmorPlace, Bag, HandWeapon, Item, Tool, WeaponKind
from brickphys.bow.sheets.sheet import HealthColour, VehicleWeapon
from brickphys.schema import Name, Strict
from brickphys.vehicles.sectors import Sector

LARGEST = 1000
"""Beyond what any table holds."""

E = TypeVar("E", bound=Enum)


def _member(kind: type[E]) -> Any:

    def parse(value: object) -> object:
        for member in kind:
            if member.value == value:
                return member
        raise ValueError(
            f"{value!r} is not one of {', '.join(str(member.value) for member in kind)}"
        )

    return BeforeValidator(parse)


About = Annotated[str, Field(max_length=80)]
Points = Annotated[int, Field(ge=0, le=LARGEST)]
Number = Annotated[int, Field(ge=1, le=LARGEST)]
Size = Annotated[float, Field(ge=0, le=LARGEST)]
Angle = Annotated[float, Field(ge=-360, le=360)]
Names = Annotated[list[str], Field(max_length=20)]


class ItemDocument(Strict):
    """Any object for minifigs."""

    makes: ClassVar[type[Item]]

    name: Name
    """Its name."""
    hands: Number = 1
    """Hands that it takes."""

    def item(self) -> Item:
        """Return the value that this table describes."""
        return self.makes(**dict(self))


class WeaponDocument(ItemDocument):
    """A weapon for the hand."""

    makes = HandWeapon

    damage: Points
    """Bricks that it adds to an attack."""
    kind: Annotated[WeaponKind, _member(WeaponKind)]
    """How it is used."""
    reach_studs: Points = 0
    """Reach of a melee weapon, in studs."""
    paired: bool = False
    """Whether two can be used at once."""


class ArmorDocument(ItemDocument):
    """A piece of armor."""

    makes = Armor

    armor: Points
    """Bricks that it adds to the defence."""
    place: Annotated[ArmorPlace, _member(ArmorPlace)]
    """Where it protects."""


class ToolDocument(ItemDocument):
    """Any other object."""

    makes = Tool


class BagDocument(ItemDocument):
    """A bag."""

    makes = Bag

    holds: Points
    """How many objects it holds."""


class VehicleWeaponDocument(Strict):
    """A weapon of vehicles."""

    name: Name
    """Its name."""
    damage: Points
    """Bricks that it adds to an attack."""
    arc_deg: int = 180
    """Width of its arc, in degrees."""
    axis_deg: Angle = 0.0
    """Middle of the arc, in degrees counter-clockwise from ahead."""
    shots_per_turn: Points | None = None
    """Shots per turn; default: one for each action of the gunner."""
    reload: bool = False
    """Whether another minifig must reload it after so many shots, before it fires again."""

    def weapon(self) -> VehicleWeapon:
        """Return the weapon."""
        return VehicleWeapon(**dict(self))


class EffectDocument(Strict):
    """What a new action does."""

    kind: Annotated[library.EffectKind, _member(library.EffectKind)]
    """What it does."""
    points: Points | None = None
    """Size of the effect; default: the difference of the rolls."""


class ActionDocument(Strict):
    """Any new action."""

    makes: ClassVar[type[library.CustomAction]]

    name: Name
    """Its name."""
    target: Annotated[library.TargetSide, _member(library.TargetSide)]
    """Possible targets: enemies, friends, anyone or the unit itself."""
    effect: EffectDocument
    """What it does."""
    range_studs: Points = 0
    """Range in studs, a multiple of 5; 0: in contact."""
    actions: Points = 1
    """Points of the Action Budget that it takes."""
    needs: str | None = None
    """Gear that must be in hand."""
    about: About = ""
    """Short description."""
    on: list[Annotated[library.TargetType, _member(library.TargetType)]] = Field(
        default_factory=lambda: [library.TargetType.UNIT]
    )
    """Kinds of targets: units, vehicles, doors."""

    def action(self) -> library.CustomAction:
        """Return the value that this table describes."""
        return self.makes(
            **{**dict(self), "effect": library.Effect(**dict(self.effect)), "on": tuple(self.on)}
        )


class TrivialDocument(ActionDocument):
    """A new action without a roll."""

    makes = library.TrivialAction


class OpposedDocument(ActionDocument):
    """A new action with a roll against another."""

    makes = library.OpposedAction

    colour: str
    """Colour of its line on a sheet."""
    acting: Name
    """Ability of the acting unit."""
    resisting: Name
    """Ability of the target."""
    sight: bool = True
    """Whether the target must be seen."""


class MinifigDocument(Strict):
    """A sheet of a minifig; what is left out is as in its base."""

    name: Name
    """Its name."""
    base: str | None = None
    """Sheet that supplies all keys that are left out."""
    about: About | None = None
    """Short description."""
    action_budget: Points | None = None
    """Actions a turn."""
    move: Points | None = None
    """Studs of a walk."""
    dodge: Points | None = None
    """Skill of defence, without armor."""
    attack: Points | None = None
    """Skill of attack, without weapons."""
    health: Points | None = None
    """Points of damage that it can take."""
    health_colour: Annotated[HealthColour, _member(HealthColour)] | None = None
    """Whether it is treated (red) or repaired (yellow)."""
    treat: Points | None = None
    """Skill to treat."""
    repair: Points | None = None
    """Skill to repair."""
    custom: dict[str, Points] | None = None
    """New ability → its points."""
    held: Names | None = None
    """Gear in the hands."""
    worn: Names | None = None
    """Gear that is worn."""
    back: Names | None = None
    """Gear on the back, a bag among it."""
    bag: Names | None = None
    """Gear in the bag."""


class SeatDocument(Strict):
    """A seat."""

    name: Name
    """Its name."""
    pilot: bool = False
    """Whether this is the seat of the driver; exactly one seat is."""
    exposed: bool = False
    """Whether the occupant can be attacked, and uses own weapons."""
    beside: bool = False
    """Whether the occupant walks beside the vehicle, at a door."""
    weapon: str | None = None
    """Weapon of the vehicle that is served there."""
    arc_deg: int | None = None
    """Arc of that weapon here, in degrees."""
    axis_deg: Angle | None = None
    """Middle of that arc, in degrees counter-clockwise from ahead."""


class VehicleDocument(Strict):
    """A sheet of a vehicle; what is left out is as in its base."""

    name: Name
    """Its name."""
    base: str | None = None
    """Sheet that supplies all keys that are left out."""
    about: About | None = None
    """Short description."""
    speed: Points | None = None
    """Greatest speed."""
    min_speed: Points | None = None
    """Lowest speed that is not 0, as of a plane."""
    armor: Points | None = None
    """Bricks of its defence."""
    health: Points | None = None
    """Points of damage that it can take."""
    flying: bool | None = None
    """Whether it flies."""
    doors: list[Annotated[Sector, _member(Sector)]] | None = None
    """Sides with a door."""
    model: str | None = None
    """Built model that it is; gives its size."""
    length_studs: Size | None = None
    """Length, in studs."""
    width_studs: Size | None = None
    """Width, in studs."""
    bottom_plates: Size | None = None
    """Height of its underside, in plates."""
    top_plates: Size | None = None
    """Height of its top, in plates."""
    seat: Annotated[list[SeatDocument], Field(max_length=40)] | None = None
    """Its seats."""


class BoardedDocument(Strict):
    """A unit that begins in a seat."""

    unit: str
    """Sheet of the unit."""
    vehicle: str
    """Sheet of the vehicle."""
    seat: str
    """The seat."""


class ArmyDocument(Strict):
    """A side: the number of units of each sheet, and those that begin in a seat."""

    name: Name
    """Its name."""
    units: dict[str, Number]
    """Sheet → number of units."""
    vehicles: dict[str, Number] = Field(default_factory=dict)
    """Sheet → number of vehicles."""
    boarded: list[BoardedDocument] = Field(default_factory=list)
    """Units that begin in a seat."""


class LibraryDocument(Strict):
    """Sheets, gear, actions and armies: a whole file, or a part of a scenario."""

    weapon: list[WeaponDocument] = Field(default_factory=list)
    """Weapons for the hand."""
    armor: list[ArmorDocument] = Field(default_factory=list)
    """Pieces of armor."""
    tool: list[ToolDocument] = Field(default_factory=list)
    """Other objects."""
    bag: list[BagDocument] = Field(default_factory=list)
    """Bags."""
    vehicle_weapon: list[VehicleWeaponDocument] = Field(default_factory=list)
    """Weapons of vehicles."""
    trivial_action: list[TrivialDocument] = Field(default_factory=list)
    """New actions without a roll."""
    opposed_action: list[OpposedDocument] = Field(default_factory=list)
    """New actions with a roll against another."""
    unit: list[MinifigDocument] = Field(default_factory=list)
    """Sheets of minifigs."""
    vehicle: list[VehicleDocument] = Field(default_factory=list)
    """Sheets of vehicles."""
    army: list[ArmyDocument] = Field(default_factory=list)
    """Armies."""
