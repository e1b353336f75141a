"""The battles have every square, number and name that the book gives (BB 14.1 to 14.4)."""

from collections import Counter

import pytest

from brickphys.blade_and_bow.pieces import Box
from brickphys.blade_and_bow.scenario import SCENARIOS, parse_scenario, scenario_report, sheets
from brickphys.blade_and_bow.sheets import counters
from brickphys.blade_and_bow.state import State
from tests.blade_and_bow.battle import names_of, square, squares
from tests.scenario_text import scenario_text

NAMES = ("marathon", "mycale", "plataea", "thermopylae")
FAIR = {
    "marathon_fair": {"right_4", "centre_3"},
    "mycale_fair": {"athenians_4"},
    "thermopylae_fair": set[str](),
}
"""Even variants, and the units of the book's battle that they leave out."""


def scenario(name: str) -> State:
    return scenario_report(name).state


BOOK = {
    "marathon": (
        "miltiades 1-9-3/red, callimachus 2-4-3/red",
        "datis 1-6-3/white, artaphernes 2-4-2/white",
        ({(1, 3)}, {(1, 1)}), (3, 3), (7, 7), "greeks",
    ),
    "mycale": (
        "xanthippus 2-6-3/white, leotychidas 1-6-3/red",
        "mardontes 2-4-2/white, tigranes 1-4-3/white",
        ({(1, 2)}, set()), (3, 3), (8, 7), "greeks",
    ),
    "plataea": (
        "arimnestos 2-4-3/white, pausanias 1-6-3/red",
        "artabazus 2-4-3/white, mardonius 1-6-3/white",
        ({(1, 2)}, {(1, 2)}), (4, 3), (9, 10), "greeks",
    ),
    "thermopylae": (
        "leonidas 1-6-3/red, demophilus 2-4-3/white",
        "xerxes 1-6-3/white, mardonius 2-4-2/white",
        ({(1, 2)}, set()), (3, 3), (5, 8), "persians",
    ),
}  # fmt: skip
"""Leaders of both players as the book writes them, RANK-RANGE-VALUE/COLOUR; ranks of hoplites, as printed and at most;
impulses, rout levels, and who has the tie-breaker."""


def leaders(state: State, player: int) -> set[str]:
    return {
        f"{one.name} {one.rank}-{one.range_points}-{one.value}/{one.colour}"
        for one in state.setting.leaders
        if one.player == player
    }


def ranks(state: State, player: int) -> set[tuple[int, int]]:
    """The printed ranks of a player's hoplites, and the most that they may be given."""
    units = (unit for unit in state.setting.units if unit.player == player)
    return {(unit.ranks, unit.most_ranks) for unit in units if unit.counter.name == "hoplite"}


def test_four_battles_ship_and_even_variants():
    assert set(SCENARIOS) == {*NAMES, *FAIR}
    assert tuple(BOOK) == NAMES


@pytest.mark.parametrize("name", FAIR)
def test_an_even_variant_leaves_out_few_units_of_the_battle(name: str) -> None:
    fair, book = scenario(name).setting, scenario(name.removesuffix("_fair")).setting
    assert {unit.name for unit in book.units} - {unit.name for unit in fair.units} == FAIR[name]
    assert fair.terrain == book.terrain
    assert fair.special == book.special
    assert fair.camp_places == book.camp_places


@pytest.mark.parametrize("name", [*NAMES, *FAIR])
def test_numbers_and_names_are_those_of_the_book(name: str) -> None:
    """On a map with columns A to U and seventeen rows."""
    state, (own, others, of_hoplites, impulses, levels, tie_breaker) = (
        scenario(name),
        BOOK[name.removesuffix("_fair")],
    )
    setting = state.setting
    assert [leaders(state, player) for player in (0, 1)] == [
        {*own.split(", ")},
        {*others.split(", ")},
    ]
    assert (ranks(state, 0), ranks(state, 1)) == of_hoplites
    assert (setting.impulses, setting.rout_levels) == (impulses, levels)
    assert setting.players[setting.tie_breaker] == tie_breaker
    assert (setting.grid.width, setting.grid.length) == (21, 17)
    assert (square(state, "U17"), square(state, "A1")) == (20, 21 * 16)
    assert 2 <= len(scenario_report(name).text.splitlines()) <= 5


@pytest.mark.parametrize("name", [*NAMES, *FAIR])
def test_leaders_and_camps_begin_where_units_can_stand(name: str) -> None:
    state = scenario(name)
    for leader in state.leaders:
        assert leader.box is Box.WAITING or leader.square in state.at
    for camp in state.camps:
        assert camp is not None
        assert not state.setting.closed >> camp & 1
        assert camp not in state.at


@pytest.mark.parametrize("name", NAMES)
def test_scenario_reads_back_from_its_tables(name: str) -> None:
    read = SCENARIOS.scenario(name)
    assert parse_scenario(scenario_text(read)).setup == read.setup


def test_marathon_has_a_river_and_the_coast_in_the_east():
    state = scenario("marathon")
    setting = state.setting
    assert_river_at_the_top(state)
    grid = setting.grid  # the coast is in the east
    east = [setting.terrain[grid.square(grid.width - 1, y)].name for y in range(grid.length)]
    assert set(east) == {"sea"}


