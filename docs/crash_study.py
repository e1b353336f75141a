"""Make the tables of docs/crash.md: how often bodies put what was hit on another stud than the rule, and who wins.

First vehicles of all kinds run over one to four troopers who survive; then the same seeds are played under both
readings of the option ``crashes``:

    python docs/crash_study.py [GAMES [BOT [RUNS]]]
"""

import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import hypot

from brickphys.bow.actions.at_rest import AtRest
from brickphys.bow.game import Bow
from brickphys.bow.turns import StartRoll
from brickphys.odds.law_file import default_law
from brickphys.rules.events import Measurement
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.record import with_options
from brickphys.rules.rolls import OpposedRoll
from brickphys.rules.sources import LawSource, MixedSource
from brickphys.seeds import generator
from brickphys.vehicles.crash_source import CrashSource

GAMES = 60
RUNS = 400
VEHICLES = (
    ("horse", "rider", (1, 2, 3)),
    ("landspeeder", "pilot", (1, 2, 3, 4)),
    ("jeep", "driver", (1, 2, 3, 4)),
    ("truck", "driver", (1, 2, 3, 4)),
    ("tank", "driver", (1, 2)),
)
"""Sheet, seat of the pilot, and speeds."""
SCENARIOS = ("chase", "ambush", "rocket")
READINGS = ("rules", "physics")
WORKERS = 2
NEAR_STUDS = 0.05
"""A vehicle that is no farther than this from where the rule stops it is where the rule says."""


def game_counts(crashes: str, name: str, scenario: str, seed: int) -> Counter[str]:
    """Return what happens in one game: who wins, and what the bodies have put elsewhere."""
    game, law = Bow(), default_law()
    setup = with_options(game.setups[scenario], {"crashes": crashes})
    source = MixedSource(LawSource(law, seed), {Measurement: CrashSource()})
    players = [bot(name, game, law) for _ in range(game.players(game.initial(setup)))]
    record = play(game, setup, players, source, root=seed, max_steps=6000)
    found = Counter({f"winner {record.winner}": 1, "games": 1})
    before = record.initial
    for step in record.steps:
        first = before.pending[0] if before.pending else None
        if isinstance(first, AtRest) and isinstance(step.move, tuple):
            found["events"] += 1
            for unit, (was, now) in enumerate(zip(before.units, step.after.units, strict=True)):
                if before.setting.units[unit].name in first.hit and was.stud is not None:
                    found["units"] += 1
                    found["units elsewhere"] += was.stud != now.stud
            crafts = zip(before.setting.vehicles, before.vehicles, step.after.vehicles, strict=True)
            for spec, old, new in crafts:
                if spec.name in first.hit and not old.gone:
                    studs = hypot(new.x_studs - old.x_studs, new.y_studs - old.y_studs)
                    found["vehicles"] += 1
                    found["vehicles elsewhere"] += studs > NEAR_STUDS
                    found["studs of vehicles x 1000"] += round(1000 * studs)
        before = step.after
    return found


def run_over(seed: int) -> Counter[str]:
    """Return how many troopers a vehicle runs over, and how many the bodies put on another stud than the rule."""
    rng, game = generator(seed), Bow()
    sheet, seat, speeds = VEHICLES[int(rng.integers(len(VEHICLES)))]
    studs = {
        (int(x), int(y)) for x, y in rng.integers((28, 12), (34, 18), (int(rng.integers(1, 5)), 2))
    }
    begin = {
        "players": [{"name": "red"}, {"name": "blue"}],
        "field": {"width": 60, "length": 30},
        "vehicles": [{"id": "car", "sheet": sheet, "player": "red", "x": 15.0, "y": 15.0, "heading_deg": 0.0,
                      "speed": int(rng.choice(speeds))}],
        "units": [
            {"id": "pilot", "sheet": "driver", "player": "red", "vehicle": "car", "seat": seat},
            *({"id": f"foe{n}", "sheet": "trooper", "player": "blue", "x": x, "y": y, "facing": "w"}
              for n, (x, y) in enumerate(sorted(studs))),
        ],
        "options": {"crashes": "physics"},
    }  # fmt: skip
    state = game.initial(begin)
    while not state.round:
        first = state.pending[0]
        assert isinstance(first, StartRoll)
        state = game.apply(state, 0 if first.contenders[len(first.scores)] else 6)
    for text in ("unit pilot", "advance"):
        state = game.apply(state, game.parse_action(text))
    while state.pending and not isinstance(state.pending[0], AtRest):
        event = game.chance(state)
        assert isinstance(event, OpposedRoll)
        state = game.apply(state, (0, event.defence))
    if not state.pending:
        return Counter()
    after = game.apply(state, CrashSource().answer(game.chance(state), ()))
    foes = [(a.stud, b.stud) for a, b in zip(state.units[1:], after.units[1:], strict=True)]
    hit = [pair for n, pair in enumerate(foes) if f"foe{n}" in state.pending[0].hit]
    steps = [state.setting.field.xy(a or 0) + state.setting.field.xy(b or 0) for a, b in hit]
    far = [max(abs(x - u), abs(y - v)) for x, y, u, v in steps]
    return Counter(moves=1, units=len(hit), elsewhere=sum(d > 0 for d in far), studs=sum(far))


def main(games: int = GAMES, name: str = "greedy", runs: int = RUNS) -> None:
    """Print what was run over, and a row for each scenario and reading."""
    with ProcessPoolExecutor(WORKERS) as pool:
        found = sum(pool.map(run_over, range(runs), chunksize=20), Counter[str]())
        sys.stdout.write(f"run over {dict(found)}\n")
        for scenario in SCENARIOS:
            for crashes in READINGS:
                counts = pool.map(partial(game_counts, crashes, name, scenario), range(games))
                total = sum(counts, Counter())
                sys.stdout.write(f"{scenario} {crashes} {name} {dict(sorted(total.items()))}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main(*(kind(word) for kind, word in zip((int, str, int), sys.argv[1:], strict=False)))
