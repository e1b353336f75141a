"""Draw the pictures of scenarios.md: every scenario that ships.

python docs/scenario_pictures.py
"""

from pathlib import Path

from brickphys.plots.bow.scenario import scenario_figure

from brickphys.bow.setup.scenario_check import begin, totals
from brickphys.bow.setup.scenario_file import SCENARIOS

FOLDER = Path(__file__).parent / "img" / "scenarios"
SHOWN = ("princess", "confrontation", "duel", "chase", "flight", "rocket")


def main() -> None:
    """Draw them all."""
    FOLDER.mkdir(exist_ok=True)
    for name in SHOWN:
        found = SCENARIOS.scenario(name)
        state = begin(found, name)
        picture = scenario_figure(found, state, totals(state))
        picture.savefig(FOLDER / f"{name}.png", dpi=80)


if __name__ == "__main__":
    main()
