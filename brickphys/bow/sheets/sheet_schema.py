"""The form of a file of sheets; loads pydantic."""

from enum import Enum
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import BeforeValidator, Field

from brickphys.bow.sheets.custom_actions import (
    CustomAction,
    Effect,
    EffectKind,
    OpposedAction,
    Target,
    TargetType,
    TrivialAction,
)
from brickphys.bow.sheets.gear import Armor, ArmorPlace, Bag, Item, Tool, Weapon, WeaponKind
from brickphys.bow.sheets.minifig_sheet import HealthColour
from brickphys.bow.sheets.vehicle_sheet import Side, VehicleWeapon
from brickphys.schema import Name, Strict

LARGEST = 1000
"""Beyond what any table holds."""

E = TypeVar("E", bound=Enum)


def _member(kind: type[E]) -> Any:
    """Return the validator that turns a text into a member of an enumeration."""

    def parse(value: object) -> object:
        for member in kind:
            if member.value == value:
                return member
        raise ValueError(f"{value!r} is none of {', '.join(str(member.value) for member in kind)}")

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
    hands: Number = 1

    def item(self) -> Item:
        """Return the value that this table describes."""
        return self.makes(**dict(self))


class WeaponDocument(ItemDocument):
    """A weapon for the hand."""

    makes = Weapon

    damage: Points
    kind: Annotated[WeaponKind, _member(WeaponKind)]
    reach_studs: Points = 0
    paired: bool = False


class ArmorDocument(ItemDocument):
    """A piece of armor."""

    makes = Armor

    armor: Points
    place: Annotated[ArmorPlace, _member(ArmorPlace)]


class ToolDocument(ItemDocument):
    """Any other object."""

    makes = Tool


class BagDocument(ItemDocument):
    """A bag."""

    makes = Bag

    holds: Points


class VehicleWeaponDocument(Strict):
    """A weapon of vehicles."""

    name: Name
    damage: Points
    arc_deg: int = 180
    axis_deg: Angle = 0.0
    shots_per_turn: Points | None = None

    def weapon(self) -> VehicleWeapon:
        """Return the weapon."""
        return VehicleWeapon(**dict(self))


class EffectDocument(Strict):
    """What a new action does."""

    kind: Annotated[EffectKind, _member(EffectKind)]
    points: Points | None = None


class ActionDocument(Strict):
    """Any new action."""

    makes: ClassVar[type[CustomAction]]

    name: Name
    target: Annotated[Target, _member(Target)]
    effect: EffectDocument
    range_studs: Points = 0
    actions: Points = 1
    needs: str | None = None
    about: About = ""
    on: list[Annotated[TargetType, _member(TargetType)]] = Field(
        default_factory=lambda: [TargetType.UNIT]
    )

    def action(self) -> CustomAction:
        """Return the value that this table describes."""
        return self.makes(
            **{**dict(self), "effect": Effect(**dict(self.effect)), "on": tuple(self.on)}
        )


class TrivialDocument(ActionDocument):
    """A new action without a roll."""

    makes = TrivialAction


class OpposedDocument(ActionDocument):
    """A new action with a roll against another."""

    makes = OpposedAction

    colour: str
    acting: Name
    resisting: Name
    sight: bool = True


class MinifigDocument(Strict):
    """A sheet of a minifig; what is left out is as in its base."""

    name: Name
    base: str | None = None
    about: About | None = None
    action_budget: Points | None = None
    move: Points | None = None
    dodge: Points | None = None
    attack: Points | None = None
    health: Points | None = None
    health_colour: Annotated[HealthColour, _member(HealthColour)] | None = None
    treat: Points | None = None
    repair: Points | None = None
    custom: dict[str, Points] | None = None
    held: Names | None = None
    worn: Names | None = None
    back: Names | None = None
    bag: Names | None = None


class SeatDocument(Strict):
    """A seat."""

    name: Name
    pilot: bool = False
    exposed: bool = False
    beside: bool = False
    weapon: str | None = None
    arc_deg: int | None = None
    axis_deg: Angle | None = None


class VehicleDocument(Strict):
    """A sheet of a vehicle; what is left out is as in its base."""

    name: Name
    base: str | None = None
    about: About | None = None
    speed: Points | None = None
    min_speed: Points | None = None
    armor: Points | None = None
    health: Points | None = None
    flying: bool | None = None
    doors: list[Annotated[Side, _member(Side)]] | None = None
    model: str | None = None
    length_studs: Size | None = None
    width_studs: Size | None = None
    bottom_plates: Size | None = None
    top_plates: Size | None = None
    seat: Annotated[list[SeatDocument], Field(max_length=40)] | None = None


class BoardedDocument(Strict):
    """A unit that begins in a seat."""

    unit: str
    vehicle: str
    seat: str


class ArmyDocument(Strict):
    """A side: the number of units of each sheet, and those that begin in a seat."""

    name: Name
    units: dict[str, Number]
    vehicles: dict[str, Number] = Field(default_factory=dict)
    boarded: list[BoardedDocument] = Field(default_factory=list)


class LibraryDocument(Strict):
    """A whole file."""

    weapon: list[WeaponDocument] = Field(default_factory=list)
    armor: list[ArmorDocument] = Field(default_factory=list)
    tool: list[ToolDocument] = Field(default_factory=list)
    bag: list[BagDocument] = Field(default_factory=list)
    vehicle_weapon: list[VehicleWeaponDocument] = Field(default_factory=list)
    trivial_action: list[TrivialDocument] = Field(default_factory=list)
    opposed_action: list[OpposedDocument] = Field(default_factory=list)
    unit: list[MinifigDocument] = Field(default_factory=list)
    vehicle: list[VehicleDocument] = Field(default_factory=list)
    army: list[ArmyDocument] = Field(default_factory=list)
