"""Let bots play every scenario that ships, and write the table of scenarios.md: who wins how often.

python docs/scenario_balance.py [--games 40] [--seed 1] [--workers 2] [SCENARIO ...]
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

from brickphys.bow.game import Bow
from brickphys.bow.scenario import SCENARIOS
from brickphys.odds.distribution import wilson
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.sources import LawSource

PAGE = Path(__file__).parent / "scenarios.md"
BEGIN, END = "<!-- balance: python docs/scenario_balance.py -->", "<!-- end of balance -->"
LAW = BinomialLaw(Fraction(3, 10))
BOTS = ("greedy", "random")
HEADER = """\
| scenario | bots | games | player 1 | wins | 95 % interval | draws | player 2 | wins | 95 % interval | median rounds |
|---|---|---|---|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Result:
    """How a game ended: the index of the winner, None for a draw, and the round."""

    winner: int | None
    round: int


def main() -> None:
    """Play, and tell who won; or write it into the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="into the table of scenarios.md")
    parser.add_argument("scenarios", nargs="*", default=tuple(SCENARIOS))
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.workers) as pool:
        for name in asked.scenarios:
            for who in BOTS:
                one = partial(result, name, who, asked.seed)
                found = list(pool.map(one, range(asked.games), chunksize=2))
                line = row(name, who, found)
                print(line)  # noqa: T201 - what this program is for
                if asked.write:
                    enter(name, who, line)


def enter(name: str, who: str, line: str) -> None:
    """Write a row into the table of the page, in the place of an older one."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    table, after = rest.split(END)
    rows = {tuple(old.split(" | ")[:2]): old for old in table.strip().splitlines()[2:]}
    rows[f"| `{name}`", who] = line
    lines = "\n".join(rows[key] for key in sorted(rows))
    PAGE.write_text(
        f"{before}{BEGIN}\n\n{HEADER}{lines}\n\n{END}{after}", encoding="utf-8", newline="\n"
    )


def result(name: str, who: str, seed: int, number: int) -> Result:
    """Play one game, with an address of its own."""
    game = Bow()
    setup = game.setups[name]
    bots = [bot(who, game, LAW)] * len(setup["players"])
    record = play(game, setup, bots, LawSource(LAW, seed), root=seed, address=(number,))
    return Result(record.winner, record.final.round)


def row(name: str, who: str, found: list[Result]) -> str:
    """Return a row of the table."""
    wins = Counter(one.winner for one in found)
    names = [player["name"] for player in Bow().setups[name]["players"]]
    rounds = sorted(one.round for one in found)[len(found) // 2]
    first, second = (list(_share(wins[seat], len(found))) for seat in (0, 1))
    draws = f"{wins[None] / len(found):.0%}"
    cells = [f"`{name}`", who, len(found), names[0], *first, draws, names[1], *second, rounds]
    return f"| {' | '.join(map(str, cells))} |"


def _share(wins: int, games: int) -> Iterator[str]:
    low, high = wilson(wins, games)
    yield f"{wins / games:.0%}"
    yield f"{low:.0%} to {high:.0%}"


if __name__ == "__main__":
    main()
