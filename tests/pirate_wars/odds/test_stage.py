"""The stage of the odds: two ships at a fixed distance, side by side or one across the bow of the other."""

from itertools import product

import pytest

from brickphys.pirate_wars.odds import FIRES, TARGET, manned, stage
from brickphys.pirate_wars.orders import gap_studs
from brickphys.pirate_wars.sheets import ships

PAIRS = list(product(ships().values(), repeat=2))


@pytest.mark.parametrize("rakes", [False, True])
def test_the_hulls_of_any_two_ships_are_as_far_apart(rakes):
    gaps = [gap_studs(stage(a, b, manned(b), rakes=rakes), FIRES, TARGET) for a, b in PAIRS]
    assert gaps == pytest.approx([4.0] * len(PAIRS), abs=1e-9)


def test_the_ships_lie_side_by_side_or_one_crosses_the_bow_of_the_other():
    fires, target = PAIRS[0]
    beside, across = (stage(fires, target, manned(target), rakes=rakes) for rakes in (False, True))
    assert [ship.pose.heading_deg for ship in beside.ships] == [0.0, 0.0]
    assert [ship.pose.heading_deg for ship in across.ships] == [90.0, 0.0]
    assert across.ships[FIRES].pose.y_studs == across.ships[TARGET].pose.y_studs
    assert beside.ships[FIRES].pose.x_studs == beside.ships[TARGET].pose.x_studs
