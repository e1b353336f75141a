"""Battles: studies of whole games of any registered game; a run is one game."""

from collections.abc import Sequence
from fractions import Fraction
from json import dumps
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pyarrow as pa
from pydantic import Field, FiniteFloat

from brickphys.batch.kinds import game_facts
from brickphys.batch.kinds.study_type import (
    Attached,
    CellWork,
    Estimate,
    Fields,
    Limits,
    Settings,
    StudyType,
    Summary,
    known_to,
    values,
)
from brickphys.battles.battle import Battle
from brickphys.battles.start import law_rolls
from brickphys.errors import InterruptedRunError, InvalidValueError, unknown
from brickphys.odds import law_file
from brickphys.odds.law import BinomialLaw, Law, RollLaw
from brickphys.reading import MOST_SETUP_BYTES, read_text
from brickphys.rules.game import AnyGame
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot, bot_package, bot_version
from brickphys.rules.record import Ending, Record, Setup, Step, player_colours, with_options
from brickphys.rules.registry import check_trusted, is_own_class
from brickphys.schema import Strict
from brickphys.seeds import generator
from brickphys.text import agreed

_SCHEMA = pa.schema(
    [
        ("winner", pa.int8()),
        ("ending", pa.string()),
        ("rounds", pa.int32()),
        ("actions", pa.int32()),
        ("setup", pa.string()),
    ]
)
_WORTH = pa.field("worth", pa.float64())
"""What the victory is worth to the winner, in games with grades."""
VERSION = "the version of {}"
"""Under what a study keeps the version of a bot."""
_MAYBE = ("rounds", "setup")
_FILE = ".toml"


class BattleDocument(Strict):
    """The factors of a game."""

    game: Annotated[str, known_to(game_facts.known_game)]
    """A game by name, or `module:Class`."""
    scenario: str | None = None
    """A setup that ships with the game, or a file. Either `scenario` or `draw`."""
    draw: dict[str, Any] | None = None
    """How the game draws a setup for each run."""
    options: dict[str, Any] | None = Field(None, description="readings of the rules, name -> value")
    """Options of the rules: name and value."""
    bots: str | list[str] = Field(
        "greedy", description="a bot, or a list of bots, one for each player"
    )
    """A bot of the game, or `module:Class`."""
    law: str | None = None
    """A law by name or surface, or a law file."""
    p: Annotated[FiniteFloat, Field(ge=0, le=1)] | Literal["low", "nominal", "high"] | None = Field(
        None, description="a number from 0 to 1, or 'low', 'nominal' or 'high'"
    )
    """Independent bricks with this chance; or the law at the `low` or `high` end of its 90 % range."""


