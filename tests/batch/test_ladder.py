"""Ladders: seats change within a block of equal dice, a test ends a matchup, and other versions are refused."""

import json
from pathlib import Path
from unittest.mock import patch

import pytest

from brickphys.batch.chunk import RUN
from brickphys.batch.ladder import Standings, ladder_spec
from brickphys.batch.plan import given_up
from brickphys.batch.report.report import write_report
from brickphys.batch.report.table import bot_wins, summaries
from brickphys.batch.shard import shard_in
from brickphys.batch.store import existing_store, open_store
from brickphys.errors import BatchFolderError, StudyFileError
from brickphys.rules.players.bots import RandomBot, bot_version
from brickphys.rules.registry import game
from brickphys.rules.tournament import elo_ratings
from tests.batch.batches import PEBBLES, InProcess, run_here, spec, table_bytes, until, without

pytestmark = pytest.mark.usefixtures("quick_disk")

BOTS = ["greedy", "random", "easy"]
GROUPS = [["greedy", "random"], ["greedy", "easy"], ["random", "easy"]]
LADDER = without(PEBBLES, "grid") | {"kind": "ladder", "repeats": 40, "grid": {"bots": GROUPS}}
PAIR = LADDER | {"grid": {"bots": [GROUPS[0]]}}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return run_here(tmp_path_factory.mktemp("ladder") / "results", LADDER)


def test_each_setup_is_played_from_every_seat(store):
    for cell in range(3):
        setups = store.good_rows(cell)["setup"].to_pylist()
        assert setups[::2] == setups[1::2]
        assert len({*setups}) > 1
    work = store.spec.work(0)
    seats = [[bot.name for bot in work.seated(work.setup(run)[1], run % 2)] for run in (4, 5)]
    assert seats == [["greedy", "random"], ["random", "greedy"]]


def test_both_orders_have_the_same_dice(store):
    """Of bots that all choose at random the moves of a seat are those of its dice, whoever sits there."""
    with patch("brickphys.batch.kinds.battles.bot", lambda *_: RandomBot()):
        work = store.spec.work(0)
        first, second, next_one = (work.battle(run)[0].record for run in range(3))
    assert first.steps == second.steps
    assert first.steps != next_one.steps


def test_the_rows_do_not_depend_on_how_the_work_was_cut_or_stopped(store, tmp_path):
    folder = tmp_path / "results"
    run_here(folder, LADDER, InProcess(), chunk_s=0.001, stop=3)
    again = run_here(folder, LADDER, InProcess(), chunk_s=0.002)
    assert table_bytes(again) == table_bytes(store)


def test_standings_add_up(store):
    found = Standings(store)
    best, *_ = found.table.standings
    assert {one.name for one in found.table.standings} == {*BOTS}
    assert sum(one.wins for one in found.table.standings) == 120
    assert best.seat_shares[0] + best.seat_shares[1] == pytest.approx(2 * best.share)
    assert [one.names for one in found.table.matchups] == [*map(tuple, GROUPS)]
    won = [[0.0] * 3 for _ in range(3)]
    for one in found.table.matchups:
        i, j = map(BOTS.index, one.names)
        won[i][j], won[j][i] = one.points
    elo = elo_ratings(won)
    assert elo is None or best.rating.elo == max(one.elo for one in elo)
    summary = dict(summaries(store))[0]
    assert summary["p_bot_0"].value * 40 == found.table.matchups[0].points[0]
    assert summary["p_seat_1"].value * 40 == found.table.matchups[0].seat_points[1]
    assert bot_wins(store, summaries(store)) == []


def test_what_games_count_is_added_up(tmp_path):
    def conduct(_, record, player):
        own = [step for step in record.steps if step.actor == player]
        return {"ones": sum(step.text == "1" for step in own), "actions": len(own), "games": 1}

    with patch("brickphys.rules.game.Game.conduct", conduct):
        found = Standings(run_here(tmp_path / "results", LADDER | {"repeats": 4}))
    assert [{name: one["games"] for name, one in each.items()} for each in found.conduct] == [
        dict.fromkeys(group, 4) for group in GROUPS
    ]
    (random,) = (one for one in found.document()["standings"] if one["bot"] == "random")
    assert random["conduct"] == {
        key: found.conduct[0]["random"][key] + found.conduct[2]["random"][key]
        for key in ("ones", "actions", "games")
    }


def test_choices_are_timed_in_the_journal_and_in_no_row(store):
    times = Standings(open_store(store.folder)).times
    assert {*times} == {*BOTS}
    assert all(one.number > 100 and 0 < one.worst_s <= one.seconds for one in times.values())
    assert {*store.good_rows(0).column_names} == {
        *("cell", "run", "winner", "ending", "rounds", "actions", "setup", "returns", "conduct")
    }
    entry = store.shards[0].entry
    assert shard_in(entry) == store.shards[0]
    for wrong in ([1, 2.0], {"greedy": [1, -1.0, 1.0]}, {"greedy": [1]}, {"greedy": "abc"}):
        assert shard_in(entry | {"times": wrong}) is None


