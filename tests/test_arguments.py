"""A call of a public function that does not fit is told in one line that says what fits."""

import ast
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import brickphys
from brickphys.errors import ArgumentError, ShortOfMemoryError, WorkerStartError
from brickphys.interface import public


@public("see the handbook")
def counted(
    count: int,
    span: tuple[float, float] | None = None,
    *,
    share: float = 0.5,
    name: str | Path = "",
    on: bool = True,
) -> object:
    """Return what was given.

    Parameters
    ----------
    count
        A number from 1 to ``9``.
    span, share
        Least and greatest.
    """
    return count, span, share, name, on


class Counter:
    @public()
    def count(self, most: int, *, by: int = 1) -> object:
        """Return what was given."""
        return most, by


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: Counter().count(), "count() lacks most: it takes most, by"),
        (lambda: Counter().count(1, 2), "count() has no place for 2: it takes most, by; give"),
        (lambda: Counter().count(1, zzz=2), "count() has no argument 'zzz': it takes most, by"),
        (lambda: Counter().count("1"), "count(): most: '1' is not a whole number"),
        (lambda: counted(), "counted() lacks count: it takes count, span, share, name, on"),
        (lambda: counted(1, cuont=2), "counted() has no argument 'cuont'; did you mean count?"),
        (lambda: counted(1, zzz=2), "counted() has no argument 'zzz': it takes count, span"),
        (lambda: counted(1, None, 3), "has no place for 3: it takes count, span, share, name, on; give "
         "the others by name (share=, name=, on=); see the handbook"),
        (lambda: counted(1, count=1), "counted() got count twice"),
        (lambda: counted("1"), "counted(): count: '1' is not a whole number; give: A number from 1 to 9"),
        (lambda: counted(True), "count: true is not a whole number"),
        (lambda: counted(1.0), "count: 1.0 is not a whole number; write 1"),
        (lambda: counted(np.eye(2)), "count: array([[1., 0.], [0., 1.]]) is not a whole number"),
        (lambda: counted(1, 5), "span: 5 is not a pair of numbers; give: Least and greatest"),
        (lambda: counted(1, (1, 2, 3)), "span: (1, 2, 3) is not a pair of numbers"),
        (lambda: counted(1, ("a", "b")), "span: ('a', 'b') is not a pair of numbers"),
        (lambda: counted(1, share=None), "share: None is not a number"),
        (lambda: counted(1, name=3), "name: 3 is not a text or a path"),
        (lambda: counted(1, on=1), "on: 1 is not True or False"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told(call, told):
    with pytest.raises(ArgumentError) as caught:
        call()
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, TypeError | brickphys.BrickphysError)


def test_a_table_where_a_file_is_wanted_is_told_how_to_write_it():
    table = pd.DataFrame({"bricks": [3, 3], "score": [1, 0]})
    with pytest.raises(ArgumentError) as caught:
        brickphys.infer(table)
    assert str(caught.value) == (
        "infer(): file: a DataFrame is not a path or a text; write it to a file first (to_csv('FILE', index=False)), "
        "and give 'FILE'"
    )


def test_a_battle_without_a_scenario_names_those_of_the_game():
    with pytest.raises(brickphys.BrickphysError, match=r"name a scenario of bow: .*duel.*skirmish"):
        brickphys.play("bow", seed=1)
    for name, meant in (
        ("BOW", "bow"),
        ("Blade & Bow", "blade_and_bow"),
        ("pirate wars", "pirate_wars"),
    ):
        with pytest.raises(brickphys.BrickphysError, match=f"did you mean '{meant}'"):
            brickphys.play(name)


def test_what_fits_is_passed_on_with_numbers_of_python():
    assert counted(3) == (3, None, 0.5, "", True)
    assert counted(3, [1, 2], share=0.5) == (3, [1, 2], 0.5, "", True)
    for quarter in (np.float32(0.25), Fraction(1, 4)):
        count, _, share, *_ = counted(np.int64(3), share=quarter)
        assert (type(count), type(share), count, share) == (int, float, 3, 0.25)


