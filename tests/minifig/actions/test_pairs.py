"""The round of a figure: it is taken, does one of the seven pairs of actions, picks up weapons, is done (MF Rules)."""

import pytest

from brickphys.minifig.actions import Exchange, PickUp, TakeFigure
from brickphys.minifig.setting import WallSpec
from brickphys.minifig.shooting import SHOTS
from brickphys.minifig.state import Deed, FigureStep, State
from tests.minifig.small_battle import battle, fighter, listed, played, read, why_not

WALKS, MOUNTS = ("take tom", "go 5 12 90"), ("take tom", "mount bay")
RIDES, STAYS = ("take kit", "go 20 20 0"), ("take kit", "dismount 5 19.36")


def field(**changes) -> State:
    """Tom on foot beside the horse bay, kit on the horse roan; an axe at 12 5, a club beside kit."""
    return battle(
        fighter("tom", 5, 5, "sword", **changes),
        fighter("kit", 5, 20, "spear", horse="roan"),
        things={
            "bay": ("horse", 5, 5.65),
            "roan": ("horse", 0, 0),
            "cart": ("wagon", 6.35, 5),
            "dray": ("wagon", 5, 21.35),
        },
        lying={"axe": ("axe", 5, 12), "club": ("club", 5, 19.2), "mace": ("club", 20, 19.2)},
    )


@pytest.mark.parametrize(
    ("moves", "deed"),
    [
        # Move; Move and fight hand-to-hand: who has only moved attacks
        (("take tom", "go 3 5 90"), Deed.MOVED),
        (("take tom", "haul cart 12 5"), Deed.MOVED),
        (("take tom", "done"), Deed.MOVED),
        (("take kit", "go 20 30 0"), Deed.MOVED),
        (("take kit", "haul dray 5 12"), Deed.MOVED),
        ((*WALKS, "done"), Deed.MOVED),
        # Move and pick up a weapon, tool etc
        ((*WALKS, "pick_up axe"), Deed.OTHER),
        ((*WALKS, "exchange axe tom_sword"), Deed.OTHER),
        # Move, then dismount and pick up a weapon
        ((*RIDES, "dismount 20 19.36", "pick_up mace"), Deed.OTHER),
        ((*RIDES, "dismount 20 19.36", "done"), Deed.OTHER),
        # Mount a horse, then move
        ((*MOUNTS, "go 5 15 0"), Deed.OTHER),
        ((*MOUNTS, "done"), Deed.OTHER),
        # MF Picking Up Weapons: one turn to dismount, pick up and remount
        ((*STAYS, "pick_up club", "mount roan"), Deed.OTHER),
        ((*STAYS, "pick_up club", "done"), Deed.OTHER),
        ((*STAYS, "mount roan"), Deed.OTHER),
        ((*STAYS, "done"), Deed.OTHER),
    ],
)
def test_a_pair_of_actions_is_the_whole_round_of_a_figure(moves, deed):
    state = played(field(), *moves[:-1])
    figure = state.active
    assert figure is not None
    state = played(state, moves[-1])
    assert state.active is None
    assert state.figures[figure].deed is deed


NO_PAIR = "no pair of actions continues with"


@pytest.mark.parametrize(
    ("moves", "forbidden", "done"),
    [
        (WALKS, "go 5 10 90", "has moved"),
        (WALKS, "mount bay", "has moved"),
        (WALKS, "haul cart 9 5", "has moved"),
        (MOUNTS, "dismount 5 5", "has mounted"),
        (MOUNTS, "pick_up axe", "has mounted"),
        (MOUNTS, "exchange axe tom_sword", "has mounted"),
        (MOUNTS, "mount bay", "has mounted"),
        (RIDES, "mount roan", "has moved"),
        ((*RIDES, "dismount 20 19.36"), "mount roan", "has moved and dismounted"),
        ((*RIDES, "dismount 20 19.36"), "go 9 9 0", "has moved and dismounted"),
        (STAYS, "go 5 12 0", "has dismounted"),
        (STAYS, "haul dray 5 12", "has dismounted"),
        (STAYS, "dismount 5 19", "has dismounted"),
        ((*STAYS, "pick_up club"), "pick_up axe", "has dismounted and picked something up"),
        ((*STAYS, "pick_up club"), "go 5 12 0", "has dismounted and picked something up"),
    ],
)
def test_what_goes_with_nothing_that_was_done_before(moves, forbidden, done):
    state = played(field(), *moves)
    name, word = moves[0].removeprefix("take "), forbidden.split()[0]
    assert why_not(state, forbidden) == [f"{name} {done}: {NO_PAIR} {word!r} (MF Rules)"]
    assert not listed((type(read(forbidden)),), state)


