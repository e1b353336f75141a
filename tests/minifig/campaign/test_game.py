"""The campaign as a game: the contract, perft, a golden campaign, invariants, texts that are refused."""

import json
from pathlib import Path

import pytest

from brickphys.batch.kinds.battles import Battles
from brickphys.batch.spec import find_spec
from brickphys.errors import InvalidValueError
from brickphys.minifig.campaign.game import state_problems
from brickphys.minifig.campaign.state import GRID, LAST_ARCANUM, Watch, parse_chart
from brickphys.rules.checks.conformance import check_game
from brickphys.rules.checks.perft import perft
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.record import Ending
from brickphys.rules.sources import LawSource
from tests.golden_games import perft_lines
from tests.minifig.campaign.quest import GAME, LAW, SETUPS, campaign, quest, random_states, setup

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden"


def test_it_keeps_the_contract_in_part():
    assert check_game(GAME, {"a day": setup(days=1)}, games=1, max_steps=20_000) == []


@pytest.mark.slow
def test_it_keeps_the_contract():
    setups = {"ten_days": SETUPS["ten_days"], "wide": setup(square={"length": 92.0, "width": 92.0})}
    assert check_game(GAME, setups, games=10, seed=3, max_steps=20_000) == []


def perft_text() -> str:
    """A campaign from its first card, and from the first half-day that it can march."""
    quiet = quest(given=setup(), watch=Watch.AFTERNOON)
    lines = ["# from the first card, then from the afternoon of a quiet day"]
    for state, depth in ((GAME.initial(setup()), 3), (quiet, 4)):
        lines += perft_lines(GAME, state, depth, LAW)
    return "\n".join([*lines, ""])


def test_perft_is_as_it_was():
    assert perft_text() == (GOLDEN / "campaign_perft.txt").read_text(encoding="utf-8")


def test_perft_begins_as_counted_by_hand():
    """57 cards; then four sides and camp: a d6 for each march, 55 throws of two d10 for camp."""
    assert [row.nodes for row in perft(GAME, GAME.initial(setup()), 1, LAW)] == [1, 57]
    quiet = quest(given=setup(), watch=Watch.AFTERNOON)
    assert [row.nodes for row in perft(GAME, quiet, 2, LAW)] == [1, 5, 4 * 6 + 55]


GOLDEN_BOTS = {"ten_days": "greedy1", "thirty_days": "random", "year": "random"}


def transcript(name: str) -> str:
    """A campaign that ships: its diary, its moves, its end."""
    game_setup, bots = GAME.setups[name], [bot(GOLDEN_BOTS[name], GAME, LAW)]
    record = play(GAME, game_setup, bots, LawSource(LAW, 7), root=7)
    steps = "; ".join(step.text for step in record.steps)
    return "\n".join([*GAME.story(record), steps, GAME.format_state(record.final), ""])


@pytest.mark.parametrize("name", GOLDEN_BOTS)
def test_a_golden_campaign_is_played_as_it_was(name):
    assert transcript(name) == (GOLDEN / f"campaign_{name}.txt").read_text(encoding="utf-8")


def check_invariants(record) -> None:
    """What holds in every state, beyond what the game itself says."""
    setting, before = record.initial.setting, record.initial
    for state in record.states:
        assert list(GAME.invariant_problems(state)) == []
        if state.watch is not before.watch or state.battle is None:
            assert list(state_problems(state)) == []
        names = [one.name for one in state.party]
        assert len(set(names)) == len(names)
        assert all(0 <= one.experience <= 7 for one in state.party)
        assert len(state.party) <= max(8, len(setting.party))
        assert len(state.drawn) <= 56
        assert before.chart.squares.items() <= state.chart.squares.items()
        watches = [(one.day, list(Watch).index(one.watch)) for one in (before, state)]
        assert watches[0] <= watches[1]
        old = {one.name: one.experience for one in before.party}
        assert all(one.experience >= old.get(one.name, 0) for one in state.party)
        came = names[len([name for name in names if name in old]) :]
        assert all(name.rpartition("_")[2].isdecimal() for name in came)
        before = state
    assert record.ending is Ending.OVER
    assert record.returns in ((1,), (-1,))
    assert (record.returns == (1,)) == (before.day == setting.days and before.leader_lives)


def test_forty_days_keep_the_invariants():
    for root in range(2):
        check_invariants(campaign(root=root))


@pytest.mark.slow
def test_a_thousand_days_keep_the_invariants():
    days, root = 0, 100
    while days < 1_000:
        record = campaign(root=root, days=100)
        check_invariants(record)
        days, root = days + record.final.day, root + 1


def test_states_read_back_as_they_were_written():
    for state in random_states(setup(days=2), seed=5):
        text = GAME.format_state(state)
        assert GAME.parse_state(text) == state


