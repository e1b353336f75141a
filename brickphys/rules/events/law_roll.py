"""Law roll: one brick roll from a law."""

from brickphys.arguments import public
from brickphys.odds.law_choice import LawLike
from brickphys.odds.law_choice import law as law_of
from brickphys.odds.law_file import DEFAULT
from brickphys.odds.roll import Roll
from brickphys.rules.events.bricks import BrickRoll
from brickphys.rules.events.sources import LawSource
from brickphys.seeds import chosen_root


@public()
def roll(bricks: int, law: LawLike = DEFAULT, *, seed: int | None = None) -> Roll:
    """Roll bricks by a law, and return how many score.

    Parameters
    ----------
    bricks
        0..60.
    law
        As of `brickphys.odds`.
    seed
        Root seed; None draws one.

    Raises
    ------
    InvalidValueError
        If a number is out of range, or there is no such law.

    Examples
    --------
    >>> import brickphys
    >>> brickphys.roll(5, seed=3).score
    1
    """
    score = LawSource(law_of(law), chosen_root(seed)).answer(BrickRoll(bricks), (0,))
    assert isinstance(score, int)
    return Roll(bricks, score)
