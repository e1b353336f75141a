"""Custom actions: new trivial and new opposed actions as data (BOW B.2, B.3).

An action names its possible targets and its effect. Both come from closed sets, so a game that knows the sets can play
every new action.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from brickphys.bow.sheets.minifig_sheet import ABILITIES, MinifigSheet

DISTANCE_STEP_STUDS = 5
COLOURS = ("blue", "grey", "brown", "orange", "tan", "olive", "sand_green")
"""Colours that mark no ability of the basic rules (BOW B.3)."""


DAMAGE_POINTS = "damage_points"
"""What resists, instead of an ability, a treatment or repair: the damage points of its target (BOW 2.4.4)."""


class Target(Enum):
    """The side of the possible targets of a custom action."""

    SELF = "self"
    FRIEND = "friend"
    """Another one of the same side."""
    ENEMY = "enemy"
    ANYONE = "anyone"
    """Any other one."""


class TargetType(Enum):
    """The type of the possible targets of a custom action."""

    UNIT = "unit"
    VEHICLE = "vehicle"
    DOOR = "door"
    """A door or a window."""


class EffectKind(Enum):
    """The effect of a custom action."""

    DAMAGE = "damage"
    """Adds damage points. Opposed actions only: a unit that is hurt may resist (BOW B.1)."""
    HEAL = "heal"
    """Removes damage points, for either colour of health."""
    PUSH = "push"
    """Moves the target by this many studs straight away from the acting unit, up to the first obstacle."""
    LEAP = "leap"
    """Moves the target to a free stud at most this many studs away, over obstacles."""
    GUARD = "guard"
    """Adds bricks to Dodge/Armor until the target's next turn."""
    HOLD = "hold"
    """Removes actions from the target's next turn."""
    DISARM = "disarm"
    """Makes the target drop the objects in this many hands on its own stud."""
    OPEN = "open"
    """Opens a closed door or window, a locked one too."""
    NOTHING = "nothing"
    """Has no effect; a scenario may give the action a meaning."""


OPPOSED_ONLY = (EffectKind.DAMAGE, EffectKind.PUSH, EffectKind.HOLD, EffectKind.DISARM)
"""Effects that need a roll."""
WITHOUT_POINTS = (EffectKind.OPEN, EffectKind.NOTHING)
_VEHICLES_TOO = (TargetType.UNIT, TargetType.VEHICLE)
_CAN_TARGET = {
    EffectKind.DAMAGE: _VEHICLES_TOO,
    EffectKind.HEAL: _VEHICLES_TOO,
    EffectKind.OPEN: (TargetType.DOOR,),
    EffectKind.NOTHING: tuple(TargetType),
}
"""The types of targets of an effect; all others are for units."""


@dataclass(frozen=True)
class Effect:
    """The effect of an action: its `kind` and its `points`; None for the difference of the two rolls."""

    kind: EffectKind
    """What happens."""
    points: int | None = None
    """By how much; None for the difference of the rolls."""

    def amount(self, difference: int) -> int:
        """Return the points, given the difference of the two rolls."""
        return difference if self.points is None else self.points


@dataclass(frozen=True, kw_only=True)
class CustomAction:
    """A new action, trivial or opposed.

    Attributes
    ----------
    name
        Of the action.
    target
        The side of its possible targets.
    range_studs
        The largest distance to the target: a multiple of 5; 0 for contact.
    effect
        Its effect: of a trivial action with fixed points, of an opposed one if the acting roll is higher.
    actions
        Its cost from the Action Budget.
    needs
        Name of the gear that must be in hand, if any.
    about
        A description in a few words.
    on
        The types of its possible targets.
    """

    name: str
    target: Target
    effect: Effect
    range_studs: int = 0
    actions: int = 1
    needs: str | None = None
    about: str = ""
    on: tuple[TargetType, ...] = (TargetType.UNIT,)

    def problems(self) -> Iterator[str]:
        """Yield every fault."""
        if self.range_studs < 0 or self.range_studs % DISTANCE_STEP_STUDS:
            yield f"range_studs: {self.range_studs} is not a multiple of {DISTANCE_STEP_STUDS} (BOW B.1)"
        if self.actions < 1:
            yield f"actions: {self.actions} is less than 1 (BOW B.2)"
        points = self.effect.points
        if points is not None and points < 1:
            yield f"effect: {points} points are less than 1"
        kind = self.effect.kind
        if kind in WITHOUT_POINTS and points is not None:
            yield f"effect: {kind.value} has no points"
        if not self.on or len(set(self.on)) < len(self.on):
            yield "on: needs types of target, each once (BOW B.2)"
        for one in self.on:
            if one not in _CAN_TARGET.get(kind, (TargetType.UNIT,)):
                yield f"on: {kind.value} has no effect on a {one.value} (BOW B.2)"
        if TargetType.DOOR in self.on and self.target is not Target.ANYONE:
            yield f"target: a door belongs to no side: {Target.ANYONE.value}, not {self.target.value} (BOW B.2)"
        if self.target is Target.SELF and self.on != (TargetType.UNIT,):
            yield "on: only a unit can act on itself (BOW B.2)"

    def has_needed(self, sheet: MinifigSheet) -> bool:
        """Tell whether a unit holds the gear that is needed."""
        return self.needs is None or any(item.name == self.needs for item in sheet.gear.held)

    def can_act(self, sheet: MinifigSheet) -> bool:
        """Tell whether a unit can do it at all."""
        return self.has_needed(sheet)


