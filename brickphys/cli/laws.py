"""Laws: the measured laws that ship with the package, and those in files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.options import json_option, unused_seed_option

if TYPE_CHECKING:
    from brickphys.odds.law import Law


@click.command()
@click.argument("files", type=click.Path(path_type=Path), nargs=-1)
@unused_seed_option
@json_option
def laws(files: tuple[Path, ...], as_json: bool) -> None:
    """List the laws that ship with brickphys, which `odds` and `roll` take by name, and the laws in FILES.

    "by chance" is the 95 % interval of the throws, "not known" the half-width over other tables, moulds, throws and
    engines; "clumping" is the correlation between bricks of one hand with its interval.

    \b
    Example:
      brickphys laws
      brickphys odds 3 2 --law baseplate
      brickphys laws mine.json
    """
    from brickphys.odds.law_file import read_law, shipped_law, shipped_laws

    listed = {name: shipped_law(name) for name in shipped_laws()}
    listed |= {str(file): read_law(file) for file in files}
    if as_json:
        output.print_json("laws", {"laws": [_entry(name, law) for name, law in listed.items()]})
        return
    output.print_table(
        ("law", "bricks", "on", "side", "by chance", "not known", "hands of", "clumping"),
        [_row(name, law) for name, law in listed.items()],
    )


def _entry(name: str, law: "Law") -> dict[str, object]:
    doubt = law.overdispersion
    return {
        "name": name,
        "shape": law.shape,
        "preset": law.conditions.preset,
        "surface": law.surface.name,
        "floor": law.surface.floor,
        "p_side": float(law.p),
        "ci95": law.ci95,
        "systematic_half_width": law.systematic and law.systematic.half_width,
        "bricks": sorted(law.scores),
        "rho": doubt and doubt.rho,
        "rho_ci95": doubt and doubt.ci95,
    }


def _row(name: str, law: "Law") -> tuple[str, ...]:
    half = (law.ci95[1] - law.ci95[0]) / 2
    doubt = law.overdispersion
    return (
        name,
        f"{law.shape}, {law.conditions.preset}",
        law.surface.description,
        output.percent(float(law.p)),
        f"+- {output.percent(half, 2)}",
        "" if law.systematic is None else f"+- {output.percent(law.systematic.half_width)}",
        f"1 to {max(law.scores)}",
        "" if doubt is None else f"{doubt.rho:+.3f} ({doubt.ci95[0]:+.3f} to {doubt.ci95[1]:+.3f})",
    )