class Battles(StudyType):
    """Studies of games that bots play: who wins, and how long it takes."""

    name = "battle"
    unit = "games"
    document = BattleDocument
    limits = ("rounds",)
    row_factors = ("game",)

    @property
    def cell_work(self) -> "type[BattleWork]":
        """What plays the games of a cell."""
        return BattleWork

    def ignored(self, settings: Settings) -> dict[str, str]:
        """Return the law where p is a number; law and p where the game throws no bricks."""
        name = settings.get("game")
        if isinstance(name, str) and not game_facts.study_game(name).rolls_bricks:
            why = f"{name} rolls dice, not bricks"
            return {factor: why for factor in ("law", "p") if factor in settings}
        p = settings.get("p")
        beside = "law" in settings and p is not None and not isinstance(p, str)
        return {"law": f"p = {p} makes bricks independent of any law"} if beside else {}

    def attachments(self, settings: Settings, folder: Path) -> Attached:
        """Return the setup, the law and the sheets of the files that are named, and the versions of bots."""
        wanted = BattleDocument.model_validate(settings)
        game = game_facts.study_game(wanted.game)
        found: dict[str, Any] = {}
        if wanted.scenario and wanted.scenario not in game.setups:
            if not wanted.scenario.endswith(_FILE):
                raise InvalidValueError(
                    f"{unknown('scenario', wanted.scenario, game.setups)} (or a {_FILE} file)"
                )
            found[wanted.scenario] = dict(game.read_setup(folder / wanted.scenario))
        if wanted.law and law_file.shipped_name(wanted.law) is None:
            path = folder / wanted.law
            law_file.find_law(path)  # tells every fault of it
            found[wanted.law] = read_text(path)
        files = game.draw_files(wanted.draw) if wanted.draw else ()
        found |= {name: read_text(folder / name, MOST_SETUP_BYTES) for name in files}
        if is_own_class(wanted.game):
            found[_begins(wanted)] = game_facts.loaded_facts(_beginning(wanted, found)).model_dump(
                mode="json"
            )
        own = self.versioned([wanted.bots] if isinstance(wanted.bots, str) else wanted.bots)
        return found | {VERSION.format(name): bot_version(name, game) for name in own}

    def versioned(self, bots: Sequence[str]) -> list[str]:
        """Return the bots whose version a study keeps: stamps tell of others, and of who plays by chance."""
        return [name for name in bots if bot_package(name) is None and name != "random"]

    def work(
        self, settings: Settings, attached: Attached, root: int, cell: int, limits: Limits
    ) -> "BattleWork":
        wanted = BattleDocument.model_validate(settings)
        if (wanted.scenario is None) == (wanted.draw is None):
            raise InvalidValueError("exactly one of scenario and draw is required")
        work = self.cell_work(wanted, attached, root, cell, limits)
        work.seated(work.setup(0)[1])  # a game that cannot begin is refused before a night of games
        return work

    def packages(self, settings: Settings) -> tuple[str, ...]:
        names = settings.get("bots", "greedy")
        found = {bot_package(name) for name in ([names] if isinstance(names, str) else names)}
        found.add(type(game_facts.study_game(str(settings["game"]))).__module__.partition(".")[0])
        return tuple(sorted(name for name in found if name))

    def fields(self, settings: Settings, attached: Attached) -> Fields:
        """Return the columns, of which the rounds and the name of the setup may be empty."""
        schema = _schema(graded=cell_facts(settings, attached).graded)
        return frozenset(field.with_nullable(field.name in _MAYBE) for field in schema)

    def columns(self, settings: Settings, attached: Attached) -> dict[str, str]:
        """Return the chances of winning of each player, and how long a game is."""
        wins = {
            f"p_win_{seat}": f"share of games that player {seat} wins"
            for seat in range(_players(settings, attached))
        }
        full = {
            name: f"share of games that player {seat} wins outright (the return is 1)"
            for seat, name in enumerate(_full(settings, attached))
        }
        draws = "share of games without a winner, including those not played to the end"
        return {
            **wins,
            **full,
            _unwon(settings, attached): draws,
            "rounds": "rounds of a game, mean",
        }

    def headings(self, settings: Settings, attached: Attached) -> dict[str, str]:
        names = cell_facts(settings, attached).players
        wins = {f"p_win_{seat}": agreed(name, "win") for seat, name in enumerate(names)}
        full = {
            column: f"{agreed(name, 'win')} in full"
            for column, name in zip(_full(settings, attached), names, strict=False)
        }
        unwon = _unwon(settings, attached)
        return {**wins, **full, unwon: unwon.removeprefix("p_")}

    def sides(self, settings: Settings, attached: Attached) -> tuple[str, ...]:
        return tuple(cell_facts(settings, attached).players)

    def side_colours(self, settings: Settings, attached: Attached) -> tuple[str, ...]:
        facts = cell_facts(settings, attached)
        return tuple(facts.colours) or player_colours(facts.players)

    def summary(self, settings: Settings, attached: Attached, rows: pa.Table) -> Summary:
        """Return who won how often with Wilson intervals, and the mean length; unfinished games are draws."""
        n, seats = rows.num_rows, _players(settings, attached)
        if not n:
            return {"games": 0, "unfinished": 0, **dict.fromkeys(self.columns(settings, attached))}
        winner, facts = values(rows["winner"]), cell_facts(settings, attached)
        wins = {
            f"p_win_{seat}": int(np.isin(winner, facts.mates(seat)).sum()) for seat in range(seats)
        }
        full = {
            name: int(((winner == seat) & (values(rows["worth"]) == 1.0)).sum())
            for seat, name in enumerate(_full(settings, attached))
        }
        shares = {**wins, **full, _unwon(settings, attached): int((winner == -1).sum())}
        over = np.asarray(rows["ending"].to_pylist()) == Ending.OVER.value
        return {
            "games": n,
            "unfinished": int((~over).sum()),
            **{name: Estimate.of_share(k, n) for name, k in shares.items()},
            "rounds": Estimate.of_mean(values(rows["rounds"].drop_null())),
        }


