"""Fitting: the weights of `brickphys.rules.players.worth`, from games that bots play.

How another game gets its weights: write ``features(state)`` and the names ``FEATURES`` in its ``worth.py``, add lines
for it to ``benchmarks/fit_worth.py``, and run ``python -m benchmarks.fit_worth GAME --games 500``. That plays the games
(`self_play`), fits the weights (`fit`), tells how well they foresee the winners of games that were not fitted
(`cross_validated`, `log_loss`, `calibration`), and writes ``data/worth.toml`` (`worth_text`).

The model is a logistic regression without a constant, so that the worth of one of two players is minus that of the
other where their features are, with a penalty on squared weights (ridge) in units of each feature's root mean square.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.game import AnyGame
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.record import Ending, Record, Setup
from brickphys.rules.sources import LawSource
from brickphys.seeds import generator
from brickphys.units import Array, Indices, Mask

if TYPE_CHECKING:
    from numpy.random import Generator

EDGES = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Between the classes of chances whose calibration is told."""
RIDGE, FOLDS = 10.0, 5
"""The usual penalty, and the number of parts of the games of which each is foreseen by weights from the others."""
_SLOPE = "of the logarithm of the odds, by that of plans"
_LEAST = 1e-6
"""Chances nearer than this to 0 or 1 count as this in a log loss."""


@dataclass(frozen=True, eq=False)
class Samples:
    """States of games, each as every player sees it.

    Attributes
    ----------
    games : ndarray of int, shape (n,)
        The number of the game of each row.
    features : ndarray, shape (n, k)
    won : ndarray, shape (n,)
        How the game ended for the player of the row: 1 won, 0 lost, between for a draw or a grade.
    estimates : ndarray, shape (n,)
        The worth that another estimate gave, -1 to 1.
    """

    games: Indices
    features: Array
    won: Array
    estimates: Array

    def chosen(self, rows: Indices | Mask) -> "Samples":
        """Return some of the rows, by a mask or by their numbers."""
        return Samples(self.games[rows], self.features[rows], self.won[rows], self.estimates[rows])


class SelfPlay(NamedTuple):
    """Which games are played to fit weights."""

    game: AnyGame
    features: Callable[[Any], Array]
    """Returns the features of a state, shape (players, k)."""
    estimate: Callable[[Any], Sequence[float]]
    """Another estimate of the worth for each player, to compare with."""
    setup: Callable[["Generator"], Setup]
    """Draws a setup."""
    bots: Sequence[Sequence[str]]
    """Names of bots that play against each other; of these groups one is drawn, and its order too."""
    law: RollLaw
    """The law of bricks."""
    is_open: Callable[[Any], bool]
    """Whether a state may be taken: best those at which a turn begins."""
    most_states: int = 16
    """The most states taken from a game, evenly spaced."""


def self_play(plan: SelfPlay, games: int, seed: int) -> Samples:
    """Play games and return the states taken from them; the same plan and seed give the same ones.

    A game that ends without a result (a limit of steps) counts as a draw of nobody, and is left out.
    """
    known: dict[tuple[str, int], Any] = {}
    found: list[tuple[int, Array, Sequence[float], Array]] = []
    for number in range(games):
        rng = generator(seed, number)
        group = plan.bots[int(rng.integers(len(plan.bots)))]
        names = [group[index] for index in rng.permutation(len(group)).tolist()]
        for seat, name in enumerate(names):
            if (name, seat) not in known:
                known[name, seat] = bot(name, plan.game, plan.law)
        players = [known[name, seat] for seat, name in enumerate(names)]
        source = LawSource(plan.law, seed)
        record = play(plan.game, plan.setup(rng), players, source, root=seed, address=(number,))
        if record.ending is Ending.OVER:
            found += (
                (number, plan.features(state), plan.estimate(state), _won(record))
                for state in _taken(record, plan)
            )
    if not found:
        raise InvalidValueError(f"{plan.game.name}: no state was taken from {games} games")
    players_of = [len(won) for *_, won in found]
    return Samples(
        np.repeat([number for number, *_ in found], players_of),
        np.concatenate([rows for _, rows, _, _ in found]),
        np.concatenate([won for *_, won in found]),
        np.concatenate([np.asarray(worths, dtype=float) for _, _, worths, _ in found]),
    )


def _won(record: Record[Any, Any]) -> Array:
    """Return how a game ended for each player: returns from -1 to 1 as 0 to 1."""
    assert record.returns is not None
    return (np.array(record.returns, dtype=float) + 1.0) / 2.0


def _taken(record: Record[Any, Any], plan: SelfPlay) -> list[Any]:
    """Return the states taken from a game, evenly spaced among those that may be."""
    every = [state for state in record.states[:-1] if plan.is_open(state)]
    count = min(plan.most_states, len(every))
    return [every[round((k + 0.5) * len(every) / count - 0.5)] for k in range(count)]


