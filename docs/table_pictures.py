"""Draw the pictures of table.md: a card of odds, and a page of an army.

python docs/table_pictures.py
"""

from pathlib import Path

from brickphys.odds.card import odds_card
from brickphys.odds.law_choice import named_law
from brickphys.plots.paper.army_page import army_layout
from brickphys.plots.paper.odds_card import odds_card_figure
from brickphys.rules import registry

FOLDER = Path(__file__).parent / "img"
ARMY = ("trooper=4", "knight", "archer=2", "jeep")


def main() -> None:
    """Draw both."""
    law = named_law("default")
    odds_card_figure(odds_card(*law)).savefig(FOLDER / "odds_card.png", dpi=100)
    game = registry.game("bow")
    (page,) = army_layout(game.army(ARMY), registry.painter(game)).draw(*law)
    page.savefig(FOLDER / "army.png", dpi=90)


if __name__ == "__main__":
    main()
