"""Bot wins: how often a bot wins over all the seats that it takes in a study, since one seat may be the better one."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from brickphys.batch.kinds.study_type import Estimate, Summary
from brickphys.batch.report.text import value_in_words, with_ends
from brickphys.batch.store.store import Store

_BOTS = "bots"


@dataclass(frozen=True)
class BotWins:
    """The games of a bot against the same others, from all its seats.

    Attributes
    ----------
    bot, against
        The bot, and the others as text.
    factors
        What differs between cells, besides the bots.
    games
        Number of games.
    by_seat
        Number of games by seat, counted from 0.
    wins
        Share of all games that it wins.
    """

    bot: str
    against: str
    factors: Mapping[str, Any]
    games: int
    by_seat: Mapping[int, int]
    wins: Estimate

    def document(self) -> dict[str, Any]:
        """Return the wins as JSON values."""
        return {
            **self.factors,
            "bot": self.bot,
            "against": self.against,
            "games": self.games,
            "games_by_seat": {str(seat): count for seat, count in self.by_seat.items()},
            "p_win": self.wins.value,
            "p_win_ci95": [self.wins.low, self.wins.high],
        }


def bot_wins(store: Store, summaries: Iterable[tuple[int, Summary]]) -> list[BotWins]:
    """Return the wins of every bot of the line-ups that a study plays in several orders; none of other studies."""
    factors = [name for name in store.spec.factors if name != _BOTS]
    groups: dict[tuple[str, ...], list[tuple[list[str], Summary]]] = {}
    shared: dict[tuple[str, ...], dict[str, Any]] = {}
    for cell, summary in summaries if _BOTS in store.spec.factors else ():
        own, bots = store.spec.cells[cell], store.spec.cells[cell][_BOTS]
        if isinstance(bots, list) and summary.get("games"):
            others = {name: own[name] for name in factors}
            key = (json.dumps(others, sort_keys=True), *sorted(bots))
            groups.setdefault(key, []).append((bots, summary))
            shared[key] = others
    return [
        one
        for key, played in groups.items()
        if len({tuple(bots) for bots, _ in played}) > 1
        for one in _pooled(played, shared[key])
    ]


def bot_table(found: Iterable[BotWins]) -> tuple[list[str], list[list[str]]]:
    """Return the headings and rows of a table of wins."""
    rows, factors = [], list[str]()
    for one in found:
        factors = list(one.factors)
        values = [value_in_words(value) for value in one.factors.values()]
        seats = " + ".join(f"{count:,}" for count in one.by_seat.values())
        uneven = f" ({seats})" if len({*one.by_seat.values()}) > 1 else ""
        wins = with_ends("p_win", one.wins)
        rows.append([*values, one.bot, one.against, f"{one.games:,}{uneven}", wins])
    return [*factors, "bot", "against", "games", "wins"], rows


def _pooled(
    played: list[tuple[list[str], Summary]], factors: Mapping[str, Any]
) -> Iterator[BotWins]:
    for bot in dict.fromkeys(played[0][0]):
        by_seat, wins = Counter[int](), 0
        for bots, summary in played:
            for seat in (seat for seat, name in enumerate(bots) if name == bot):
                by_seat[seat] += summary["games"]
                wins += round(summary[f"p_win_{seat}"].value * summary["games"])
        games = sum(summary["games"] for _, summary in played)
        others = list(played[0][0])
        others.remove(bot)
        yield BotWins(
            bot=bot,
            against=" and ".join(others),
            factors=factors,
            games=games,
            by_seat=dict(sorted(by_seat.items())),
            wins=Estimate.of_share(wins, games),
        )
