"""The public face: names, examples, and how the values show themselves."""

import ast
import copy
import doctest
import inspect
import json
import pickle
import pkgutil
import pydoc
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from matplotlib.figure import Figure

import brickphys
from brickphys.errors import InvalidValueError, LawFileError, MissingExtraError
from brickphys.interface import Displayed
from brickphys.odds.roll import Roll
from tests import typed_user
from tests.batch.batches import InProcess, in_process
from tests.command_line import brickphys as run_command
from tests.jeep_scene import JEEP

NAMES = brickphys.__all__
SCENE = f"""{JEEP}[[decor]]
id = "wall"
polygon = [[22, 10], [23, 10], [23, 22], [22, 22]]
"""
STUDY = """
kind = "drop"
title = "two surfaces"
seed = 1
repeats = 20
[fixed]
shape = "2x2"
[grid]
surface = ["wood", "glass"]
"""


class NearlyChecker(doctest.OutputChecker):
    """Throws depend on the processor by last bits that bounces amplify: numbers of an example may differ a little."""

    _NUMBER = re.compile(r"\d+\.\d+")

    def check_output(self, want, got, optionflags):
        if super().check_output(want, got, optionflags):
            return True
        numbers = [list(map(float, self._NUMBER.findall(text))) for text in (want, got)]
        is_throw = self._NUMBER.sub("#", want) == self._NUMBER.sub("#", got) and " throws (" in want
        return is_throw and numbers[0] == pytest.approx(numbers[1], rel=0.05)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_there_typed_told_of_and_its_examples_hold(name):
    assert f"`{name}`" in str(brickphys.__doc__)
    found = getattr(brickphys, name)
    assert found.__doc__
    if inspect.isfunction(found):
        assert found.__annotations__.keys() >= {*inspect.signature(found).parameters, "return"}
    tests = doctest.DocTestFinder(recurse=False).find(found, name)
    runner = doctest.DocTestRunner(NearlyChecker())
    assert not sum(runner.run(test).failed for test in tests)


def test_each_function_with_workers_tells_of_the_guard_of_a_script():
    functions = [found for name in NAMES if inspect.isfunction(found := getattr(brickphys, name))]
    parallel = [found for found in functions if "workers" in inspect.signature(found).parameters]
    assert len(parallel) == 6
    for found in parallel:
        _, _, told = str(inspect.getdoc(found)).partition("\nworkers\n")
        told = told.partition("\nprogress\n")[0]
        assert '``if __name__ == "__main__":``' in told, found.__name__


@pytest.mark.parametrize("name", NAMES)
def test_parameters_that_are_described_together_have_one_type(name):
    """The documentation shows the type of the first one for all of them."""
    found = getattr(brickphys, name)
    if inspect.isfunction(found):
        parameters = inspect.signature(found).parameters
        for names in re.findall(r"^ *(\w+(?:, \w+)+)$", str(found.__doc__), re.MULTILINE):
            together = [parameters[one] for one in names.split(", ") if one in parameters]
            assert len({str(one.annotation) for one in together}) <= 1, names


def test_what_is_typed_is_what_is_loaded():
    """A type checker reads imports that never run; they must name the same things."""
    tree = ast.parse(Path(brickphys.__file__).read_text(encoding="utf-8"))
    typed = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("brickphys.")
        for alias in node.names
    }
    assert sorted(typed.keys() - {"nearest", "UnknownNameError"}) == sorted(NAMES)
    for name in NAMES:
        module, called = typed[name]
        loaded = getattr(brickphys, name)
        assert loaded is getattr(sys.modules[module], called)


def test_nothing_heavy_is_loaded_before_it_is_used():
    code = "import sys, brickphys; dir(brickphys); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ours = {name for name in done.stdout.split() if name.startswith("brickphys")}
    assert ours == {"brickphys", "brickphys.odds"}
    assert not {"numpy", "click", "typing"} & set(done.stdout.split())


def test_a_name_that_is_not_there_is_answered():
    with pytest.raises(AttributeError, match=r"'oddz'; did you mean brickphys\.odds\?"):
        getattr(brickphys, "oddz")  # noqa: B009
    with pytest.raises(AttributeError, match="there are BrickphysError, calibrate"):
        getattr(brickphys, "simulate")  # noqa: B009


