"""The wins of bots that change seats, added over their seats; the names of players in tables."""

import json

import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.report.plot_data import PlotData, PlotLine, PlotType, plots_of
from brickphys.batch.report.table import bot_table, bot_wins, rows, summaries
from brickphys.batch.results import Study
from brickphys.odds.distribution import wilson
from brickphys.plots.batch import draw_plot
from brickphys.plots.colors import player_rgb
from tests.batch.batches import PEBBLES, run_here, spec
from tests.command_line import brickphys

pytestmark = pytest.mark.usefixtures("quick_disk")

BOTH = [["greedy", "random"], ["random", "greedy"]]
SWAPPED = PEBBLES | {"grid": {"bots": [*BOTH, "random"]}, "repeats": 30}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return run_here(tmp_path_factory.mktemp("swapped") / "results", SWAPPED)


def test_wins_of_a_bot_are_added_over_its_seats(store):
    found = {one.bot: one for one in bot_wins(store, summaries(store))}
    assert list(found) == ["greedy", "random"]
    winners = [store.good_rows(cell)["winner"].to_pylist() for cell in (0, 1)]
    won = winners[0].count(0) + winners[1].count(1)
    assert 0 < won < 60
    greedy = found["greedy"]
    assert (greedy.against, greedy.games, greedy.by_seat) == ("random", 60, {0: 30, 1: 30})
    assert greedy.wins == (won / 60, *wilson(won, 60))
    assert found["random"].wins.value == (60 - won) / 60  # there are no draws


def test_the_value_of_a_study_has_the_wins_as_the_json_has_them(store):
    told = json.loads(brickphys("batch", "status", store.folder, "--json").stdout)["bots"]
    assert Study(store).bots == told
    assert [one["bot"] for one in told] == ["greedy", "random"]


def test_other_factors_are_kept_apart_and_uneven_seats_are_told(tmp_path):
    cells = [{"bots": one, "p": p} for p in (0.2, 0.4) for one in BOTH]
    tables = PEBBLES | {"cell": cells, "repeats": 5}
    tables = {key: part for key, part in tables.items() if key != "grid"}
    tables["fixed"] = {"game": "bow", "draw": {"points": 20, "rounds": 1}}
    made = spec(tables)

    class Part:
        """A study of which some cells have more games than others."""

        spec = made

    games = [10, 5, 10, 10]
    found = [
        (cell, made.study_type.summary(made.settings(cell), {}, fake(count)))
        for cell, count in enumerate(games)
    ]
    heads, lines = bot_table(bot_wins(Part(), found))  # type: ignore[arg-type]
    assert heads == ["p", "bot", "against", "games", "wins"]
    assert [line[:4] for line in lines] == [
        ["0.2", "greedy", "random", "15 (10 + 5)"],
        ["0.2", "random", "greedy", "15 (5 + 10)"],
        ["0.4", "greedy", "random", "20"],
        ["0.4", "random", "greedy", "20"],
    ]


def fake(count):
    """Return rows of games that the first player has won."""
    import pyarrow as pa

    row = {"winner": 0, "ending": "over", "rounds": 1, "actions": 1, "setup": None}
    return pa.Table.from_pylist([row] * count)


@pytest.mark.parametrize(
    "bots", [["random", "greedy"], [BOTH[0]], [["random"] * 2, ["greedy"] * 2]]
)
def test_bots_that_keep_their_seats_are_not_added(bots):
    made = spec(PEBBLES | {"grid": {"bots": bots}})

    class Part:
        spec = made

    found = [(cell, {"games": 4, "p_win_0": None}) for cell in range(len(bots))]
    assert bot_wins(Part(), found) == []  # type: ignore[arg-type]


