"""Pirate Wars: a swing with the leap after it beside the geometry alone, and bots beside those of BOW.

Run by ``make bench``. The times of a turn are means over fleets of six ships close to each other, each the least of
many runs: with the hulls of all ships known at their places, as among the choices of one position, and with the hull
that moves placed anew, before the swing and after it. Bots play in turns with BOW's, in one process.
"""

import statistics
from collections.abc import Callable
from time import perf_counter, process_time

import numpy as np

from benchmarks.games import BATTLE, LAW, beside_bow
from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import unit_vector
from brickphys.geometry.sweep import overlap, sweep, swing
from brickphys.pirate_wars.game import PirateWars
from brickphys.pirate_wars.sailing import Swing, begin_move
from brickphys.pirate_wars.setting import Setting, ShipSpec
from brickphys.pirate_wars.sheets import ships
from brickphys.pirate_wars.state import Phase, ShipState, State, hull_prism
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.sources import LawSource
from brickphys.seeds import generator
from brickphys.vehicles.scene import Bounds

FLEETS, SHIPS, RUNS = 40, 6, 300
SEA_STUDS = 180.0
TURN_DEG = 40.0
DUELS = 40
AIM_TURN, AIM_RANDOM, AIM_GREEDY, AIM_DUEL_S = 4.0, 1 / 3, 0.1, 2.0


def fleet(rng: np.random.Generator) -> State:
    """Return six ships close to each other, the first one after a leap that a turn follows."""
    sheets = list(ships().values())
    while True:
        specs = tuple(
            ShipSpec(f"ship{number}", number % 2, sheets[rng.integers(len(sheets))])
            for number in range(SHIPS)
        )
        states = tuple(
            ShipState(
                rng.uniform(30, SEA_STUDS - 30),
                rng.uniform(30, SEA_STUDS - 30),
                rng.uniform(0, 360),
                hull=spec.sheet.chart.hull,
                sails=spec.sheet.chart.sails,
                owner=spec.player,
                guns=(),
            )
            for spec in specs
        )
        hulls = [hull_prism(spec.sheet, one.pose) for one, spec in zip(states, specs, strict=True)]
        if any(overlap(one, other) for n, one in enumerate(hulls) for other in hulls[:n]):
            continue
        sea, wind_deg = Bounds(SEA_STUDS, SEA_STUDS), states[0].heading_deg
        setting = Setting("fleet", ("red", "blue"), sea, wind_deg, (0, 1), ships=specs, minifigs=())
        state = State(
            setting=setting, ships=states, minifigs=(), phase=Phase.MOVEMENT, order=(0, 1)
        )
        state = begin_move(state, 0)
        if state.left_studs:
            return state


def least_s(run: Callable[[], object], prepare: Callable[[], object]) -> float:
    """Return the least time of a run, each after some preparation."""
    times = []
    for _ in range(RUNS):
        prepare()
        begin = perf_counter()
        run()
        times.append(perf_counter() - begin)
    return min(times)


def times_s(state: State) -> list[float]:
    """Return the times of geometry and action with known hulls, and of both with a hull that is placed anew."""
    sheet, before = state.setting.ships[0].sheet, state.ships[0]
    around = Obstacles.of([state.prism(other) for other in range(1, len(state.ships))])
    pivot = before.pose.on_field(sheet.rudder_studs)
    action = Swing(TURN_DEG)
    turned = action.apply(state.replaced({"left_studs": 0.0})).ships[0]
    way, studs = unit_vector(turned.heading_deg), min(state.left_studs, sheet.length_studs)

    def geometry() -> None:
        swing(hull_prism(sheet, before.pose), pivot, TURN_DEG, around)
        sweep(hull_prism(sheet, turned.pose), way, studs, around)

    def known() -> None:
        hull_prism(sheet, before.pose)

    runs = (geometry, lambda: action.apply(state))
    return [least_s(run, prepare) for prepare in (known, hull_prism.cache_clear) for run in runs]


def turns() -> None:
    """Print the times of a swing with a leap and their ratios."""
    print(f"a swing and a leap among six ships (aim: at most {AIM_TURN:g} times the geometry)")
    found = [times_s(fleet(generator(seed))) for seed in range(FLEETS)]
    known, known_turn, new, new_turn = (
        1e6 * sum(times) / FLEETS for times in zip(*found, strict=True)
    )
    for hulls, bare, turn in (("known", known, known_turn), ("placed anew", new, new_turn)):
        print(
            f"hulls {hulls}: sweep and swing {bare:.1f} us, "
            f"from state to state {turn:.1f} us, {turn / bare:.1f} times as long"
        )


def bots() -> None:
    """Print the actions a second of bots, beside random bots of BOW."""
    game = PirateWars()
    print(
        f"\nactions a second; random aims at {AIM_RANDOM:.2f} of BOW's {BATTLE}, greedy at {AIM_GREEDY:g} of random"
    )
    for name, setup in game.setups.items():
        found = beside_bow(game, setup)
        print(
            f"{name:<16} BOW {found.bow:,.0f}, random {found.random:,.0f} ({found.of_bow:.2f}), "
            f"greedy {found.greedy:,.0f} ({found.of_random:.2f})"
        )


def duels() -> None:
    """Print how long greedy bots take for a duel."""
    game, times = PirateWars(), []
    players = [bot("greedy", game, LAW)] * 2
    for number in range(DUELS):
        start = process_time()
        play(game, game.setups["duel"], players, LawSource(LAW, 1), root=1, address=(number,))
        times.append(process_time() - start)
    print(
        f"\na greedy duel to its end: {statistics.median(times):.2f} s, the longest of {DUELS} {max(times):.2f} s "
        f"(aim: under {AIM_DUEL_S:g} s)"
    )


def main() -> None:
    """Print everything."""
    turns()
    bots()
    duels()


if __name__ == "__main__":
    main()
