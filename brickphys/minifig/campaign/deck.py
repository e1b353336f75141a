"""Deck: the lower arcana and one upper one; the card of the day is one of those left (MF Campaign, Tarot)."""

from collections.abc import Collection

from brickphys.minifig.campaign.tables import tables
from brickphys.rules.events.draw import Draw

LAST = 22
"""The number of the upper arcanum that is in the deck when all have been drawn: none."""


def card_draw(drawn: frozenset[str], arcanum: int) -> Draw:
    """Return the draw of the card of the day.

    Parameters
    ----------
    drawn
        The lower arcana that were drawn since the deck was last whole.
    arcanum
        The number of the upper arcanum in the deck: 0 for the Fool, `LAST` for none.
    """
    left = [card for card in tables().lower if card not in drawn]
    return Draw.uniform(*left, *tables().arcana[arcanum : arcanum + 1], reason="card of the day")


def after_card(drawn: Collection[str], arcanum: int, card: str) -> tuple[frozenset[str], int]:
    """Return the lower arcana that are out of the deck after a card was drawn, and the upper arcanum in it.

    An upper arcanum leaves for good, the lower ones return, and the next upper one is shuffled in. When all upper ones
    have left, the lower ones return as soon as none is left (ours).
    """
    if card in tables().arcana:
        return frozenset(), arcanum + 1
    out = frozenset({*drawn, card})
    return (frozenset() if arcanum == LAST and len(out) == len(tables().lower) else out), arcanum
