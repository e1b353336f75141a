"""The seven pairs of actions of a round, and every combination that is none (MF Rules)."""

import pytest

from brickphys.minifig.actions import EndFigure, Exchange, PickUp, TakeFigure
from brickphys.minifig.movement import Dismount, Go, HaulWagon, Mount
from brickphys.minifig.setting import WallSpec
from brickphys.minifig.shooting import Besiege, Launch, ReloadWeapon, ShootBow, ThrowSpear
from brickphys.minifig.state import Deed, FigureStep, State
from tests.minifig.small_battle import battle, fighter, listed, played, read, why_not

SHOTS = (ShootBow, ThrowSpear, Launch, Besiege, ReloadWeapon)
TYPES = (TakeFigure, Go, HaulWagon, Mount, Dismount, PickUp, Exchange, EndFigure, *SHOTS)

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
    state = played(TYPES, field(), *moves[:-1])
    figure = state.active
    assert figure is not None
    state = played(TYPES, state, moves[-1])
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
    state = played(TYPES, field(), *moves)
    name, word = moves[0].removeprefix("take "), forbidden.split()[0]
    assert why_not(TYPES, state, forbidden) == [f"{name} {done}: {NO_PAIR} {word!r} (MF Rules)"]
    assert not listed((type(read(TYPES, forbidden)),), state)


def test_who_moves_where_nothing_lies_is_done_by_itself():
    assert played(TYPES, field(), "take tom", "go 3 5 90").active is None
    assert played(TYPES, field(), "take kit", "go 20 30 90").active is None
    state = played(TYPES, field(), "take tom", "go 5 12 90")
    assert (state.active, state.step) == (0, FigureStep.MOVED)


def test_who_moves_to_a_weapon_without_hands_is_done_by_itself():
    state = played(TYPES, field(kind="dog"), "take tom", "go 5 12 90")
    assert (state.active, state.figures[0].deed) == (None, Deed.MOVED)


def test_a_rider_who_moves_first_mounts_again_in_the_next_round():
    state = played(
        TYPES, field(), "take kit", "go 20 20 0", "dismount 20 19.36", "pick_up mace"
    ).change_figure(1, deed=Deed.NOTHING)
    state = state.replaced({"round": state.round + 1})
    state = played(TYPES, state, "take kit", "mount roan", "go 20 30 0")
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
    state = played(TYPES, shooting_range(), f"take {name}")
    assert text in listed(SHOTS, state)
    figure = state.active
    state = played(TYPES, state, text)
    assert (state.active, state.figures[figure].deed) == (None, Deed.OTHER)
    assert why_not(TYPES, state, f"take {name}") == [
        f"{name} has already acted in this round (MF Rules)"
    ]


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
    state = played(TYPES, shooting_range(), *moves)
    name, word = moves[0].removeprefix("take "), forbidden.split()[0]
    assert why_not(TYPES, state, forbidden) == [f"{name} {done}: {NO_PAIR} {word!r} (MF Rules)"]
    assert not listed(SHOTS, state)
