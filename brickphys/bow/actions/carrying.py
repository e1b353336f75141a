"""Carrying: what a unit has, and where it has room for more (BOW 2.3.2)."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from brickphys.bow.sheets.gear import Item
from brickphys.bow.sheets.loadout import Place
from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.bow.state.state import State
from brickphys.errors import InvalidValueError, unknown
from brickphys.rules.words import one_of

_PARTS = {Place.HELD: "hand", Place.WORN: "body", Place.BACK: "back", Place.BAG: "bag"}
_VALUES = {part: place.value for place, part in _PARTS.items()}
PLACE = replace(
    one_of(f"place ({', '.join(place.value for place in Place)})", Place),
    tidy=lambda text: _VALUES.get(text, text),
)
SOURCE = replace(PLACE, show=lambda place: f"from {_PARTS[place]}")
TARGET = replace(PLACE, show=lambda place: f"{_to(place)} {_PARTS[place]}")
"""A place from which an object is taken, and one to which it goes."""
_FROM = (Place.HELD, Place.BAG)
"""An object is thrown or given from hand or bag."""


def onto(place: Place) -> str:
    """Return where an object goes, in words: ``onto the back``."""
    return f"{_to(place)} the {_PARTS[place]}"


def _to(place: Place) -> str:
    return "into" if place in _FROM else "onto"


def within_reach(state: State) -> Iterator[tuple[Item, Place]]:
    """Yield the objects that the active unit has in hand and bag, each once."""
    return ((item, place) for item, place in loose_objects(state.me.sheet) if place in _FROM)


def having_problems(state: State, name: str, place: Place) -> Iterator[str]:
    """Yield why the active unit cannot take an object from hand or bag."""
    if place in _FROM:
        yield from own_problems(state, name, place)
    else:
        yield f"only objects in hand or bag can be given or thrown, not from {place.value} (BOW 2.3.2)"


def own_problems(state: State, name: str, place: Place) -> Iterator[str]:
    """Yield why the active unit cannot take an object of its own from a place."""
    unit = state.my_name
    item = state.setting.gear.get(name)
    if item is None:
        yield f"{unknown('gear', name, state.setting.gear)} (BOW 2.3.2)"
    elif item not in state.me.sheet.gear.at(place):
        yield f"{unit} has no {name} {place.value} (BOW 2.3.2)"
    elif not _can_leave(state.me.sheet, item, place):
        yield f"{unit} cannot part with {name} while objects are in it (BOW 2.3.2)"


def room_problems(state: State, unit: int, name: str, place: Place) -> Iterator[str]:
    """Yield why a unit cannot have one more object at a place."""
    item = state.setting.gear.get(name)
    if item is None:
        yield f"{unknown('gear', name, state.setting.gear)} (BOW 2.3.2)"
        return
    fault = _with_object(state.units[unit].sheet, item, place)
    if isinstance(fault, str):
        yield f"{state.setting.units[unit].name} has no room: {fault} (BOW 2.3.2)"


def places_for(state: State, unit: int, name: str) -> list[Place]:
    """Return the places where a unit can have one more object."""
    return [place for place in Place if not any(room_problems(state, unit, name, place))]


def put_object(state: State, unit: int, name: str, place: Place) -> State:
    """Put an object at a place of a unit, where it has room."""
    unit_state = state.units[unit]
    sheet = _with_object(unit_state.sheet, state.setting.gear[name], place)
    assert isinstance(sheet, MinifigSheet)
    return state.with_unit(unit, replace(unit_state, sheet=sheet))


def take_object(state: State, name: str, place: Place) -> State:
    """Take a loose object from a place of the active unit."""
    sheet = _without_object(state.me.sheet, state.setting.gear[name], place)
    assert isinstance(sheet, MinifigSheet)
    return state.with_unit(state.active, replace(state.me, sheet=sheet))


def moved(sheet: MinifigSheet, item: Item, source: Place, target: Place) -> MinifigSheet | str:
    """Return a sheet with an object at another place, or why it cannot be there."""
    left = _without_object(sheet, item, source)
    return left if isinstance(left, str) else _with_object(left, item, target)


@lru_cache(maxsize=4096)
def loose_objects(sheet: MinifigSheet) -> tuple[tuple[Item, Place], ...]:
    """Return the objects that can be taken from a sheet, with their places, each once."""
    own = dict.fromkeys(sheet.gear.items())
    return tuple((item, place) for place, item in own if _can_leave(sheet, item, place))


def _can_leave(sheet: MinifigSheet, item: Item, place: Place) -> bool:
    return not isinstance(_without_object(sheet, item, place), str)


@lru_cache(maxsize=4096)
def _with_object(sheet: MinifigSheet, item: Item, place: Place) -> MinifigSheet | str:
    """Return a sheet with one more object, or why it cannot have it."""
    try:
        return sheet.put(item, place)
    except InvalidValueError as error:
        return str(error)


@lru_cache(maxsize=4096)
def _without_object(sheet: MinifigSheet, item: Item, place: Place) -> MinifigSheet | str:
    """Return a sheet without an object, or why it cannot part with it."""
    try:
        return sheet.take(item, place)
    except InvalidValueError as error:
        return str(error)
