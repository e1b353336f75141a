"""The command campaign: a file is begun, played day by day, taken back, shown, and refused where it was edited."""

import json
import re
import shlex
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.minifig.campaign.effects import CardQuestion, Choose
from brickphys.minifig.campaign.state import Member
from brickphys.minifig.campaign.trials import Answer, trials
from brickphys.odds.law import BinomialLaw
from brickphys.odds.law_file import default_law
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.players.person import answer
from brickphys.rules.players.prompt import Asked
from brickphys.rules.replay import game_stamp, write_replay
from brickphys.rules.sources import LawSource
from tests.cases import few
from tests.command_line import assert_refused, brickphys
from tests.minifig.campaign.quest import GAME, quest, setup

PARTY = """
[[party]]
name = "ada"
arms = ["sword", "shield"]
horse = true

[[party]]
name = "rex"
kind = "dog"
"""


_OTHER = ("players", "law", "check")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "quest.jsonl"
    made = brickphys("campaign", "new", path, "--days", 3, "--seed", 5)
    assert (made.returncode, made.stderr) == (0, "")
    return path


def content(file):
    """The lines of a replay, without who played, the source of the rolls, and the checks that follow from them."""
    lines = map(json.loads, file.read_text().splitlines())
    return [{key: value for key, value in one.items() if key not in _OTHER} for one in lines]


def day(file, *words, **more):
    done = brickphys("campaign", "day", file, *words, **more)
    assert done.returncode == 0, done.stderr
    return done


def log(file):
    return json.loads(brickphys("campaign", "log", file, "--json").stdout)["log"]


def test_a_campaign_from_its_first_day_to_its_last(file):
    told = []
    for number in range(1, 4):
        done = day(file, "--bot", "random")
        told.append(log(file)[number - 1])
        assert told[-1].startswith(f"Day {number}, ")
        assert told[-1] in " ".join(done.stdout.split())
    assert log(file)[:3] == told
    assert "After 3 days roland is alive" in log(file)[3]
    over = brickphys("campaign", "day", file, "--bot", "random")
    assert_refused(over, "the campaign is over", "--undo")


def test_days_are_those_of_one_game_played_at_once(file):
    """Saved, resumed by replaying, undone and played again, it is the game that `play` plays."""
    for number in range(3):
        day(file, "--bot", "random")
        if number == 1:
            day(file, "--undo")
            day(file, "--bot", "random")
    kept = file.parent / "kept.jsonl"
    write_replay(GAME, played_at_once(), kept, law="the same", stamp=game_stamp(GAME))
    assert content(file) == content(kept)


def played_at_once():
    return play(GAME, setup(days=3), [RandomBot()], LawSource(default_law(), 5), root=5)


def test_undo_takes_back_whole_days_and_writes_the_same_file_again(file):
    contents = [content(file)]
    for _ in range(2):
        day(file, "--bot", "random")
        contents.append(content(file))
    for before in reversed(contents[:-1]):
        assert "a day was taken back" in day(file, "--undo").stdout
        assert content(file) == before
    assert_refused(brickphys("campaign", "day", file, "--undo"), "no day has been played")


def test_a_person_plays_a_day_and_leaves_in_the_middle_of_the_next(file):
    answers = "1\n" * 60
    day(file, typed=answers)
    assert len(log(file)) >= 2
    left = day(file, typed="quit\n")
    assert "Day 2" in left.stdout or "Day 3" in left.stdout
    assert json.loads(brickphys("campaign", "map", file, "--json").stdout)["day"] >= 2


def test_map_and_picture(file, tmp_path):
    day(file, "--bot", "random")
    shown = brickphys("campaign", "map", file, "--plot", tmp_path / "map.png")
    assert (shown.returncode, "@" in shown.stdout) == (0, True)
    assert (tmp_path / "map.png").stat().st_size > 5_000
    again = brickphys("campaign", "map", file, "--plot", tmp_path / "map.png")
    assert_refused(again, "--force replaces it")