def test_a_fault_inside_a_function_is_not_taken_for_one_of_the_call():
    @public()
    def broken() -> None:
        raise TypeError("inside")

    with pytest.raises(TypeError, match=r"^inside$") as caught:
        broken()
    assert not isinstance(caught.value, ArgumentError)


SCENE = {
    "field": {"width": 48, "height": 32},
    "move": {"vehicle": "jeep"},
    "vehicle": [
        {"id": "jeep", "x": 10.0, "y": 16.0, "heading_deg": 0.0, "length": 10.0, "width": 6.0, "speed": 2}
    ],
    "unit": [{"id": "peasant", "x": 18.5, "y": 16.0}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: brickphys.odds(hp=3), "odds() has no argument 'hp'; did you mean health?"),
        (lambda: brickphys.odds(3), "odds() lacks defence: it takes attack, defence, law"),
        (lambda: brickphys.odds(3, 2, 0.3, 4), "odds() has no place for 4"),
        (lambda: brickphys.odds("3", 2), "odds(): attack: '3' is not a whole number; give: Numbers of"),
        (lambda: brickphys.throw((10, 10, 20)), '"cuboid:AxBxC"'),
        (lambda: brickphys.throw("2x2", "100"), "throw(): throws: '100' is not a whole number"),
        (lambda: brickphys.throw("2x2", n=100), "did you mean throws?"),
        (lambda: brickphys.laws("glass"), "laws() has no place for 'glass': it takes none; brickphys.law("),
        (lambda: brickphys.games("bow"), "brickphys.game('bow') returns one of them"),
        (lambda: brickphys.resolve({}), "scene: field: missing; move: missing; vehicle: missing"),
        (lambda: brickphys.resolve(3), "resolve(): source: 3 is not a Scene, a Collision, a path, a text or a dict"),
        (lambda: brickphys.play("bow"), "play(): name a scenario of bow: ambush, "),
        (lambda: brickphys.check_game(3), "check_game(): game: 3 is not a text or a Game"),
    ],
)  # fmt: skip
def test_what_a_newcomer_guesses_is_answered(call, told):
    with pytest.raises(brickphys.BrickphysError) as caught:
        call()
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_a_newcomer_guesses_works():
    one_height = brickphys.throw("2x2", 20, height_mm=200, seed=1, progress=False)
    assert one_height.cell.conditions.height_mm == (200, 200)
    listed = brickphys.throw("2x2", np.int64(20), height_mm=[200, 200], seed=1)
    assert listed.counts == one_height.counts
    assert brickphys.odds(np.int64(3), 2, 0.3) == brickphys.odds(3, 2, 0.3)
    hit = brickphys.resolve(SCENE)
    assert [one.id for one in hit.hits] == ["peasant"]
    assert brickphys.resolve(hit).move == hit.move
    assert brickphys.crash(hit).mover_id == "jeep"


def test_workers_that_cannot_start_are_told_at_the_line_of_the_caller():
    """A script without the guard sees its own line and the message, and none of ours but the last."""

    @public()
    def throws_much() -> None:
        deeper()

    def deeper() -> None:
        raise WorkerStartError("needs the guard") from ImportError("no such module")

    with pytest.raises(WorkerStartError, match="needs the guard") as caught:
        throws_much()
    assert [frame.name for frame in caught.traceback][1:] == ["checked"]
    assert isinstance(caught.value.__cause__, ImportError)
    assert caught.value.__suppress_context__


def test_no_check_is_an_assertion_which_python_o_leaves_out():
    """Assertions tell a type checker what is known: that a value is there, or of a type."""
    for path in Path(brickphys.__file__).parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "assert " in text else ():
            if isinstance(node, ast.Assert):
                claim = ast.unparse(node.test)
                is_of_type = claim.startswith("isinstance(") or claim.endswith(" is not None")
                assert is_of_type, f"{path}:{node.lineno}: {claim}"


def test_what_fails_for_want_of_memory_says_so_whatever_the_library_calls_it():
    @public()
    def load() -> None:
        try:
            raise OSError("libx.so: failed to map segment from shared object")
        except OSError:
            raise OSError("Could not find/load shared object file 'libx.so'") from None

    with pytest.raises(ShortOfMemoryError, match="memory is short: OSError: Could not find"):
        load()
