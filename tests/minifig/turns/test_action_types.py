"""The kind of what a figure does is chosen first where there are several; then its details (MF Rules)."""

import pytest

from brickphys.minifig.state import State
from brickphys.minifig.turns import ChooseKind, kinds
from tests.cases import all_but
from tests.minifig.battle import GAME, NAMES, played, random_states, setup
from tests.minifig.small_battle import battle, fighter

FOE = fighter("bob", 16, 10, player=1)


def archer() -> State:
    """Tom acts; he has a bow, and an axe lies in touch."""
    lying = {"axe": ("axe", 4.6, 10)}
    return battle(fighter("tom", 4, 10, "bow", "shield"), FOE, active=0, lying=lying)


def listed(state: State) -> list[str]:
    return [GAME.format_action(action) for action in GAME.actions(state)]


def test_the_kinds_are_listed_where_there_are_several():
    assert listed(archer()) == ["do go", "do exchange", "do shoot", "done"]


def test_after_the_kind_only_its_details_are_listed():
    assert listed(played(archer(), "do shoot")) == ["shoot bob"]
    goes = listed(played(archer(), "do go"))
    assert goes[0] == "go 4 10 0"
    assert {text.split()[0] for text in goes} == {"go"}


def test_a_single_kind_is_not_chosen():
    state = battle(fighter("tom", 4, 10, "sword"), FOE, active=0)
    assert {text.split()[0] for text in listed(state)} == {"go", "done"}
    assert listed(played(state, "do go"))[0] == "go 4 10 0"


def test_a_complete_action_is_legal_before_and_after_a_kind():
    assert played(archer(), "shoot bob") == played(archer(), "do shoot", "shoot bob")
    assert played(archer(), "do go", "shoot bob") == played(
        archer(), "do go", "do shoot", "shoot bob"
    )
    assert played(archer(), "do go", "done").active is None


def test_no_menu_is_left_when_the_figure_has_acted():
    for end in ("do go, go 8 10 0", "do exchange, exchange axe tom_bow", "do shoot, shoot bob"):
        assert played(archer(), *end.split(", ")).menu == ""


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("reload", "there is nothing to reload"), ("throw", "there is nothing to throw")],
)
def test_a_kind_of_which_nothing_is_possible_is_illegal(kind, reason):
    assert GAME.problems(archer(), ChooseKind(kind)) == [f"{reason} (MF Rules)"]


def test_a_search_looks_through_the_choice_of_a_kind():
    assert GAME.settled(archer())
    assert not GAME.settled(played(archer(), "do go"))
    assert GAME.settled(played(archer(), "do shoot", "shoot bob"))


def test_the_choice_is_written_and_read():
    state = next(state for state in random_states(setup(), 1) if state.menu)
    assert GAME.parse_state(GAME.format_state(state)) == state


@pytest.mark.parametrize("name", all_but(NAMES, "raid_fair", "siege"))
def test_a_kind_is_possible_where_an_action_of_it_is_legal(name):
    """In random battles; what is worked out quickly is what the list says."""
    found = set()
    for state in random_states(setup(name), 5):
        if state.active is not None:
            legal = [kind for kind in ChooseKind.types if any(kind.legal(state))]
            assert list(kinds(state)) == legal
            found.update(legal)
    assert len(found) > 1