@pytest.mark.parametrize("arcanum", [0, 1, LAST_ARCANUM])
def test_every_number_of_drawn_arcana_is_read(arcanum):
    state = quest(arcanum=arcanum)
    assert GAME.parse_state(GAME.format_state(state)) == state


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"day": 11}, "day: 11 of 10"),
        ({"day": 0}, "day: 0 of 10"),
        ({"place": [5, 5]}, "is not a square where the party can be"),
        ({"chart": "0,0o 0,0w"}, "written differently"),
        ({"chart": "0,1o 0,0o"}, "written differently"),
        ({"chart": "0,0x"}, "is not a square such as"),
        ({"chart": "0,0l"}, "is not a square where the party can be"),
        ({"chart": 3}, "no text of a chart"),
        ({"drawn": ["ace of spades"]}, "not all are cards of the lower arcana"),
        ({"arcanum": 23}, "arcanum: 23"),
        ({"card": "joker"}, "'joker' is not a card of the day"),
        ({"party": []}, "the leader is missing"),
        ({"party": [["roland", "knight", [], False, 0, False]]}, "unknown kind of figure 'knight'"),
        ({"party": [["roland", "soldier", ["sword"] * 3, False, 0, False]]}, "hands"),
        ({"party": [["roland", "soldier", [], False, 0, False]] * 2}, "is already taken"),
        ({"party": [["roland", "soldier", [], False, 8, False]]}, "8 is not from 0 to 7"),
        ({"foes": "dogs"}, "do not match the battle"),
        ({"battle": "x", "foes": "dogs"}, "it is not what goes on"),
        ({"battle": 3}, "no text of a battle"),
        ({"result": 0}, "a campaign is won or lost, not drawn"),
        ({"watch": "noon"}, "watch"),
        ({"pending": [["Way", 10]]}, "there is no such march"),
        ({"pending": [["TerrainRoll"]]}, "there is nothing to find"),
        ({"pending": [["Effect", "gold 3"]]}, "unknown effect"),
        ({"pending": [["TrialRoll", "night: 11"]]}, "unknown trial"),
        ({"pending": [["Fighting"]]}, "it is not what goes on"),
        ({"pending": [["LakeRoll", 3, [[0, 0]], 0]]}, "not a lake"),
        ({"pending": []}, None),
    ],
)
def test_texts_of_no_campaign_are_refused(changes, says):
    row = json.loads(GAME.format_state(quest())) | changes
    text = json.dumps(row, separators=(",", ":"))
    if says is None:
        assert GAME.parse_state(text) == quest()
        return
    with pytest.raises(InvalidValueError, match="state") as refused:
        GAME.parse_state(text)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"days": 0}, "days"),
        ({"days": "ten"}, "days"),
        ({"dayz": 3}, "dayz: unknown key"),
        ({"party": []}, "party"),
        ({"square": {"length": 3.6}}, "square.width: missing"),
        ({"party": [{"name": "a", "kind": "elf"}]}, "party[0].kind"),
        ({"party": [{"name": "a", "kind": "dog", "horse": True}]}, "party[0].horse"),
        ({"party": [{"name": "a" * 31}]}, "party[0].name"),
        ({"party": [{"name": f"a{n}"} for n in range(16)]}, "party: 16"),
    ],
)
def test_faults_of_a_setup_name_their_key(changes, says):
    with pytest.raises(InvalidValueError, match="setup: ") as refused:
        GAME.initial(setup(**changes))
    assert says in str(refused.value)


def test_who_is_given_a_name_alone_is_a_soldier_without_experience_and_horse():
    (member,) = GAME.initial(setup(party=[{"name": "ann"}])).party
    assert (member.kind, member.experience, member.horse) == ("soldier", 0, False)


def test_the_largest_party_is_taken():
    state = GAME.initial(setup(party=[{"name": f"a{n}"} for n in range(15)]))
    assert len(state.party) == 15


@pytest.mark.parametrize("place", [(0, 0), (4, 4), (5, 0), (-5, 3), (13, -14), (-4, -5)])
def test_whole_grids_are_shown_that_hold_all_squares(place):
    (west, south), (east, north) = parse_chart(f"0,0o {place[0]},{place[1]}w").grids
    assert west <= min(0, place[0]) <= max(0, place[0]) <= east
    assert south <= min(0, place[1]) <= max(0, place[1]) <= north
    for low, high, ends in ((west, east, place[0]), (south, north, place[1])):
        assert (low + GRID // 2) % GRID == 0
        assert (high - low + 1) % GRID == 0
        assert min(0, ends) - low < GRID
        assert high - max(0, ends) < GRID


def test_the_study_asks_who_is_alive_after_thirty_days():
    spec = find_spec("alive")
    assert spec.document["fixed"]["game"] == "campaign"
    assert spec.document["fixed"]["scenario"] == "thirty_days"


def test_a_study_of_campaigns_counts_lost_ones_not_draws():
    settings = {"game": "campaign", "scenario": "ten_days", "bots": "random"}
    assert [*Battles().columns(settings, {})] == ["p_win_0", "p_lost", "rounds"]
