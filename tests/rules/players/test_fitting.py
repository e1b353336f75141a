"""Fitting weights: what is known of data that were made with known weights, and games that are played for it."""

from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from benchmarks.fit_worth import TURN_BEGINS
from benchmarks.fitting import (
    Samples,
    SelfPlay,
    calibration,
    cross_validated,
    fit,
    log_loss,
    scaled,
    self_play,
    slope,
    worth_text,
)
from brickphys.errors import InvalidValueError
from brickphys.files import shipped_tables
from brickphys.minifig import worth
from brickphys.minifig.bot import estimate
from brickphys.minifig.game import Minifig
from brickphys.odds.law_choice import law
from brickphys.reading import parse_toml
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.players.worth import FittedWorth
from brickphys.rules.registry import game
from brickphys.rules.sources import LawSource
from brickphys.units import Array, Indices

WEIGHTS = np.array([2.0, -1.0, 0.0])


def made(rows: int, seed: int = 1) -> Samples:
    """Return rows of two players whose chances the weights tell, three rows a game."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(rows, 3)) * [1.0, 2.0, 0.1]
    won = (rng.random(rows) < 1.0 / (1.0 + np.exp(-features @ WEIGHTS))).astype(float)
    both = np.concatenate([features, -features])
    games = np.tile(np.arange(rows) // 3, 2)
    return Samples(games, both, np.concatenate([won, 1.0 - won]), np.tanh(both[:, 0]))


def test_the_weights_that_made_the_data_are_found() -> None:
    """4,000 rows: standard errors are below .08, and below .6 for the small feature; the seed is fixed."""
    found = fit(made(4000))
    assert found[:2] == pytest.approx(WEIGHTS[:2], abs=0.25)
    assert abs(found[2]) < 2.0


def test_a_penalty_shrinks_and_an_empty_feature_has_no_weight() -> None:
    samples = made(300)
    weak, strong = fit(samples, ridge=1.0), fit(samples, ridge=1000.0)
    assert np.abs(strong[:2]).max() < np.abs(weak[:2]).max()
    empty = Samples(samples.games, samples.features * [1, 1, 0], samples.won, samples.estimates)
    assert fit(empty)[2] == 0.0


def test_weights_of_mirrored_rows_have_no_side() -> None:
    samples = made(200)
    mirrored = Samples(samples.games, -samples.features, 1.0 - samples.won, -samples.estimates)
    assert fit(mirrored) == pytest.approx(fit(samples), abs=1e-5)


def test_games_that_were_not_fitted_are_foreseen() -> None:
    samples = made(3000)
    chances = cross_validated(samples)
    assert log_loss(chances, samples.won) < log_loss(scaled(samples), samples.won) < 0.693
    for one in calibration(chances, samples.won):
        assert one.won == pytest.approx(one.chance, abs=5 * (0.25 / one.rows) ** 0.5)


def test_the_slope_tells_how_many_times_weights_are_too_small() -> None:
    """4,000 rows: the standard error is below .03; the seed is fixed."""
    assert slope(made(4000), 2.0 * WEIGHTS) == pytest.approx(0.5, abs=0.05)


def test_few_games_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="too few"):
        cross_validated(made(3))


def test_a_coin_loses_the_logarithm_of_two() -> None:
    assert log_loss(np.full(4, 0.5), np.array([0.0, 1.0, 1.0, 0.5])) == pytest.approx(np.log(2))


def test_worths_are_between_a_loss_and_a_win() -> None:
    worth_ = FittedWorth(("one", "two", "three"), WEIGHTS)
    values = worth_.values(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 5.0], [-9.0, 0.0, 0.0]]))
    assert values == pytest.approx([0.0, np.tanh(1.0), -1.0], abs=1e-6)


def test_games_are_played_and_written() -> None:
    """The same seed gives the same states; the file has a weight for each feature."""
    minifig = Minifig()
    plan = SelfPlay(
        minifig,
        worth.features,
        estimate,
        lambda _: minifig.setups["duel"],
        [["random", "random"]],
        law(0.29),
        TURN_BEGINS["minifig"],
        4,
    )
    samples = self_play(plan, 6, 2)
    again = self_play(plan, 6, 2)
    assert (samples.features == again.features).all()
    assert samples.features[::2] == pytest.approx(-samples.features[1::2])
    assert (samples.won[::2] + samples.won[1::2] == 1.0).all()
    assert np.bincount(samples.games).max() <= 8
    text = worth_text(worth.FEATURES, samples, "this test", plan.bots)
    assert tuple(parse_toml(text, "text")["weights"]) == worth.FEATURES


SETUPS = {"bow": "duel", "minifig": "duel", "pirate_wars": "duel", "blade_and_bow": "marathon"}
GAMES = tuple(SETUPS)
HELD_OUT = Path(__file__).parent / "held_out"
"""Tables of states of games that were not fitted, in Blade & Bow of those that were:
``python -m benchmarks.fit_worth GAME --games N --seed 7001 --bots hard/hard --samples FILE``, in BOW greedy/greedy."""
OTHERS = {
    "tripled": (3.0, 0.0),
    "a third": (1.0 / 3.0, 0.0),
    "turned": (-1.0, 0.0),
    "shifted up": (1.0, 1.0),
    "shifted down": (1.0, -1.0),
}
"""Other chances than those that ship: scale and shift of the logarithm of the odds."""


@pytest.mark.parametrize("name", GAMES)
def test_the_weights_that_ship_foresee_more_than_those_by_hand(name):
    """The log losses are of games that were not fitted."""
    made = shipped_tables(f"brickphys.{name}", "worth")["made"]
    assert made["log_loss"] < made["log_loss_of_hand_estimate"] < 0.693


@pytest.mark.parametrize("name", sorted(path.stem for path in HELD_OUT.glob("*.csv")))
def test_no_other_scale_shift_or_sign_foresees_games_that_were_held_out_better(name):
    """It fails if the worth that ships is doubled (in BOW tripled), halved, turned, or shifted by 1.

    If as many other games were drawn from these, it would fail without a reason in 10 % of draws in Pirate Wars, 2 % in
    Minifig, 0.5 % in Blade & Bow, 33 % in BOW, whose worth is too timid for games of these bots: 1.6 times
    its logarithm of the odds would foresee them best.
    """
    given = held_out(name)
    losses = {how: loss(given, *other) for how, other in OTHERS.items()}
    assert loss(given) < min(losses.values()), losses


@pytest.mark.parametrize("name", GAMES)
def test_the_chance_that_people_are_told_is_near_the_worth_that_was_fitted(name):
    """The estimate adds a little for places, less than half a unit of the logarithm of the odds where a turn begins."""
    played, package = game(name), import_module(f"brickphys.{name}.worth")
    given = FittedWorth.shipped(f"brickphys.{name}", package.FEATURES)
    players = [bot("random", played, law(0.29))] * 2
    record = play(played, played.setups[SETUPS[name]], players, LawSource(law(0.29), 3), root=3)
    begun = [state for state in record.states[:-1] if TURN_BEGINS[name](state)][:8]
    told = np.array([played.estimate(state)[0] for state in begun])
    fitted = np.array([given.values(package.features(state))[0] for state in begun])
    is_open = np.abs(fitted) < 0.99
    assert is_open.sum() >= 5
    assert np.abs(np.arctanh(told) - np.arctanh(fitted))[is_open].max() < 0.25


class HeldOut(NamedTuple):
    games: Indices
    won: Array
    log_odds: Array
    """Of the worth that ships, to win."""


def held_out(name: str) -> HeldOut:
    """Return the states of games of two players as each of them sees them: what one gains the other loses."""
    with (HELD_OUT / f"{name}.csv").open() as file:
        _, _, *features = file.readline().strip().split(",")
        rows = np.loadtxt(file, delimiter=",")
    given = FittedWorth.shipped(f"brickphys.{name}", tuple(features))
    both, won = np.concatenate([rows[:, 2:], -rows[:, 2:]]), rows[:, 1]
    values = np.clip(given.values(both), -1.0 + 1e-9, 1.0 - 1e-9)
    return HeldOut(
        np.tile(rows[:, 0].astype(int), 2),
        np.concatenate([won, 1.0 - won]),
        2.0 * np.arctanh(values),
    )


def loss(given: HeldOut, scale: float = 1.0, shift: float = 0.0) -> float:
    return log_loss(1.0 / (1.0 + np.exp(-scale * given.log_odds - shift)), given.won)
