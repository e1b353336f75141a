"""Battles as PettingZoo environments; skipped where the extra is not installed."""

from fractions import Fraction

import pytest

from brickphys.bow.scenario import SCENARIOS
from brickphys.odds.law import BinomialLaw
from tests.bow.battle import GAME
from tests.cases import few

pytest.importorskip("pettingzoo", reason="needs the extra pettingzoo")

from brickphys.battles.pettingzoo_env import GameEnv

LAW = BinomialLaw(Fraction(3, 10))


@pytest.mark.parametrize("name", few(SCENARIOS))
def test_every_battle_fits_the_usual_spaces(name):
    """With the usual number of actions and length of text; the same random player never meets a refusal."""
    battle = GameEnv(GAME, SCENARIOS[name], LAW)
    battle.reset(seed=5)
    for agent in battle.possible_agents:
        battle.action_space(agent).seed(5)
    for agent in battle.agent_iter(max_iter=600):
        observation, _, over, cut, _ = battle.last()
        assert battle.observation_space(agent).contains(observation)
        mask = None if over or cut else observation["action_mask"]
        battle.step(None if mask is None else battle.action_space(agent).sample(mask))
