"""Steps as sentences, as a viewer may know them."""

import pytest

from brickphys.blade_and_bow.combat.dice import Again, DieClass, Enough, Rerolls, Resolution
from brickphys.blade_and_bow.command.actions import EndAction
from brickphys.blade_and_bow.command.morale import RoutRoll
from brickphys.blade_and_bow.command.movement import Stay
from brickphys.blade_and_bow.deck import deck
from brickphys.blade_and_bow.deployment import (
    BeginWall,
    RankChoice,
    Ranks,
    WallChoice,
)
from brickphys.blade_and_bow.pieces import (
    Activation,
    BattleResult,
    Box,
    FormationOrder,
    Grade,
    Stage,
)
from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.story import step_text, story
from brickphys.rules.record import CHANCE, Ending, Record, Step
from brickphys.text import spoken
from tests.blade_and_bow.battle import battle, square, unit
from tests.blade_and_bow.strikes import fought

START = battle(
    "....\n....",
    "greeks hoplite B2 n +2",
    "greeks leader leonidas B2 1-6-3/red",
    "persians archers D1 w",
    "persians camp C1",
    hands=((4,), ()),
)


def told(after: State, viewer: int | None = None, before: State = START) -> str:
    """What a step is told as."""
    return step_text(before, Step(CHANCE, (), "", after), viewer)


HOPLITE, ARCHERS = range(2)
MOVES = START.replaced(
    {"activation": Activation(FormationOrder.MOVE, None, (HOPLITE,), closed=True, active=HOPLITE)}
)
B1 = square(START, "B1")
ROUTED, AWAY = (START.out_of_play(HOPLITE, box) for box in (Box.ROUTED, Box.WAITING))
TOLD = {
    "Hoplite moves to B1, facing ne (BB 7.1).": (MOVES, START.placed(HOPLITE, B1, 1)),
    "Hoplite is disrupted (BB 10).": (START, START.change_unit(HOPLITE, disrupted=True)),
    "Hoplite loses 1 rank (BB 9.4.7).": (START, START.change_unit(HOPLITE, ranks=1, lost=1)),
    "Hoplite routs (BB 9.4.10).": (START, ROUTED),
    "Hoplite fails to rally: eliminated (BB 5.5.2).": (
        ROUTED,
        ROUTED.out_of_play(HOPLITE, Box.ELIMINATED),
    ),
    "Hoplite is rallied (BB 5.5.2).": (ROUTED, ROUTED.out_of_play(HOPLITE, Box.RALLIED)),
    "Hoplite follows off the map (BB 9.4.11).": (START, START.out_of_play(HOPLITE, Box.RALLIED)),
    "Hoplite comes to B2, facing n, disrupted (BB 14.4).": (
        AWAY,
        START.change_unit(HOPLITE, disrupted=True),
    ),
    "Leonidas goes to A1 (BB 6.2).": (START, START.change_leader(0, square=square(START, "A1"))),
    f"Greeks discard {spoken(deck()[4].name)} (BB 4.2).": (
        START,
        START.replaced({"hands": ((), ()), "discards": (4,)}),
    ),
    "minor victory of greeks: why.": (
        START,
        START.replaced({"result": BattleResult(0, Grade.MINOR, "why")}),
    ),
}


@pytest.mark.parametrize("text", TOLD)
def test_what_has_changed_is_told_with_its_section(text: str) -> None:
    before, after = TOLD[text]
    assert told(after, before=before) == text


@pytest.mark.parametrize(
    ("order", "deed"),
    [(order, "attack" if order.value == "melee" else order.value) for order in FormationOrder],
)
def test_who_is_activated_is_told_as_a_sentence(order: FormationOrder, deed: str) -> None:
    alone, led = "Archers 1 is to", "Datis commands archers 1, archers 2 and left to"
    names = ("archers_1", "archers_2", "left")
    before = battle(
        "....\n....",
        "persians archers A1 n as=archers_1",
        "persians archers B1 n as=archers_2",
        "persians archers C1 n as=left",
        "persians leader datis B1 1-6-3/red",
    )
    units = tuple(unit(before, name) for name in names)
    for number, found, text in ((None, units[:1], alone), (0, units, led)):
        active = Activation(order, number, found, closed=True)
        assert (
            told(before.replaced({"activation": active}), before=before)
            == f"{text} {deed} (BB 3.5)."
        )


def test_a_unit_that_stays_is_told_of() -> None:
    assert step_text(MOVES, Step(0, Stay(), "stay", MOVES)) == "Hoplite stays (BB 7.0)."


def test_units_of_a_formation_that_do_nothing_are_told_of() -> None:
    units = ("archers A1 n as=archers_1", "archers B1 n as=archers_2", "spears C1 n")
    before = battle("....\n....", *(f"persians {one}" for one in units))
    for order, idle in (
        (FormationOrder.MOVE, "Archers 1, archers 2 and spears stay (BB 7.0)."),
        (FormationOrder.MELEE, "Archers 1, archers 2 and spears attack nobody (BB 3.5)."),
    ):
        active = Activation(order, 0, (0, 1, 2), closed=True, waiting=(0, 1, 2))
        state = before.replaced({"activation": active})
        assert step_text(state, Step(1, EndAction(), "done", before)) == idle