def test_json_is_one_object_for_each_command(file):
    for words in (("day", file, "--bot", "random"), ("day", file, "--undo"), ("map", file)):
        found = json.loads(brickphys("campaign", *words, "--json").stdout)
        assert found["schema"] == f"brickphys.campaign.{words[0]}/1"
        assert (found["file"], found["game"]) == (str(file), "campaign")
    made = brickphys("campaign", "new", file, "--force", "--json", "--seed", 9)
    assert json.loads(made.stdout)["seed"] == 9


def test_a_party_of_ones_own(tmp_path):
    (tmp_path / "mine.toml").write_text(PARTY)
    made = brickphys("campaign", "new", "q.jsonl", "--party", "mine.toml", cwd=tmp_path)
    assert made.returncode == 0
    assert "ada" in made.stdout
    assert "roland" not in made.stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[party]]\nname = 3\n", "party[0].name"),
        ('[[party]]\nname = "a"\narms = ["gun"]\n', "party[0].arms[0]"),
        ('[[party]]\nname = "a"\n[[party]]\nname = "a"\n', "'a' is already taken"),
        ('[[party]]\nname = "a"\nexperience = 9\n', "the highest is 7"),
        ("party = []\n", "party: 0"),
        ("", "[[party]]"),
        ("days = 5\n", "--days"),
        ('[[party]]\nname = "a"\nhorse = "grey"\n', "'grey' should be true or false"),
        ('[[party]]\nname = "a"\n' * 80, "80 parties"),
        ("partie = 1\n", "partie"),
        ('[square]\nlength = 0.0\nwidth = 3.0\n', "square.length"),
    ],
)  # fmt: skip
def test_faults_of_a_party_name_their_place(tmp_path, text, says):
    (tmp_path / "mine.toml").write_text(text)
    made = brickphys("campaign", "new", "q.jsonl", "--party", "mine.toml", cwd=tmp_path)
    assert_refused(made, "mine.toml", says)
    assert not (tmp_path / "q.jsonl").exists()


@pytest.mark.parametrize("days", [0, -1, 4000])
def test_impossible_days_are_refused(tmp_path, days):
    made = brickphys("campaign", "new", tmp_path / "q.jsonl", f"--days={days}")
    assert_refused(made, "days")
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_is_kept(file):
    before = file.read_bytes()
    assert_refused(brickphys("campaign", "new", file), "exists already")
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "command", few([("day", "--undo"), ("map",), ("day", "--bot", "random"), ("log",)], 2)
)
def test_an_edited_save_is_refused_with_its_line(file, command):
    day(file, "--bot", "random")
    lines = file.read_text().splitlines(keepends=True)
    lines[4] = lines[4].replace('"move": "', '"move": "1')
    file.write_text("".join(lines))
    before = file.read_bytes()
    done = brickphys("campaign", command[0], file, *command[1:])
    assert_refused(done, "line 5")
    assert file.read_bytes() == before


def test_a_save_of_another_game_is_refused_with_its_line(tmp_path):
    saved, steps = tmp_path / "duel.jsonl", ("--max-steps", 3)
    brickphys("play", "minifig", "duel", "--bots", "random", *steps, "--replay", saved)
    assert_refused(brickphys("campaign", "day", saved), "line 1", "'minifig', not of 'campaign'")


@pytest.mark.parametrize("words", [("--bot", "gandalf"), ("--bot", "random", "--undo")])
def test_wrong_options_change_nothing(file, words):
    before = file.read_bytes()
    assert_refused(brickphys("campaign", "day", file, *words))
    assert file.read_bytes() == before


def test_what_is_kept_is_said_where_save_is_typed_and_all_players_are_noted(file):
    day(file, "--bot", "random")
    left = day(file, "--json", typed="save\nquit\n")
    assert "stored in its file" in left.stdout + left.stderr
    shown = json.loads(brickphys("campaign", "map", file, "--json").stdout)
    assert shown["players"] == ["random and person"]


