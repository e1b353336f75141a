"""Validate: compares physics with real throws, engines with each other, and geometry with independent geometry."""

import click

from brickphys.cli.shared.command_group import CommandGroup
from brickphys.cli.validate.collisions import collisions
from brickphys.cli.validate.engines import engines
from brickphys.cli.validate.radius import radius
from brickphys.cli.validate.rolls import coin, prisms
from brickphys.cli.validate.throws import throws


@click.group(cls=CommandGroup)
def validate() -> None:
    """Compare the physics with reality, and the engines with each other.

    \b
    Examples:
      brickphys validate throws cube_tosses.csv
      brickphys validate prisms
      brickphys validate engines --engines bullet,compiled
      brickphys validate collisions --scenes 2000
    """


for _command in (throws, radius, collisions, engines, prisms, coin):
    validate.add_command(_command)