def test_a_test_ends_a_matchup_after_the_same_game_however_the_work_was_cut(tmp_path):
    tables = until(PAIR, column="p_bot_0", sprt=[0.5, 0.7], first=8, at_most=400)
    stores = [
        run_here(tmp_path / str(n), tables, InProcess(), chunk_s=chunk_s)
        for n, chunk_s in enumerate((1.0, 0.001))
    ]
    assert table_bytes(stores[0]) == table_bytes(stores[1])
    found = Standings(stores[0]).document()["matchups"][0]
    assert found["sprt"]["verdict"] == "H1"
    assert found["sprt"]["ratio"] >= found["sprt"]["bounds"][1]
    assert found["games"] in (8, 16, 24, 32, 40, 48, 56, 64)
    assert given_up(stores[0]) == []


def test_a_matchup_that_stays_undecided_ends_and_is_told(tmp_path):
    tables = until(PAIR, column="p_bot_0", sprt=[0.5, 0.501], first=8, at_most=20)
    store = run_here(tmp_path / "results", tables)
    (matchup,) = Standings(store).document()["matchups"]
    assert (matchup["games"], matchup["sprt"]["verdict"]) == (20, "undecided")
    assert given_up(store) == [0]
    page = write_report(store, tmp_path / "report")[0].read_text()
    assert "Not decided: 1 of 1 cells" in page


def test_a_game_of_a_block_that_failed_leaves_the_block_out_of_the_test(tmp_path):
    tables = PAIR | {"fixed": PEBBLES["fixed"] | {"draw": {"raises": 0.3}}}
    store = run_here(tmp_path / "results", tables)
    rows = store.good_rows(0)
    assert 0 < rows.num_rows < 40
    settings = store.spec.settings(0)
    blocks = store.spec.study_type.blocks(settings, store.spec.attached, rows)
    assert len(blocks) == rows.num_rows / 2  # both games of a setup fail
    assert len(store.spec.study_type.blocks(settings, {}, rows.slice(1))) == len(blocks) - 1
    assert rows[RUN].to_pylist()[:1] != [None]


def test_other_versions_of_bots_are_not_mixed(store):
    assert existing_store(store.folder, spec(LADDER)) is not None
    with patch("brickphys.batch.kinds.battles.bot_version", side_effect=lambda name, _: f"2{name}"):
        changed = spec(LADDER)
    with pytest.raises(BatchFolderError, match='study: version of greedy is "2greedy", was "'):
        existing_store(store.folder, changed)


def test_a_version_is_that_of_the_budget_and_of_the_weights(tmp_path):
    bow, duel = game("bow"), game("minifig")
    names = ("random", "greedy", "greedy1", "lookahead", "easy", "fair", "hard", "hard:5000")
    assert len({bot_version(name, bow) for name in names}) == len(names)
    assert bot_version("random", bow) == bot_version("random", duel)
    with patch("brickphys.rules.players.bots.PLANNER_VERSION", "next"):
        assert bot_version("hard", bow) != (again := bot_version("fair", bow))
    assert again != bot_version("fair", bow)


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("bow", "bow/data/parts.toml"),
        ("pirate_wars", "pirate_wars/data/points.toml"),
        ("campaign", "minifig/data/worth.toml"),
    ],
)
def test_other_weights_are_another_version(name, weights, monkeypatch):
    read, before = Path.read_text, bot_version("hard", game(name))

    def changed(path, *given, **named):
        return read(path, *given, **named) + "#" * path.as_posix().endswith(weights)

    monkeypatch.setattr(Path, "read_text", changed)
    assert bot_version("hard", game(name)) != before


@pytest.mark.parametrize(
    ("tables", "says"),
    [
        (PAIR | {"grid": {"bots": ["greedy", "random"]}}, "a ladder needs a list of bots"),
        (PAIR | {"grid": {"bots": [["greedy", "greedy"]]}}, "greedy is there twice"),
        (PAIR | {"grid": {"bots": [["greedy"]]}}, "1 of them where there are 2 players"),
        (PAIR | {"grid": {"bots": [["greedy", "gredy"]]}}, "did you mean 'greedy'"),
        (until(PAIR, column="p_bot_1", sprt=[0.5, 0.6]), "until.column: unknown column"),
        (until(PAIR, column="p_bot_0"), "exactly one of half_width and sprt"),
        (until(PAIR, column="p_bot_0", sprt=[0.5, 0.6], half_width=0.1), "exactly one of"),
        (until(PAIR, column="p_bot_0", sprt=[0.6, 0.5]), "the smaller first"),
        (until(PEBBLES, column="p_win_0", sprt=[0.5, 0.6]), "until.column: unknown column"),
    ],
)
def test_faults_of_a_ladder_are_told(tables, says):
    with pytest.raises(StudyFileError, match=says):
        spec(tables)


def test_the_command_s_study_has_a_cell_for_each_group():
    fixed = {"game": "pebbles", "scenario": "ten"}
    study = ladder_spec(fixed, ("greedy", "random", "easy"), 2, 10, None, 3)
    assert [cell["bots"] for cell in study.cells] == [
        *(["greedy", "random"], ["greedy", "easy"], ["random", "easy"])
    ]
    assert json.dumps(study.content)
