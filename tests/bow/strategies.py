"""Strategies of sheets."""

from dataclasses import replace

from hypothesis import strategies as st

from brickphys.bow.sheets.catalogue import catalogue
from brickphys.bow.sheets.gear import Item, Loadout, Place
from brickphys.bow.sheets.sheet import HealthColour, MinifigSheet

ITEMS = st.sampled_from(list(catalogue().gear.values()))


def rooms(gear: Loadout, item: Item) -> list[Place]:
    """The places where one more object fits."""
    return [
        place
        for place in Place
        if not replace(gear, **{place.value: (*gear.at(place), item)}).problems()
    ]


@st.composite
def loadouts(draw) -> Loadout:
    """Whatever objects fit, each at a place where it does."""
    gear = Loadout()
    for item in draw(st.lists(ITEMS, max_size=6)):
        places = rooms(gear, item)
        if places:
            gear = gear.put(item, draw(st.sampled_from(places)))
    return gear


@st.composite
def sheets(draw, most: int = 2) -> MinifigSheet:
    """Sheets without faults: skills of at most `most`."""
    points = st.integers(0, most)
    sheet = MinifigSheet(
        "somebody",
        action_budget=draw(st.integers(1, 5)),
        move=draw(st.integers(0, 11)),
        dodge=draw(points),
        attack=draw(points),
        health=draw(st.integers(1, 5)),
        health_colour=draw(st.sampled_from(HealthColour)),
        treat=draw(points),
        repair=draw(points),
        custom=(("magic", draw(points)),),
    )
    for place, item in draw(loadouts()).items():
        if place in rooms(sheet.gear, item):
            bigger = MinifigSheet(**{**vars(sheet), "gear": sheet.gear.put(item, place)})
            sheet = sheet if bigger.problems() else bigger
    return sheet


PLACES = st.sampled_from(Place)
