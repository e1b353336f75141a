"""Write anew the golden files of Pirate Wars, after a rule has changed deliberately."""

from pathlib import Path

from tests.pirate_wars.battle import NAMES, transcript
from tests.pirate_wars.test_game import perft_text

GOLDEN = Path(__file__).parents[1] / "golden"

if __name__ == "__main__":
    for name in NAMES:
        (GOLDEN / f"pirate_wars_{name}.txt").write_text(transcript(name), encoding="utf-8")
    (GOLDEN / "pirate_wars_perft.txt").write_text(perft_text(), encoding="utf-8")