def assert_river_at_the_top(state: State) -> None:
    rows = {
        state.setting.grid.xy(n)[1]
        for n, one in enumerate(state.setting.terrain)
        if one.name == "river"
    }
    assert rows
    assert rows <= {15, 16}


def test_plataea_has_a_river_and_two_places_for_a_camp():
    state = scenario("plataea")
    setting = state.setting
    assert setting.camp_places[0] == (square(state, "D13"), square(state, "S16"))
    assert_river_at_the_top(state)


def test_plataea_has_thebans_before_athenians_and_spartans_on_higher_ground():
    state = scenario("plataea")
    columns: dict[str, set[int]] = {}
    for spec in state.setting.units:
        assert spec.square is not None
        columns.setdefault(spec.name[:6], set()).add(state.setting.grid.xy(spec.square)[0])
        if spec.name.startswith("spartans"):
            assert state.setting.high >> spec.square & 1
    assert columns["theban"] == columns["atheni"]
    assert max(columns["atheni"]) < min(columns["sparta"])


def test_thermopylae_is_decided_by_xerxes_and_the_camp():
    special = scenario("thermopylae").setting.special
    assert special.mortal == "xerxes"
    assert special.camp_decides == ("end_of_turn", "")
    assert special.minor_to == 0


def test_thermopylae_squares():
    """Hills are closed but for R15 and the path (special rule 2); it leads from P16 to B3 and D3 (rule 4)."""
    state = scenario("thermopylae")
    setting, special = state.setting, state.setting.special
    names = {n: ground.name for n, ground in enumerate(setting.terrain)}
    assert {names[n] for n in names} == {"clear", "hill", "closed_hill", "path", "sea"}
    assert [setting.squares[n] for n in names if names[n] == "hill"] == ["R15"]
    assert special.path == sum(1 << n for n in names if names[n] == "path")
    assert squares(state, "C4 O15") & special.path == squares(state, "C4 O15")
    grid, path = setting.grid, special.path
    reach = squares(state, "C4")  # by sides alone, as nobody moves diagonally there
    for _ in range(path.bit_count()):
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            reach |= grid.shifted(reach, dx, dy) & path
    assert reach == path
    for outside in ("B3", "D3", "P16"):
        assert names[square(state, outside)] == "clear"


def test_thermopylae_limit_and_wall():
    """Persians come from the east, and pass column K when the path is found; the wall touches S11 and S12."""
    state = scenario("thermopylae")
    setting, special = state.setting, state.setting.special
    assert special.limit & ~special.path == setting.grid.block(0, 0, 10, 17) & ~special.path
    persians = [spec.square for spec in setting.units if spec.player == 1]
    assert all(one is not None and one % 21 >= 15 for one in persians)
    assert names_of(state, special.gates) == "S11 S12"
    assert setting.walls == {tuple(sorted((square(state, "R11"), square(state, "R12"))))}
    closed = setting.closed
    row_11 = [n for n in range(21) if not closed >> setting.grid.square(n, 17 - 11) & 1]
    assert row_11 == [10, 17, 18]  # the path, and the pass, two squares wide


def test_mycale_has_reinforcements_and_shield_walls():
    state = scenario("mycale")
    setting, special = state.setting, state.setting.special
    assert special.camp_decides == ("", "at_once")
    assert special.shield_walls == (False, True)
    entries = {
        entry.rolls: [setting.squares[n] for n in entry.squares] for entry in special.entries
    }
    assert entries == {
        (1, 2, 3): ["D1", "E1", "F1", "G1"],
        (4, 5): ["A4", "A5", "A6", "A7"],
        (6,): ["A10", "A11", "A12", "A13"],
    }
    assert all(not setting.closed >> n & 1 for entry in special.entries for n in entry.squares)
    late = [
        spec
        for spec, unit in zip(setting.units, state.units, strict=True)
        if unit.box is Box.WAITING
    ]
    assert [(spec.counter.name, spec.ranks) for spec in late] == [("hoplite", 1)] * 4
    assert state.commanders[0] == setting.leader_numbers["xanthippus"]


def test_sheets_of_a_kind_and_of_a_scenario():
    assert [sheet.name for sheet in sheets("hoplite").sheets] == ["hoplite"]
    assert [sheet.name for sheet in sheets().sheets] == list(counters())
    units = scenario("mycale").setting.units
    found = sheets("mycale")
    assert {sheet.name for sheet in found.sheets} == {unit.counter.name for unit in units}
    assert [army.counts["units"] for army in found.armies] == list(
        Counter(unit.player for unit in units).values()
    )


def test_report_tells_how_a_battle_is_won():
    aims = scenario_report("thermopylae").aims
    assert "persians rout at 8 lost units and ranks: a major victory of greeks" in aims
    assert "if xerxes is killed, greeks win a major victory at the end of the turn" in aims
    assert "if nobody has won by the end, greeks win a minor victory" in aims
    assert "reinforcements of greeks come by A4 to A7 on a 4, 5" in scenario_report("mycale").aims
