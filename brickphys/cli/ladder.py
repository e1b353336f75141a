"""Ladder: bots against each other, from every seat; who is stronger, by how much, and how sure that is."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from brickphys.battles.start import find_setup
from brickphys.cli.batch import (
    continue_option,
    dask_options,
    executor_of,
    make_whole,
    retry_option,
    run_store,
    too_many,
)
from brickphys.cli.shared import options, output
from brickphys.cli.shared.game_start import rule_options
from brickphys.cli.shared.output import echo
from brickphys.errors import CancelledRunError, InvalidValueError, naming
from brickphys.odds.sequential import SequentialTest
from brickphys.rules import registry
from brickphys.rules.players.bots import bot_version
from brickphys.text import percent, percent_range, signed

if TYPE_CHECKING:
    from brickphys.batch.ladder import Standings


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
    with naming(f"--sprt {text}"):
        SequentialTest(*shares)
    return shares


def _share(word: str) -> float:
    if word.endswith("%"):
        return float(word[:-1]) / 100
    return float(1 / (1 + 10 ** (-float(word) / 400)))


@click.command()
@options.game_argument
@click.argument("scenario", shell_complete=options.scenario_names)
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
    help="Allow bots that think for more than a minute or a million states a decision, and millions of games.",
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
    All intervals are 95 % intervals. Elo is 0 for the mean of the bots that have one; a bot that has won or lost
    everything has none.

    \b
    Examples:
      brickphys ladder bow skirmish --bots hard,greedy,random --games 40
      brickphys ladder minifig duel --bots hard,greedy1 --games 2000 --sprt 0,50 --out results
    """
    from brickphys.batch.ladder import Standings, ladder_spec
    from brickphys.batch.store import running_store, stored_seed

    names = [name.strip() for name in bots.split(",")]
    with ExitStack() as stack:
        stack.enter_context(registry.trusting())  # the names are the words of who runs it
        game, changes = registry.game(game_name), rule_options(rules)
        with naming("--bots"):
            for name in names:
                if names.count(name) > 1:
                    raise InvalidValueError(f"{name} is there twice; a bot plays every seat anyway")
                bot_version(name, game)
        seats = game.players(game.initial(find_setup(game, scenario, changes)))
        fixed: dict[str, Any] = {"game": game_name, "scenario": scenario}
        fixed |= {"options": changes} if changes else {}
        fixed |= {"law": str(law_file)} if law_file else {}
        kept = stored_seed(folder) if folder and seed is None else seed
        study = ladder_spec(fixed, names, seats, games, sprt, options.root_seed(kept))
        if (told := too_many(study, "--games")) and not yes:
            raise InvalidValueError(told)
        place = folder or Path(stack.enter_context(TemporaryDirectory(prefix="brickphys-")))
        with (
            executor_of(study, workers, dask, dask_wait) as executor,
            running_store(place, study, continue_anyway=continue_anyway) as store,
        ):
            make_whole(store, retry_failed=retry_failed)
            complete = run_store(store, executor)
        found = Standings(store)
        if as_json:
            output.print_json("ladder", found.document(folder))
        else:
            _print(found, folder)
    if not complete:
        again = (
            f"the same command continues {folder}" if folder else "with --out it can go on later"
        )
        raise CancelledRunError(f"interrupted: {again}")


def _print(found: "Standings", folder: Path | None) -> None:
    """Print the standings and the matchups, and on standard error the times of choices."""
    from brickphys.cli.batch_status import print_errors

    table, spec, failed = found.table, found.store.spec, found.store.ledger.total_failed
    played = sum(one.games for one in table.matchups)
    echo(f"{spec.title}: {played:,} games, {failed:,} failed, seed {spec.seed}")
    print_errors("game", found.failures)
    if failed:
        kept = f"in {folder}; the same command with --retry-failed repeats them"
        echo(f"games are counted from 0, {kept if folder else 'with --out they are kept'}")
    if not played:
        return
    rows = []
    for one in table.standings:
        share = f"{percent(one.share)} ({percent_range(*one.ci95)})"
        elo = () if one.rating is None else (one.rating.elo, *one.rating.ci95)
        rating, *ends = (signed(points, 0) for points in elo) if elo else ("",)
        seats = ("" if at is None else percent(at) for at in one.seat_shares)
        rows.append((one.name, f"{one.games:,}", share, rating, " to ".join(ends), *seats))
    echo()
    seat_names = [f"as {name}" for name in found.seats]
    columns = ("bot", "games", "points (95 % interval)", "Elo", "95 % interval", *seat_names)
    output.print_table(columns, rows)
    groups = [" : ".join(group) for group in found.groups]
    lines = []
    for name, match, test in zip(groups, table.matchups, found.tests, strict=True):
        stopped = f" ({match.unfinished:,} unfinished)" if match.unfinished else ""
        points = " : ".join(f"{points:.5g}" for points in match.points)
        tested = (f"{test['verdict']}, ratio {test['ratio']:+.2f}",) if test else ()
        lines.append((name, f"{match.games:,}{stopped}", points, *tested))
    echo()
    output.print_table(("matchup", "games", "points", *(("test",) if spec.until else ())), lines)
    for name, taken in found.times.items():
        mean_ms = 1000 * taken.seconds / taken.number
        echo(f"{name}: {mean_ms:.3g} ms (longest {taken.worst_s:.2g} s) a choice", err=True)