def test_tables_and_pictures_name_the_players_and_programs_the_columns(store, tmp_path):
    folder = store.folder
    told = brickphys("batch", "status", folder).stdout
    heads, _, *lines = told.splitlines()[2:]
    names = ["player 0 wins", "player 1 wins", "draw", "rounds"]
    assert [name for name in names if name in heads] == names
    assert "Each bot over all its seats:" in lines
    (line,) = [line for line in lines if line.startswith("greedy   ") and "random" in line]
    assert line.split()[:3] == ["greedy", "random", "60"]
    document = json.loads(brickphys("batch", "status", folder, "--json").stdout)
    assert document["headings"]["p_win_0"] == "player 0 wins"
    assert document["bots"][0]["games_by_seat"] == {"0": 30, "1": 30}
    assert document["rows"] == rows(store)
    assert "p_win_0" in document["rows"][0]
    assert brickphys("batch", "report", folder).returncode == 0
    page = (folder / "report" / "report.md").read_text()
    assert "| player 0 wins | player 1 wins | draw | rounds |" in page
    assert "- player 0 wins (`p_win_0`): share of games" in page
    assert "\n## Each bot over all its seats\n\n| bot | against | games | wins |\n" in page
    assert "bricks of one hand" not in page  # there are no throws
    (shares, _) = plots_of(store, dict(summaries(store)))
    assert [line.label for line in shares.lines] == names[:3]
    assert shares.caption == "player 0 wins, player 1 wins, draw against bots"
    assert shares.file == "win_0_win_1_draw.png"


@pytest.mark.parametrize(
    ("fixed", "names"),
    [
        ({"game": "bow", "scenario": "duel"}, ["red wins", "blue wins", "draw"]),
        (
            {"game": "blade_and_bow", "scenario": "marathon"},
            ["greeks win", "persians win", "greeks win in full", "persians win in full", "draw"],
        ),
        ({"game": "campaign", "scenario": "ten_days"}, None),
    ],
)
def test_a_column_is_called_by_the_name_of_its_player(fixed, names):
    made = spec({"kind": "battle", "seed": 1, "repeats": 1, "fixed": fixed})
    found = made.headings
    assert set(found) <= {*made.columns(0)}
    assert names is None or list(found.values()) == names
    assert made.heading("rounds") == "rounds"


def test_a_column_keeps_its_name_where_cells_have_other_players():
    grid = {"scenario": ["marathon", "thermopylae"]}
    fixed = {"game": "blade_and_bow"}
    tables = {"kind": "battle", "seed": 1, "repeats": 1, "fixed": fixed, "grid": grid}
    assert spec(tables).heading("p_win_0") == "greeks win"
    mixed = tables | {"fixed": {"game": "bow"}, "grid": {"scenario": ["duel", "princess"]}}
    assert spec(mixed).heading("p_win_0") == "p_win_0"
    assert spec(mixed).heading("p_draw") == "draw"


@pytest.mark.parametrize(
    ("fixed", "sides"),
    [
        ({"scenario": "duel"}, ("red", "blue")),
        ({"draw": {"points": 20, "rounds": 1}}, ("red", "blue")),
    ],
)
def test_wins_of_a_side_have_its_colour_of_the_map(fixed, sides):
    made = spec(PEBBLES | {"fixed": {"game": "bow", **fixed}})
    assert made.sides == sides
    columns = ("p_win_0", "p_win_1", "p_full_1", "p_draw")
    lines = tuple(PlotLine(one, (Estimate(0.3, 0.2, 0.4),) * 2, one) for one in columns)
    for kind, places in ((PlotType.DOTS, ("random", "greedy")), (PlotType.BANDS, (0.1, 0.2))):
        ax = Figure().add_subplot()
        of_sides = {"sides": made.sides, "colours": made.side_colours}
        draw_plot(PlotData("p", kind, "p_", "bots", places, lines, **of_sides), ax)
        curves = [line for line in ax.lines if line.get_marker() == "o"]
        red, blue = player_rgb("red"), player_rgb("blue")
        assert [to_rgb(line.get_color()) for line in curves] == [red, blue, blue, (0.5,) * 3]
        hollow = [line.get_markerfacecolor() == "white" for line in curves]
        assert hollow == [False, False, True, False]


def test_sides_of_a_study_have_the_colours_of_the_scenario():
    battle = {"game": "blade_and_bow", "scenario": "marathon"}
    made = spec({"kind": "battle", "seed": 1, "repeats": 1, "fixed": battle})
    assert (made.sides, made.side_colours) == (("greeks", "persians"), ("blue", "red"))


def test_studies_of_games_with_other_sides_have_no_colours_of_sides():
    mixed = [{"game": "bow", "scenario": "duel"}, {"game": "minifig", "scenario": "raid"}]
    tables = {key: part for key, part in PEBBLES.items() if key not in ("fixed", "grid")}
    assert spec(tables | {"cell": mixed}).sides == ()
