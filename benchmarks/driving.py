"""Random games in which vehicles drive and crash: whether anything overlaps, and whether survivors can turn.

``python -m benchmarks.driving overlaps 0 250`` plays games 0 to 249 of the tests' driving bots on rough fields.
``python -m benchmarks.driving turns 40`` plays 40 games of random bots from each scenario with vehicles.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from itertools import pairwise

from brickphys.bow.actions.driving import ChangeDirection
from brickphys.bow.game import Bow
from brickphys.bow.state import NOBODY, State
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.sources import LawSource

LAW = BinomialLaw(Fraction(1, 4))
SCENARIOS = ("ambush", "chase", "flight", "rocket")
SEEN_EVERY = 10
"""One state in so many is written and read back, and seen by shapely, which sees all in which vehicles changed."""


def overlaps(first: int, last: int) -> int:
    """Play games of driving bots; print how much happened and each broken invariant; return how many."""
    driven_games = import_module("tests.bow.driven_games")
    game, counts, broken = driven_games.GAME, Counter[str](), 0
    for seed in range(first, last):
        states = list(driven_games.drive(driven_games.rough_setup(seed), seed))
        counts.update(_survivals(states))
        for number, (before, after) in enumerate(pairwise(states)):
            counts["states"] += 1
            counts.update(_driven(before, after))
            found = [] if _is_alike(before, after) else list(game.invariant_problems(after))
            if before.vehicles != after.vehicles or number % SEEN_EVERY == 0:
                found += map(str, driven_games.seen_overlaps(after))
            if number % SEEN_EVERY == 0 and game.parse_state(game.format_state(after)) != after:
                found.append("a state does not read back")
            for fault in found:
                print(f"game {seed}, step {number}: {fault}", flush=True)
            broken += bool(found)
        counts["games"] += 1
    print(f"games {first} to {last - 1}: {dict(sorted(counts.items()))}, broken: {broken}")
    return broken


def _is_alike(before: State, after: State) -> bool:
    """Tell whether two states differ in nothing that takes up space."""
    return (before.units, before.vehicles, before.open_ids) == (
        after.units,
        after.vehicles,
        after.open_ids,
    )


def _driven(before: State, after: State) -> Iterator[str]:
    """Yield what vehicles did between two states."""
    for was, now in zip(before.vehicles, after.vehicles, strict=True):
        if was.centre_studs != now.centre_studs:
            yield "moves"
        if was.base_plates != now.base_plates:
            yield "heights changed"
        if now.gone > was.gone:
            yield "vehicles gone"


def turns(games: int) -> None:
    """Print how many vehicles that survive a crash, and have a pilot, can be turned by some angle just then."""
    game = Bow()
    for name in SCENARIOS:
        counts = Counter[str]()
        for root in range(games):
            source = LawSource(LAW, root)
            bots = [RandomBot()] * 2
            record = play(game, game.setups[name], bots, source, root=root, max_steps=20_000)
            counts.update(_survivals([record.initial, *(step.after for step in record.steps)]))
        print(f"{name}: {games} games, {dict(sorted(counts.items()))}")


def _survivals(states: list[State]) -> Iterator[str]:
    """Yield, for each crash that a vehicle with a pilot survives, whether it can turn, once everything is rolled."""
    open_crashes = set[int]()
    for before, after in pairwise(states):
        for vehicle, (was, now) in enumerate(zip(before.vehicles, after.vehicles, strict=True)):
            if was.speed and not now.speed and before.pending:
                open_crashes.add(vehicle)
        if after.pending or after.result is not None:
            continue
        for vehicle in open_crashes:
            pilot = after.pilot(vehicle)
            if not after.vehicles[vehicle].gone and pilot != NOBODY:
                can_turn = any(ChangeDirection.legal(after.replaced({"active": pilot})))
                yield f"{after.setting.options.turning.value}: {'turns' if can_turn else 'stuck'}"
        open_crashes.clear()


def main() -> None:
    """Run what the command line asks for; exit with 1 if an invariant is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True, dest="command")
    part = commands.add_parser("overlaps")
    part.add_argument("first", type=int)
    part.add_argument("last", type=int)
    commands.add_parser("turns").add_argument("games", type=int)
    given = parser.parse_args()
    if given.command == "turns":
        turns(given.games)
    elif overlaps(given.first, given.last):
        sys.exit(1)


if __name__ == "__main__":
    main()
