"""Ladder: bots against each other as a study, and what its rows say of them: standings, matchups, conduct and times."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from brickphys.batch.kinds.battles import VERSION, cell_facts
from brickphys.batch.kinds.ladders import conduct, results
from brickphys.batch.kinds.study_type import Times, summed
from brickphys.batch.report.table import Failures, failures
from brickphys.batch.spec import Spec, checked_spec
from brickphys.batch.store import Store
from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import wilson
from brickphys.rules.tournament import BotResult, Table, table
from brickphys.text import counted

_GAME_S = 86_400.0
"""Seconds after which a game is given up: the most that a study allows."""
_FIRST = 16
"""Rounds of seats after which a test looks at a matchup for the first time."""


def ladder_spec(
    fixed: Mapping[str, Any],
    bots: Sequence[str],
    seats: int,
    games: int,
    sprt: Sequence[float] | None,
    seed: int,
) -> Spec:
    """Return a ladder as a study: a cell for each group of bots; InvalidValueError if there can be no such ladder.

    Parameters
    ----------
    fixed
        The factors of a battle but its bots.
    seats
        How many bots a game has.
    games
        Of each matchup, at most.
    sprt
        Shares of H0 and H1, and maybe error rates, of `brickphys.odds.sequential.SequentialTest`.
    """
    if len(bots) < max(2, seats):
        least = counted(max(2, seats), "bot")
        raise InvalidValueError(
            f"--bots {','.join(bots)}: {fixed['scenario']} needs at least {least}"
        )
    if games < 1 or games % seats:
        raise InvalidValueError(
            f"--games: {games} is not a positive multiple of {seats}: every bot plays as often from every seat"
        )
    if sprt is not None and seats != 2:
        raise InvalidValueError(
            f"--sprt compares two bots, but {fixed['scenario']} has {counted(seats, 'seat')}"
        )
    tables: dict[str, Any] = {
        "kind": "ladder",
        "title": f"{fixed['game']} {fixed['scenario']}: {', '.join(bots)}",
        "seed": seed,
        "limits": {"time_s": _GAME_S},
        "fixed": dict(fixed),
        "grid": {"bots": [list(group) for group in combinations(bots, seats)]},
    }
    if sprt is None:
        return checked_spec({**tables, "repeats": games}, Path())
    looks = {"first": min(_FIRST * seats, games), "at_most": games}
    return checked_spec(
        {**tables, "until": {"column": "p_bot_0", "sprt": list(sprt), **looks}}, Path()
    )


@dataclass(frozen=True)
class Standings:
    """What the rows of a ladder say so far."""

    store: Store

    @cached_property
    def groups(self) -> list[tuple[str, ...]]:
        """The bots of each matchup."""
        return [tuple(cell["bots"]) for cell in self.store.spec.cells]

    @property
    def seats(self) -> list[str]:
        """The names of the players."""
        spec = self.store.spec
        return cell_facts(spec.settings(0), spec.attached).players

    @cached_property
    def _rows(self) -> list[Any]:
        return [self.store.good_rows(cell) for cell in range(len(self.groups))]

    @cached_property
    def table(self) -> Table:
        """The bots, the best first, and the matchups."""
        spec, bots = self.store.spec, dict.fromkeys(bot for group in self.groups for bot in group)
        found = [results(spec.settings(cell), rows) for cell, rows in enumerate(self._rows)]
        return table(tuple(bots), self.groups, found)

    @cached_property
    def conduct(self) -> list[dict[str, dict[str, int]]]:
        """What `Game.conduct` counts of each bot in all games of each matchup."""
        spec = self.store.spec
        return [conduct(spec.settings(cell), rows) for cell, rows in enumerate(self._rows)]

    @cached_property
    def times(self) -> dict[str, Times]:
        """How long each bot took for a choice among several actions."""
        return summed(one for shard in self.store.shards for one in shard.times)

    @cached_property
    def tests(self) -> list[dict[str, Any] | None]:
        """What the sequential test of each matchup says; None without a test."""
        spec = self.store.spec
        test = spec.until.test if spec.until else None
        if test is None:
            return [None] * len(self.groups)
        ratios = [spec.ratio(cell, rows) or 0.0 for cell, rows in enumerate(self._rows)]
        same = {
            "shares": [test.low, test.high],
            "errors": [test.alpha, test.beta],
            "bounds": list(test.bounds),
        }
        return [{**same, "ratio": ratio, "verdict": test.verdict(ratio)} for ratio in ratios]

    @property
    def failures(self) -> list[tuple[Failures, str]]:
        """The errors with which games failed, the most frequent one first, each with the first game that failed so."""
        return [
            (one, f"game {one.run:,} of {' : '.join(self.groups[one.cell])}")
            for one in failures(self.store)
        ]

    def document(self, folder: Path | None = None) -> dict[str, Any]:
        """Return everything as JSON values; the folder is where the games are kept, if they are."""
        spec = self.store.spec
        matchups = [
            {
                "bots": list(one.names),
                "games": one.games,
                "unfinished": one.unfinished,
                "points": list(one.points),
                "share": one.points[0] / one.games if one.games else None,
                "share_ci95": list(wilson(one.points[0], one.games)) if one.games else None,
                "seat_points": list(one.seat_points),
                "conduct": counts,
                "sprt": test,
            }
            for one, counts, test in zip(self.table.matchups, self.conduct, self.tests, strict=True)
        ]
        return {
            "game": spec.settings(0)["game"],
            "scenario": spec.settings(0).get("scenario"),
            "seed": spec.seed,
            "seats": self.seats,
            "failed": self.store.ledger.total_failed,
            "failures": [
                {
                    "error": one.error,
                    "count": one.count,
                    "bots": list(self.groups[one.cell]),
                    "game": one.run,
                    "seed": spec.seed,
                    "folder": folder and str(folder),
                }
                for one, _ in self.failures
            ],
            "standings": [self._bot_document(one) for one in self.table.standings],
            "matchups": matchups,
        }

    def _bot_document(self, one: BotResult) -> dict[str, Any]:
        counts = Counter[str]()
        for found in self.conduct:
            counts.update(found.get(one.name, {}))
        times = self.times.get(one.name, Times())
        mean_s = times.seconds / times.number if times.number else None
        return {
            "bot": one.name,
            "version": self.store.spec.attached.get(VERSION.format(one.name)),
            "games": one.games,
            "wins": one.wins,
            "draws": one.draws,
            "losses": one.losses,
            "share": one.share,
            "share_ci95": list(one.ci95),
            "elo": one.rating and one.rating.elo,
            "elo_ci95": one.rating and list(one.rating.ci95),
            "seat_shares": list(one.seat_shares),
            "conduct": dict(counts),
            "choice_times": {"count": times.number, "mean_s": mean_s, "worst_s": times.worst_s},
        }
