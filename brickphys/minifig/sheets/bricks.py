"""Bricks: the rows of the chart of hand-to-hand, by kind, arms and place (MF Resolving Combat)."""

from collections.abc import Collection, Iterable

from brickphys.minifig.sheets.charts import Arm, Kind, charts

MOUNTED = "mounted"
WALL = "wall"


def attack_rows(kind: Kind, arms: Iterable[Arm]) -> set[str]:
    """Return the rows of attack bricks that a figure has by its kind and its arms; one weapon counts."""
    armed = {row for arm in arms for row in arm.attack}
    return armed.union(kind.attack if armed or kind.unarmed is None else kind.unarmed)


def defence_rows(arms: Iterable[Arm]) -> set[str]:
    """Return the rows of defence bricks that a figure has by its arms; of two alike one counts."""
    return {row for arm in arms for row in arm.defence}


def attack_chart(rows: Collection[str]) -> dict[str, int]:
    """Return the bricks of some rows of the chart; the row of riders doubles the sum of those above it."""
    found: dict[str, int] = {}
    for row, bricks in charts().attack.items():
        if row in rows:
            found[row] = sum(found.values()) * (bricks - 1) if row == MOUNTED else bricks
    return found


def defence_chart(rows: Collection[str]) -> dict[str, int]:
    """Return the bricks of some rows of the chart."""
    return {row: bricks for row, bricks in charts().defence.items() if row in rows}
