"""Whatever hits fall: what is lost is counted once, one unit a square, everybody on the map or in one box."""

from fractions import Fraction
from random import Random

import pytest

from brickphys.blade_and_bow.ground import front
from brickphys.blade_and_bow.notation import CODEC
from brickphys.blade_and_bow.pieces import Box, Stage
from brickphys.blade_and_bow.state import State
from brickphys.odds.law import BinomialLaw
from brickphys.rules.turn_state import PendingRoll
from tests.blade_and_bow.battle import battle
from tests.blade_and_bow.crowd import ground, scattered, square_names
from tests.blade_and_bow.fight import after
from tests.blade_and_bow.strikes import melee, volley
from tests.cases import few

LAW = BinomialLaw(Fraction(1, 2))
WIDTH = 5


def crowd(rng: Random) -> State:
    """Return a small map that is almost full, with leaders, camps and some hills and sea."""
    places = rng.sample(square_names(WIDTH), rng.randint(8, 16))
    pieces = [*scattered(rng, places, ranks=2, marks=("", "", "wall", "disrupted"))]
    pieces += [f"greeks leader miltiades {places[0]} 1-9-3/red"]
    pieces += [f"greeks leader callimachus {rng.choice(places[::2])} 2-4-2/red"]
    pieces += [f"persians leader datis {places[1]} 1-6-3/white"]
    pieces += [f"persians camp {rng.choice(places[1::2])}"] if rng.random() < 0.5 else []
    return battle(ground(rng, "....^~", WIDTH), *pieces)


def check(state: State, before: State) -> None:
    """Check that nothing is lost but what is counted."""
    squares = [now.square for now in state.units if now.square is not None]
    assert len(set(squares)) == len(squares)
    for piece in (*state.units, *state.leaders):
        assert (piece.square is not None) == (piece.box is Box.MAP)
    lost = [0, 0]
    for spec, now, was in zip(state.setting.units, state.units, before.units, strict=True):
        assert now.ranks + now.lost == was.ranks
        assert not (now.wall and now.disrupted) or state.pending
        lost[spec.player] += now.lost + (now.box is Box.ELIMINATED)
    assert state.losses == tuple(lost)
    assert not [fault for each in state.pending for fault in each.problems(state)]
    assert CODEC.parse(CODEC.format(state), lambda _: state.setting) == state
    mine, theirs = state.occupied
    assert not mine & theirs


@pytest.mark.parametrize("seed", few(range(4)))
def test_random_hits(seed: int) -> None:
    rng, seen = Random(seed), set()
    for _ in range(130):
        before = crowd(rng)
        grid, specs = before.setting.grid, before.setting.units
        pairs = [
            (specs[attacker].name, specs[before.at[square]].name)
            for attacker in before.on_map(0)
            if not before.units[attacker].disrupted
            for square in front(grid, before.units[attacker].square, before.units[attacker].facing)
            if before.at.get(square) in set(before.on_map(1))
        ]
        if not pairs:
            continue
        lead, target = rng.choice(pairs)
        others = [name for name, whom in pairs if whom == target and name != lead]
        hits = rng.randint(0, 8)
        if rng.random() < 0.3:
            state = volley(before, target, lead, hits=hits)
        else:
            state = melee(
                before, target, lead, *others, hits=hits, back=rng.choice((0, 0, 2, 4, 8))
            )
        state = after(state)
        while state.pending:
            check(state, before)
            first = state.pending[0]
            if isinstance(first, PendingRoll):
                move = rng.choice(list(first.event(state).law(LAW)))
            else:
                move = rng.choice([a for kind in first.answers for a in kind.legal(state)])
            seen.add(type(first).__name__)
            state = after(state, move)
            if state.combat.stage is not Stage.HITS:
                break  # a pursuit
        check(state, before)
    assert seen >= {"RecoilChoice", "RoutRoll", "SteadyRoll", "LeaderRoll", "AdvanceChoice"}
