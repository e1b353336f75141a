"""Setup: makes the first state of a battle from plain JSON values; faults have their key paths."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from brickphys.bow.setup.setup_reader import BattleReader
from brickphys.bow.state.state import State
from brickphys.errors import refuse
from brickphys.rules.setting import DigestedSetup

_NAME = "setup"
_REMEMBERED = 64
"""Number of setups kept in memory, more than a command needs at a time."""


@dataclass(frozen=True)
class SetupReading:
    """What reading a setup gives.

    Attributes
    ----------
    state
        The first state; None if there are faults of form, or of what the state is made of.
    faults
        Every fault of form, or if there is none every fault of meaning, as ``key.path: what``.
    """

    state: State | None
    faults: tuple[str, ...]


def first_state(setup: Mapping[str, Any]) -> State:
    """Return the state in which a battle begins: the roll for the start comes next (BOW 2.2).

    Raises
    ------
    InvalidValueError
        With every fault of form, or if there is none every fault of meaning, as ``key.path: what``.
    """
    reading = read_setup(setup)
    refuse(_NAME, reading.faults)
    assert reading.state is not None
    return reading.state


def read_setup(setup: Mapping[str, Any]) -> SetupReading:
    """Return the first state of a setup, or its faults; equal setups are read once.

    Parameters
    ----------
    setup
        Plain JSON values.
    """
    return _read(DigestedSetup.of(setup))


@lru_cache(_REMEMBERED)
def _read(given: DigestedSetup) -> SetupReading:
    from pydantic import ValidationError

    from brickphys.bow.setup.setup_schema import SetupDocument
    from brickphys.schema import faults

    try:
        document = SetupDocument.model_validate(dict(given.setup))
    except ValidationError as error:
        return SetupReading(None, tuple(faults(error, SetupDocument)))
    reader = BattleReader(document)
    return SetupReading(reader.first_state(given.digest), tuple(reader.faults))
