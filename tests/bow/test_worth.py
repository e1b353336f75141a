"""The worth of a battle: one sum for walkers, crews and vehicles, and the tables on which it rests."""

from fractions import Fraction

import numpy as np
import pytest

from brickphys.bow import bot, reach, worth
from brickphys.bow.sight import Visibility, sights
from brickphys.bow.terrain import Board, reachable, terrain
from brickphys.bow.threat import Shares
from brickphys.bow.worth import FEATURES, Worth, features
from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import opposed
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.players.worth import FittedWorth
from brickphys.rules.sources import LawSource
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle
from tests.cases import all_but

LAW = BinomialLaw(Fraction(1, 2))
WORTH = Worth(LAW)
AREA = [0, 0, 3, 3]


def points(battle: Battle, player: int = 0) -> float:
    return WORTH.points(battle.state, player, 1)


def test_shares_are_those_of_the_exact_law():
    shares = Shares(LAW)
    for attack, defence, health in ((3, 2, 1), (5, 3, 2), (2, 4, 3), (7, 0, 4)):
        law = shares.damage(attack, defence)
        assert law.sum() == pytest.approx(1.0)
        assert float(law @ np.arange(len(law))) == pytest.approx(
            float(opposed(attack, defence, LAW).expected_damage)
        )
        dead = float(opposed(attack, defence, LAW).kill(health))
        one = float(shares.of(attack, defence, health, 1))
        wounds = sum(law[n] * min(n, health) / health for n in range(len(law)))
        assert one == pytest.approx(0.6 * dead + 0.4 * wounds)
        assert one < float(shares.of(attack, defence, health, 2)) < 1.0


def test_steps_are_those_of_walks_over_the_decor():
    field = GAME.initial(GAME.setups["princess"]).setting.field
    ground = terrain(field)
    for start in (3, 200, 401, 900):
        if not ground.standable >> start & 1:
            continue
        steps = reachable(Board(ground), start, field.width * field.length).steps
        table = reach.steps_from(ground, 1 << start)
        assert {stud: int(table[stud]) for stud in steps} == steps
        assert int((table < reach.FAR).sum()) == len(steps)


def test_sight_between_blocks_is_nearly_that_between_studs():
    field = GAME.initial(GAME.setups["rocket"]).setting.field
    ground, rng = terrain(field), np.random.default_rng(3)
    free = reach.members(field, ground.standable)
    agreed = []
    for here in rng.choice(free, 8).tolist():
        there = rng.choice(free, 40).tolist()
        seen = sights(Board(ground), field.stances[here], [field.stances[one] for one in there])
        of_stud = reach.blocks(ground).of_stud
        row = reach.sight_between(ground)[of_stud[here]][of_stud]
        agreed += [
            (row[one] > 0) == (exact is not Visibility.HIDDEN)
            for one, exact in zip(there, seen, strict=True)
        ]
    assert np.mean(agreed) > 0.85


@pytest.mark.parametrize("name", all_but(sorted(GAME.setups), "flight"))
def test_what_is_won_by_one_of_two_is_lost_by_the_other(name):
    state = Battle(GAME.setups[name]).state
    mine, theirs = (WORTH.parts(state, team, 1) for team in (0, 1))
    for name in mine.keys() - {"near"}:
        assert mine[name] == pytest.approx(-theirs[name])
    assert -1.0 < WORTH.returns(state, 0) < 1.0


def duel(x: int = 10, damage: str = "") -> Battle:
    return Battle(
        setup(unit("a", "knight", "red", x, 5), unit("b", "knight", "blue", 28, 5, "w"), width=40)
    )


def test_nearer_is_better_as_long_as_nobody_strikes():
    worths = [points(duel(x)) for x in (2, 6, 10)]
    assert worths == sorted(worths)


def test_who_stands_in_the_way_of_the_next_blow_is_worth_less():
    """An archer in the open loses to one behind a wall that nobody sees through."""
    wall = [{"id": "wall", "block": [8, 0, 1, 10], "top": 20}]
    armies = unit("a", "archer", "red", 6, 5), unit("b", "archer", "blue", 20, 5, "w")
    hidden, seen = (Battle(setup(*armies, decor=decor)) for decor in (wall, []))
    team = WORTH.parts(hidden.state, 0, 1), WORTH.parts(seen.state, 0, 1)
    assert team[0]["next"] > team[1]["next"]


def jeep(*crew: str) -> Battle:
    units = [seated(seat, "driver", "red", "jeep", seat) for seat in crew]
    units += [unit("walker", "driver", "red", 5, 2)] * (len(crew) < 2)
    return Battle(
        setup(
            *units,
            unit("foe", "trooper", "blue", 28, 15, "w"),
            vehicles=[vehicle("jeep", "jeep", "red", 8.0, 10.0)],
        )
    )


def test_a_vehicle_with_a_driver_is_worth_more_than_one_without():
    begin = jeep("driver", "passenger")
    off = Battle(
        setup(
            seated("driver", "driver", "red", "jeep", "passenger"),
            unit("passenger", "driver", "red", 8, 5),
            unit("foe", "trooper", "blue", 28, 15, "w"),
            vehicles=[vehicle("jeep", "jeep", "red", 8.0, 10.0)],
        )
    )
    assert points(begin) > points(off)


def test_a_carrier_that_is_nearer_by_the_real_way_is_worth_more():
    def carrier(x: int, wall: bool) -> float:
        decor = [{"id": "wall", "block": [8, 0, 1, 18], "top": 20}] * wall
        return points(
            Battle(
                setup(
                    unit("princess", "basic_trooper", "red", x, 1, "w"),
                    unit("foe", "trooper", "blue", 28, 15, "w"),
                    decor=decor,
                    aims=[{"kind": "reach", "player": "red", "units": ["princess"], "area": AREA}],
                )
            )
        )

    assert carrier(20, False) < carrier(12, False) < carrier(6, False)
    assert carrier(12, True) < carrier(12, False)


@pytest.mark.parametrize("name", sorted(GAME.setups))
def test_the_estimate_of_one_of_two_players_is_minus_that_of_the_other(name):
    """In games of random moves: what one has the other lacks, to the last digit."""
    bots, source = [RandomBot(), RandomBot()], LawSource(LAW, 4)
    record = play(GAME, GAME.setups[name], bots, source, root=4, max_steps=120)
    for state in record.states[::11]:
        if state.round and state.result is None:
            rows = features(state)
            assert rows.shape == (2, len(FEATURES))
            assert rows[0].tolist() == (-rows[1]).tolist()
            one, other = GAME.estimate(state)
            assert one == -other
            assert -1.0 < one < 1.0
            assert GAME.hand_estimate(state) == bot.estimate(state)


def test_weights_of_other_parts_are_refused():
    with pytest.raises(InvalidValueError, match="features are"):
        FittedWorth.shipped("brickphys.bow", FEATURES[1:])
    assert min(worth.FITTED.weights) >= 0.0
