"""Card: the hits of cannons that fire together, as a card for the table shows them (PW, Weapons Chart)."""

from fractions import Fraction

from brickphys.odds.card import CardWords, OddsCard
from brickphys.odds.distribution import Distribution
from brickphys.pirate_wars.odds.cannons import hit_chance
from brickphys.pirate_wars.sheets.minifigs import Ammunition, minifigs
from brickphys.text import percent

_MOST_CANNONS = 4
"""The cannons of the largest ship over a side."""
_MOST_HITS = 7


def odds_card() -> OddsCard:
    """Return the chances of at least one hit, two and more of one to four cannons, with ball and with shot."""
    names, chances = list[str](), list[tuple[Fraction, ...]]()
    for ammunition in Ammunition:
        cannon = minifigs().cannons[False, ammunition]
        for count in range(1, _MOST_CANNONS + 1):
            law = Distribution.binomial(count * cannon.dice, hit_chance(cannon.target or 0))
            names.append(f"{count} {ammunition.value}")
            chances.append(tuple(law.at_least(hits) for hits in range(1, _MOST_HITS + 1)))
    columns = tuple(f"{hits}+" for hits in range(1, _MOST_HITS + 1))
    words = CardWords(
        "How many hits?",
        "cannons, ball or shot",
        "at least so many hits",
        "",
        (_ranges(), _hands()),
    )
    return OddsCard(words, tuple(names), columns, tuple(chances))


def _ranges() -> str:
    """Return how far cannons reach, and what their hits do (PW Firing)."""
    ball, shot = (
        minifigs().cannons[False, one].range_studs for one in (Ammunition.BALL, Ammunition.SHOT)
    )
    return (
        f"Ball reaches {ball:g} studs, shot {shot:g}; shot takes sails only, double if it rakes. "
        "Three hits of one cannon with ball are critical, three sixes burst it."
    )


def _hands() -> str:
    """Return how likely muskets and pistols hit."""
    armed = {
        role.value: percent(float(hit_chance(sheet.attack)), 0)
        for role, sheet in minifigs().roles.items()
        if sheet.weapon
    }
    reach = next(iter(minifigs().weapons.values())).range_studs
    told = ", ".join(f"{name} {chance}" for name, chance in armed.items())
    return f"A musket or pistol reaches {reach:g} studs and hits by its minifig: {told}."
