"""Army output: the totals of armies side by side, as a table."""

from collections.abc import Sequence

from brickphys.cli.shared.output import percent, print_table
from brickphys.rules.report.sheets import ArmyTotal


def print_armies(armies: Sequence[ArmyTotal]) -> None:
    """Print how many there are of each sort in each army, what it costs, and its cost over that of the dearest."""
    sorts = dict.fromkeys(sort for army in armies for sort in army.counts)
    rows = [
        (
            army.name,
            *(str(army.counts.get(sort, 0)) for sort in sorts),
            str(army.cost_points),
            percent(float(army.share)),
        )
        for army in armies
    ]
    print_table(("army", *sorts, "cost points", "of the dearest"), rows)
