"""Fit worth: the weights of a game's features from games that bots play; ``python -m benchmarks.fit_worth minifig``.

It prints the file ``data/worth.toml`` of the game; with ``--write`` it replaces that file. With ``--samples FILE`` it
fits nothing, but writes the states as a table, such as those in ``tests/rules/players/held_out``. A game has a line in
`FITS` and a module ``worth`` with its `FEATURES` and the function `features`.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.fitting import RIDGE, Samples, SelfPlay, self_play, worth_text
from brickphys.blade_and_bow.state import Phase as BladePhase
from brickphys.bow.state import NOBODY
from brickphys.files import shipped_tables
from brickphys.minifig.state import Phase as MinifigPhase
from brickphys.odds.law_choice import law
from brickphys.pirate_wars.sheets import ships as pirate_ships
from brickphys.pirate_wars.state import Phase as PiratePhase
from brickphys.rules.game import AnyGame
from brickphys.rules.record import Setup
from brickphys.rules.registry import game

if TYPE_CHECKING:
    from numpy.random import Generator

GAMES_PLAYED = 500
SEED = 1
BOTS = ("greedy1/greedy1", "hard/greedy1", "hard/hard", "hard/hard")
SIDE = 0.29
"""Chance of a brick to stop on a side."""


class Fit(NamedTuple):
    """How the games of a game are begun."""

    scenarios: Sequence[str]
    """Shipped ones, of which one is drawn."""
    drawn: Callable[["Generator"], Mapping[str, Any]] | None = None
    """Draws the options of a battle to be drawn, if some are: then three of four games are."""
    least: float = -inf
    """No weight is less: 0 where more of each feature is never worse."""
    prior: Mapping[str, float] = {}
    """Weights to which few games are drawn; 0 for others."""
    ridge: float = RIDGE
    """How strongly they are drawn; more for fewer games."""
    plans: Mapping[str, float] = {}
    """Weights by which plans are compared, if they are neither the fitted ones nor those of `prior`."""


def _minifig(rng: "Generator") -> Mapping[str, Any]:
    figures, is_mirror = int(rng.integers(2, 9)), bool(rng.integers(2))
    return {"figures": figures, "mirror": is_mirror, "apart": 14, "units": MINIFIG_UNITS}


def _ships(rng: "Generator") -> Mapping[str, Any]:
    """Return no options, for a battle of any two ships, or those of a battle of like ships."""
    one = list(pirate_ships())[int(rng.integers(len(pirate_ships())))]
    return {"ships": [one, one]} if rng.integers(2) else {}


MINIFIG_UNITS = [
    "soldier,sword,shield,helmet",
    "soldier,spear,shield",
    "soldier,axe,helmet",
    "soldier,bow",
    "soldier,crossbow,helmet",
    "soldier,sword,shield,helmet,armour",
    "soldier,sword,shield,helmet,mounted",
    "peasant,club",
    "peasant",
    "dog",
]
PIRATE_PLANS: Mapping[str, float] = shipped_tables("brickphys.pirate_wars", "plans")["weights"]
BLADE_PRIOR: Mapping[str, float] = shipped_tables("brickphys.blade_and_bow", "plans")["weights"]
_BATTLES = ("marathon", "thermopylae", "plataea", "mycale")
BOW_PRIOR = {
    "units": 2.0,
    "hulls": 2.0,
    "aims": 2.0,
    "near": 2.0,
    "next": 1.6,
    "later": 1.0,
    "clock": 2.0,
}
"""The weights of BOW by hand."""
_BOW = ("skirmish", "chase", "rocket", "rocket", "flight", "ambush", "princess", "duel")
FITS: Mapping[str, Fit] = {
    "bow": Fit(_BOW, None, 0.0, BOW_PRIOR),
    "minifig": Fit(("duel", "duel", "raid", "siege"), _minifig, 0.0),
    "blade_and_bow": Fit(_BATTLES, None, 0.0, BLADE_PRIOR, 10.0 * RIDGE),
    "pirate_wars": Fit(("duel", "chase", "convoy"), _ships, 0.0, plans=PIRATE_PLANS),
}
"""Game -> how its games are begun."""


def bow_turn_begins(state: Any) -> bool:
    """Tell whether a player is to choose the unit of the next turn."""
    return bool(state.round > 0 and state.active == NOBODY and not state.pending)


def minifig_turn_begins(state: Any) -> bool:
    """Tell whether a side's turn begins: none of its figures has acted in the round."""
    if state.pending or state.winners is not None or state.turn >= len(state.order):
        return False
    if state.phase is not MinifigPhase.MOVEMENT or state.active is not None:
        return False
    figures, player = state.setting.figures, state.player
    own = sum(figures[one].player == player for one in state.alive)
    return bool(own == sum(1 for _ in state.ready(player)))


