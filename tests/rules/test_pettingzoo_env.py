"""Any game as a PettingZoo environment; skipped where the extra is not installed."""

import sys
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest

from brickphys.errors import BrickphysError, InvalidValueError, MissingExtraError
from brickphys.minifig.game import Minifig
from brickphys.odds.law import BinomialLaw
from brickphys.odds.law_choice import law as law_named
from brickphys.rules.play import play
from brickphys.rules.registry import game as game_named
from brickphys.rules.sources import LawSource
from tests.rules.card_game import Cards
from tests.rules.contest_game import Contest
from tests.rules.duel_game import Duel
from tests.rules.solo_game import Campaign

pytest.importorskip("pettingzoo", reason="needs the extra pettingzoo")

from pettingzoo.test import api_test, seed_test

from brickphys.battles.pettingzoo_env import GameEnv, TextEncoder

LAW = BinomialLaw(Fraction(1, 4))
GAMES = (Duel(), Cards(), Contest(), Campaign())


def make(game, **options):
    setup = next(iter(game.setups.values()))
    return GameEnv(game, setup, LAW, **options)


# api_test warns of every dictionary with a mask, save from games on its own list (chess, go, connect four ...), and of
# the empty mask of a game that is over.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning")
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_api(game):
    api_test(make(game), num_cycles=100)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_seed(game):
    seed_test(lambda: make(game), num_cycles=100)


def finish(env, choose):
    """Play to the end; the rewards that agents were given."""
    rewards = {}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        rewards[agent] = reward
        env.step(None if terminated or truncated else choose(env.action_texts()))
    return rewards


def test_an_episode_is_the_same_game_as_the_loop_plays():
    class Last:
        name = "last"

        def choose(self, view, actions, rng):
            return actions[-1]

    class Alike:
        """Answers at the address that the environment uses: the number of the step."""

        def answer(self, event, address):
            return source.answer(event, address[-1:])

    for seed in range(6):
        env, source = make(Duel()), LawSource(LAW, seed)
        env.reset(seed=seed)
        record = play(Duel(), Duel().setups["even"], [Last(), Last()], Alike(), root=seed)
        rewards = finish(env, lambda texts: len(texts) - 1)
        assert rewards == dict(zip(("player_0", "player_1"), record.returns, strict=True))
        assert env.render() == Duel().format_state(record.final)


def test_only_who_is_to_act_has_actions():
    env = make(Cards(), max_actions=8)
    env.reset(seed=1)
    assert env.agent_selection == "player_0"
    assert env.observe("player_0")["action_mask"].tolist() == [1, 1, 0, 0, 0, 0, 0, 0]
    assert env.observe("player_1")["action_mask"].sum() == 0
    assert len(env.action_texts()) == 2


def test_an_agent_observes_no_more_than_its_player_may_know():
    env = make(Cards())
    env.reset(seed=1)
    game = env.game
    other = game.alternative(env._state, 0, np.random.default_rng(5))
    before = env.observe("player_0")["observation"]
    assert other != env._state
    env._state = other
    assert np.array_equal(env.observe("player_0")["observation"], before)


def test_an_observation_is_the_text_of_the_view():
    env = make(Duel(), encoder=TextEncoder(Duel(), 40))
    env.reset(seed=1)
    seen = env.observe("player_0")["observation"]
    assert seen.shape == (40,)
    assert bytes(seen).rstrip(b"\0").decode() == env.render()


def test_a_game_that_lasts_too_long_is_truncated():
    env = make(Duel(), max_steps=2)
    env.reset(seed=1)
    env.step(0)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


@pytest.mark.parametrize("action", [-1, 2, None])
def test_an_action_that_is_not_listed_is_refused(action):
    env = make(Duel())
    env.reset(seed=1)
    with pytest.raises(InvalidValueError, match=f"action {action}: player_0 has actions 0..1"):
        env.step(action)


def test_too_small_spaces_are_refused():
    env = make(Duel(), max_actions=1)
    env.reset(seed=1)
    with pytest.raises(InvalidValueError, match="2 actions, but the action space holds 1"):
        env.observe("player_0")
    env = make(Duel(), encoder=TextEncoder(Duel(), 3))
    env.reset(seed=1)
    with pytest.raises(InvalidValueError, match="bytes, but the encoder has room for 3"):
        env.observe("player_0")


