"""The compiled loops of bots are loaded before any test of theirs."""

import pytest

from brickphys.pirate_wars.helm.plans import PirateThinker
from brickphys.pirate_wars.state import Phase
from brickphys.rules.plans import LEVELS, Effort
from tests.pirate_wars.battle import LAW, random_states, setup


@pytest.fixture(scope="session", autouse=True)
def _planned():
    thinker = PirateThinker(LAW)
    moving = (state for state in random_states(setup(), 1) if state.phase is Phase.MOVEMENT)
    thinker.plans(next(moving), Effort(LEVELS["hard"]))
