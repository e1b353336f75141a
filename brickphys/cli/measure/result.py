"""Result: output of the tests, and the file that keeps them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from brickphys.calibration.measure.measured import Mean, RootMeanSquare
    from brickphys.calibration.measure.measurement_file import Test

out_option: Callable[[Any], Any] = click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Measurement file (TOML) for the readings; created if missing.",
)


def document(found: "Mean | RootMeanSquare | None") -> dict[str, Any] | None:
    """Return a measured number for JSON."""
    if found is None:
        return None
    return {"value": found.value, "ci95": found.ci95, "freedom": found.freedom}


def line(name: str, found: "Mean | RootMeanSquare", unit: str = "") -> str:
    """Write a measured number with its interval."""
    low, high = found.ci95
    return f"{name:<22}{found.value:.3g}{unit} (95 % interval {low:.3g} to {high:.3g})"


def keep(test: "Test", out: Path | None, *, force: bool) -> None:
    """Add a test to the measurement file if there is one, and name the file on standard error."""
    from brickphys.calibration.measure.measurement_file import add_measurement
    from brickphys.cli.shared import output

    if out is not None:
        add_measurement(test, out, force=force)
        output.note_written("measurements", out)


def show(kind: str, numbers: Mapping[str, Any], out: Path | None) -> None:
    """Print a result as JSON."""
    from brickphys.cli.shared import output

    output.print_json(f"measure-{kind}", {**numbers, "file": None if out is None else str(out)})
