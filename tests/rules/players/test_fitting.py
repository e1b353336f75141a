"""Fitting weights: what is known of data that were made with known weights, and games that are played for it."""

import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.files import shipped_tables
from brickphys.minifig import worth
from brickphys.minifig.bot import estimate
from brickphys.minifig.game import Minifig
from brickphys.odds.law_choice import law
from brickphys.reading import parse_toml
from brickphys.rules.players.fitting import (
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
from brickphys.rules.players.worth import FittedWorth

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
    game = Minifig()
    plan = SelfPlay(
        game,
        worth.features,
        estimate,
        lambda _: game.setups["duel"],
        [["random", "random"]],
        law(0.29),
        worth.begins_turn,
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


@pytest.mark.parametrize("game", ["bow", "minifig", "pirate_wars", "blade_and_bow"])
def test_the_weights_that_ship_foresee_more_than_those_by_hand(game):
    """The log losses are of games that were not fitted; the classes may differ by four standard errors of games."""
    made = shipped_tables(f"brickphys.{game}", "worth")["made"]
    assert made["log_loss"] < made["log_loss_of_hand_estimate"] < 0.693
    rows_a_game = made["rows"] / made["games"]
    for chance, won, rows in made["calibration"]:
        games = max(rows / rows_a_game, 1.0)
        assert abs(chance - won) < 4 * (chance * (1 - chance) / games) ** 0.5 + 0.02
