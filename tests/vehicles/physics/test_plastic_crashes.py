"""Crashes that bounce little or not at all, against the formulas for one dimension: nothing is pushed that leans."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from brickphys.throws.conditions import ContactCoefficients
from brickphys.vehicles.crash import mass_of, simulated
from brickphys.vehicles.scene import Bounds, Fixture, Scene, Vehicle
from tests.cases import few_rows

BOX = Vehicle("mover", 10.0, 16.0, 0.0, 8.0, 6.0)
OTHER = replace(BOX, id="other", x_studs=40.0)
WALL = Fixture("other", ((36.0, 6.0), (44.0, 6.0), (44.0, 26.0), (36.0, 26.0)), top_plates=9.0)
PARTNERS = {
    "equal": (BOX, OTHER),
    "twice the mass": (BOX, replace(OTHER, length_studs=16.0)),
    "half the mass": (replace(BOX, length_studs=16.0), OTHER),
    "wider": (BOX, replace(OTHER, width_studs=12.0)),
    "away": (BOX, replace(OTHER, speed=1)),
    "head-on": (BOX, replace(OTHER, speed=3, heading_deg=180.0)),
    "wall": (BOX, WALL),
}
ICE = ContactCoefficients(0.0, 0.0)
FRONTS_STUDS = {"wall": 36.0, "twice the mass": 32.0}
CASES = [
    (partners, restitution, speed)
    for partners, restitution, speed in product(PARTNERS, (0.0, 0.05, 0.1), (1, 2, 6, 12))
    if (partners, speed) != ("away", 1)  # it never comes up
]
QUICK = [("equal", 0.0, 2), ("equal", 0.0, 1), ("away", 0.0, 2), ("head-on", 0.05, 2)]
GAPS_STUDS = (1.0, 1.034, 1.077)
"""At these distances a step sees the touch late by another share."""


@pytest.mark.parametrize(
    ("partners", "restitution", "speed"),
    few_rows([*QUICK, *(case for case in CASES if case not in QUICK)], len(QUICK)),
)
def test_an_impact_is_no_more_than_the_blow(partners, restitution, speed):
    """Impulse, delta-v and lost energy are those of the formulas, and the two have the speeds that follow from them."""
    mover, other = PARTNERS[partners]
    front = FRONTS_STUDS.get(partners, 36.0)
    masses = np.array([body.mass_g for body in map(mass_of, (mover, other)) if body])
    reduced_g = 1.0 / (1.0 / masses).sum()
    own = getattr(other, "speed", 0) * (-1 if partners == "head-on" else 1)
    closing_m_s = 0.1 * (speed - own)
    for gap in GAPS_STUDS:
        placed = replace(mover, x_studs=front - gap - mover.length_studs / 2, speed=speed)
        vehicles = (placed, other) if isinstance(other, Vehicle) else (placed,)
        decor = (other,) if isinstance(other, Fixture) else ()
        made = Scene(Bounds(80.0, 32.0), "mover", vehicles, (), decor)
        after_s = 0.02 + 0.4 * gap / (5 * speed)  # a move of 5 studs a point of speed takes 0.4 s
        between = replace(ICE, restitution=restitution)
        found = simulated(made, floor=ICE, between=between, limit_s=after_s - 0.4)
        impact = found.impacts[0]
        blow = (1 + restitution) * reduced_g * closing_m_s
        assert impact.closing_speed_m_s == pytest.approx(closing_m_s, rel=1e-6)
        assert impact.impulse_mn_s == pytest.approx(blow, rel=1e-3)
        assert impact.delta_v_m_s[: len(masses)] == pytest.approx(blow / masses, rel=1e-3)
        lost_mj = reduced_g * closing_m_s**2 / 2 * (1 - restitution**2)
        assert impact.energy_lost_mj == pytest.approx(lost_mj, rel=1e-3)
