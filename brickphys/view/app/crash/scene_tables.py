"""Scene tables: the hits of a move, and what has become of each thing in a crash, as HTML."""

from brickphys.vehicles.collision import Collision
from brickphys.vehicles.physics.outcome import Crash
from brickphys.view.app.html_table import html_table


def hit_table(found: Collision) -> str:
    """Return the hits in order."""
    if not found.hits:
        return ""
    rows = [
        (
            f"{number}. {row['hit']}",
            str(row["kind"]),
            _after(row["distance_studs"], row["turned_deg"]),
            str(row["sector"] or ""),
            str(row["bricks_to_resist"]),
        )
        for number, row in enumerate(found.rows(), start=1)
    ]
    return html_table("Hits in order", ("Hit", "Kind", "After", "Sector", "Bricks to resist"), rows)


def _after(distance_studs: object, turned_deg: object) -> str:
    if isinstance(distance_studs, float):
        return f"{distance_studs:.1f} studs"
    return f"{turned_deg:.1f} degrees" if isinstance(turned_deg, float) else ""


def crash_table(crash: Crash) -> str:
    """Return what has become of the things that were hit or have moved."""
    told = [one for one in (*crash.outcomes, *crash.riders) if one.is_told]
    rows = [
        (
            one.id,
            "({:.1f}, {:.1f})".format(*one.end_studs),
            f"{one.moved_studs:.1f} studs",
            f"{round(one.tilt_deg)} degrees",
            one.state,
        )
        for one in told
    ]
    return html_table("In the end", ("Thing", "Ends at", "Moved", "Tilt", "State"), rows)