class BattleWork(CellWork):
    """One cell of games."""

    orders: int = 1
    """How many runs in a row have the same setup and the same dice; the seats move on by one from each to the next."""

    def __init__(
        self, wanted: BattleDocument, attached: Attached, root: int, cell: int, limits: Limits
    ) -> None:
        self._wanted, self._root, self._cell, self._limits = wanted, root, cell, limits
        self._game: AnyGame = game_facts.study_game(wanted.game)
        self.schema = _schema(graded=self._game.has_grades)
        self._law = _law(wanted, attached)
        self._draw = _draw(wanted, attached)
        self._chance = law_rolls(self._law, root)
        self._fixed: Setup | None = None
        if wanted.scenario is not None:
            shipped = self._game.setups.get(wanted.scenario)
            self._fixed = attached[wanted.scenario] if shipped is None else shipped

    def rows(self, first: int, count: int) -> pa.Table:
        """Play games; a row has the winner, the ending and the length."""
        played = [self._played(index)[0] for index in range(first, first + count)]
        return pa.Table.from_pylist(played, schema=self.schema)

    def setup(self, index: int) -> tuple[str | None, Setup]:
        """Return the setup of a run, and its label if it was drawn."""
        options = self._wanted.options or {}
        if self._fixed is not None:
            return None, with_options(self._fixed, options)
        # the same run of every cell draws the same setup: cells are compared on the same battles
        rng = generator(self._root, game_facts.SETUPS, index // self.orders)
        label, drawn = self._game.draw_setup(self._draw or {}, rng)
        return label, with_options(drawn, options)

    def seated(self, setup: Setup, turn: int = 0) -> list[Any]:
        """Return the bots of a game, by seat, after they have moved on by `turn` seats."""
        names = self._wanted.bots
        count = self._game.players(self._game.initial(setup))
        each = [names] * count if isinstance(names, str) else names
        if len(each) != count:
            raise InvalidValueError(f"bots: {len(each)} of them where there are {count} players")
        for name in each:
            check_trusted("bot", name, game_facts.TRUST)
        return [bot(name, self._game, self._law) for name in turned(each, turn)]

    def battle(self, index: int) -> tuple[Battle, dict[str, Any]]:
        """Return a run as a battle, and its row."""
        row, record = self._played(index)
        return Battle(self._game, record, self._rolls()), row

    def _rolls(self) -> str:
        """Return the source of the rolls, in words."""
        if not self._game.rolls_bricks:
            return "dice"
        law, p = self._wanted.law or law_file.DEFAULT, self._wanted.p
        if p is None:
            return str(law)
        return f"{law} ({p} end)" if isinstance(p, str) else f"p = {p:g}"

    def _played(self, index: int) -> tuple[dict[str, Any], Record[Any, Any]]:
        label, setup = self.setup(index)
        block, turn = divmod(index, self.orders)
        limit = _RoundLimit(self._game, self._limits.rounds)
        record = play(
            self._game,
            setup,
            self.seated(setup, turn),
            self._chance,
            root=self._root,
            address=(self._cell, block),
            watchers=[limit],
        )
        row = {
            "winner": _winner(record),
            "ending": _ending(record, limit),
            "rounds": self._game.rounds(record.final),
            "actions": record.actions,
            "setup": label,
            "worth": float(max(record.returns or (0,))),
        }
        return row, record


def _winner(record: Record[Any, Any]) -> int:
    """Return the player who has won, of a team its first one; -1 if nobody has."""
    if record.winner is not None:
        return record.winner
    returns = record.returns or (0,)
    best = max(returns)
    return returns.index(best) if best > 0 and min(returns) < best else -1


def turned(bots: Sequence[str], turn: int) -> tuple[str, ...]:
    """Return bots by seat after they have moved on by so many seats."""
    return (*bots[turn:], *bots[:turn])


def _schema(*, graded: bool) -> pa.Schema:
    return _SCHEMA.append(_WORTH) if graded else _SCHEMA


def _unwon(settings: Settings, attached: Attached) -> str:
    """Return the column of games that nobody wins: who plays alone has lost them, or they did not end."""
    return "p_lost" if _players(settings, attached) == 1 else "p_draw"


def _full(settings: Settings, attached: Attached) -> list[str]:
    """Return the columns of victories that are worth it all, of games with grades."""
    graded = cell_facts(settings, attached).graded
    return [f"p_full_{seat}" for seat in range(_players(settings, attached))] if graded else []


class _RoundLimit:
    """A watcher that stops a game after so many rounds; None for no limit."""

    def __init__(self, game: AnyGame, rounds: int | None) -> None:
        self._game, self._rounds, self.reached = game, rounds, False

    def __call__(self, _before: Any, step: Step[Any, Any]) -> None:
        """Look at a step."""
        if self._rounds is not None and (self._game.rounds(step.after) or 0) > self._rounds:
            self.reached = True
            raise InterruptedRunError(f"more than {self._rounds} rounds")


def _ending(record: Record[Any, Any], limit: _RoundLimit) -> str:
    """Return how a game ended; a game that was interrupted otherwise has no result."""
    if record.ending is not Ending.INTERRUPTED:
        return str(record.ending.value)
    if not limit.reached:
        raise InterruptedRunError("a game was interrupted")
    return str(Ending.LIMIT.value)


def _law(wanted: BattleDocument, attached: Attached) -> RollLaw:
    if wanted.p is not None and not isinstance(wanted.p, str):
        return BinomialLaw(Fraction(str(wanted.p)))  # a study of many cells reads no law for it
    law = law_file.default_law()
    if wanted.law is not None:
        shipped = law_file.shipped_name(wanted.law)
        law = (
            law_file.shipped_law(shipped)
            if shipped
            else law_file.parse_law(attached[wanted.law], wanted.law)
        )
    return law if wanted.p is None else law.at(_end(law, wanted.p))


def _draw(wanted: BattleDocument, attached: Attached) -> dict[str, Any] | None:
    """Return the options of a draw, with the texts of the files that they name."""
    if wanted.draw is None:
        return None
    files = game_facts.study_game(wanted.game).draw_files(wanted.draw)
    texts = {name: attached[name] for name in files if name in attached}
    return wanted.draw | ({"files": texts} if texts else {})


def _end(law: Law, end: str) -> Fraction:
    """Return the p of a law, or an end of its 90 % range; of its 95 % interval if it has none."""
    low, high = law.p_range90 or law.ci95
    return {
        "low": Fraction(str(round(low, 6))),
        "nominal": law.p,
        "high": Fraction(str(round(high, 6))),
    }[end]


def cell_facts(settings: Settings, attached: Attached) -> game_facts.GameFacts:
    """Return what is known of the game of a cell; a class in a module is not loaded."""
    wanted = BattleDocument.model_validate(settings)
    if is_own_class(wanted.game):
        return game_facts.kept_facts(_begins(wanted), attached)
    return game_facts.loaded_facts(_beginning(wanted, attached))


def _begins(wanted: BattleDocument) -> str:
    """Return under what the facts of a cell are kept: the game, and where it begins."""
    return f"{wanted.game} {wanted.scenario or dumps(wanted.draw, sort_keys=True)}"


def _beginning(wanted: BattleDocument, attached: Attached) -> game_facts.Beginning:
    read = attached.get(wanted.scenario) if wanted.scenario else None
    return game_facts.Beginning(wanted.game, wanted.scenario, read, _draw(wanted, attached))


def _players(settings: Settings, attached: Attached) -> int:
    """Return how many players a cell has, judged by its settings; 2 if they do not say."""
    bots = BattleDocument.model_validate(settings).bots
    if isinstance(bots, list):
        return len(bots)
    return len(cell_facts(settings, attached).players) or 2
