"""Battles as PettingZoo environments; skipped where the extra is not installed."""

from fractions import Fraction

import pytest

from brickphys.bow.scenario import SCENARIOS
from brickphys.odds.law import BinomialLaw
from tests.bow.battle import GAME
from tests.cases import few

pytest.importorskip("pettingzoo", reason="needs the extra pettingzoo")

from pettingzoo.test import api_test, seed_test

from brickphys.battles.pettingzoo_env import GameEnv

LAW = BinomialLaw(Fraction(3, 10))
NAMES = ("duel", "princess", "ambush")


def env(name: str) -> GameEnv:
    return GameEnv(GAME, SCENARIOS[name], LAW, max_steps=400)


# api_test warns of every dictionary with a mask, save from games on its own list (chess, go, connect four ...), and of
# the empty mask of a game that is over.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning")
@pytest.mark.parametrize("name", NAMES)
def test_a_battle_passes_pettingzoo_s_test_of_its_interface(name):
    api_test(env(name), num_cycles=1_000)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_battle(name):
    seed_test(lambda: env(name), num_cycles=300)


@pytest.mark.parametrize("name", few(SCENARIOS, 3))
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