def blade_impulse_begins(state: Any) -> bool:
    """Tell whether an action begins."""
    is_open = state.result is None and state.activation is None and not state.pending
    return bool(is_open and state.phase is BladePhase.IMPULSES)


def pirate_turn_begins(state: Any) -> bool:
    """Tell whether a turn begins: no ship has moved beyond a forced leap, and none are lashed together."""
    if state.pending or state.winners is not None or state.phase is not PiratePhase.MOVEMENT:
        return False
    if state.turn or state.done or state.lashed:
        return False
    return state.active is None or bool(
        state.left_studs >= state.move_studs - state.sheet(state.active).length_studs
    )


TURN_BEGINS: Mapping[str, Callable[[Any], bool]] = {
    "bow": bow_turn_begins,
    "minifig": minifig_turn_begins,
    "blade_and_bow": blade_impulse_begins,
    "pirate_wars": pirate_turn_begins,
}
"""Game -> the states by which its weights are fitted."""


def plan(name: str, bots: Sequence[str]) -> SelfPlay:
    """Return which games are played for a game."""
    fit, played, worth = FITS[name], game(name), import_module(f"brickphys.{name}.worth")

    def setup(rng: "Generator") -> Setup:
        if fit.drawn is not None and rng.integers(4):
            drawn: Setup = played.draw_setup(fit.drawn(rng), rng)[1]
            return drawn
        return played.setups[fit.scenarios[int(rng.integers(len(fit.scenarios)))]]

    groups = [group.split("/") for group in bots]
    return SelfPlay(
        played, worth.features, hand_estimate(played), setup, groups, law(SIDE), TURN_BEGINS[name]
    )


def hand_estimate(played: AnyGame) -> Callable[[Any], Sequence[float]]:
    """Return the estimate that was made by hand."""
    found: Callable[[Any], Sequence[float]] = getattr(played, "hand_estimate", played.estimate)
    return found


def samples_text(names: Sequence[str], samples: Samples) -> str:
    """Return a table of the states as the first of two players sees them: the game, how it ended, the features."""
    first = samples.chosen(np.arange(0, len(samples.games), 2))
    rows = zip(first.games.tolist(), first.won.tolist(), first.features.tolist(), strict=True)
    lines = (
        ",".join([str(number), f"{won:g}", *(f"{value:.5g}" for value in features)])
        for number, won, features in rows
    )
    return "\n".join([",".join(["game", "won", *names]), *lines, ""])


def main() -> None:
    """Fit the weights of a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=tuple(FITS))
    parser.add_argument("--games", type=int, default=GAMES_PLAYED)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--bots", nargs="+", default=BOTS, help="names with a slash between")
    parser.add_argument("--write", action="store_true", help="replace the file of the game")
    parser.add_argument(
        "--samples", type=Path, help="write the states of the first seat to this file"
    )
    chosen = parser.parse_args()
    fitted = plan(chosen.game, chosen.bots)
    samples = self_play(fitted, chosen.games, chosen.seed)
    package = import_module(f"brickphys.{chosen.game}.worth")
    if chosen.samples is not None:
        chosen.samples.write_text(samples_text(package.FEATURES, samples))
        return
    words = " ".join(sys.argv[1:]).replace(" --write", "")
    command, fit = f"python -m benchmarks.fit_worth {words}", FITS[chosen.game]
    prior = np.array([fit.prior.get(name, 0.0) for name in package.FEATURES])
    plans = [(fit.plans or fit.prior).get(name, 0.0) for name in package.FEATURES]
    text = worth_text(
        *(package.FEATURES, samples, command, fitted.bots, fit.least, prior, fit.ridge),
        plans=np.array(plans) if any(plans) else None,
    )
    if chosen.write:
        Path(str(package.__file__)).parent.joinpath("data", "worth.toml").write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main()
