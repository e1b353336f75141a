"""Deck: the action deck (BB 2.2, 4.0), with effects of a closed set of verbs; a card in words, for hands and sheets."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

from brickphys.blade_and_bow.sheets import Counter, data
from brickphys.rules.report.sheets import Paint, Sheet
from brickphys.text import columns, counted, spoken

COLOURS = ("white", "black", "red", "yellow")
"""Of the command numbers (BB 4.3)."""
DECK_CARDS = 60


class EffectVerb(Enum):
    """What an effect changes, by its amount."""

    MELEE_DICE = "melee_dice"
    """Extra dice in melee."""
    HITS_TO = "hits_to"
    """Own melee dice hit up to a face that is higher by the amount."""
    CANCELS_FROM = "cancels_from"
    """Own melee dice cancel from a face that is lower by the amount."""
    REROLLS = "rerolls"
    """Extra re-rolls in melee."""
    MISSILE_DICE = "missile_dice"
    MISSILE_DEFENCE = "missile_defence"
    RANGE = "range"
    """Extra points of missile range."""
    MOVEMENT = "movement"
    """Extra points to move."""
    MORALE = "morale"
    """Subtracted from each morale die of the unit."""
    GUARD = "guard"
    """Rout checks of the unit that are cancelled."""
    RALLY = "rally"
    """The unit returns to good order at once."""
    WHEEL = "wheel"
    """The unit turns by up to this many directions at once, at no cost."""
    SCOUT = "scout"
    """The ranks of an enemy unit are revealed."""
    RECALL = "recall"
    """A routed unit is put into the box of rallied units at once."""
    INITIATIVE = "initiative"
    """Subtracted from the die for the initiative."""
    ACTIONS = "actions"
    """Extra actions in this impulse."""
    DRAW = "draw"
    """Cards drawn at once, up to the size of the hand."""


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


FOR_ARMY = frozenset({EffectVerb.INITIATIVE, EffectVerb.ACTIONS, EffectVerb.DRAW})
"""Verbs from which no unit gains."""
AT_ONCE = frozenset(
    {
        EffectVerb.RALLY,
        EffectVerb.WHEEL,
        EffectVerb.SCOUT,
        EffectVerb.RECALL,
        EffectVerb.ACTIONS,
        EffectVerb.DRAW,
    }
)
"""Verbs whose effect happens when the card is played."""


@dataclass(frozen=True)
class CardEffect:
    """The effect of a card."""

    verb: EffectVerb
    amount: int
    moment: Moment
    lasts: Lasts
    whom: tuple[str, ...] = ()  # names of kinds, sizes or arms that gain; any if empty

    def fits(self, counter: Counter) -> bool:
        """Whether a kind of unit may gain from it."""
        names = (counter.name, counter.size.value, counter.arm.value)
        return not self.whom or any(name in self.whom for name in names)


@dataclass(frozen=True)
class Card:
    """A card: its points of commitment, its command numbers by colour, and its effect.

    Tough luck has no effect; the reshuffle card has no numbers either, and is never kept.
    """

    name: str
    commitment: int
    command: tuple[int, ...] = ()  # in the order of `COLOURS`
    effect: CardEffect | None = None
    is_reshuffle: bool = False

    def __hash__(self) -> int:
        """Return the hash of the name: no two cards share one."""
        return hash(self.name)


@lru_cache
def deck() -> tuple[Card, ...]:
    """Return the deck; states number the cards in this order."""
    return tuple(_card(name, table) for name, table in data("cards").items())


@lru_cache
def card_numbers() -> Mapping[str, int]:
    """Return the number of each card by name."""
    return {card.name: number for number, card in enumerate(deck())}


def _card(name: str, table: Mapping[str, Any]) -> Card:
    if "reshuffle" in table:
        return Card(name, 0, is_reshuffle=True)
    effect = None
    if "verb" in table:
        effect = CardEffect(
            EffectVerb(table["verb"]),
            table["amount"],
            Moment(table["moment"]),
            Lasts(table["lasts"]),
            tuple(table.get("whom", ())),
        )
    return Card(name, table["commitment"], tuple(table["command"]), effect)


_VERBS = {
    EffectVerb.MELEE_DICE: "{die} more in melee",
    EffectVerb.HITS_TO: "own melee dice hit on {face} more",
    EffectVerb.CANCELS_FROM: "own melee dice cancel on {face} more",
    EffectVerb.REROLLS: "re-roll {die} in a melee",
    EffectVerb.MISSILE_DICE: "{die} more of a volley",
    EffectVerb.MISSILE_DEFENCE: "{die} more against a volley",
    EffectVerb.RANGE: "missiles reach {point} farther",
    EffectVerb.MOVEMENT: "{point} more to move",
    EffectVerb.MORALE: "{n} off each morale die",
    EffectVerb.GUARD: "{check} cancelled",
    EffectVerb.RALLY: "a disrupted unit returns to good order",
    EffectVerb.WHEEL: "a unit turns by up to {direction}",
    EffectVerb.SCOUT: "the ranks of an enemy unit are revealed",
    EffectVerb.RECALL: "a routed unit is rallied",
    EffectVerb.INITIATIVE: "{n} off the die for the initiative",
    EffectVerb.ACTIONS: "{action} more in this impulse",
    EffectVerb.DRAW: "{card} drawn, up to the size of the hand",
}
_MOMENTS = {
    Moment.INITIATIVE: "before the dice for the initiative",
    Moment.IMPULSE: "in an own impulse",
    Moment.ATTACK: "when attacking in melee",
    Moment.DEFENCE: "when attacked in melee",
    Moment.MELEE: "in any melee",
    Moment.VOLLEY: "when shooting",
    Moment.COVER: "when shot at",
}
_LASTS = {Lasts.IMPULSE: ", for the impulse", Lasts.TURN: ", for the turn"}
_COUNTED = ("face", "point", "direction", "action", "card")


def effect_text(card: Card) -> str:
    """Return what a card does, when, for whom and how long."""
    effect = card.effect
    if effect is None:
        return "the deck is reshuffled" if card.is_reshuffle else "nothing"
    n = effect.amount
    words = {word: counted(n, word) for word in _COUNTED}
    more = {"die": counted(n, "die", "dice"), "check": counted(n, "rout check")}
    what = _VERBS[effect.verb].format(n=n, **words, **more)
    whom = f" ({', '.join(map(spoken, effect.whom))} only)" if effect.whom else ""
    return f"{what}{whom}, {_MOMENTS[effect.moment]}{_LASTS.get(effect.lasts, '')}"


@dataclass(frozen=True)
class CardSheet(Sheet):
    """A card of the deck (BB 2.2)."""

    card: Card

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def about(self) -> str:
        return effect_text(self.card)

    def text(self, paint: Paint) -> str:
        numbers = zip(COLOURS, map(str, self.card.command), strict=False)
        rows = [("commitment", str(self.card.commitment)), *numbers]
        lines = (f"  {line}" for line in columns(rows, "  "))
        return "\n".join([f"{self.name}: {self.about}", *lines])

    def document(self) -> dict[str, Any]:
        command = dict(zip(COLOURS, self.card.command, strict=False))
        effect = self.card.effect
        values = {
            key: getattr(value, "value", value)
            for key, value in (asdict(effect) if effect else {}).items()
        }
        head = {"name": self.name, "about": self.about, "commitment": self.card.commitment}
        return {**head, "command": command, "effect": values or None}