def test_who_routs_for_want_of_a_way_back_from_missiles_is_told_with_the_reason() -> None:
    before = battle("....", "greeks archers A1 e as=left", "persians archers C1 w disrupted")
    before = fought(before, "archers", ("left",), ranged=True)
    rolled = before.push_pending(RoutRoll(1))
    routed = before.out_of_play(1, Box.ROUTED)
    passed = Step(CHANCE, (1, 0), "", routed)
    assert step_text(rolled, passed) == (
        "Rout check of archers: pass.\nArchers have no way back from the missiles: rout (BB 8.5.3)."
    )
    failed = Step(CHANCE, (0, 1), "", routed)
    assert step_text(rolled, failed) == "Rout check of archers: fail.\nArchers rout (BB 9.4.10)."


def test_a_die_that_is_rolled_again_and_the_hits_that_are_left_are_told() -> None:
    before = battle(
        "...",
        "greeks spears A1 e",
        "persians hoplite B1 w +2",
        "greeks leader leonidas A1 1-6-3/red",
    )
    before = fought(before, "hoplite", ("spears",), ranged=False)
    before = before.change_combat(attack=(2, 1, 0), defence=(1, 3, 1), rerolls=(1, 0))
    choice = before.push_pending(Rerolls(0), Resolution())
    taken = Again(DieClass.BLANK).apply(choice)
    text = step_text(choice, Step(0, Again(DieClass.BLANK), "", taken))
    assert text == "Spears take up a blank (BB 9.4.6)."
    struck = taken.pop_pending().change_combat(attack=(3, 0, 0), stage=Stage.HITS)
    assert step_text(taken, Step(CHANCE, (1, 0, 0), "", struck)).split("\n") == [
        "Spears roll that die again: hit.",
        "3 hits less 1 cancel: 2 hits on hoplite (BB 9.4.7).",
        "1 hit on spears (BB 9.4.7).",
    ]
    assert "hits on" not in step_text(choice, Step(0, Enough(), "", choice.pop_pending()))


def test_the_hit_that_a_camp_cancels_is_told() -> None:
    before = battle(
        "...", "greeks spears A1 e", "persians spears B1 w as=guard", "persians camp B1"
    )
    before = fought(before, "guard", ("spears",), ranged=False)
    before = before.change_combat(attack=(2, 0, 0), defence=(0, 2, 1), rerolls=(0, 0))
    rolled = before.push_pending(Rerolls(0))
    after = rolled.pop_pending().change_combat(stage=Stage.HITS)
    assert step_text(rolled, Step(0, Enough(), "", after)).split("\n") == [
        "2 hits less 1 cancel: 1 hit on guard (BB 9.4.7).",
        "The camp cancels 1 hit (BB 12).",
    ]


@pytest.mark.parametrize(
    ("at", "why"),
    [
        ("D1", "Archers fall back off the map: eliminated (BB 9.4.8.1)."),
        ("B1", "Archers have no way back: eliminated (BB 9.4.8.1)."),
    ],
)
def test_who_is_eliminated_in_melee_is_told_with_the_reason(at: str, why: str) -> None:
    before = battle("....", "greeks hoplite C1 e as=lead", f"persians archers {at} w")
    before = fought(before, "archers", ("lead",), ranged=False)
    assert told(before.out_of_play(1, Box.ELIMINATED), before=before) == why


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_ranks_that_become_known_are_told(viewer: int | None) -> None:
    after = START.change_unit(unit(START, "hoplite"), seen=True)
    assert told(after, viewer) == "Ranks of hoplite are revealed: +2 (BB 2.3.2.8)."


@pytest.mark.parametrize(("viewer", "named"), [(None, True), (0, True), (1, False)])
def test_a_card_that_is_drawn_is_named_to_its_owner_only(viewer: int | None, named: bool) -> None:
    after = START.replaced({"hands": ((4, 7), ()), "deck": tuple(set(START.deck) - {7})})
    text = told(after, viewer)
    assert (spoken(deck()[7].name) in text) is named
    assert "(BB 5.1)" in text


@pytest.mark.parametrize(("viewer", "told_ranks"), [(None, True), (0, True), (1, False)])
def test_chosen_ranks_are_told_to_their_owner_only(viewer: int | None, told_ranks: bool) -> None:
    number = unit(START, "hoplite")
    before = START.push_pending(RankChoice(number))
    after = START.change_unit(number, ranks=3)
    text = step_text(before, Step(0, Ranks(3), "", after), viewer)
    assert ("Hoplite has 3 ranks more" in text) is told_ranks
    assert ("The ranks of hoplite are chosen" in text) is not told_ranks


def test_an_army_without_leaders_has_none_in_the_story() -> None:
    record = Record("", "", {}, START, (), Ending.LIMIT, None, ("greedy", "random"), 1)
    assert list(story(record))[:2] == [
        "greeks (greedy): 1 hoplite; leonidas.",
        "persians (random): 1 archers.",
    ]


def test_a_leader_who_goes_along_is_not_told() -> None:
    assert "leonidas" not in told(START.placed(HOPLITE, B1, 2)).lower()


def test_units_that_begin_in_a_shield_wall_together_are_counted() -> None:
    state = battle("....", "persians spears A1 w", "persians archers B1 w")
    state = state.push_pending(WallChoice(1))
    step = Step(1, BeginWall("army"), "wall army", BeginWall("army").apply(state))
    assert step_text(state, step) == "2 units form a shield wall (BB 13)."
