"""Ladder: bots against each other as a study, and what its rows say of them: standings, matchups, conduct and times."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import inf
from pathlib import Path
from typing import Any

from brickphys.batch.kinds.ladders import conduct, results
from brickphys.batch.kinds.study_type import NO_TIMES, Times, summed
from brickphys.batch.schema import Until
from brickphys.batch.spec import Spec, checked_spec
from brickphys.batch.store import Store
from brickphys.battles.start import find_setup
from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import wilson
from brickphys.odds.law import RollLaw
from brickphys.rules.game import AnyGame
from brickphys.rules.plans import Level, level
from brickphys.rules.players.bots import bot
from brickphys.rules.tournament import Matchup, Table, table
from brickphys.text import counted

MOST_S, MOST_NODES = 60.0, 1_000_000
"""Budgets of a decision above which a ladder needs a consent."""
_GAME_S = 86_400.0
"""Seconds after which a game is given up: the most that a study allows."""


@dataclass(frozen=True)
class Ladder:
    """Which bots play what, how often, and when a matchup ends early."""

    game: AnyGame
    called: str
    """The name of the game, or its class."""
    scenario: str
    bots: tuple[str, ...]
    games: int
    """For each matchup, at most."""
    sprt: tuple[float, ...] | None = None
    """Shares of H0 and H1, and maybe error rates; see `brickphys.odds.sequential`."""
    options: Mapping[str, Any] | None = None
    law: str | None = None

    @cached_property
    def seats(self) -> int:
        """How many bots a game has."""
        setup = find_setup(self.game, self.scenario, self.options or {})
        return self.game.players(self.game.initial(setup))

    def check(self, law: RollLaw) -> None:
        """Raise InvalidValueError, naming the value, if there can be no such ladder."""
        least = max(2, self.seats)
        for name in self.bots:
            bot(name, self.game, law)
        if twice := [name for name in self.bots if self.bots.count(name) > 1]:
            raise InvalidValueError(f"--bots: {twice[0]} is there twice")
        if len(self.bots) < least:
            raise InvalidValueError(
                f"--bots {','.join(self.bots)}: {self.scenario} needs at least {least} bots"
            )
        if self.games < 1 or self.games % self.seats:
            raise InvalidValueError(
                f"--games: {self.games} is not a positive multiple of {self.seats}: every bot plays as often from "
                "every seat"
            )
        if self.sprt is not None and self.seats != 2:
            raise InvalidValueError(
                f"--sprt compares two bots, but {self.scenario} has {counted(self.seats, 'seat')}"
            )
        if self.law is not None and not self.game.rolls_bricks:
            raise InvalidValueError(f"--law: {self.called} rolls dice, not bricks")

    @property
    def slow(self) -> list[str]:
        """The bots that may think for longer than anybody waits."""
        return [
            one.name
            for one in self._levels
            if MOST_S < one.seconds < inf or MOST_NODES < one.nodes < inf
        ]

    @property
    def _levels(self) -> list[Level]:
        return [found for name in self.bots if (found := level(name)) is not None]

    def spec(self, seed: int) -> Spec:
        """Return the study: a cell for each group of bots."""
        fixed: dict[str, Any] = {"game": self.called, "scenario": self.scenario}
        fixed |= {"options": dict(self.options)} if self.options else {}
        fixed |= {"law": self.law} if self.law else {}
        tables: dict[str, Any] = {
            "kind": "ladder",
            "title": f"{self.called} {self.scenario}: {', '.join(self.bots)}",
            "seed": seed,
            "limits": {"time_s": _GAME_S},
            "fixed": fixed,
            "grid": {"bots": [list(group) for group in combinations(self.bots, self.seats)]},
        }
        if self.sprt is None:
            return checked_spec({**tables, "repeats": self.games}, Path())
        first = min(16 * self.seats, self.games)
        until = {"column": "p_bot_0", "sprt": list(self.sprt), "first": first}
        return checked_spec({**tables, "until": {**until, "at_most": self.games}}, Path())


@dataclass(frozen=True)
class Standings:
    """What the rows of a ladder say so far."""

    store: Store
    """Its rows."""

    @cached_property
    def _rows(self) -> list[Any]:
        return [self.store.good_rows(cell) for cell in range(len(self.store.spec.cells))]

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The bots of each matchup."""
        return [tuple(cell["bots"]) for cell in self.store.spec.cells]

    @property
    def bots(self) -> tuple[str, ...]:
        """All bots."""
        return tuple(dict.fromkeys(name for group in self.groups for name in group))

    @cached_property
    def table(self) -> Table:
        """The bots, the best first, and the matchups."""
        spec = self.store.spec
        found = [results(spec.settings(cell), rows) for cell, rows in enumerate(self._rows)]
        return table(self.bots, self.groups, found)

    @cached_property
    def ratios(self) -> list[float | None]:
        """The log-likelihood ratio of the test of each matchup."""
        return [self.store.spec.ratio(cell, rows) for cell, rows in enumerate(self._rows)]

    @cached_property
    def conduct(self) -> list[dict[str, int]]:
        """What `Game.conduct` counts in all games of each matchup."""
        return [conduct(rows) for rows in self._rows]

    def conduct_of(self, name: str) -> dict[str, int]:
        """Return what is counted in all games in which a bot has played."""
        found: dict[str, int] = {}
        for group, counts in zip(self.groups, self.conduct, strict=True):
            for key, count in counts.items() if name in group else ():
                found[key] = found.get(key, 0) + count
        return found

    @cached_property
    def times(self) -> dict[str, Times]:
        """How long each bot took for a choice among several actions."""
        return summed(one for shard in self.store.shards for one in shard.times)

    def verdict(self, number: int) -> str | None:
        """Return what the test of a matchup says; None without a test."""
        until, ratio = self.store.spec.until, self.ratios[number]
        test = until.test if until else None
        return None if test is None or ratio is None else test.verdict(ratio)

    def document(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        spec = self.store.spec
        return {
            "game": spec.settings(0)["game"],
            "scenario": spec.settings(0).get("scenario"),
            "seed": spec.seed,
            "seats": list(spec.seats),
            "failed": self.store.ledger.total_failed,
            "standings": [
                {
                    "bot": one.name,
                    "version": spec.attached.get(f"the version of {one.name}"),
                    "games": one.games,
                    "wins": one.wins,
                    "draws": one.draws,
                    "losses": one.losses,
                    "share": one.share,
                    "share_ci95": list(one.ci95),
                    "elo": one.rating and one.rating.elo,
                    "elo_ci95": one.rating and list(one.rating.ci95),
                    "seat_shares": list(one.seat_shares),
                    "conduct": self.conduct_of(one.name),
                    "choice_times": _time_document(self.times.get(one.name, NO_TIMES)),
                }
                for one in self.table.standings
            ],
            "matchups": [
                self._matchup_document(number, one)
                for number, one in enumerate(self.table.matchups)
            ],
        }

    def _matchup_document(self, number: int, one: Matchup) -> dict[str, Any]:
        until = self.store.spec.until
        share = one.points[0] / one.games if one.games else None
        found: dict[str, Any] = {
            "bots": list(one.names),
            "games": one.games,
            "unfinished": one.unfinished,
            "points": list(one.points),
            "share": share,
            "share_ci95": None if share is None else list(wilson(one.points[0], one.games)),
            "seat_points": list(one.seat_points),
            "conduct": self.conduct[number],
        }
        return found | {"sprt": until and _test_document(until, self.ratios[number])}


def _time_document(times: Times) -> dict[str, Any]:
    mean_s = times.seconds / times.number if times.number else None
    return {"count": times.number, "mean_s": mean_s, "worst_s": times.worst_s}


def _test_document(until: Until, ratio: float | None) -> dict[str, Any] | None:
    if (test := until.test) is None or ratio is None:
        return None
    return {
        "shares": [test.low, test.high],
        "errors": [test.alpha, test.beta],
        "ratio": ratio,
        "bounds": list(test.bounds),
        "verdict": test.verdict(ratio),
    }
