"""Ladder: bots against each other, from every seat; who is stronger, by how much, and how sure that is."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from brickphys.cli.batch import (
    continue_option,
    dask_options,
    executor_of,
    make_whole,
    retry_option,
    run_store,
)
from brickphys.cli.shared import options, output
from brickphys.cli.shared.game_start import rule_options
from brickphys.cli.shared.output import echo
from brickphys.errors import CancelledRunError, InvalidValueError
from brickphys.odds.sequential import SequentialTest
from brickphys.rules import registry
from brickphys.text import percent, percent_range

if TYPE_CHECKING:
    from brickphys.batch.ladder import Standings
    from brickphys.rules.tournament import Rating


def _shares(_ctx: click.Context, _param: click.Parameter, text: str | None) -> list[float] | None:
    """Return the shares of H0 and H1, which may be written as leads in Elo points, and maybe both error rates."""
    if text is None:
        return None
    try:
        low, high, *rates = (word.strip() for word in text.split(","))
        if len(rates) not in (0, 2):
            raise ValueError
        shares = [*map(_share, (low, high)), *map(float, rates)]
    except (ValueError, OverflowError):
        raise InvalidValueError(
            f"--sprt {text}: not ELO0,ELO1 or SHARE0%,SHARE1%, maybe with ,ALPHA,BETA"
        ) from None
    with options.naming(f"--sprt {text}"):
        SequentialTest(*shares)
    return shares


def _share(word: str) -> float:
    if word.endswith("%"):
        return float(word[:-1]) / 100
    return float(1 / (1 + 10 ** (-float(word) / 400)))


@click.command()
@click.argument("game_name", metavar="GAME")
@click.argument("scenario")
@click.option(
    "--bots",
    required=True,
    help="Bots, separated by commas, such as hard,fair,greedy1; at least two.",
)
@click.option(
    "--games",
    type=int,
    default=100,
    help="Games of each matchup, at most with --sprt: a multiple of the number of seats.",
)
@click.option(
    "--sprt",
    metavar="ELO0,ELO1",
    callback=_shares,
    help="End a matchup once a sequential test decides: is the first bot's lead ELO0 (H0) or ELO1 (H1)? Also shares of "
    "the points, 50%,60%. Error rates follow: 0,50,0.01,0.01.  [default: 0.05 each]",
)
@click.option(
    "--out",
    "folder",
    type=options.FILE,
    help="Keep the games in this folder, new or begun before: the same command continues it.",
)
@click.option(
    "--option", "rules", multiple=True, metavar="NAME=VALUE", help="Set an option of the rules."
)
@options.law_option
@options.workers_option
@dask_options
@click.option(
    "--yes",
    is_flag=True,
    help="Allow bots that think for more than a minute, or a million states, a decision.",
)
@continue_option
@retry_option
@options.seed_option
@options.json_option
def ladder(
    game_name: str,
    scenario: str,
    bots: str,
    games: int,
    sprt: list[float] | None,
    folder: Path | None,
    rules: tuple[str, ...],
    law_file: Path | None,
    workers: int,
    dask: str | None,
    dask_wait: int | None,
    yes: bool,
    continue_anyway: bool,
    retry_failed: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Let bots play GAME from SCENARIO against each other, and rank them.

    Every group of bots meets, as many as the game has seats, and plays from every seat. The games of one round of seats
    have the same dice. The games are the same for any number of workers, unless a bot's time is limited (hard:2s).
    All intervals are 95 % intervals. Elo is 0 for the mean of all; it is empty where a bot has won or lost everything.

    \b
    Examples:
      brickphys ladder bow skirmish --bots hard,greedy,random --games 40
      brickphys ladder minifig duel --bots hard,greedy1 --games 2000 --sprt 0,50 --out results
    """
    from brickphys.batch.ladder import MOST_NODES, MOST_S, Ladder, Standings
    from brickphys.batch.store import running_store, stored_seed

    with ExitStack() as stack:
        stack.enter_context(registry.trusting())  # the names are the words of who runs it
        game = registry.game(game_name)
        names = tuple(name.strip() for name in bots.split(","))
        wanted = Ladder(
            game,
            game_name,
            scenario,
            names,
            games,
            None if sprt is None else tuple(sprt),
            rule_options(rules),
            None if law_file is None else str(law_file),
        )
        wanted.check(options.chosen_law(law_file))
        if wanted.slow and not yes:
            raise InvalidValueError(
                f"--bots: {wanted.slow[0]} may think for more than {MOST_S:g} s or {MOST_NODES:,} states a decision: "
                "--yes allows it"
            )
        kept = stored_seed(folder) if folder and seed is None else seed
        study = wanted.spec(options.root_seed(kept))
        place = folder or Path(stack.enter_context(TemporaryDirectory(prefix="brickphys-")))
        with (
            executor_of(study, workers, dask, dask_wait) as executor,
            running_store(place, study, continue_anyway=continue_anyway) as store,
        ):
            make_whole(store, retry_failed=retry_failed)
            complete = run_store(store, executor)
        found = Standings(store)
        if as_json:
            output.print_json("ladder", found.document())
        else:
            _print(found)
    if not complete:
        again = (
            f"the same command continues {folder}" if folder else "with --out it can go on later"
        )
        raise CancelledRunError(f"interrupted: {again}")


