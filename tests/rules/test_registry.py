from importlib.metadata import EntryPoint

import pytest
from click.testing import CliRunner

from brickphys.cli.games import games
from brickphys.errors import InvalidValueError
from brickphys.rules import registry
from tests.rules.contest_game import Contest


@pytest.fixture
def installed(monkeypatch):
    entries = [
        EntryPoint("contest", "tests.rules.contest_game:Contest", registry.GROUP),
        EntryPoint("lost", "no_such_package:Game", registry.GROUP),
        EntryPoint("false", "tests.rules.contest_game:Always", registry.GROUP),
        EntryPoint("alias", "tests.rules.contest_game:Contest", registry.GROUP),
        EntryPoint("text", "tests.rules.contest_game:WEIGHTS", registry.GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda **_: entries)


def test_games_are_found_by_name_without_loading_them(installed):
    assert registry.games() == ("alias", "contest", "false", "lost", "text")
    assert isinstance(registry.game("contest"), Contest)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("contst", "unknown game 'contst': did you mean 'contest'"),
        (
            "lost",
            r"game 'lost' \(no_such_package:Game\) cannot be loaded: there is no module no_such_",
        ),
        ("false", r"game 'false' \(tests.rules.contest_game:Always\) cannot be loaded: TypeError"),
        (
            "alias",
            "game 'alias': tests.rules.contest_game:Contest does not make a game of that name",
        ),
        ("text", "cannot be loaded: TypeError"),
    ],
)
def test_what_is_no_game_is_refused_with_the_reason(installed, name, words):
    with pytest.raises(InvalidValueError, match=words):
        registry.game(name)


def test_memory_that_is_short_is_no_fault_of_a_game(monkeypatch, installed):
    def initial(*_):
        raise MemoryError

    monkeypatch.setattr(Contest, "__init__", initial)
    with pytest.raises(MemoryError):
        registry.game("contest")
    assert isinstance(CliRunner().invoke(games).exception, MemoryError)


def test_a_broken_game_does_not_keep_the_others_from_being_listed(installed):
    for words in ([], ["--json"]):
        result = CliRunner().invoke(games, words)
        assert result.exit_code == 0
        assert "contest" in result.stdout
        assert "lost" not in result.stdout
        told = result.stderr.splitlines()
        assert [line.split(" ")[0] for line in told] == ["alias", "false", "lost", "text"]
        assert "cannot be loaded: there is no module no_such_package" in told[2]


def test_a_game_that_breaks_when_it_starts_is_named_in_one_line(monkeypatch, installed):
    def initial(*_):
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(Contest, "initial", initial)
    result = CliRunner().invoke(games, [])
    assert result.exit_code == 0
    assert "contest is left out: RuntimeError: two lines" in result.stderr.splitlines()
