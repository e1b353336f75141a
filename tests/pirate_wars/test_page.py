"""The page of the game: its turn can be played; odds of the game have help, JSON and a picture."""

import re
from pathlib import Path

import pytest

from brickphys.rules.game import advance, parse_move
from tests.command_line import assert_refused, brickphys
from tests.pirate_wars.battle import GAME

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "pirate-wars.md").read_text(encoding="utf-8")


def test_the_turn_of_the_page_can_be_played(tmp_path):
    (scenario,) = re.findall(r"```toml\n# close.toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "close.toml").write_text(scenario, encoding="utf-8")
    state = GAME.initial(GAME.read_setup(tmp_path / "close.toml"))
    table = PAGE.split("## One turn")[1].split("| typed |")[1].split("\n\n")[0]
    for row in table.splitlines()[2:]:
        for text in re.findall(r"`([^`]+)`", row.split("|")[1]):
            state = advance(GAME, state, parse_move(GAME, state, text))
    swift, scorpion = state.ships
    assert state.round == 2
    assert (scorpion.hull, scorpion.sails, swift.hull, swift.sails) == (1, 1, 4, 3)
    assert (
        "The Runner is left with HF 1 and SF 1 of 3 and 4, the Clipper with HF 4 and SF 3." in PAGE
    )
    assert scorpion.is_adrift


def test_the_odds_of_a_game_have_help_json_and_a_picture(tmp_path):
    listed = brickphys("odds", "pirate_wars", "--help").stdout
    assert all(name in listed for name in GAME.odds_tables())
    told = brickphys(
        "odds", "pirate_wars", "sharks", "--minifigs", 2, "--json", "--plot", "s.png", cwd=tmp_path
    )
    assert '"exact": {"0": "4/9", "1": "4/9", "2": "1/9"}' in told.stdout
    assert (tmp_path / "s.png").read_bytes().startswith(b"\x89PNG")
    both = brickphys(
        "odds", "pirate_wars", "morale", "--cause", "captain", "--cause", "boarding"
    ).stdout
    assert "surrender or flee" in both


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("odds pirate_war board", "did you mean 'pirate_wars'"),
        ("odds campaign roll", "campaign has no odds of its own"),
        ("odds pirate_wars broad", "unknown command 'broad'"),
        ("odds pirate_wars broadside --guns 0", "guns: 0 is outside"),
        ("odds pirate_wars broadside --guns two", "'two' is not a valid integer"),
        ("odds pirate_wars broadside --ammunition grape", "'grape' is not one of"),
        ("odds pirate_wars board black_pearl", "Missing argument 'DEFENDER'"),
        ("odds pirate_wars sharks --plot s.txt", "must end in .png"),
    ],
)
def test_bad_input_of_odds_is_one_line(words, says):
    assert_refused(brickphys(*words.split()), says)
