"""Pieces: a unit and a leader at one moment, cards in force, an activation, a melee."""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Annotated

from brickphys.blade_and_bow.setting import CardNumber, LeaderNumber, SquareNumber, UnitNumber
from brickphys.grid.grid import FACINGS
from brickphys.rules.turn_state import Count, PlayerNumber, Replaceable

HIDDEN = -1
"""In the view of a player: a card, or the ranks of a unit, that this player may not know."""


class Box(Enum):
    """Where a unit or a leader is."""

    MAP = "map"
    WAITING = "waiting"
    """Not yet on the map: before its setup, or a reinforcement."""
    ROUTED = "routed"
    """In the box of routed units (BB 5.5.2)."""
    RALLIED = "rallied"
    """In the box of rallied units (BB 5.5.1)."""
    CAPTURED = "captured"
    """A leader on the turn track (BB 6.4)."""
    ELIMINATED = "eliminated"
    """Out of the battle; of a leader, killed."""
    LEFT = "left"
    """Out of the battle, but not a loss: it has sacked a camp (BB 12)."""


@dataclass(frozen=True)
class UnitState(Replaceable):
    """A unit at one moment."""

    box: Box
    """Where it is: on the map, or in a box."""
    square: SquareNumber | None
    """Its square; None off the map."""
    facing: Annotated[int, range(FACINGS)]
    """Where it looks, 0 to 7 from east, counter-clockwise."""
    ranks: Count
    """Its ranks besides itself; -1 if the viewer may not know."""
    lost: Count = 0
    """Ranks that were eliminated."""
    disrupted: bool = False
    """Whether it is disrupted: the other side of its counter counts."""
    wall: bool = False
    """Whether it has a shield wall marker (BB 13)."""
    marker: bool = False
    """Whether it has a melee marker (BB 9.4.3.6)."""
    seen: bool = False
    """Whether the enemy knows its ranks (BB 2.3.2.8)."""

    def __hash__(self) -> int:
        """Return the hash, worked out once: states that bots look at share most units."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        own = (self.box, self.square, self.facing, self.ranks, self.lost)
        return hash((*own, self.disrupted, self.wall, self.marker, self.seen))


@dataclass(frozen=True)
class LeaderState(Replaceable):
    """A leader at one moment."""

    box: Box
    """Where the leader is: on the map, or in a box."""
    square: SquareNumber | None
    """The square; None off the map."""
    returns: Count = 0
    """The turn in which a captured leader comes back (BB 6.4); 0 for others."""

    def __hash__(self) -> int:
        """Return the hash, worked out once."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.box, self.square, self.returns))


class FormationOrder(Enum):
    """What the units of a formation do (BB 5.4.4)."""

    MOVE = "move"
    SHOOT = "shoot"
    MELEE = "melee"
    RALLY = "rally"


@dataclass(frozen=True)
class Activation(Replaceable):
    """A unit or a formation that is activated (BB 3.5)."""

    order: FormationOrder
    """What its units do."""
    leader: LeaderNumber | None
    """The leader who activates them; None for a unit on its own."""
    units: tuple[UnitNumber, ...]
    """The units that belong to it, in the order in which they were chosen."""
    closed: bool = False
    """Whether all its units are chosen."""
    waiting: tuple[UnitNumber, ...] = ()
    """The units that have not acted; set when it is closed."""
    active: UnitNumber | None = None
    """The unit that moves; None between units."""
    spent: Count = 0
    """Points that the active unit has spent before it goes."""
    struck: tuple[UnitNumber, ...] = ()
    """Enemies that were attacked in this action (BB 8.6, 9.1)."""
    struck_camp: bool = False
    """Whether the enemy's camp was attacked with no unit on it."""


@dataclass(frozen=True)
class Played:
    """A card in force."""

    card: CardNumber
    """The number of the card."""
    player: PlayerNumber
    """The player who played it."""
    unit: UnitNumber | None = None
    """The unit that gains from it; None for all."""


class Stage(Enum):
    """How far a melee or a volley has come."""

    PARTY = "party"
    """The attackers are chosen (BB 9.4.1, 8.5.1)."""
    COMMITMENT = "commitment"
    """They roll for it, and spend points (BB 9.4.3)."""
    CARDS = "cards"
    """Cards are played, the non-initiative player first (BB 9.4.4.6)."""
    DICE = "dice"
    """The dice are rolled, and rolled again (BB 9.4.5, 9.4.6)."""
    HITS = "hits"
    """Hits are applied, units recoil, rout and advance (BB 9.4.7 to 9.4.11)."""


@dataclass(frozen=True)
class Checked:
    """The commitment roll of an attacker: how many of its dice fail, and by how many points (BB 9.4.3)."""

    unit: UnitNumber
    """The attacker."""
    lacks: tuple[Count, ...]
    """How many dice fail by 1, by 2, ..."""

    @property
    def cost(self) -> int:
        """The points of commitment that make all of them pass."""
        return sum(by * dice for by, dice in enumerate(self.lacks, 1))


@dataclass(frozen=True)
class Combat(Replaceable):
    """A melee (BB 9.4) or a volley (BB 8.5)."""

    target: UnitNumber | None
    """The unit that is attacked; None for a camp without a unit on it."""
    square: SquareNumber
    """The square of the target."""
    units: tuple[UnitNumber, ...]
    """The units that attack."""
    ranged: bool = False
    """Whether it is a volley."""
    stage: Stage = Stage.PARTY
    """How far it has come."""
    lead: UnitNumber | None = None
    """The lead attacker; None before it is chosen."""
    checked: tuple[Checked, ...] = ()
    """Rolls for commitment that have failed."""
    points: Count = 0
    """Points of commitment that are left to spend."""
    turned: Count = 0
    """Directions by which shooters have turned (BB 8.4)."""
    attack: tuple[Count, ...] = ()
    """Hits, blanks and cancels on the dice of the attacker."""
    defence: tuple[Count, ...] = ()
    """Hits, blanks and cancels on the dice of the defender."""
    rerolls: tuple[Count, ...] = ()
    """Rights to roll again that are left to the attacker and the defender."""
    again: bool = False
    """Whether it is a cavalry continuation (BB 9.4.11)."""
    shaken: bool = False
    """Whether the morale roll for that has failed."""
    off_map: bool = False
    """Whether the target has recoiled off the map (BB 9.4.9)."""

    @property
    def defenders(self) -> tuple[UnitNumber, ...]:
        """The unit that is attacked; none of a camp alone."""
        return () if self.target is None else (self.target,)

    @property
    def hits_left(self) -> tuple[int, int]:
        """The hits on the target and on the attackers that are not cancelled (BB 9.4.7, 8.5.3)."""
        attack, defence = self.attack, self.defence
        return max(attack[0] - defence[2], 0), max(defence[0] - attack[2], 0)


class Grade(Enum):
    """How decisive a victory is (BB 5.6)."""

    MAJOR = "major"
    MINOR = "minor"
    MARGINAL = "marginal"


@dataclass(frozen=True)
class BattleResult:
    """How the battle has ended."""

    winner: PlayerNumber | None
    """The player who has won; None in a draw."""
    grade: Grade = Grade.MAJOR
    """How decisive the victory is."""
    why: str = ""
    """The reason, as a sentence."""
