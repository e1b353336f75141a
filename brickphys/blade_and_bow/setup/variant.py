"""Variant: a shipped battle with other choices of its reconstruction, for studies."""

from collections.abc import Mapping
from typing import Any

from brickphys.blade_and_bow.setup.scenario_file import SCENARIOS
from brickphys.blade_and_bow.setup.setup_reader import first_state
from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.errors import refuse
from brickphys.rules.catalogue import TableReader
from brickphys.rules.setup.random_armies import OPTIONS


def variant(options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a label, ``marathon without 4 units``, and the setup; nothing is drawn.

    Parameters
    ----------
    options
        Keys of `VariantDocument`.

    Raises
    ------
    InvalidValueError
        With the faults of the options, or of the setup.
    """
    from brickphys.blade_and_bow.setup.setup_schema import VariantDocument
    from brickphys.schema import validated

    wanted = validated(VariantDocument, dict(options), OPTIONS)
    reader = TableReader()
    found = reader.find("scenario", "scenario", wanted.scenario, SCENARIOS)
    refuse(OPTIONS, reader.faults)
    setup = {**(found or {})}
    units = {unit["name"]: unit for unit in setup["units"]}
    for number, name in enumerate(wanted.without):
        reader.find(f"without[{number}]", "unit", name, units)
    for number, name in enumerate(wanted.clear):
        reader.find(f"clear[{number}]", "terrain", name, charts().terrain)
    refuse(OPTIONS, reader.faults)
    setup["units"] = [unit for name, unit in units.items() if name not in wanted.without]
    field = setup["field"]
    ground = {name: at for name, at in field["ground"].items() if name not in wanted.clear}
    setup["field"] = {**field, "ground": ground}
    first_state(setup, OPTIONS)
    changes = [f"without {', '.join(wanted.without)}"] * bool(wanted.without)
    changes += [f"with {', '.join(wanted.clear)} cleared"] * bool(wanted.clear)
    return " ".join([wanted.scenario, *changes]), setup
