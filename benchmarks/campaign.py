"""The quest campaign: how long 365 days take with all their battles, and a save with its replay.

Run by ``make bench``. Random bots play campaigns of a year, as many as it takes for 365 days.
One core.
"""

import statistics
import tempfile
from pathlib import Path
from time import process_time

from benchmarks.games import LAW
from brickphys.minifig.campaign.game import Campaign
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot, bot
from brickphys.rules.replay import play_back, read_replay, write_replay
from brickphys.rules.sources import LawSource

DAYS, ROUNDS = 365, 7
AIM_S = 1.0
GAME = Campaign()


def days_s(bot_name: str, root: int) -> tuple[float, int, int, int]:
    """Return the seconds for 365 days of a bot, the campaigns, the battles and the steps in them."""
    player = RandomBot() if bot_name == "random" else bot(bot_name, GAME, LAW)
    seconds, days, games, battles, steps = 0.0, 0, 0, 0, 0
    while days < DAYS:
        start = process_time()
        record = play(
            GAME, GAME.setups["year"], [player], LawSource(LAW, root), root=root, address=(games,)
        )
        spent, played = process_time() - start, record.final.day
        share = min(1.0, (DAYS - days) / played)
        seconds, days, games = seconds + share * spent, days + played, games + 1
        pairs = zip(record.states, record.states[1:], strict=False)
        battles += sum(one.battle is None and other.battle is not None for one, other in pairs)
        steps += len(record.steps)
    return seconds, games, battles, steps


def main() -> None:
    """Print everything."""
    print(f"{DAYS} days of the quest campaign (aim for random bots: under {AIM_S:g} s)")
    days_s("random", ROUNDS)  # compiles, and fills what is remembered
    for name, rounds in (("random", ROUNDS), ("greedy", 1)):
        rows = [days_s(name, root) for root in range(rounds)]
        seconds, games, battles, steps = (statistics.median(row) for row in zip(*rows, strict=True))
        print(
            f"{name}: {seconds:.2f} s; {games:g} campaigns with {battles:g} battles and {steps:,g} steps"
        )
    setup = GAME.setups["thirty_days"]
    record = play(GAME, setup, [RandomBot()], LawSource(LAW, 1), root=1)
    with tempfile.TemporaryDirectory() as folder:
        start = process_time()
        path = write_replay(GAME, record, Path(folder) / "quest.jsonl", law="3/10")
        written = process_time()
        play_back(GAME, read_replay(path))
        print(
            f"thirty days ({len(record.steps):,} steps): saved in {written - start:.2f} s, "
            f"read and played back in {process_time() - written:.2f} s"
        )


if __name__ == "__main__":
    main()
