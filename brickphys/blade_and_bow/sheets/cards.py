"""Cards: the action deck (BB 2.2, 4.0), with effects of a closed set of verbs."""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from brickphys.blade_and_bow.sheets.charts import data

COLOURS = ("white", "black", "red", "yellow")
"""Of the command numbers (BB 4.3)."""
MOST_COMMITMENT = 4
DECK_CARDS = 60


class Verb(Enum):
    """What an effect changes, by its amount."""

    MELEE_DICE = "melee_dice"
    """Dice more in melee."""
    HITS_TO = "hits_to"
    """Own melee dice hit up to a face that is higher by the amount."""
    CANCELS_FROM = "cancels_from"
    """Own melee dice cancel from a face that is lower by the amount."""
    REROLLS = "rerolls"
    """Rights more to roll a die of a melee again."""
    MISSILE_DICE = "missile_dice"
    MISSILE_DEFENCE = "missile_defence"
    RANGE = "range"
    """Points more of missile range."""
    MOVEMENT = "movement"
    """Points more to move."""
    MORALE = "morale"
    """Off each morale die of the unit."""
    GUARD = "guard"
    """Rout checks of the unit that are cancelled."""
    RALLY = "rally"
    """The unit returns to good order at once."""
    WHEEL = "wheel"
    """The unit turns by up to so many directions at once, at no cost."""
    SCOUT = "scout"
    """The ranks of an enemy unit are seen."""
    RECALL = "recall"
    """A routed unit is put into the box of rallied units at once."""
    INITIATIVE = "initiative"
    """Off the die for the initiative."""
    ACTIONS = "actions"
    """Actions more in this impulse."""
    DRAW = "draw"
    """Cards that are drawn at once, up to the size of the hand."""


class Moment(Enum):
    """When a card may be played."""

    INITIATIVE = "initiative"
    """By each player, before the dice for it (BB 5.3)."""
    IMPULSE = "impulse"
    """By the player whose impulse it is, between actions or while units of a formation act."""
    ATTACK = "attack"
    """By the attacker, before the dice of a melee."""
    DEFENCE = "defence"
    """By the defender, before the dice of a melee."""
    MELEE = "melee"
    """By either, before the dice of a melee."""
    VOLLEY = "volley"
    """By the shooter, before the dice of missiles."""
    COVER = "cover"
    """By the target, before the dice of missiles."""


class Lasts(Enum):
    """How long an effect is in force (BB 4.2: an action unless the card says otherwise)."""

    ONCE = "once"
    """It happens when the card is played."""
    ACTION = "action"
    IMPULSE = "impulse"
    TURN = "turn"


@dataclass(frozen=True)
class Effect:
    """The effect of a card."""

    verb: Verb
    amount: int
    moment: Moment
    lasts: Lasts
    whom: tuple[str, ...] = ()  # names of kinds, sizes or arms that gain; any if empty


@dataclass(frozen=True)
class Card:
    """A card: its points of commitment, its command numbers by colour, and its effect.

    Tough luck has no effect; the reshuffle card has no commitment either, and is never kept.
    """

    name: str
    commitment: int
    command: tuple[int, int, int, int]  # in the order of `COLOURS`
    effect: Effect | None = None
    is_reshuffle: bool = False

    def __hash__(self) -> int:
        """Return the hash of the name: no two cards share one."""
        return hash(self.name)


def read_deck(raw: dict[str, object]) -> tuple[Card, ...]:
    """Return the deck in a table name -> card, as the file has it.

    Raises
    ------
    InvalidValueError
        With every fault: another number of cards, an unknown verb, a missing command number, a commitment above 4.
    """
    raise NotImplementedError


@lru_cache
def deck() -> tuple[Card, ...]:
    """Return the deck; states number the cards in this order."""
    return read_deck(data("cards"))