def test_who_moves_where_nothing_lies_is_done_by_itself():
    assert played(field(), "take tom", "go 3 5 90").active is None
    assert played(field(), "take kit", "go 20 30 90").active is None
    state = played(field(), "take tom", "go 5 12 90")
    assert (state.active, state.step) == (0, FigureStep.MOVED)


def test_who_moves_to_a_weapon_without_hands_is_done_by_itself():
    state = played(field(kind="dog"), "take tom", "go 5 12 90")
    assert (state.active, state.figures[0].deed) == (None, Deed.MOVED)


def test_a_rider_who_moves_first_mounts_again_in_the_next_round():
    state = played(
        field(), "take kit", "go 20 20 0", "dismount 20 19.36", "pick_up mace"
    ).change_figure(1, deed=Deed.NOTHING)
    state = state.replaced({"round": state.round + 1})
    state = played(state, "take kit", "mount roan", "go 20 30 0")
    assert (state.figures[1].horse, state.figures[1].place_in) == (1, (20, 30))
    assert [state.setting.items[item].name for item in state.held[1]] == ["kit_spear", "mace"]


def shooting_range() -> State:
    """A bow, an empty crossbow beside a horse, a spear on horseback, a full and an empty catapult; an enemy, a wall."""
    state = battle(
        fighter("ann", 5, 5, "bow"),
        fighter("bee", 5, 10, "crossbow"),
        fighter("cat", 5, 15, "spear", horse="roan"),
        fighter("dee", 5, 20),
        fighter("eve", 5, 25),
        fighter("bob", 20, 12, facing=180.0, player=1),
        things={
            "roan": ("horse", 0, 0),
            "bay": ("horse", 5, 10.65),
            "onager": ("big_catapult", 6.6, 20),
            "sling": ("small_catapult", 6.15, 25),
        },
        lying={"club": ("club", 5, 5.3)},
        walls=(WallSpec("yard", 30.0, 20.0, 180.0, 12, 4),),
    )
    return state.change_item(1, is_loaded=False).change_thing(3, is_loaded=False)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ann", "shoot bob"),  # Shoot a bow, crossbow, catapult
        ("cat", "throw bob"),
        ("dee", "launch bob"),
        ("dee", "besiege yard"),
        ("bee", "reload bee_crossbow"),  # Reload
        ("eve", "reload sling"),
    ],
)
def test_to_shoot_or_to_reload_is_the_whole_round_of_a_figure(name, text):
    state = played(shooting_range(), f"take {name}")
    assert text in listed(SHOTS, state)
    figure = state.active
    state = played(state, text)
    assert (state.active, state.figures[figure].deed) == (None, Deed.OTHER)
    assert why_not(state, f"take {name}") == [f"{name} has already acted in this round (MF Rules)"]


@pytest.mark.parametrize(
    ("moves", "done"),
    [
        (("take ann", "go 5 5 90"), "has moved"),
        (("take bee", "mount bay"), "has mounted"),
        (("take cat", "dismount 5 14.35"), "has dismounted"),
        (("take cat", "go 6.2 5.3 0", "dismount 5.56 5.4"), "has moved and dismounted"),
    ],
)
@pytest.mark.parametrize(
    "forbidden", ["shoot bob", "throw bob", "launch bob", "besiege yard", "reload bee_crossbow"]
)
def test_who_has_done_anything_else_neither_shoots_nor_reloads(moves, done, forbidden):
    state = played(shooting_range(), *moves)
    name, word = moves[0].removeprefix("take "), forbidden.split()[0]
    assert why_not(state, forbidden) == [f"{name} {done}: {NO_PAIR} {word!r} (MF Rules)"]
    assert not listed(SHOTS, state)


SIDE = battle(
    fighter("tom", 5, 5, "sword"),
    fighter("tim", 7, 5, deed=Deed.OTHER),
    fighter("ted", 9, 5, is_alive=False),
    fighter("tab", 11, 5, "bow"),
    fighter("bob", 20, 5, "axe", player=1),
)


def test_own_figures_that_have_done_nothing_are_taken_in_any_order():
    assert listed((TakeFigure,), SIDE) == ["take tom", "take tab"]
    assert played(SIDE, "take tab").active == 3


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("tam", "unknown figure 'tam': did you mean 'tom'? (MF Rules)"),
        ("tim", "tim has already acted in this round (MF Rules)"),
        ("ted", "ted is eliminated (MF Resolving Combat)"),
        ("bob", "bob belongs to blue (MF Rules)"),
    ],
)
def test_who_cannot_be_taken(name, problem):
    assert why_not(SIDE, f"take {name}") == [problem]