BRINGS = {
    "ace of swords: fight": "a battle with the robbers (4), and if it is won one more sword",
    "ace of swords: parley": "2 bricks: one more sword if any stops on a side, else 1 half-day lost",
    "ace of swords: pass": "nothing happens",
    "four of swords: help": "all wounds heal (now in vain: nobody is wounded), 1 half-day lost",
    "five of swords: evade": "2 bricks: nothing happens if any stops on a side, else somebody is wounded",
}


@pytest.mark.parametrize("key", BRINGS)
def test_an_answer_to_a_card_tells_what_it_may_bring(key):
    """A trial needs one brick on a side (ours)."""
    card, answer = key.split(": ")
    state = quest(CardQuestion(), given=setup(), card=card)
    assert GAME.purpose(state, GAME.parse_action(f"choose {answer}")) == BRINGS[key]


@pytest.mark.parametrize(
    ("key", "changes", "why"),
    [
        ("ace of swords: parley", {"arms": ("axe", "shield")}, "nobody can use it"),
        ("eight of swords: fight", {}, "the party is full"),
        ("knight of swords: fight", {"horse": True}, "nobody lacks one"),
        ("four of swords: help", {}, "nobody is wounded"),
    ],
)
def test_what_would_change_nothing_is_offered_as_in_vain(key, changes, why):
    """A party of eight has all that an effect could give; a wounded man alone lacks it."""
    card, answer = key.split(": ")
    party = tuple(Member(f"man_{number}", "soldier", **changes) for number in range(8))
    full = quest(CardQuestion(), given=setup(), card=card, party=party)
    poor = full.replaced({"party": (Member("man", "soldier", is_wounded=True),)})
    full_told, poor_told = (GAME.purpose(state, Choose(Answer(answer))) for state in (full, poor))
    assert f"(now in vain: {why})" in full_told
    assert poor_told == full_told.replace(f" (now in vain: {why})", "")


def test_every_answer_to_every_card_tells_what_it_may_bring():
    for card, prompt in trials().prompts.items():
        state = quest(CardQuestion(), given=setup(), card=card)
        for each in prompt.answers:
            assert GAME.purpose(state, Choose(each))


def test_a_campaign_tells_how_it_is_won():
    for name, title in GAME.scenarios().items():
        report = GAME.scenario(name)
        assert report.title == title
        assert report.aims[0] == f"roland wins if he is alive after {report.setup['days']} days."
    with pytest.raises(InvalidValueError, match="unknown campaign 'ten_day': did you mean"):
        GAME.scenario("ten_day")


def test_an_answer_that_is_also_a_command_is_told_by_help():
    state = quest(CardQuestion(), given=setup(), card="five of pentacles")
    prompt = "Two beggars stand in the cold under a lit window"
    assert GAME.prompt(state) == f"five of pentacles: {prompt}"
    assert GAME.shown(Choose(Answer.HELP)) == "choose stay and help"
    law = BinomialLaw(Fraction(1, 4))
    asked = Asked(GAME, GAME.observe(state, 0), GAME.actions(state), np.random.default_rng(1), law)
    told = answer(asked, "help", "")
    assert "to choose 'help' from the list, type its number or: choose help" in told


ROOT = Path(__file__).parents[3]


def test_the_campaign_of_the_tour_is_replayed_byte_for_byte(tmp_path):
    tour = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
    ((command, shown),) = re.findall(
        r"```console\n\$ brickphys (play campaign [^\n]*)\n(.*?)```", tour, re.DOTALL
    )
    for name in ("one.jsonl", "two.jsonl"):
        played = brickphys(*shlex.split(command), "--replay", name, cwd=tmp_path)
        assert played.stdout == shown
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    told = brickphys("replay", "one.jsonl", "--story", cwd=tmp_path).stdout
    assert told.startswith(shown.rpartition("\n\n")[0])
    log = brickphys("campaign", "log", "one.jsonl", cwd=tmp_path).stdout
    assert shown.startswith(log)
