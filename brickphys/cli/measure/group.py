"""Measure: friction, restitution and throw of one's own table and hand, and the law that follows."""

import click

from brickphys.cli.measure.drop import drop
from brickphys.cli.measure.film import film
from brickphys.cli.measure.law import law
from brickphys.cli.measure.tilt import tilt


@click.group()
def measure() -> None:
    """Measure your own table and hand by a tilt test, a drop test and a film of throws, and compute their law.

    Each test adds its readings to the file that --out names; `measure law` reads that file. docs/measure.md has the
    protocol.

    \b
    Examples:
      brickphys measure tilt 21.5 23 22 22.5 21 --out mine.toml
      brickphys measure drop 75,21 71,19 78 --height-mm 300 --out mine.toml
      brickphys measure film throws.csv --fps 240 --out mine.toml
      brickphys measure law mine.toml --counts counts.csv --out mine.json
    """


for _command in (tilt, drop, film, law):
    measure.add_command(_command)
