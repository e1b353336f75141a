"""Law table: what a law of brick rolls says in a line, and how often bodies came to rest in each pose."""

from brickphys.odds.law import Law
from brickphys.text import percent, percent_range, spoken
from brickphys.view.app.html_table import html_table

_COLUMNS = ("Pose", "Bodies", "Share", "95 % interval")


def law_line(law: Law) -> str:
    """Return what a law says as a sentence."""
    return f"{law.line()[:1].upper()}{law.line()[1:]}."


def law_table(law: Law) -> str:
    """Return the shares of the poses as HTML."""
    bodies = sum(law.counts.values())
    rows = [
        (
            spoken(pose),
            f"{count:,}",
            percent(count / bodies, 2),
            percent_range(*law.poses_ci95[pose]),
        )
        for pose, count in law.counts.items()
    ]
    return html_table("How bricks came to rest", _COLUMNS, rows)