def fit(
    samples: Samples,
    ridge: float = RIDGE,
    least: float = -inf,
    prior: Array | None = None,
) -> Array:
    """Return the weights that foresee the winners best, shape (k,): logistic regression with a ridge penalty.

    Parameters
    ----------
    ridge
        The penalty on half the sum of squared differences to the prior, in units of each feature's root mean square.
    least
        No weight is less: 0 where more of each feature is never worse, which few games may seem to deny.
    prior
        The weights to which the penalty draws, 0 by default. A feature that no game showed keeps its prior weight.
    """
    from scipy.optimize import minimize  # slow to load

    sizes = np.sqrt(np.mean(samples.features**2, axis=0))
    sizes[sizes == 0.0] = 1.0
    rows, won = samples.features / sizes, samples.won
    middle = np.zeros(len(sizes)) if prior is None else np.asarray(prior, dtype=float) * sizes

    def loss(weights: Array) -> tuple[float, Array]:
        x, off = rows @ weights, weights - middle
        slope: Array = rows.T @ (_logistic(x) - won) + ridge * off
        value = np.sum(np.logaddexp(0.0, x) - won * x) + 0.5 * ridge * off @ off
        return float(value), slope

    found = minimize(
        loss,
        middle,
        jac=True,
        method="L-BFGS-B",
        bounds=[(least, inf)] * len(middle),
        options={"maxiter": 10_000, "maxfun": 20_000, "ftol": 1e-14, "gtol": 1e-8},
    )
    weights: Array = np.asarray(found.x, dtype=float) / sizes
    return weights


def _logistic(x: Array) -> Array:
    chances: Array = 0.5 * (1.0 + np.tanh(0.5 * x))
    return chances


def cross_validated(
    samples: Samples,
    folds: int = FOLDS,
    ridge: float = RIDGE,
    least: float = -inf,
    prior: Array | None = None,
) -> Array:
    """Return the chance of each row by weights that were fitted without the games of its fold, shape (n,)."""
    order = {number: index for index, number in enumerate(np.unique(samples.games).tolist())}
    fold = np.array([order[number] % folds for number in samples.games.tolist()])
    chances = np.empty(len(fold))
    for each in range(folds):
        others = samples.chosen(fold != each)
        if len(others.games) == 0:
            raise InvalidValueError(f"{len(order)} games are too few for {folds} folds")
        chances[fold == each] = _logistic(
            samples.features[fold == each] @ fit(others, ridge, least, prior)
        )
    return chances


def scaled(samples: Samples) -> Array:
    """Return the chance of each row by the other estimate alone, its scale fitted as in `cross_validated`."""
    one = Samples(samples.games, samples.estimates[:, None], samples.won, samples.estimates)
    return cross_validated(one, FOLDS, ridge=0.0)


def slope(samples: Samples, weights: Array) -> float:
    """Return how many times the log odds to win grow with those that some weights give."""
    one = Samples(
        samples.games, samples.features @ weights[:, None], samples.won, samples.estimates
    )
    return float(fit(one, ridge=0.0)[0])


def log_loss(chances: Array, won: Array) -> float:
    """Return the mean of minus the logarithm of the chance of what happened; .693 for a coin."""
    p = np.clip(chances, _LEAST, 1.0 - _LEAST)
    return float(-np.mean(won * np.log(p) + (1.0 - won) * np.log(1.0 - p)))


class CalibrationClass(NamedTuple):
    """Rows whose chances are alike."""

    chance: float
    """Mean of their chances."""
    won: float
    """Share that was won."""
    rows: int
    """How many there are."""


def calibration(chances: Array, won: Array) -> list[CalibrationClass]:
    """Return for each class of chances their mean and how often such rows were won."""
    classes = np.searchsorted(EDGES, chances, side="right")
    return [
        CalibrationClass(float(chances[rows].mean()), float(won[rows].mean()), int(rows.sum()))
        for rows in (classes == each for each in range(len(EDGES) + 1))
        if rows.any()
    ]


def worth_text(
    names: Sequence[str],
    samples: Samples,
    command: str,
    bots: Sequence[Sequence[str]],
    least: float = -inf,
    prior: Array | None = None,
    ridge: float = RIDGE,
    plans: Array | None = None,
) -> str:
    """Return the content of ``data/worth.toml``: the weights, the command and the games that made them, and checks.

    `plans` are the weights by which plans are compared, if they are others: the file tells their slope, too.
    """
    chances, weights = (
        cross_validated(samples, FOLDS, ridge, least, prior),
        fit(samples, ridge, least, prior),
    )
    rows = [
        f"  [{one.chance:.3f}, {one.won:.3f}, {one.rows}],"
        for one in calibration(chances, samples.won)
    ]
    times = [] if plans is None else [f"plan_slope = {slope(samples, plans):.3f} # {_SLOPE}"]
    pairs = ", ".join(f'"{" against ".join(group)}"' for group in bots)
    lines = [
        f"# Made by: {command}",
        "# Log losses are of games that were not fitted; calibration: mean chance, share won, rows.",
        "",
        "[made]",
        f"bots = [{pairs}]",
        f"games = {len({*samples.games.tolist()})}",
        f"rows = {len(samples.games)}",
        f"log_loss = {log_loss(chances, samples.won):.4f}",
        f"log_loss_of_hand_estimate = {log_loss(scaled(samples), samples.won):.4f}",
        *times,
        "calibration = [",
        *rows,
        "]",
        "",
        "[weights]",
        *(f"{name} = {weight:.4f}" for name, weight in zip(names, weights.tolist(), strict=True)),
    ]
    return "\n".join(lines) + "\n"
