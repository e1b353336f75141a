"""Setup: the first state of a battle from plain JSON values, with every fault and its key path."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

from brickphys.bow.setup.field_reader import read_field
from brickphys.bow.setup.form import DECOR, LIBRARY, SetupForm, read_form
from brickphys.bow.setup.reader import BattleReading
from brickphys.bow.sheets.catalogue import catalogue, foot
from brickphys.bow.sheets.library import Library
from brickphys.bow.sheets.reader import LibraryReader
from brickphys.bow.state.state import State
from brickphys.errors import InvalidValueError, refuse
from brickphys.rules.setting import setup_digest

_SETUP = "setup: "


@dataclass(frozen=True)
class SetupReading:
    """What a setup comes to, as far as it is sound.

    Attributes
    ----------
    state
        The first state of all that is sound; None if that is no battle.
    faults
        Everything that is wrong, as ``key.path: what``.
    unit_places, vehicle_places, aim_places
        Where the units, vehicles and aims of the state stand in the setup.
    is_whole
        Whether the state lacks nothing that is in the setup.
    """

    state: State | None
    faults: tuple[str, ...]
    unit_places: tuple[str, ...]
    vehicle_places: tuple[str, ...]
    aim_places: tuple[str, ...]
    is_whole: bool


def first_state(setup: Mapping[str, Any]) -> State:
    """Return the state in which a battle begins: the roll for the start comes next (BOW 2.2).

    Raises
    ------
    InvalidValueError
        With every fault, as ``key.path: what``.
    """
    reading = read_setup(setup)
    if reading.state is None or reading.faults:
        raise InvalidValueError(f"{_SETUP}{'; '.join(reading.faults)}")
    return reading.state


def read_setup(setup: Mapping[str, Any], lacks: Set[str] = frozenset()) -> SetupReading:
    """Return what a setup comes to, with every fault; those that may only follow from another one are left out.

    Parameters
    ----------
    setup
        Plain JSON values.
    lacks
        The lists of which something has been left out already.
    """
    form = read_form(setup)
    faults, lacking = list(form.faults), {*form.lacking, *lacks}
    library, field = _library(form, faults, lacking), read_field(form, faults)
    if field is None:
        return SetupReading(None, tuple(faults), (), (), (), is_whole=False)
    if len(field.decor) < len(form.decor):
        lacking.add(DECOR)
    reading = BattleReading(form, library, field, faults, lacking)
    state = reading.state(setup_digest(setup))
    return SetupReading(
        state,
        tuple(dict.fromkeys(reading.faults)),
        tuple(reading.units),
        tuple(reading.vehicles),
        tuple(reading.aim_places),
        not reading.lacking,
    )


def _library(form: SetupForm, faults: list[str], lacking: set[str]) -> Library:
    """Return what the sheets are called by: models of vehicles are only loaded for those who have any."""
    over = catalogue() if form.vehicles or "vehicle" in form.library else foot()
    if not form.library:
        return over
    from brickphys.bow.sheets.schema import LibraryDocument
    from brickphys.schema import validated

    try:
        reader = LibraryReader(over)
        own = reader.read(validated(LibraryDocument, form.library, "library"))
        refuse("library", reader.faults)
    except InvalidValueError as error:
        faults.append(str(error))
        lacking.add(LIBRARY)
        return over
    return Library(
        own.gear,
        own.vehicle_weapons,
        own.actions,
        {**over.units, **own.units},
        {**over.vehicles, **own.vehicles},
    )
