"""Strategies of sheets."""

from hypothesis import strategies as st

from brickphys.bow.sheets.catalogue import catalogue
from brickphys.bow.sheets.loadout import Loadout, Place
from brickphys.bow.sheets.minifig_sheet import HealthColour, MinifigSheet

ITEMS = st.sampled_from(list(catalogue().gear.values()))


@st.composite
def loadouts(draw) -> Loadout:
    """Whatever objects fit, each at a place where it does."""
    gear = Loadout()
    for item in draw(st.lists(ITEMS, max_size=6)):
        rooms = gear.room_for(item)
        if rooms:
            gear = gear.put(item, draw(st.sampled_from(rooms)))
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
        if place in sheet.gear.room_for(item):
            bigger = MinifigSheet(**{**vars(sheet), "gear": sheet.gear.put(item, place)})
            sheet = sheet if bigger.problems() else bigger
    return sheet


PLACES = st.sampled_from(Place)