@dataclass(frozen=True, kw_only=True)
class TrivialAction(CustomAction):
    """An action without a brick roll: it always succeeds and costs actions (BOW B.2)."""

    def problems(self) -> Iterator[str]:
        """Yield every fault."""
        yield from super().problems()
        if self.effect.kind in OPPOSED_ONLY:
            yield f"effect: {self.effect.kind.value} needs an opposed action (BOW B.1)"
        if self.effect.points is None and self.effect.kind not in WITHOUT_POINTS:
            yield "effect: an action without a roll has no difference: state the points (BOW B.2)"


@dataclass(frozen=True, kw_only=True)
class OpposedAction(CustomAction):
    """An action with an opposed roll (BOW B.3).

    Attributes
    ----------
    colour
        Of its studs; it marks no other ability.
    acting, resisting
        The abilities that roll, which share a line of the sheet: new ones, or ones of the basic rules. The damage
        points of the target may resist instead (`DAMAGE_POINTS`); a vehicle resists all else with its Dodge/Armor.
    sight
        Whether the target must be seen and in front.
    """

    colour: str
    acting: str
    resisting: str
    sight: bool = True

    @property
    def new_abilities(self) -> tuple[str, ...]:
        """Its abilities that are not in the basic rules; they take studs on the sheet and cost points."""
        names = dict.fromkeys((self.resisting, self.acting))
        return tuple(name for name in names if name not in (*ABILITIES, DAMAGE_POINTS))

    @property
    def meets_damage(self) -> bool:
        """Whether the damage points of the target resist (BOW 2.4.4)."""
        return self.resisting == DAMAGE_POINTS

    def shares_line(self, other: "OpposedAction") -> bool:
        """Tell whether another action has the same line of a sheet; damage points take no place in one (BOW B.3)."""
        same = self.resisting == other.resisting or self.meets_damage or other.meets_damage
        return same and self.acting == other.acting

    def problems(self) -> Iterator[str]:
        """Yield every fault."""
        yield from super().problems()
        if self.colour not in COLOURS:
            yield f"colour: {self.colour!r} is not one of {', '.join(COLOURS)} (BOW B.3)"
        if self.target is Target.SELF:
            yield "target: an opposed action cannot have the unit itself as target (BOW B.3)"
        if self.acting == DAMAGE_POINTS:
            yield f"acting: {DAMAGE_POINTS} can only resist (BOW 2.4.4)"
        if self.resisting == "damage":
            yield (
                "resisting: damage is the power of the target's weapon; the damage points that it has are "
                f"{DAMAGE_POINTS}, its Attack/Damage is attack_damage (BOW 2.4.4)"
            )
        if TargetType.DOOR in self.on:
            yield "on: a door rolls no bricks; an action on it is trivial (BOW B.1)"
        if self.effect.kind is EffectKind.NOTHING:
            yield "effect: an opposed action must have one (BOW B.3)"

    def can_act(self, sheet: MinifigSheet) -> bool:
        """Tell whether a unit can do it at all: it has a brick to roll and holds the gear that is needed."""
        return sheet.ability(self.acting) > 0 and self.has_needed(sheet)
