"""Write anew the golden files that come from playing, after a rule or a law has changed deliberately."""

import argparse
from collections.abc import Callable
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

from tests.blade_and_bow import game as blade_and_bow
from tests.blade_and_bow import test_game as blade_and_bow_game
from tests.bow import test_game, test_recorded_games, test_scenario_perft, test_scenarios, told_duel
from tests.minifig import battle as minifig
from tests.minifig import test_game as minifig_game
from tests.minifig.campaign import test_game as campaign
from tests.pirate_wars import battle as pirate_wars
from tests.pirate_wars import test_game as pirate_wars_game

GOLDEN = Path(__file__).parent / "golden"


def golden_files() -> dict[str, Callable[[], str]]:
    """The name of every file with what makes its text: the same function that its test compares with."""
    scenarios = {
        f"scenario_{name}.txt": partial(test_scenarios.transcript, name)
        for name in test_scenarios.NAMES
    }
    perfts = {
        f"perft_{name}_{where}.txt": partial(test_scenario_perft.table, name, where)
        for name in test_scenarios.NAMES
        for where in test_scenario_perft.STARTS
    }
    battles = {
        f"{game.GAME.name}_{name}.txt": partial(game.transcript, name)
        for game in (blade_and_bow, minifig, pirate_wars)
        for name in game.NAMES
    }
    return {
        "blade_and_bow_perft.txt": blade_and_bow_game.perft_text,
        "campaign_perft.txt": campaign.perft_text,
        "minifig_perft.txt": minifig_game.perft_text,
        "pirate_wars_perft.txt": pirate_wars_game.perft_text,
        **{
            f"campaign_{name}.txt": partial(campaign.transcript, name)
            for name in campaign.GOLDEN_BOTS
        },
        **battles,
        "bow_duel_story.txt": told_duel.duel_story,
        "bow_perft.txt": test_game.perft_text,
        "bow_skirmish.jsonl": partial(test_game.transcript, "skirmish"),
        "bow_ambush.jsonl": partial(test_game.transcript, "ambush"),
        **scenarios,
        **perfts,
        "bow_games.csv": test_recorded_games.table,
    }


def main() -> None:
    """Write the files whose names match, and name those that changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    about = "a file or a pattern such as 'perft_*_roll.txt'; all if none is given"
    parser.add_argument("names", nargs="*", metavar="NAME", help=about)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if a file would change"
    )
    asked = parser.parse_args()
    files = golden_files()
    for pattern in asked.names:
        if not any(fnmatch(name, pattern) for name in files):
            parser.error(f"{pattern!r} is no golden file: {', '.join(files)}")
    changed = False
    for name, make in files.items():
        if asked.names and not any(fnmatch(name, pattern) for pattern in asked.names):
            continue
        path, text = GOLDEN / name, make()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        changed = True
        print(f"changed: {name}", flush=True)  # noqa: T201
        if not asked.check:
            path.write_text(text, encoding="utf-8")
    raise SystemExit(int(asked.check and changed))


if __name__ == "__main__":
    main()
