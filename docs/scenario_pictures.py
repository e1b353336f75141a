"""Draw the pictures of scenarios.md: every scenario that ships.

python docs/scenario_pictures.py
"""

from pathlib import Path

from brickphys.bow.scenario import scenario_report
from brickphys.plots.battle import scenario_figure
from brickphys.plots.games.bow import BowPainter

FOLDER = Path(__file__).parent / "img" / "scenarios"
SHOWN = ("princess", "confrontation", "duel", "chase", "flight", "rocket")


def main() -> None:
    """Draw them all."""
    FOLDER.mkdir(exist_ok=True)
    for name in SHOWN:
        picture = scenario_figure(scenario_report(name), BowPainter())
        picture.savefig(FOLDER / f"{name}.png", dpi=80)


if __name__ == "__main__":
    main()
