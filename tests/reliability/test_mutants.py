"""The mutation tests themselves: what is mutated, what is not, and what becomes of a mutant."""

from pathlib import Path
from textwrap import dedent

import pytest

from benchmarks.mutants.mutation import mutants_of, sample
from benchmarks.mutants.plan import Package, harmless, packages
from benchmarks.mutants.reach import Reach
from benchmarks.mutants.score import Score, try_all

ROOT = Path(__file__).parents[2]

MODULE = dedent('''
    """Levels."""

    from typing import TYPE_CHECKING

    if TYPE_CHECKING:
        from a import b

    __all__ = ["level"]
    Number = int | float
    LIMIT = 9


    @cache(maxsize=3)
    def level(marks: list[int | None], least: int = 0) -> int:
        """Return 1 of 2."""
        if not marks or len(marks) > LIMIT:
            raise ValueError(f"{len(marks) - 1} marks")
        for a, b in zip(marks, marks, strict=True):
            found.append(a, key=b)
        return max(marks) - least if least < LIMIT else LIMIT
''')


def changes(text: str) -> list[tuple[str, str]]:
    return [mutant.change for mutant in mutants_of("m.py", text)]


def test_the_mutants_of_a_module_are_these():
    level = "return max(marks) - least if least < LIMIT else LIMIT"
    guard = "if not marks or len(marks) > LIMIT:"
    head = "def level(marks: list[int | None], least: int = 0) -> int:"
    assert sorted(changes(MODULE)) == sorted(
        [
            ("LIMIT = 9", "LIMIT = 10"),
            (head, head.replace("= 0", "= 1")),
            (guard, "if not (not marks or len(marks) > LIMIT):"),
            (guard, guard.replace("or", "and")),
            (guard, guard.replace("not marks", "marks")),
            (guard, guard.replace(">", ">=")),
            ("found.append(a, key=b)", "pass"),
            ("found.append(a, key=b)", "found.append(a, )"),
            (level, level.replace(" - ", " + ")),
            (level, level.replace("<", "<=")),
            (level, level.replace("least < LIMIT", "(least < LIMIT) and False")),
            (level, level.replace("least < LIMIT", "(least < LIMIT) or True")),
        ]
    )


@pytest.mark.parametrize(
    ("line", "mutated"),
    [
        ("x = a + b", ["x = a - b"]),
        ("x = -inf", ["x = +inf"]),
        ("x += 1", ["x += 2", "x -= 1", "x = 1"]),
        ("x = a is None", ["x = a is not None"]),
        ("x = a in b", ["x = a not in b"]),
        ("x = a == b", ["x = a != b"]),
        ("while a < b: break", ["while a <= b: break", "while not (a < b): break", "while a < b: return"]),
        ("if a == b: continue", ["if a != b: continue", "if a == b: break"]),
        ("x = [a for a in b if a]", ["x = [a for a in b if not (a)]"]),
        ("x = True", ["x = False"]),
        ("f(1)", ["pass", "f(2)"]),
        ("x = f(a, key=b)", ["x = f(a, )"]),
        ("x = f'{a + 1}'", []),
        ("raise E(a + 1)", []),
        ("assert a + 1", []),
        ("NOTES.info(a + 1)", []),
        ("x: 'list[int]' = cast(a | b, c)", []),
        ("x = 'text'", []),
    ],
)  # fmt: skip
def test_an_operator_changes_one_thing(line, mutated):
    assert sorted(after for _, after in changes(line + "\n")) == sorted(mutated)


@pytest.mark.slow
def test_every_mutant_is_a_module_that_differs():
    text = (ROOT / "brickphys/odds/distribution.py").read_text()
    mutants = mutants_of("brickphys/odds/distribution.py", text)
    assert len(mutants) > 40
    for mutant in sample(mutants, 20, seed=1):
        compile(mutant.text, mutant.path, "exec")
        assert mutant.text != text
        first, last = mutant.lines
        assert mutant.change[0] in "\n".join(text.splitlines()[first - 1 : last])


