"""The options of the rules, as a game tells them to people: they are those of its setups."""

from importlib.resources import files

import pytest

from brickphys.battles.start import own_setup, with_rules
from brickphys.errors import InvalidValueError
from brickphys.rules.registry import game, games

SCENARIOS = files("brickphys.bow") / "scenarios"
NEEDED = {"bricks_by_energy": {"crashes": "physics"}}
WITH_OPTIONS = ("bow", "minifig", "pirate_wars", "blade_and_bow")


@pytest.mark.parametrize("name", sorted(games()))
def test_each_option_is_told_and_its_values_begin_a_game(name):
    played = game(name)
    setup = next(iter(played.setups.values()))
    options = played.rule_options()
    assert bool(options) == (name in WITH_OPTIONS)
    for one in options:
        assert one.about.endswith(".")
        values = one.choices or (False, True)
        assert one.default in values
        for value in values:
            assert with_rules(played, setup, {**NEEDED.get(one.name, {}), one.name: value})


def test_other_values_and_names_are_refused():
    bow = game("bow")
    for options in ({"dispute": "yes"}, {"sectors": "halves"}, {"dice": True}):
        with pytest.raises(InvalidValueError, match=next(iter(options))):
            with_rules(bow, bow.setups["duel"], options)


def test_a_setup_in_a_text_is_that_of_the_file(tmp_path):
    bow, text = game("bow"), (SCENARIOS / "duel.toml").read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    assert own_setup(bow, text, "mine.toml") == bow.read_setup(path) == bow.setups["duel"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title = ", r"mine\.toml: not TOML"),
        ("title = 3", r"mine\.toml: .*title"),
        ('schema = "brickphys.law/1"', "mine.toml: "),
    ],
)
def test_a_text_that_is_no_setup_is_refused_with_the_name_of_its_file(text, told):
    for name in games():
        with pytest.raises(InvalidValueError, match=r"mine\.toml: "):
            own_setup(game(name), text, "mine.toml")
    with pytest.raises(InvalidValueError, match=told):
        own_setup(game("bow"), text, "mine.toml")
