"""Card text: a card of the deck in words, for hands and sheets."""

from dataclasses import asdict, dataclass
from typing import Any

from brickphys.blade_and_bow.sheets.cards import COLOURS, Card, Lasts, Moment, Verb
from brickphys.rules.report.sheets import Paint, Sheet
from brickphys.text import columns, counted, spoken

_VERBS = {
    Verb.MELEE_DICE: "{die} more in melee",
    Verb.HITS_TO: "own melee dice hit on {face} more",
    Verb.CANCELS_FROM: "own melee dice cancel on {face} more",
    Verb.REROLLS: "re-roll {die} in a melee",
    Verb.MISSILE_DICE: "{die} more of a volley",
    Verb.MISSILE_DEFENCE: "{die} more against a volley",
    Verb.RANGE: "missiles reach {point} farther",
    Verb.MOVEMENT: "{point} more to move",
    Verb.MORALE: "{n} off each morale die",
    Verb.GUARD: "{check} cancelled",
    Verb.RALLY: "a disrupted unit returns to good order",
    Verb.WHEEL: "a unit turns by up to {direction}",
    Verb.SCOUT: "the ranks of an enemy unit are revealed",
    Verb.RECALL: "a routed unit is rallied",
    Verb.INITIATIVE: "{n} off the die for the initiative",
    Verb.ACTIONS: "{action} more in this impulse",
    Verb.DRAW: "{card} drawn, up to the size of the hand",
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
        """Its name."""
        return self.card.name

    @property
    def about(self) -> str:
        """Its effect."""
        return effect_text(self.card)

    def text(self, paint: Paint) -> str:
        """Return the card in lines of text."""
        numbers = zip(COLOURS, map(str, self.card.command), strict=False)
        rows = [("commitment", str(self.card.commitment)), *numbers]
        lines = (f"  {line}" for line in columns(rows, "  "))
        return "\n".join([f"{self.name}: {self.about}", *lines])

    def document(self) -> dict[str, Any]:
        """Return the card as values of JSON."""
        command = dict(zip(COLOURS, self.card.command, strict=False))
        effect = self.card.effect
        values = {
            key: getattr(value, "value", value)
            for key, value in (asdict(effect) if effect else {}).items()
        }
        head = {"name": self.name, "about": self.about, "commitment": self.card.commitment}
        return {**head, "command": command, "effect": values or None}