@pytest.mark.parametrize(
    ("command", "name"),
    [("drop", "throw"), ("collide", "resolve"), ("InvalidValueError", "BrickphysError")],
)
def test_a_command_or_error_names_what_is_public(command, name):
    with pytest.raises(AttributeError, match=rf"did you mean brickphys\.{name}\?") as caught:
        getattr(brickphys, command)
    assert isinstance(caught.value, brickphys.BrickphysError)


def test_odds_is_a_plain_function_whatever_was_imported_before():
    code = (
        "import brickphys.odds.law_file, brickphys.odds, brickphys, inspect;"
        "from brickphys.odds.law import Law;"
        "print(inspect.isfunction(brickphys.odds), *inspect.signature(brickphys.odds).parameters)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "attack", "defence", "law", "health", "attacks"]


def test_a_public_name_is_never_a_module():
    modules = {found.name for found in pkgutil.iter_modules(brickphys.__path__)}
    assert modules & set(NAMES) == {"odds"}  # which the function replaces
    for name in NAMES:
        assert inspect.isfunction(getattr(brickphys, name)) or name == "BrickphysError"


def test_help_on_odds_begins_with_the_call_and_is_short():
    shown = pydoc.plain(pydoc.render_doc(brickphys.odds))
    call = "".join(shown[:500].split())  # later Pythons write a parameter a line
    assert "odds(attack:int,defence:int" in call
    assert "Return the exact odds of attack bricks" in shown[:800]
    assert shown.count("\n") < 50


def test_a_program_of_a_user_has_types(tmp_path):
    """`make lint` checks with mypy --strict what is run here."""
    typed_user.main(tmp_path)


@pytest.mark.parametrize(
    ("command", "value"),
    [
        ("odds 3 2 --hp 2 --attacks 2", lambda: brickphys.odds(3, 2, health=2, attacks=2)),
        ("odds 3 2 --p 1/4", lambda: brickphys.odds(3, 2, 0.25)),
        ("drop 2x2 --throws 300 --seed 1", lambda: brickphys.throw("2x2", 300, seed=1)),
        ("drop coin:20x2 --throws 9 --seed 1", lambda: brickphys.throw("coin:20x2", 9, seed=1)),
        ("collide scene.toml", lambda: brickphys.resolve("scene.toml")),
    ],
)
def test_a_document_is_the_json_of_the_command(command, value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("scene.toml").write_text(SCENE)
    printed = json.loads(run_command(*command.split(), "--json").stdout)
    found = value().document()
    for timed in ("seconds", "throws_per_s"):
        assert (timed in found) == (timed in printed)
        found[timed] = printed[timed] = 0.0
    assert found == printed


def test_a_law_is_saved_whole_or_not_at_all(tmp_path):
    law, path = brickphys.law("glass"), tmp_path / "mine.json"
    assert law.save(path) == path
    assert json.loads(path.read_text()) == law.document()
    assert brickphys.law(path) == law
    for wrong in (lambda: law.save(path), lambda: law.save(3), lambda: law.save(tmp_path / "a/b")):
        with pytest.raises(brickphys.BrickphysError):
            wrong()
    unchanged = path.read_bytes()
    with pytest.raises(brickphys.BrickphysError, match="exists already"):
        brickphys.law().save(path)
    assert path.read_bytes() == unchanged
    brickphys.law().save(path, force=True)
    assert brickphys.law(path) == brickphys.law()
    assert list(tmp_path.iterdir()) == [path]


def test_laws_come_by_name_number_file_and_value(tmp_path):
    glass = brickphys.law("glass")
    path = tmp_path / "mine.json"
    path.write_text(Path(brickphys.__file__).with_name("laws").joinpath("glass.json").read_text())
    by_value = brickphys.odds(3, 2, glass).success_exact
    assert brickphys.odds(3, 2, "glass").success_exact == by_value
    assert brickphys.odds(3, 2, path).success_exact == by_value
    assert brickphys.odds(3, 2, str(path)).success_exact == by_value
    assert brickphys.odds(3, 2, 0.3) == brickphys.odds(3, 2, brickphys.law(0.3))


@pytest.mark.parametrize("bot", [1, str, None])
def test_a_bot_that_is_no_name_is_told(bot):
    with pytest.raises(InvalidValueError, match="is not a name; write a class of your own as"):
        brickphys.play("bow", "duel", [bot, "greedy"], seed=3)


@pytest.mark.parametrize("wrong", [True, float("nan"), float("inf"), None, 1j, [0.3]])
def test_what_is_no_law_is_told(wrong):
    with pytest.raises(InvalidValueError, match="give a name, a file or a chance such as"):
        brickphys.odds(3, 2, wrong)
    for number, told in (
        (1.5, "chance of a side: 1.5 is outside 0..1; 1.5 % is 0.015"),
        (29, "chance of a side: 29 is outside 0..1; 29 % is 0.29"),
        (-0.1, "chance of a side: -0.1 is outside 0..1"),
        ("0.3", "law: '0.3' is a text: write the number without quotation marks, such as 0.3"),
        ("30 %", "law: '30 %' is a text"),
    ):
        with pytest.raises(InvalidValueError, match=re.escape(told)):
            brickphys.law(number)
    with pytest.raises(LawFileError, match="nor a shipped law"):
        brickphys.law("wod")
    with pytest.raises(LawFileError, match="did you mean 'glass'"):
        brickphys.law("glas")


@pytest.mark.parametrize("attacks", [0, 101])
def test_attacks_of_a_turn_are_bounded_and_need_a_health(attacks):
    with pytest.raises(InvalidValueError, match=f"attacks: {attacks} is outside"):
        brickphys.odds(3, 2, health=2, attacks=attacks)
    with pytest.raises(
        InvalidValueError, match="need the health of the target; with health=1, kill is"
    ):
        brickphys.odds(3, 2, attacks=2)


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """One value of each kind."""
    folder = tmp_path_factory.mktemp("public")
    (folder / "study.toml").write_text(STUDY)
    (folder / "counts.csv").write_text("bricks,score\n5,1\n5,2\n5,1\n")
    (folder / "mine.toml").write_text(
        'schema = "brickphys.measurements/1"\n[tilt]\nangles_deg = [21.0, 22.5]\nerror_deg = 0.5\n'
    )
    battle = brickphys.play("bow", "duel", "random", seed=7)
    with in_process(lambda *_: InProcess()):
        study = brickphys.study(folder / "study.toml", folder / "results")
    return {
        "law": brickphys.law(),
        "stated": brickphys.law(0.3),
        "moved": brickphys.law().at(Fraction(1, 3)),
        "roll": brickphys.roll(5, 0.3, seed=1),
        "poses_of_a_roll": Roll(2, 1, ("side", "studs_up")),
        "odds": brickphys.odds(3, 2),
        "throws": brickphys.throw("2x2", 100, seed=1),
        "poses": brickphys.poses("coin:20x2"),
        "scene": brickphys.scene(SCENE),
        "collision": brickphys.resolve(SCENE, clearance_studs=20.0),
        "crash": brickphys.crash(SCENE),
        "judgement": brickphys.judge([SCENE], lambda _: []),
        "battle": battle,
        "replay": brickphys.replay(battle.save(folder / "duel.jsonl")),
        "study": study,
        "inferred": brickphys.infer(folder / "counts.csv", seed=1),
        "measured": brickphys.measure(folder / "mine.toml", seed=1),
    }


def test_a_value_is_one_line_a_table_and_rows(shown):
    for name, value in shown.items():
        line = repr(value)
        assert line == f"<{value.line()}>", name
        assert "\n" not in line, name
        assert len(line) < 200, name
        frame = value.to_pandas()
        assert len(frame) == len(value.rows()) > 0, name
        html = value._repr_html_()
        assert html.startswith("<p>"), name
        assert html.count("<tr>") == 1 + min(len(frame), 40), name
        assert ("more rows" in html) == (len(frame) > 40), name


def test_what_a_value_does_not_have_is_answered(shown):
    odds = shown["odds"]
    for name, told in (
        ("p", "Odds has no 'p': success is the chance of the attack"),
        ("hits", "Odds has no 'hits': success is the chance of a hit"),
        ("sucess", "did you mean success?"),
        ("ci90", "did you mean range90?"),
        ("zzz", "Odds has no 'zzz'; it has attack, "),
    ):
        with pytest.raises(AttributeError, match=re.escape(told)) as caught:
            getattr(odds, name)
        assert isinstance(caught.value, brickphys.BrickphysError)
    for name, wrong, told in (
        ("odds", "hit", "success is the chance of a hit"),
        ("throws", "hits", "counts['side'] is the number of bricks on a side"),
        ("law", "odds", "brickphys.odds(3, 2, law) has the odds by this law"),
        ("roll", "hits", "score is the number of bricks on a side"),
    ):
        with pytest.raises(AttributeError, match=re.escape(told)):
            getattr(shown[name], wrong)
    assert pickle.loads(pickle.dumps(odds)) == odds == copy.deepcopy(odds)


def test_a_result_where_a_law_is_wanted_says_where_its_law_is(shown):
    for value, told in (
        (shown["inferred"], r"infer\(file, combine=True\)\.combined is the law"),
        (shown["measured"], "its attribute law is one"),
    ):
        with pytest.raises(brickphys.BrickphysError, match=f"is not a law: {told}"):
            brickphys.odds(3, 2, value)


def test_a_law_without_a_file_says_what_to_do(shown):
    for name, told in (("stated", "give the number itself"), ("moved", r"law\.law\.save")):
        with pytest.raises(brickphys.BrickphysError, match=told):
            shown[name].save("law.json")


def test_the_error_of_a_property_is_its_own():
    class Broken(Displayed):
        @property
        def length(self) -> int:
            return [].lenght

    with pytest.raises(AttributeError, match="'list' object has no attribute 'lenght'"):
        _ = Broken().length


def test_the_main_number_has_its_intervals_under_one_name(shown):
    odds, law, measured = shown["odds"], shown["law"], shown["measured"]
    assert (odds.ci95, odds.range90) == (odds.success_ci95, odds.success_range90)
    assert law.range90 == law.p_range90
    for one, number in ((odds, odds.success), (law, law.p), (measured, measured.p_side)):
        for low, high in (one.ci95, one.range90):
            assert low <= number <= high


def test_without_pandas_a_table_is_still_shown(shown, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert "<td>wood</td>" in shown["study"]._repr_html_()
    for of in (shown["odds"].to_pandas, shown["study"].runs):
        with pytest.raises(MissingExtraError, match="analysis"):
            of()


def test_a_picture_is_a_figure(shown):
    without = {"scene", "judgement", "stated", "moved", "roll", "poses_of_a_roll"}
    for name, value in shown.items():
        if name not in without:
            assert isinstance(value.plot(), Figure), name
    assert without == {name for name, value in shown.items() if not hasattr(value, "plot")}


def test_a_replay_is_the_game_that_was_saved(shown):
    assert shown["replay"].record.final == shown["battle"].record.final
    assert shown["replay"].story() == shown["battle"].story()
    assert len(shown["battle"].rows()) == len(shown["battle"].record.steps)


def test_a_study_has_its_runs_its_answers_and_its_report(shown, tmp_path):
    study = shown["study"]
    assert study.complete
    assert len(study.runs()) == 40
    assert study.sql("select count(*) as n from rows").to_pylist() == [{"n": 40}]
    written = brickphys.report(study.store.folder, tmp_path / "report")
    assert {path.name for path in written} >= {"report.md", "report.html"}


def test_the_law_of_a_calibration_names_the_command_that_repeats_it(monkeypatch):
    from brickphys.calibration import calibrate as module

    found = []
    monkeypatch.setattr(module, "throw_law", lambda plan, _: found.append(plan.command))
    module.calibrate("1x2", surface="glass", half_width=0.01, bricks=2, seed=4, workers=2)
    assert found == [
        "brickphys calibrate --seed 4 --shape 1x2 --surface glass --half-width 0.01 --bricks 2"
    ]
