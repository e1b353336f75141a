"""Draw the pictures of table.md: a card of odds, and a page of an army of some games.

python docs/table_pictures.py
"""

from pathlib import Path

import brickphys
from brickphys.odds.answer import odds_card
from brickphys.odds.law_choice import named_law
from brickphys.plots.paper import odds_card_figure

FOLDER = Path(__file__).parent / "img"
ARMIES = {
    "army": ("bow", "trooper=4 knight archer=2 jeep"),
    "army_minifig": ("minifig", "soldier,sword,shield=6 soldier,bow=3 soldier,spear,mounted dog"),
}


def main() -> None:
    """Draw all."""
    odds_card_figure(odds_card(*named_law("default"))).savefig(FOLDER / "odds_card.png", dpi=100)
    for name, (game, words) in ARMIES.items():
        brickphys.game(game).army(words).plot().savefig(FOLDER / f"{name}.png", dpi=90)


if __name__ == "__main__":
    main()
