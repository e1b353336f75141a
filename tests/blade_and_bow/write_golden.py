"""Write anew the golden files of Blade & Bow, after a rule or a scenario has changed deliberately."""

from pathlib import Path

from tests.blade_and_bow.game import NAMES, transcript
from tests.blade_and_bow.test_game import perft_text

GOLDEN = Path(__file__).parents[1] / "golden"

if __name__ == "__main__":
    for name in NAMES:
        (GOLDEN / f"blade_and_bow_{name}.txt").write_text(transcript(name), encoding="utf-8")
    (GOLDEN / "blade_and_bow_perft.txt").write_text(perft_text(), encoding="utf-8")
