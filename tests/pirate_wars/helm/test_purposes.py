"""Purposes of courses: words of known kinds that are true of where a course leads."""

import re
from math import dist

import pytest

from brickphys.pirate_wars.firing import enemy_aim, ready_guns
from brickphys.pirate_wars.helm.plans import PirateThinker
from brickphys.pirate_wars.orders import touched
from brickphys.pirate_wars.sailing import FallOff, begin_move
from brickphys.pirate_wars.sheets import Role, ShipPlace
from brickphys.pirate_wars.state import Phase
from brickphys.rules.aims import Circle, Reach
from brickphys.rules.plans import LEVELS, Effort
from tests.cases import all_but
from tests.pirate_wars.battle import GAME, LAW, NAMES, random_states, setup
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.helm.test_tactics import WEAK, after, best, moving, pearl, with_aims

THINKER = PirateThinker(LAW)
SHIP = r"[a-z0-9 ]+"
KINDS = re.compile(
    rf"holds|falls off|((holds|falls off), )?(leaves the sea|rams {SHIP}|"
    rf"comes alongside {SHIP}?( to board)?|reaches its aim|"
    rf"brings (\d guns?|muskets) to bear on {SHIP}|stays on the sea|keeps off the lee shore|"
    rf"keeps out of irons|makes for its aim|cuts off {SHIP}|closes with {SHIP}?( to board| to ram)?|"
    rf"runs from {SHIP}|keeps (near|clear of) {SHIP}|sails on)"
)


def purposes(state):
    return {plan.purpose: plan for plan in THINKER.plans(state, Effort(LEVELS["hard"]))}


@pytest.mark.parametrize("name", all_but(NAMES, "duel_fair", "convoy_fair"))
def test_purposes_are_of_known_kinds_and_true_of_where_the_course_leads(name):
    """A ram says that it rams, and nothing else does; the same of the border, of contact, and of guns."""
    at_sea = [
        state
        for state in random_states(setup(name), 4)
        if state.phase in (Phase.MOVEMENT, Phase.FALLING_OFF)
        and GAME.actor(state) >= 0
        and THINKER.is_open(state)
        and not state.pending
    ]
    for state in at_sea[::5][:25]:
        for plan in THINKER.plans(state, Effort(LEVELS["hard"])):
            check(state, plan)


def check(state, plan):
    assert KINDS.fullmatch(plan.purpose), plan.purpose
    end = state
    for action in plan.actions:
        end = action.apply(end)
    does, _, told = plan.purpose.rpartition(", ")
    falls = state.phase is Phase.FALLING_OFF
    assert does in (("holds", "falls off") if falls else ("holds", "")) or told in ("holds", does)
    ship = next(n for n, _ in enumerate(state.ships) if state.called(n) == plan.unit)
    is_afloat = end.ships[ship].is_afloat
    assert (told == "leaves the sea") is not is_afloat
    if not is_afloat:
        return
    hit = {pair for pair in set(end.lashed) - set(state.lashed) if ship in pair}
    assert told.startswith("rams ") is bool(hit)
    for pair in hit:
        assert end.called(sum(pair) - ship) in told
    if not hit:
        assert told.startswith("comes alongside ") is bool(touched(end, ship))
    if told.startswith("brings ") and "muskets" not in told:
        aims = [enemy_aim(end, ship, gun) for gun in ready_guns(end, ship)]
        names = [end.called(aim.ship) for aim in aims if aim is not None]
        assert names.count(told.partition(" bear on ")[2]) == int(told.split()[1])


def test_a_ram_and_a_boarding_say_so():
    across = pearl(x=170, y=100, heading=90, player=1, crew=WEAK)
    assert best(moving(pearl(x=100, y=100), across)).purpose == "holds, rams b"
    beside = fleet(
        pearl(x=100, y=100, heading=170), pearl(x=100, y=117, player=1, crew=WEAK),
        phase=Phase.FALLING_OFF, active=0,
    )  # fmt: skip
    assert "falls off, comes alongside b to board" in purposes(beside)


def test_who_is_stronger_closes_in_and_who_is_weaker_runs():
    own, foe = pearl(x=100, y=100), pearl(x=330, y=160, heading=180, player=1, crew=WEAK)
    assert best(moving(own, foe)).purpose.startswith("closes with b to ")
    own = pearl(x=200, y=150, crew=WEAK, hull=2, sails=3)
    state = moving(own, pearl(x=330, y=160, heading=180, player=1), wind=180.0)
    plan = purposes(state)["runs from b"]
    place = state.ships[1].centre_studs
    away = [dist(one.ships[0].centre_studs, place) for one in (state, after(state, plan))]
    assert away[0] < away[1]


def test_guns_and_muskets_that_bear_are_told():
    state = moving(pearl(x=60, y=100), pearl(x=130, y=120, player=1, sails=1))
    state = state.change_minifig(1, place=ShipPlace.GUN, gun=0)
    assert "brings 1 gun to bear on b" in purposes(state)
    crew = (Role.CAPTAIN, *[Role.MARINE] * 8, *[Role.SAILOR] * 10)
    ship = boat("imperial_flagship", x=100, y=100, crew=crew)
    state = fleet(ship, pearl(x=100, y=113, player=1), phase=Phase.FALLING_OFF, active=0)
    assert "holds, brings muskets to bear on b" in purposes(state)


@pytest.mark.parametrize(
    ("ship", "wind", "told"),
    [
        ({"x": 100, "y": 220, "heading": 45}, 90.0, "keeps off the lee shore"),
        ({"x": 350, "y": 150, "heading": 0}, 90.0, "stays on the sea"),
    ],
)
def test_the_border_is_told(ship, wind, told):
    state = moving(pearl(**ship), pearl(x=60, y=40, player=1), wind=wind)
    assert told in purposes(state)


def test_a_carrier_makes_for_its_aim_and_reaches_it_and_is_cut_off():
    aims = (Reach(0, Circle((320.0, 100.0), 15.0), (0,)),)
    far = with_aims(fleet(pearl(x=60, y=140), pearl(x=120, y=250, player=1)), aims)
    assert "makes for its aim" in purposes(begin_move(far, 0))
    near = with_aims(fleet(pearl(x=245, y=100), pearl(x=120, y=250, player=1)), aims)
    assert best(begin_move(near, 0)).purpose == "reaches its aim"
    weak = with_aims(
        fleet(pearl(x=140, y=140, crew=WEAK), pearl(x=330, y=220, heading=180, player=1)), aims
    )
    hunter = weak.replaced({"order": (1, 0)})
    assert any(told == "cuts off a" for told in purposes(begin_move(hunter, 1)))


def test_who_falls_off_says_why():
    state = fleet(
        pearl(x=200, y=100, heading=180), pearl(x=60, y=250, player=1), phase=Phase.FALLING_OFF,
        active=0,
    )  # fmt: skip
    assert FallOff.legal(state)
    assert best(state).purpose == "falls off, keeps out of irons"
