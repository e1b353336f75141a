"""Write anew the golden files of the campaign, after a rule has changed deliberately."""

from pathlib import Path

from tests.minifig.campaign.test_game import GOLDEN_BOTS, perft_text, transcript

GOLDEN = Path(__file__).parents[2] / "golden"

if __name__ == "__main__":
    (GOLDEN / "campaign_perft.txt").write_text(perft_text(), encoding="utf-8")
    for name in GOLDEN_BOTS:
        (GOLDEN / f"campaign_{name}.txt").write_text(transcript(name), encoding="utf-8")
