"""The campaign in tests: states by hand, steps by the texts of outcomes, random campaigns."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from brickphys.minifig.campaign.game import Campaign, shipped
from brickphys.minifig.campaign.state import State
from brickphys.odds.law import BinomialLaw
from brickphys.rules.game import advance, parse_move
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.record import CHANCE, OVER, Record
from brickphys.rules.sources import LawSource
from brickphys.rules.turn_state import Pending

GAME = Campaign()
LAW = BinomialLaw(Fraction(3, 10))
SETUPS = shipped()


def setup(**changes: Any) -> dict[str, Any]:
    """The campaign of ten days with other values."""
    return {**SETUPS["ten_days"], **changes}


def quest(*pending: Pending[State], given: dict[str, Any] | None = None, **changes: Any) -> State:
    """A campaign with something pending, and other changes; nothing else is pending."""
    state = GAME.initial(given or setup()).replaced({"pending": pending, **changes})
    return GAME.proceed(state) if pending else state


def after(state: State, *texts: str) -> State:
    """The state after moves in their notation, each checked."""
    for text in texts:
        state = advance(GAME, state, parse_move(GAME, state, text))
    return state


def random_move(state: State, rng: np.random.Generator) -> Any:
    """A move that is chosen blindly; every outcome of a roll is as likely."""
    is_roll = GAME.actor(state) == CHANCE
    moves = list(GAME.chance(state).law(LAW)) if is_roll else GAME.actions(state)
    return moves[int(rng.integers(len(moves)))]


def random_states(given: dict[str, Any], seed: int) -> Iterator[State]:
    """Yield the states of a campaign in which everything is chosen blindly."""
    rng, state = np.random.default_rng(seed), GAME.initial(given)
    yield state
    while GAME.actor(state) != OVER:
        state = GAME.apply(state, random_move(state, rng))
        yield state


def campaign(name: str = "random", root: int = 11, **changes: Any) -> Record[Any, Any]:
    """A whole campaign of a bot."""
    bots = [bot(name, GAME, LAW)]
    return play(GAME, setup(**changes), bots, LawSource(LAW, root), root=root)
