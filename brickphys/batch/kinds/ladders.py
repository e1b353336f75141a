"""Ladders: every game of a group of bots is played from every seat, with the same setup and the same dice.

A run is one game. As many runs in a row as there are seats are a block: the bots move on by one seat after each. The
results of a block depend on each other, those of blocks do not.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from json import dumps, loads
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from brickphys.batch.chunk import RUN
from brickphys.batch.kinds.battles import Battles, BattleWork, cell_facts, turned
from brickphys.batch.kinds.study_type import (
    Attached,
    Estimate,
    Fields,
    Limits,
    Settings,
    Summary,
    Times,
    summed,
    values,
)
from brickphys.errors import InvalidValueError
from brickphys.rules.players.bots import Bot
from brickphys.rules.record import Record, Setup
from brickphys.rules.tournament import Result, matchup
from brickphys.units import Array

_RETURNS = pa.field("returns", pa.string())
"""A list in JSON: the return of each seat; null where the game was stopped."""
_CONDUCT = pa.field("conduct", pa.string())
"""A list in JSON: for each seat an object of what `Game.conduct` counts."""


class Ladders(Battles):
    """Studies of bots against each other; a cell is one group of bots."""

    name = "ladder"
    tested = ("p_bot_0",)

    @property
    def cell_work(self) -> "type[LadderWork]":
        return LadderWork

    def versioned(self, bots: Sequence[str]) -> list[str]:
        """Return all bots: whoever continues the ladder must play by the same."""
        return [*bots]

    def work(
        self, settings: Settings, attached: Attached, root: int, cell: int, limits: Limits
    ) -> BattleWork:
        """Prepare a cell; InvalidValueError also if a bot is there twice."""
        group = _group(settings)
        if twice := [name for name in group if group.count(name) > 1]:
            raise InvalidValueError(f"bots: {twice[0]} is there twice")
        return super().work(settings, attached, root, cell, limits)

    def fields(self, settings: Settings, attached: Attached) -> Fields:
        return super().fields(settings, attached) | {_RETURNS, _CONDUCT.with_nullable(False)}

    def columns(self, settings: Settings, attached: Attached) -> dict[str, str]:
        group = _group(settings)
        bots = {f"p_bot_{n}": f"share of the points of {name}" for n, name in enumerate(group)}
        seats = {f"p_seat_{n}": f"share of the points of seat {n}" for n in range(len(group))}
        return {**bots, **seats, "rounds": "rounds of a game, mean"}

    def headings(self, settings: Settings, attached: Attached) -> dict[str, str]:
        bots = {f"p_bot_{n}": name for n, name in enumerate(_group(settings))}
        seats = cell_facts(settings, attached).players
        return {**bots, **{f"p_seat_{n}": f"as {name}" for n, name in enumerate(seats)}}

    def summary(self, settings: Settings, attached: Attached, rows: pa.Table) -> Summary:
        """Return the shares of the points with Wilson intervals, and the mean length; a stopped game is a draw."""
        played = results(settings, rows)
        if not played:
            return {"games": 0, "unfinished": 0, **dict.fromkeys(self.columns(settings, attached))}
        found = matchup(tuple(_group(settings)), played)
        points = {f"p_bot_{n}": won for n, won in enumerate(found.points)}
        points |= {f"p_seat_{n}": won for n, won in enumerate(found.seat_points)}
        return {
            "games": found.games,
            "unfinished": found.unfinished,
            **{name: Estimate.of_share(won, found.games) for name, won in points.items()},
            "rounds": Estimate.of_mean(values(rows["rounds"].drop_null())),
        }

    def blocks(self, settings: Settings, attached: Attached, rows: pa.Table) -> Array:
        """Return the share of the points of the first bot in each block of which every game has a result."""
        first, seats = _group(settings)[0], len(_group(settings))
        found: dict[int, list[float]] = {}
        for run, one in zip(rows[RUN].to_pylist(), results(settings, rows), strict=True):
            found.setdefault(run // seats, []).append(one.points(one.seats.index(first)))
        whole = [sum(points) / seats for points in found.values() if len(points) == seats]
        return np.array(whole, dtype=np.float64)

    def sides(self, settings: Settings, attached: Attached) -> tuple[str, ...]:
        """Return nothing: wins are those of bots, not of sides."""
        return ()


def _group(settings: Settings) -> list[str]:
    """Return the bots of a cell."""
    bots = settings.get("bots")
    if not isinstance(bots, list):
        raise InvalidValueError("bots: a ladder needs a list of bots, one for each player")
    return bots


def results(settings: Settings, rows: pa.Table) -> list[Result]:
    """Return the games in the rows of a cell."""
    if not rows.num_rows:
        return []
    group = _group(settings)
    return [
        Result(turned(group, run % len(group)), None if found is None else tuple(loads(found)))
        for run, found in zip(rows[RUN].to_pylist(), rows["returns"].to_pylist(), strict=True)
    ]


def conduct(settings: Settings, rows: pa.Table) -> dict[str, dict[str, int]]:
    """Return the sums of what `Game.conduct` counts of each bot in the games of the rows of a cell."""
    found = {name: Counter[str]() for name in _group(settings)}
    texts = rows["conduct"].to_pylist() if rows.num_rows else []
    for one, text in zip(results(settings, rows), texts, strict=True):
        for name, counts in zip(one.seats, loads(text), strict=True):
            found[name].update(counts)
    return {name: dict(counts) for name, counts in found.items()}


class LadderWork(BattleWork):
    """One group of bots, whose choices are timed."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.orders = len(self._wanted.bots)
        self.schema = self.schema.append(_RETURNS).append(_CONDUCT)
        self._times: list[tuple[str, Times]] = []

    def times(self) -> Mapping[str, Times]:
        """Return how long the choices of each bot took since the last call."""
        times = summed(self._times)
        self._times.clear()
        return times

    def seated(self, setup: Setup, turn: int = 0) -> list[Any]:
        """Return the bots of a game, each of which is timed."""
        return [_TimedBot(one, self._times) for one in super().seated(setup, turn)]

    def _played(self, index: int) -> tuple[dict[str, Any], Record[Any, Any]]:
        row, record = super()._played(index)
        row["returns"] = record.returns and dumps([*map(float, record.returns)])
        seats = range(self._game.players(record.final))
        row["conduct"] = dumps([dict(self._game.conduct(record, seat)) for seat in seats])
        return row, record


class _TimedBot:
    """A bot whose choices are timed where it has any, but its first one in a process, which loads what it needs."""

    _loaded: ClassVar[set[str]] = set()

    def __init__(self, inner: Bot[Any, Any], times: list[tuple[str, Times]]) -> None:
        self.name, self._inner, self._times = inner.name, inner, times

    def choose(self, view: Any, actions: Sequence[Any], rng: np.random.Generator) -> Any:
        """Return what the bot chooses."""
        begun = perf_counter()
        chosen = self._inner.choose(view, actions, rng)
        taken_s = perf_counter() - begun
        if len(actions) > 1 and self.name in self._loaded:
            self._times.append((self.name, Times(1, taken_s, taken_s)))
        self._loaded.add(self.name)
        return chosen
