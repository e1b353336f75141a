"""Studies of battles of teams: a victory counts for each player of the team."""

import pytest

from brickphys.batch.kinds.battles import BattleWork
from brickphys.rules.registry import game
from tests.batch.batches import run_here, spec

TEAMS = {
    "kind": "battle",
    "seed": 3,
    "repeats": 8,
    "fixed": {"game": "pirate_wars", "scenario": "two_against_two", "bots": "random"},
}


def test_a_victory_of_a_team_counts_for_each_of_its_players(tmp_path):
    rows = run_here(tmp_path / "results", TEAMS).good_rows(0)
    made = spec(TEAMS)
    work = made.work(0)
    assert isinstance(work, BattleWork)
    records = [work.battle(run)[0].record for run in range(8)]
    setting = game("pirate_wars").initial(game("pirate_wars").setups["two_against_two"]).setting
    found = made.study_type.summary(made.settings(0), made.attached, rows)
    for player, team in enumerate(setting.teams):
        won = [record.returns is not None and record.returns[player] > 0 for record in records]
        assert found[f"p_win_{player}"].value == sum(won) / 8
        mates = [one for one, other in enumerate(setting.teams) if other == team]
        first = [winner == mates[0] for winner in rows["winner"].to_pylist()]
        assert first == won
    won = rows["winner"].to_pylist()
    assert found["p_draw"].value == won.count(-1) / 8
    assert won.count(-1) < 8


@pytest.mark.parametrize(
    ("teams", "mates"), [([], [[0], [1], [2]]), ([0, 1, 0], [[0, 2], [1], [0, 2]])]
)
def test_who_wins_with_whom(teams, mates):
    from brickphys.batch.kinds.game_facts import GameFacts

    facts = GameFacts(players=["a", "b", "c"], graded=False, teams=teams)
    assert [facts.mates(player) for player in range(3)] == mates
