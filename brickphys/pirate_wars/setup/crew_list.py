"""Crew list: who is aboard a ship at the start, and where."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from brickphys.pirate_wars.sheets.minifigs import Role
from brickphys.pirate_wars.sheets.ship_sheet import Place, ShipSheet
from brickphys.pirate_wars.state.crew import MinifigState, Spot
from brickphys.pirate_wars.state.setting import Minifig

_HELM: Spot = (Place.HELM, None)
_HANDS = (Role.PIRATE, Role.SAILOR)
"""Roles that serve the guns and handle the sails."""
_ALOFT = (Place.CASTLE, Place.DECK, Place.GUN_DECK, Place.CABIN)
"""Places of hands who are not at a gun, in this order."""
_ON_DECK = (Place.DECK, Place.GUN_DECK, Place.CABIN, Place.CASTLE)
"""Places of all others, in this order."""


def places(sheet: ShipSheet) -> int:
    """Return how many minifigs find a place on a ship: on deck and below, at the helm, and two at each gun."""
    return (
        sum(sheet.places.values())
        + sheet.room(Place.HELM)
        + sheet.room(Place.GUN) * len(sheet.guns)
    )


def figures(
    name: str, player: int, ship: int, crew: Mapping[Role, int], women: Mapping[Role, int]
) -> Iterator[Minifig]:
    """Yield the crew of a ship, in the order of roles; the first of a role are the women."""
    for role, count in crew.items():
        for number in range(count):
            ending = f"_{number + 1}" if count > 1 else ""
            is_woman = number < women.get(role, 0)
            yield Minifig(f"{name}_{role.value}{ending}", player, role, ship, is_woman)


def stations(sheet: ShipSheet, ship: int, crew: Sequence[Minifig]) -> list[MinifigState]:
    """Return where the crew of a ship begins; all find a place.

    The first who sails, the captain if there is one, has the helm. As many hands as the sails can spare are at the
    guns: one at each, then a second. Other hands fill the castles, then the deck; all others begin on deck.
    """
    sailing = [number for number, minifig in enumerate(crew) if minifig.sheet.sails]
    hands = [number for number in sailing[1:] if crew[number].role in _HANDS]
    spare = max(len(sailing) - sheet.chart.sails, 0)
    guns: list[Spot] = [(Place.GUN, gun) for gun in range(len(sheet.guns))]
    at: dict[int, Spot] = dict.fromkeys(sailing[:1], _HELM)
    at |= zip(hands[:spare], guns * sheet.room(Place.GUN), strict=False)
    free: Counter[Spot] = Counter({(place, None): count for place, count in sheet.places.items()})
    free += Counter({slot: sheet.room(slot[0]) for slot in (_HELM, *guns)})
    free -= Counter(at.values())
    for number, minifig in enumerate(crew):
        if number not in at:
            order = _ALOFT if minifig.role in _HANDS else _ON_DECK
            wanted: list[Spot] = [*((place, None) for place in order), _HELM, *guns]
            at[number] = next(slot for slot in wanted if free[slot])
            free[at[number]] -= 1
    return [MinifigState(ship, *at[number]) for number in range(len(crew))]