def test_sizes_come_from_the_setup():
    game = Minifig()
    small, large = (GameEnv(game, game.setups[name], LAW) for name in ("duel", "siege"))
    sizes = [env.observation_space("player_0")["observation"].shape[0] for env in (small, large)]
    assert sizes == [game.most_text(env._state) for env in (small, large)]
    assert sizes[1] > sizes[0]


def test_many_figures_do_not_break_the_spaces_half_way():
    env = GameEnv(Minifig(), Minifig().setups["siege"], LAW, max_steps=100)
    env.reset(seed=2)
    rewards = finish(env, lambda texts: len(texts) // 2)
    assert len(rewards) > 1


def test_without_a_seed_every_game_is_new():
    ends = set()
    for _ in range(12):
        env = make(Duel())
        env.reset()
        finish(env, lambda _: 0)
        ends.add(env.render())
    assert len(ends) > 1


def ends_of(env, games, **first):
    """The ends of several games; only the first reset gets a seed."""
    ends = []
    for number in range(games):
        env.reset(**(first if number == 0 else {}))
        finish(env, lambda _: 0)
        ends.append(env.render())
    return ends


def test_after_a_seed_all_further_games_are_known():
    """As Gymnasium: the generator is seeded once and goes on."""
    one, other, another = make(Duel()), make(Duel()), make(Duel())
    ends = ends_of(one, 12, seed=1)
    assert ends == ends_of(other, 12, seed=1)
    assert ends != ends_of(another, 12, seed=2)
    assert len(set(ends)) > 1
    other.reset(seed=1)
    finish(other, lambda _: 0)
    assert other.render() == ends[0]


@pytest.mark.parametrize("law", ["glass", 0.3, Fraction(3, 10), law_named("glass")])
def test_games_setups_and_laws_are_named_as_everywhere(law):
    env = GameEnv("bow", "duel", law, max_steps=20)
    same = GameEnv(
        game_named("bow"), game_named("bow").setups["duel"], law_named(law), max_steps=20
    )
    for one in (env, same):
        one.reset(seed=3)
        finish(one, lambda texts: len(texts) // 2)
    assert env.render() == same.render()
    GameEnv("bow", "duel").reset(seed=1)  # the shipped law


WRONG = [None, "x", -1, 10**30, 2.5, float("nan"), [], {}, object(), b"x", np.array([1, 2]), True]


def called(value):
    """Return the name of a value, without its address, which differs between the processes that run the tests."""
    return repr(value).partition(" at 0x")[0]


@pytest.mark.parametrize("position", range(3))
@pytest.mark.parametrize("wrong", WRONG, ids=called)
def test_what_makes_no_environment_is_refused(position, wrong):
    values = [Duel(), "even", 0.3]
    if position != 1 or not isinstance(wrong, dict):  # what a setup holds is for its game to refuse
        values[position] = wrong
        with pytest.raises(BrickphysError):
            GameEnv(*values)
    for option in ("max_actions", "max_steps", "encoder"):
        if (wrong is not None and not isinstance(wrong, int)) or wrong == -1:
            with pytest.raises(BrickphysError):
                GameEnv(Duel(), "even", 0.3, **{option: wrong})


@pytest.mark.parametrize("wrong", WRONG, ids=called)
def test_every_error_of_an_environment_is_ours(wrong):
    env = make(Duel())
    for call in (env.last, lambda: env.step(0)):
        with pytest.raises(BrickphysError, match=r"reset\(\) begins a game"):
            call()
    env.reset(seed=1)
    for call in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(BrickphysError, match="there are player_0, player_1"):
            call(wrong)
    if wrong is not True:  # one, as in all of Python
        with pytest.raises(BrickphysError, match="player_0 has actions 0"):
            env.step(wrong)
    if wrong is not None:
        with pytest.raises(BrickphysError):
            env.reset(seed=wrong)
    if not isinstance(wrong, dict | None):
        with pytest.raises(BrickphysError):
            env.reset(options=wrong)
    finish(env, lambda _: 0)
    with pytest.raises(BrickphysError, match=r"reset\(\) begins a game"):
        env.step(None)
    env.reset(seed=1)
    while not env.terminations[env.agent_selection]:
        env.step(0)
    if wrong is not None:
        with pytest.raises(BrickphysError, match="only None is left"):
            env.step(wrong)


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "brickphys.battles.pettingzoo_env")
    with pytest.raises(MissingExtraError, match=r"pip install \"brickphys\[pettingzoo\]\""):
        import_module("brickphys.battles.pettingzoo_env")
