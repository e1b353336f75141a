"""How long a swing and the leap after it take, from state to state, and how long the geometry alone.

``python -m benchmarks.pirate_wars`` prints the mean times in fleets of six ships close to each other, each the least of
many runs: with the hulls of all ships known at their places, as among the choices of one position, and with the hull
that moves placed anew, before the swing and after it.
"""

from collections.abc import Callable
from time import perf_counter

import numpy as np

from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import unit_vector
from brickphys.geometry.sweep import overlap, sweep
from brickphys.geometry.swing import swing
from brickphys.pirate_wars.sailing.movement import Swing, begin_move
from brickphys.pirate_wars.sheets.catalogue import ships
from brickphys.pirate_wars.state.setting import Setting, ShipSpec
from brickphys.pirate_wars.state.ship import ShipState, hull_prism
from brickphys.pirate_wars.state.state import Phase, State
from brickphys.seeds import generator
from brickphys.vehicles.scene import Bounds

FLEETS, SHIPS, RUNS = 40, 6, 300
SEA_STUDS = 180.0
TURN_DEG = 40.0


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
        hulls = [one.prism(spec.sheet) for one, spec in zip(states, specs, strict=True)]
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
    setting, before = state.setting, state.ships[0]
    sheet = setting.ships[0].sheet
    others = zip(setting.ships[1:], state.ships[1:], strict=True)
    around = Obstacles.of([other.prism(spec.sheet) for spec, other in others])
    pivot = before.pose.on_field(sheet.rudder_studs)
    action = Swing(TURN_DEG)
    turned = action.apply(state.replaced({"left_studs": 0.0})).ships[0]
    way, studs = unit_vector(turned.heading_deg), min(state.left_studs, sheet.length_studs)

    def geometry() -> None:
        swing(before.prism(sheet), pivot, TURN_DEG, around)
        sweep(turned.prism(sheet), way, studs, around)

    def known() -> None:
        before.prism(sheet)

    runs = (geometry, lambda: action.apply(state))
    return [least_s(run, prepare) for prepare in (known, hull_prism.cache_clear) for run in runs]


def main() -> None:
    """Print the times and their ratios."""
    found = [times_s(fleet(generator(seed))) for seed in range(FLEETS)]
    known, known_turn, new, new_turn = (
        1e6 * sum(times) / FLEETS for times in zip(*found, strict=True)
    )
    for hulls, bare, turn in (("known", known, known_turn), ("placed anew", new, new_turn)):
        print(
            f"hulls {hulls}: sweep and swing {bare:.1f} us, "
            f"from state to state {turn:.1f} us, {turn / bare:.1f} times as long"
        )


if __name__ == "__main__":
    main()
