"""Odds output: the success of every attack against every defence as a table."""

from collections.abc import Sequence
from fractions import Fraction

from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.output import print_table
from brickphys.text import percent


def print_success_table(table: Sequence[Sequence[Fraction]], law_name: str) -> None:
    """Print ``table[attack][defence]``, both from 0, in per cent, without the row of attack 0."""
    echo(f"success of an attack in per cent, by {law_name}")
    echo("rows: bricks of the attack; columns: bricks of the defence\n")
    columns = ("", *map(str, range(len(table[0]))))
    rows = [
        (str(attack), *(percent(float(chance)).removesuffix(" %") for chance in row))
        for attack, row in enumerate(table)
        if attack
    ]
    print_table(columns, rows)
