"""Bots that plan: plans, states and actions a second, memory, greedy beside greedy1, and Elo against thought.

``python -m benchmarks.bots`` prints the speeds of each game in a battle of bots, one core; with ``thought`` a ladder of
`LEVELS` in ``--scenario GAME/NAME``, in which a decision takes seconds: some hours on one quiet core.
"""

import argparse
import statistics
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import psutil

from benchmarks.games import LAW
from brickphys.batch.ladder import Standings, ladder_spec
from brickphys.batch.runner import run_study
from brickphys.rules.plans import Effort, Plan, Thinker
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.players.planner import Planner
from brickphys.rules.registry import game
from brickphys.rules.sources import LawSource

BATTLES = ("bow/skirmish", "minifig/skirmish", "pirate_wars/chase", "blade_and_bow/marathon")
LEVEL = "hard"
GAMES, ROUNDS = 2, 5
LEVELS = ("hard:0.1s", "hard:0.5s", "hard:2s", "greedy1")
COLUMNS = ("actions/s", "decisions", "plans/s", "states/s", "ms", "ms 99 %", "longest s", "MB")
_MB = 2**20


class Counted:
    """A thinker that counts its decisions, their plans, the states that they look at and the seconds that they take."""

    def __init__(self, inner: Thinker[Any, Any]) -> None:
        self._inner = inner
        self.plan_count = self.states = 0
        self.seconds: list[float] = []

    def is_open(self, state: Any) -> bool:
        """Ask the thinker."""
        return self._inner.is_open(state)

    def plans(self, state: Any, effort: Effort) -> Sequence[Plan[Any]]:
        """Ask the thinker, and count."""
        start = process_time()
        found = self._inner.plans(state, effort)
        self.seconds.append(process_time() - start)
        self.plan_count += len(found)
        self.states += effort.nodes
        return found


def planning(battle: str) -> None:
    """Print what decisions of a planning bot in a battle cost."""
    name, _, scenario = battle.partition("/")
    played = game(name)
    player = bot(LEVEL, played, LAW)
    assert isinstance(player, Planner)
    if player._thinker is None:
        print(f"{battle:<24}  its bots do not plan")
        return
    counted = player._thinker = Counted(player._thinker)
    setup, before = played.setups[scenario], psutil.Process().memory_info().rss
    players = [player] * played.players(played.initial(setup))
    actions, start = 0, process_time()
    for number in range(GAMES):
        record = play(played, setup, players, LawSource(LAW, 1), root=1, address=(number,))
        actions += record.actions
    whole, grown = process_time() - start, psutil.Process().memory_info().rss - before
    times = sorted(counted.seconds) or [0.0]
    thought = max(sum(times), 1e-9)
    print(
        f"{battle:<24}{actions / whole:>11,.1f}{len(counted.seconds):>11,}{counted.plan_count / thought:>9,.0f}"
        f"{counted.states / thought:>10,.0f}{1000 * statistics.median(times):>10,.1f}"
        f"{1000 * times[int(0.99 * (len(times) - 1))]:>10,.1f}{times[-1]:>10.2f}{grown / _MB:>8,.0f}"
    )


def greedy(battle: str) -> None:
    """Print the seconds of a battle of greedy beside one of greedy1, in turns."""
    name, _, scenario = battle.partition("/")
    played = game(name)
    setup = played.setups[scenario]
    times: dict[str, list[float]] = {"greedy1": [], "greedy": []}
    for number in range(ROUNDS + 1):  # the first fills what is remembered
        for one, found in times.items():
            players = [bot(one, played, LAW)] * played.players(played.initial(setup))
            start = process_time()
            play(played, setup, players, LawSource(LAW, 1), root=1, address=(number,))
            found.append(process_time() - start)
    old, new = (statistics.mean(found[1:]) for found in times.values())
    print(f"{battle:<24}{old:>11.2f}{new:>11.2f}{old / new:>9.1f}")


def thought(battle: str, games: int, workers: int) -> None:
    """Print the strength of bots that think for longer and longer."""
    name, _, scenario = battle.partition("/")
    played = game(name)
    seats = played.players(played.initial(played.setups[scenario]))
    study = ladder_spec({"game": name, "scenario": scenario}, LEVELS, seats, games, None, 1)
    with TemporaryDirectory() as folder:
        found = Standings(run_study(study, Path(folder) / "ladder", workers=workers))
        print(f"{battle}, {games} games of each pair, {workers} workers")
        print(f"{'bot':<12}{'points':>9}{'Elo':>7}{'95 % interval':>18}{'mean choice, ms':>18}")
        for one in found.table.standings:
            times, elo = found.times[one.name], one.rating
            rated = (
                f"{elo.elo:>+7.0f}{f'{elo.ci95[0]:+.0f} to {elo.ci95[1]:+.0f}':>18}" if elo else ""
            )
            mean_ms = 1000 * times.seconds / times.number
            print(f"{one.name:<12}{one.share:>9.1%}{rated:<25}{mean_ms:>18,.1f}")


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=("speed", "thought"), default="speed")
    parser.add_argument("--scenario", default="minifig/skirmish")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    if given.what == "thought":
        thought(given.scenario, given.games, given.workers)
        return
    print(
        f"bot {LEVEL}, {GAMES} battles: actions a second; decisions, plans and states a second of"
    )
    print("thought, milliseconds of a decision, the longest in seconds; MB by which memory grows")
    columns = zip((11, 11, 9, 10, 10, 10, 10, 8), COLUMNS, strict=True)
    print(f"{'':<24}" + "".join(f"{name:>{width}}" for width, name in columns))
    for battle in BATTLES:
        planning(battle)
    print(f"\nseconds of a battle of greedy1 and of greedy, mean of {ROUNDS}, and their ratio")
    for battle in BATTLES:
        greedy(battle)


if __name__ == "__main__":
    main()
