"""A move is what it names, why it is refused and what it does: a tiny game of porters who lift boxes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

import pytest

from brickphys.errors import InvalidValueError
from brickphys.rules.moves import Among, Move
from brickphys.rules.words import Argument


@dataclass(frozen=True)
class Yard:
    """The strength of the porter who acts; the weights and the floors of boxes."""

    strength: int
    weights: tuple[tuple[str, int], ...] = (("anvil", 9), ("crate", 3), ("hat", 1))
    floors: tuple[tuple[str, int], ...] = (("anvil", 0), ("crate", 0), ("hat", 0))
    is_open: bool = True


def boxes(state: Yard, strength: int) -> Mapping[str, int]:
    return dict(state.weights)


FLOOR = Argument("floor such as 2", r"\d", int)


class YardMove(Move[Yard]):
    __slots__ = ()
    section = "YARD 1"

    @classmethod
    def actor(cls, state: Yard) -> tuple[int]:
        return (state.strength,)

    @classmethod
    def wrong_moment(cls, state: Yard) -> str | None:
        return None if state.is_open else "the yard is closed"


@dataclass(frozen=True, slots=True)
class Kick(YardMove):
    word = "kick"
    box: Annotated[str, Among("box", boxes, section="YARD 3")]

    def refusals(self, state: Yard, strength: int, weight: int) -> Iterator[str]:
        if weight > strength:
            yield f"{self.box} weighs {weight}"
        if self.box == "hat":
            yield "hats are not kicked (YARD 2)"

    def result(self, state: Yard, strength: int, weight: int) -> Yard:
        return replace(state, strength=strength - weight)


@dataclass(frozen=True, slots=True)
class Lift(Kick):
    word = "lift"
    floor: Annotated[int, FLOOR]

    @classmethod
    def listed(cls, state: Yard, strength: int) -> Iterator["Lift"]:
        return (cls(name, 1) for name, weight in state.weights if weight <= strength)

    def refusals(self, state: Yard, strength: int, weight: int, floor: int) -> Iterator[str]:
        if weight * floor > strength:
            yield f"{self.box} is too heavy for floor {floor}"

    def result(self, state: Yard, strength: int, weight: int, floor: int) -> Yard:
        return replace(state, strength=strength - weight * floor)


def nailed(state: Yard, floor: int, *before: int) -> str | None:
    assert before == (state.strength, 1)
    return f"floor {floor} is nailed up (YARD 4)" if floor > 2 else None


@dataclass(frozen=True, slots=True)
class Paint(YardMove):
    word = "paint"
    box: Annotated[str, Among("box", lambda *_: {"hat": 1})]
    floor: Annotated[int, Among("floor", None, FLOOR, refusal=nailed)]

    @classmethod
    def listed(cls, state: Yard, strength: int) -> Iterator["Paint"]:
        return (cls("hat", floor) for floor in (1, 2))

    def refusals(self, state: Yard, strength: int, box: int, floor: int) -> Iterator[str]:
        if floor > strength:
            yield "too high"

    def result(self, state: Yard, strength: int, box: int, floor: int) -> Yard:
        return replace(state, strength=strength - floor)


@dataclass(frozen=True, slots=True)
class Rest(YardMove):
    word = "rest"
    hours: Annotated[int, FLOOR]

    @classmethod
    def listed(cls, state: Yard, strength: int) -> Iterator["Rest"]:
        return map(cls, range(1, 4))

    def result(self, state: Yard, strength: int, hours: int) -> Yard:
        return replace(state, strength=strength + hours)


def texts(kind: type[Move[Yard]], state: Yard) -> list[str]:
    return [move.text() for move in kind.legal(state)]


def test_by_default_the_names_without_refusals_are_listed():
    assert texts(Kick, Yard(5)) == ["kick crate"]
    assert texts(Kick, Yard(9)) == ["kick anvil", "kick crate"]


def test_listed_moves_may_stand_for_others_that_are_as_legal():
    assert texts(Lift, Yard(5)) == ["lift crate 1", "lift hat 1"]
    assert [*Lift("hat", 4).problems(Yard(5))] == []
    assert [*Lift("hat", 6).problems(Yard(5))] == ["hat is too heavy for floor 6 (YARD 1)"]


def test_by_default_a_move_is_refused_that_is_not_listed():
    assert [*Rest(3).problems(Yard(5))] == []
    (problem,) = Rest(4).problems(Yard(5))
    assert problem == "no such choice; nearest to it: rest 3, rest 2, rest 1 (YARD 1)"


def test_a_move_that_lists_and_refuses_nothing_is_always_legal():
    class Sing(YardMove):
        __slots__ = ()
        word = "sing"

    assert texts(Sing, Yard(5)) == ["sing"]
    assert [*Sing().problems(Yard(5))] == []
    assert texts(Sing, replace(Yard(5), is_open=False)) == []


def test_each_reason_has_one_section_its_own_before_that_of_the_move():
    state = replace(Yard(0), weights=(("hat", 1),))
    assert [*Kick("hat").problems(state)] == [
        "hat weighs 1 (YARD 1)",
        "hats are not kicked (YARD 2)",
    ]


def test_a_name_of_nothing_is_unknown_in_the_section_of_the_things_and_hides_the_refusals():
    (problem,) = Kick("crat").problems(Yard(5))
    assert problem == "unknown box 'crat': did you mean 'crate'? (YARD 3)"
    with pytest.raises(InvalidValueError, match="crat"):
        Kick("crat").apply(Yard(5))


def test_a_thing_that_cannot_be_named_is_the_only_reason():
    assert [*Paint("hut", 3).problems(Yard(0))] == [
        "unknown box 'hut': did you mean 'hat'? (YARD 1)"
    ]
    assert [*Paint("hat", 3).problems(Yard(0))] == ["floor 3 is nailed up (YARD 4)"]
    assert [*Paint("hat", 2).problems(Yard(0))] == ["too high (YARD 1)"]
    assert Paint("hat", 2).apply(Yard(5)).strength == 3


def test_at_the_wrong_moment_nothing_is_listed_and_there_is_one_reason():
    closed = replace(Yard(5), is_open=False)
    assert texts(Kick, closed) == texts(Lift, closed) == texts(Rest, closed) == []
    assert [*Kick("nothing").problems(closed)] == ["the yard is closed (YARD 1)"]


def test_a_move_applies_what_it_names_and_reads_as_it_is_written():
    assert Kick("crate").apply(Yard(5)).strength == 2
    assert Lift("hat", 4).apply(Yard(5)).strength == 1
    assert Rest(2).apply(Yard(5)).strength == 7
    for move in (Kick("crate"), Lift("hat", 4), Rest(2)):
        assert type(move).parse(move.text().split(" ")[1:]) == move


def test_arguments_that_are_values_must_be_listed_by_the_type():
    class Wait(YardMove):
        __slots__ = ()
        word = "wait"
        hours: Annotated[int, FLOOR]

    with pytest.raises(NotImplementedError, match="Wait: list what its arguments may be"):
        next(Wait.legal(Yard(5)))
