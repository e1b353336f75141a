"""Notation: a state as one line of JSON: the digest of its setup, and what changes during a battle."""

from collections.abc import Callable
from dataclasses import fields
from json import JSONDecodeError, dumps, loads
from typing import Any

from brickphys.bow.sheets.loadout import Loadout, Place
from brickphys.bow.state.setting import Setting
from brickphys.bow.state.state import State, UnitState, VehicleState
from brickphys.errors import InvalidValueError
from brickphys.rules.pending import Pending

_PLAIN = (
    "round",
    "player",
    "active",
    "actions_left",
    "shots",
    "driven",
    "menu",
    "finished",
    "holding",
    "result",
)


def format_state(state: State) -> str:
    """Write a state as one line."""
    setting = state.setting
    row: dict[str, Any] = {"setup": setting.digest}
    row |= {name: getattr(state, name) for name in _PLAIN}
    row["figures"] = [
        _figure_row(figure, unit.sheet.gear)
        for figure, unit in zip(state.units, setting.units, strict=True)
    ]
    row["crafts"] = [_values(craft) for craft in state.vehicles]
    row["objects"] = state.objects
    row["open"] = sorted(state.open_ids)
    row["pending"] = [[type(pending).__name__, *_values(pending)] for pending in state.pending]
    return dumps(row, separators=(",", ":"))


def _figure_row(figure: UnitState, gear: Loadout) -> list[Any]:
    """Return a unit without its sheet, and its gear where it is no longer that of the start."""
    row = [getattr(figure, entry.name) for entry in fields(UnitState) if entry.name != "sheet"]
    now = figure.sheet.gear
    return row if now == gear else [*row, _gear_row(now)]


def _gear_row(gear: Loadout) -> list[list[str]]:
    return [[item.name for item in gear.at(place)] for place in Place]


def _values(value: VehicleState | Pending[State]) -> list[Any]:
    return [getattr(value, entry.name) for entry in fields(value)]


def parse_state(text: str, setting_of: Callable[[str], Setting]) -> State:
    """Read a state.

    Parameters
    ----------
    text
        As `format_state` writes it.
    setting_of
        Returns the setting of a digest, or raises InvalidValueError.

    Raises
    ------
    InvalidValueError
        If the text is none, or nothing that can be.
    """
    from brickphys.bow.notation_reader import read_state

    try:
        row = loads(text)
    except (JSONDecodeError, RecursionError) as error:
        raise InvalidValueError(f"state: no JSON: {error}") from None
    state = read_state(row, setting_of)
    if format_state(state) != text:
        raise InvalidValueError("state: not as states are written")
    return state