def test_a_draw_is_repeatable_and_does_not_move_with_other_modules():
    one, other = mutants_of("one.py", MODULE), mutants_of("other.py", MODULE)
    few = sample(one, 5, seed=1)
    assert few == sample(reversed(one), 5, seed=1)
    assert few != sample(one, 5, seed=2)
    both = sample(one + other, len(one + other), seed=1)
    assert [m for m in both if m.path == "one.py"][:5] == few


def test_the_plan_names_what_is_there():
    least, known = packages()
    assert 0 < least < 1
    for package in known:
        assert list(package.modules(ROOT)), package.name
        for path in package.sources + package.leave_out + package.tests:
            assert (ROOT / path).exists(), path


@pytest.mark.slow
def test_a_listed_survivor_is_still_a_mutant_of_its_module():
    known = harmless()
    for path in {h.path for h in known}:
        text = (ROOT / path).read_text()
        lines = [line.strip() for line in text.splitlines()]
        survivors = {(h.line, h.becomes) for h in known if h.path == path}
        changed = {line for line, _ in survivors}
        near = (
            mutant
            for mutant in mutants_of(path, text)
            if changed & set(lines[mutant.lines[0] - 1 : mutant.lines[1]])
        )
        assert survivors <= {mutant.change for mutant in near}
    assert all(survivor.reason for survivor in known)


def test_tests_that_reach_a_line_run_own_file_first_and_short_ones_before_long_ones():
    seconds = {
        "t/test_b.py::x": 0.1,
        "t/test_a.py::y": 3.0,
        "t/test_a.py::z": 2.0,
        "t/test_c.py": 1,
    }
    lines = {"p/a.py": {1: ["", "t/test_b.py::x"], 2: ["", "t/test_a.py::y"], 3: [""], 4: ["gone"]}}
    reach = Reach(seconds, lines)
    assert list(reach.tests_of("p/a.py", 1, 1)) == [
        *("t/test_a.py::z", "t/test_a.py::y", "t/test_b.py::x")
    ]
    assert list(reach.tests_of("p/a.py", 2, 2)) == ["t/test_a.py::z", "t/test_a.py::y"]
    assert set(reach.tests_of("p/a.py", 3, 3)) == set(seconds) - {"t/test_c.py"}
    assert not reach.tests_of("p/d.py", 1, 1)


SOURCE = """
def sign(x: int) -> int:
    while abs(x) > 1:
        x -= x // abs(x)
    return x


def unused(x: int) -> int:
    return x + 1
"""
TESTS = """
from small.numbers import sign

def test_positive():
    assert sign(5) == 1

def test_of_a_negative_number():
    assert sign(-5) == -1
"""


@pytest.mark.slow
def test_mutants_are_killed_survive_run_for_ever_or_are_not_reached(tmp_path):
    for name in ("small/__init__.py", "small/numbers.py", "tests/test_numbers.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / "benchmarks").symlink_to(ROOT / "benchmarks")
    (tmp_path / "small/__init__.py").touch()
    (tmp_path / "small/numbers.py").write_text(SOURCE)
    (tmp_path / "tests/test_numbers.py").write_text(TESTS)
    package = Package("small", ["small"], ["tests"])
    drawn = list(package.mutants(tmp_path))
    outcomes = try_all(package, drawn, tmp_path, workers=1)
    status = {outcome.becomes: outcome.status for outcome in outcomes}
    assert status["while not (abs(x) > 1):"] == "killed"
    assert status["x += x // abs(x)"] == "timeout"
    assert status["return x - 1"] == "survived"
    assert (tmp_path / "small/numbers.py").read_text() == SOURCE
    score = Score("small", len(drawn), outcomes, [], 0.0)
    assert score.share == 1 - len(score.survivors) / len(drawn)
