"""Write anew the golden files of Minifig battles, after a rule or a law has changed deliberately."""

from pathlib import Path

from tests.minifig.battle import NAMES, transcript
from tests.minifig.test_game import perft_text

GOLDEN = Path(__file__).parents[1] / "golden"

if __name__ == "__main__":
    for name in NAMES:
        (GOLDEN / f"minifig_{name}.txt").write_text(transcript(name), encoding="utf-8")
    (GOLDEN / "minifig_perft.txt").write_text(perft_text(), encoding="utf-8")
