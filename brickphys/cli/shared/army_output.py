"""Army output: the totals of armies side by side, as a table."""

from collections.abc import Sequence

from brickphys.cli.shared.output import print_table
from brickphys.rules.report.sheets import ArmyTotal
from brickphys.text import percent


def print_armies(armies: Sequence[ArmyTotal]) -> None:
    """Print how many there are of each sort in each army, and where there are prices what it costs.

    That is also shown over the cost of the most expensive army.
    """
    sorts = dict.fromkeys(sort for army in armies for sort in army.counts)
    rows = [
        (army.name, *(str(army.counts.get(sort, 0)) for sort in sorts), *_costs(army))
        for army in armies
    ]
    costs = ("cost points", "share of the most expensive army") if any(map(_costs, armies)) else ()
    print_table(("army", *sorts, *costs), rows)


def _costs(army: ArmyTotal) -> tuple[str, ...]:
    if army.cost_points is None or army.share is None:
        return ()
    return str(army.cost_points), percent(float(army.share))
