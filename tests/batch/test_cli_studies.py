"""Questions about a batch on the command line: SQL, pairs of cells, worths of units."""

import sys
from decimal import Decimal
from types import SimpleNamespace

import pytest

from brickphys.batch.unit_values import FEWEST
from brickphys.cli.batch_status import _word
from brickphys.cli.batch_studies import _prices
from brickphys.errors import InvalidValueError
from tests.batch.batches import asked, pebbles, run_here


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "batch"
    run_here(folder, pebbles(60))
    return folder


def test_one_cell_has_nothing_to_be_compared_with(made):
    told = asked("pairs", made, "--column", "winner").stdout
    assert told == f"{made}: has one cell: there is nothing to compare\n"
    assert '"pairs": []' in asked("pairs", made, "--column", "winner", "--json").stdout


@pytest.mark.parametrize("question", ["", " ;\n"])
def test_an_empty_question_is_refused(question, made):
    with pytest.raises(InvalidValueError, match=r"^--sql: the query is empty$"):
        asked("report", made, "--sql", question)


def test_worth_names_the_folder_that_has_too_few_battles(tmp_path):
    tables = {
        "kind": "battle",
        "seed": 5,
        "repeats": 4,
        "fixed": {"game": "bow", "draw": {"points": 20, "rounds": 2}, "bots": "random"},
    }
    run_here(tmp_path / "few", tables)
    with pytest.raises(InvalidValueError, match=f"few: 4 battles, at least {FEWEST} are needed"):
        asked("worth", tmp_path / "few")
    run_here(tmp_path / "cells", tables | {"grid": {"p": [0.2, 0.3]}})
    with pytest.raises(InvalidValueError, match=r"cells, cell 0 \(p 0\.2\): 4 battles"):
        asked("worth", tmp_path / "cells")


def test_a_draw_without_keys_is_a_draw():
    spec = SimpleNamespace(settings=lambda _cell: {"game": "bow", "draw": {}})
    assert "trooper" in _prices(SimpleNamespace(folder="x", spec=spec), 0)


def test_worth_of_a_file_is_refused(made):
    with pytest.raises(InvalidValueError, match=r"manifest\.json: is a file, not the folder of a"):
        asked("worth", made, made / "manifest.json")


def test_numbers_and_names_of_an_answer_are_whole(made):
    numbers = [f"{10**12 + place} as a_rather_long_name_of_a_column_{place}" for place in range(9)]
    shares = "1 / 8 as share, 123456.75 as float, sum(run) as whole, repeat('x', 99) as text"
    lines = asked("report", made, "--sql", f"select {', '.join(numbers)}, {shares} from rows")
    head, _, row = lines.stdout.splitlines()
    assert head.split() == [
        *(n.rpartition(" ")[2] for n in numbers),
        "share",
        "float",
        "whole",
        "text",
    ]
    wanted = [*(str(10**12 + place) for place in range(9)), "0.125", "123456.75", "1770", "x" * 99]
    assert row.split() == wanted


def test_names_that_look_like_markup_or_are_there_twice_are_kept(made):
    lines = asked("report", made, "--sql", 'select 1 as "x[red]", 2 as a, 3 as a, 4 as ":b:"')
    head, _, row = lines.stdout.splitlines()
    assert head.split()[0] == "x[red]"
    assert head.split()[3] == ":b:"
    assert row.split() == ["1", "2", "3", "4"]


def test_only_texts_are_cut_and_only_for_a_terminal(monkeypatch):
    values = ["x" * 99, 10**80, Decimal(10**80), 1 / 3, 123456789.125]
    whole = ["x" * 99, f"{10**80}", f"{10**80}", "0.333333333333333", "123456789.125"]
    assert [_word(value) for value in values] == whole
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert [_word(value) for value in values] == [f"{'x' * 59}…", *whole[1:]]
