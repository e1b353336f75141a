"""The odds of a volley, against the laws of missiles and sums by hand (MF Projectiles)."""

from fractions import Fraction

import pytest

from brickphys.errors import InvalidValueError
from brickphys.minifig.odds import volley
from brickphys.odds.law import BinomialLaw
from brickphys.projectiles.shot import FINE, shot_law
from brickphys.projectiles.standing import Standing
from brickphys.projectiles.target import target
from brickphys.projectiles.weapons import weapon

P = Fraction(1, 4)
LAW = BinomialLaw(P)
INCH = 25.4


def exact(name, inches, body="foot", facing=180.0):
    """The law of one shot at a body alone."""
    return shot_law(
        weapon(name),
        (0.0, 0.0),
        [Standing(target(body), inches * INCH, 0.0, facing)],
        0,
        nodes=FINE,
    )


@pytest.mark.parametrize(("name", "inches", "body"), [("bow", 24, "foot"), ("spear", 12, "dog")])
def test_a_bb_eliminates_who_it_knocks_over_and_others_by_three_bricks(name, inches, body):
    law = exact(name, inches, body)
    knocked, hit = float(law.knocked_by(0).share), float(law.aim.hit[0])
    found = volley(name, LAW, inches, 4, body)
    kill = found.chances["a shot eliminates"]
    assert float(kill) == pytest.approx(knocked + (hit - knocked) * (1 - 0.75**3), abs=1e-5)
    assert found.chances["any of them eliminates"] == 1 - (1 - kill) ** 4
    spread = found.laws["figures that are eliminated"]
    assert spread.probability(2) == 6 * kill**2 * (1 - kill) ** 2
    assert sum(spread.values()) == 1


@pytest.mark.parametrize(("name", "bricks"), [("small_catapult", 3), ("big_catapult", 5)])
def test_a_stone_eliminates_by_bricks_one_less_after_a_bounce_and_none_rolling(name, bricks):
    direct, bounced, _ = exact(name, 30).aim.by_phase[0]
    found = volley(name, LAW, 30)
    expected = direct * (1 - 0.75**bricks) + bounced * (1 - 0.75 ** (bricks - 1))
    assert float(found.chances["a shot eliminates"]) == pytest.approx(expected, abs=1e-5)
    assert float(found.chances["it does nothing"]) == pytest.approx(1 - direct - bounced, abs=1e-5)


def test_a_wall_and_the_side_matter():
    def kill(**given):
        return volley("bow", LAW, 18, **given).chances["a shot eliminates"]

    assert kill(body="foot:wall2") < kill()
    assert kill(side="side") < kill()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"missile": "bwo"}, "unknown missile 'bwo': did you mean 'bow'"),
        ({"missile": "spear"}, "spear: range 24 in must be above 0 and at most 20 in"),
        ({"missile": "bow", "shots": 0}, "shots: 0 is outside 1..60"),
        ({"missile": "bow", "body": "fot"}, "unknown body 'fot'"),
        ({"missile": "bow", "range_in": -1.0}, "bow: range"),
    ],
)
def test_volleys_that_cannot_be(given, says):
    with pytest.raises(InvalidValueError, match=says):
        volley(given.pop("missile"), LAW, **given)


def test_a_stone_over_a_wall_has_twice_the_scatter():
    given = weapon("big_catapult")
    wide = given.scattered(2.0)
    assert vars(wide.scatter) == {name: 2 * each for name, each in vars(given.scatter).items()}
    there = [Standing(target("foot"), 30 * INCH, 0.0, 180.0)]
    direct, *_ = shot_law(wide, (0.0, 0.0), there, 0, nodes=FINE).aim.by_phase[0]
    found = volley("big_catapult", LAW, 30, indirect=True)
    assert float(found.chances["a shot hits directly"]) == pytest.approx(direct, abs=1e-5)
    assert "over a wall that hides it" in found.title


def test_only_catapults_throw_over_walls():
    with pytest.raises(InvalidValueError, match="a bow throws over no wall: small_catapult, big_"):
        volley("bow", LAW, indirect=True)
