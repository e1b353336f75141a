"""Blade & Bow: bots beside those of BOW, a whole greedy battle, the longest list of actions, memory of a step.

Run by ``make bench``. Bots play Marathon, in turns with BOW's skirmish in one process. One core.
"""

import statistics
from collections.abc import Iterator
from gc import get_referents
from itertools import pairwise
from sys import getsizeof
from time import perf_counter, process_time
from types import FunctionType, ModuleType

from benchmarks.games import BATTLE, LAW, beside_bow
from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.blade_and_bow.pieces import Activation
from brickphys.blade_and_bow.state import State
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot, bot
from brickphys.rules.record import Step
from brickphys.rules.sources import LawSource
from brickphys.rules.words import Action

SCENARIO = "marathon"
BATTLES = 3
AIM_RANDOM, AIM_GREEDY, AIM_BATTLE_S, AIM_LIST_MS, AIM_STEP = 1 / 4, 1 / 20, 60.0, 1.0, 1 / 20
ARMY = BladeAndBow()


def bots() -> None:
    """Print the actions a second of bots, beside random ones of BOW."""
    found = beside_bow(ARMY, ARMY.setups[SCENARIO])
    print(f"actions a second, {SCENARIO}")
    print(f"BOW's {BATTLE}, random bots  {found.bow:,.0f}")
    print(f"random bots   {found.random:,.0f}, {found.of_bow:.2f} of BOW's (aim: {AIM_RANDOM:g})")
    print(
        f"greedy bots   {found.greedy:,.0f}, {found.of_random:.3f} of random (aim: {AIM_GREEDY:g})"
    )


def battles() -> None:
    """Print how long greedy bots take for a battle."""
    times, players = [], [bot("greedy", ARMY, LAW)] * 2
    for number in range(BATTLES):
        start = process_time()
        play(ARMY, ARMY.setups[SCENARIO], players, LawSource(LAW, 1), root=1, address=(number,))
        times.append(process_time() - start)
    print(
        f"\na greedy battle: the longest of {BATTLES} {max(times):.1f} s (aim: {AIM_BATTLE_S:g} s)"
    )


def steps(count: int) -> Iterator[Step[State, Action[State]]]:
    """Yield the steps of battles of random bots."""
    for number in range(count):
        setup, chance = ARMY.setups[SCENARIO], LawSource(LAW, 1)
        yield from play(ARMY, setup, [RandomBot()] * 2, chance, root=1, address=(number,)).steps


def listing() -> None:
    """Print how long it takes to list which units can join the largest formations."""
    states = [step.after for step in steps(4)]
    forming = [state for state in states if _forms(state.activation) and not state.pending]
    times = [_list_ms(state) for state in forming]
    print(
        f"\nunits that can join a formation, {len(times)} lists: the longest {max(times):.2f} ms",
        end="",
    )
    print(f" (aim: {AIM_LIST_MS:g} ms)")


def _forms(activation: Activation | None) -> bool:
    return activation is not None and not activation.closed


def _list_ms(state: State) -> float:
    """Return the least of three times; each begins without what a state remembers."""
    times = []
    for _ in range(3):
        fresh = state.replaced({"units": state.units})
        start = perf_counter()
        ARMY.actions(fresh)
        times.append(1000 * (perf_counter() - start))
    return min(times)


def sizes() -> None:
    """Print the memory that a step takes anew, beside that of a whole state."""
    states = [step.after for step in steps(1)]
    whole = sum(parts(states[0]).values())
    news = []
    for before, after in pairwise(states):
        known = parts(before)
        news.append(sum(size for each, size in parts(after).items() if each not in known))
    share = statistics.mean(news) / whole
    print(f"\na state takes {whole:,} bytes, a step {statistics.mean(news):,.0f} anew", end="")
    print(f", {share:.3f} of it (aim: {AIM_STEP:g})")


def parts(state: State) -> dict[int, int]:
    """Return the bytes of all objects that a state consists of, by identity; classes and functions are none."""
    found, todo = dict[int, int](), [state]
    while todo:
        one = todo.pop()
        if id(one) not in found and not isinstance(one, type | FunctionType | ModuleType):
            found[id(one)] = getsizeof(one)
            todo += get_referents(one)
    return found


def main() -> None:
    """Print everything."""
    bots()
    battles()
    listing()
    sizes()


if __name__ == "__main__":
    main()