def _print(found: "Standings") -> None:
    """Print the standings, the matchups, and what the bots did, as far as there is any of it."""
    from brickphys.cli.batch_status import print_failures

    table, spec = found.table, found.store.spec
    played = sum(one.games for one in table.matchups)
    failed = found.store.ledger.total_failed
    echo(f"{spec.title}: {played:,} games, {failed:,} failed, seed {spec.seed}")
    print_failures(found.store, failed, "ladder")
    if not played:
        return
    echo()
    rows = [
        (
            one.name,
            f"{one.games:,}",
            f"{percent(one.share)} ({percent_range(*one.ci95)})",
            *(("", "") if one.rating is None else _rating(one.rating)),
            *("" if share is None else percent(share) for share in one.seat_shares),
        )
        for one in table.standings
    ]
    seats = [f"{name}'s seat" for name in spec.seats]
    output.print_table(
        ("bot", "games", "points (95 % interval)", "Elo", "95 % interval", *seats), rows
    )
    echo()
    lines = [_line(found, number) for number in range(len(found.groups))]
    columns = ("matchup", "games", "points", *(("test",) if spec.until else ()))
    output.print_table(columns, lines)
    if names := dict.fromkeys(key for counts in found.conduct for key in counts):
        echo("\nIn all games of a matchup:\n")
        rows = [
            (name.replace("_", " "), *(f"{counts.get(name, 0):,}" for counts in found.conduct))
            for name in names
        ]
        output.print_table(("", *map(_versus, found.groups)), rows)
    if found.times:
        told = (
            f"{name} {1000 * one.seconds / one.number:.3g} ms (longest {one.worst_s:.2g} s)"
            for name, one in found.times.items()
        )
        echo(f"time of a choice: {', '.join(told)}", err=True)


def _rating(one: "Rating") -> tuple[str, str]:
    return f"{one.elo:+.0f}", "{:+.0f} to {:+.0f}".format(*one.ci95)


def _line(found: "Standings", number: int) -> tuple[str, ...]:
    """Return the row of a matchup: its points, and what its test says."""
    one, ratio = found.table.matchups[number], found.ratios[number]
    stopped = f" ({one.unfinished:,} unfinished)" if one.unfinished else ""
    points = " : ".join(f"{points:.5g}" for points in one.points)
    tested = () if ratio is None else (f"{found.verdict(number)}, ratio {ratio:+.2f}",)
    return (_versus(one.names), f"{one.games:,}{stopped}", points, *tested)


def _versus(names: Sequence[str]) -> str:
    return " : ".join(names)