@pytest.mark.parametrize(
    ("step", "deed"),
    [
        (FigureStep.CHOSEN, Deed.MOVED),
        (FigureStep.MOVED, Deed.MOVED),
        (FigureStep.MOUNTED, Deed.OTHER),
        (FigureStep.DISMOUNTED, Deed.OTHER),
        (FigureStep.ON_FOOT, Deed.OTHER),
        (FigureStep.PICKED_UP, Deed.OTHER),
    ],
)
def test_only_who_has_moved_or_stayed_attacks(step, deed):
    state = played(SIDE.replaced({"active": 0, "step": step}), "done")
    assert (state.active, state.step, state.figures[0].deed) == (None, FigureStep.CHOSEN, deed)


def test_nobody_is_done_who_was_not_taken():
    assert why_not(SIDE, "done") == ["take a figure first (MF Rules)"]


def test_the_end_leaves_all_others_of_the_side_as_they_are():
    state = played(SIDE, "end")
    assert [one.deed for one in state.figures] == [
        Deed.MOVED,
        Deed.OTHER,
        Deed.NOTHING,  # eliminated
        Deed.MOVED,
        Deed.NOTHING,  # of the other side
    ]
    assert not listed((TakeFigure,), state)


WEAPONS = battle(
    fighter("tom", 5, 5, "sword"),
    fighter("tim", 10, 5, "sword", "shield", "helmet"),
    fighter("rex", 15, 5, kind="dog"),
    fighter("kit", 20, 5, horse="roan"),
    things={"roan": ("horse", 0, 0)},
    lying={
        "axe": ("axe", 5, 5.2),
        "club": ("club", 10, 5.2),
        "bow": ("bow", 10, 4.8),
        "spear": ("spear", 15, 5.1),
        "mace": ("club", 20, 5.3),
    },
)


def hands(state: State, figure: int) -> set[str]:
    return {state.setting.items[item].name for item in state.held.get(figure, ())}


def test_a_free_hand_picks_up():
    state = played(WEAPONS, "take tom")
    assert listed((PickUp, Exchange), state) == ["pick_up axe"]
    state = played(state, "pick_up axe")
    assert hands(state, 0) == {"tom_sword", "axe"}
    assert state.items[state.setting.item_numbers["axe"]].at_in is None


def test_full_hands_exchange_each_for_each_and_what_is_worn_takes_none():
    state = played(WEAPONS, "take tim")
    assert listed((PickUp, Exchange), state) == [
        "exchange club tim_sword",
        "exchange club tim_shield",
        "exchange bow tim_sword",
        "exchange bow tim_shield",
    ]
    state = played(state, "exchange bow tim_shield")
    assert hands(state, 1) == {"tim_sword", "bow"}
    shield = state.items[state.setting.item_numbers["tim_shield"]]
    assert (shield.holder, shield.at_in) == (None, (10, 5))


def test_a_free_hand_may_exchange_too():
    state = played(WEAPONS, "take tom", "exchange axe tom_sword")
    assert hands(state, 0) == {"axe"}


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("tom", "pick_up exe", "unknown item 'exe': did you mean 'axe'?"),
        ("tom", "pick_up club", "club lies 5.00 in from tom, out of reach"),
        ("tom", "pick_up tim_sword", "tim_sword is not on the table"),
        ("tim", "pick_up club", "tim has tim_sword and tim_shield in hand: use exchange"),
        ("tim", "exchange club tim_sward", "unknown item in the hands of tim 'tim_sward': did you"),
        ("tim", "exchange club axe", "unknown item in the hands of tim 'axe': known: tim_sword"),
        ("rex", "pick_up spear", "rex has no hands"),
        ("rex", "exchange spear axe", "rex has no hands"),
        ("kit", "pick_up mace", "kit rides, and must dismount first"),
    ],
)
def test_what_cannot_be_picked_up(name, text, problem):
    state = played(WEAPONS, f"take {name}")
    first = why_not(state, text)[0]
    assert first.startswith(problem)
    assert first.endswith("(MF Picking Up Weapons)")
    assert text not in listed((PickUp, Exchange), state)


@pytest.mark.parametrize("name", ["rex", "kit"])
def test_dogs_and_riders_hold_and_reach_nothing(name):
    assert not listed((PickUp, Exchange), played(WEAPONS, f"take {name}"))


def test_a_crossbow_stays_loaded_or_not_from_hand_to_hand():
    state = battle(fighter("tom", 5, 5), lying={"arbalest": ("crossbow", 5, 5)})
    for is_loaded in (True, False):
        after = played(state.change_item(0, is_loaded=is_loaded), "take tom", "pick_up arbalest")
        assert after.items[0].is_loaded is is_loaded
