"""Rolls: who answers the chance events of a game: a law, bricks thrown live, physics for crashes."""

from collections.abc import Callable

from brickphys.odds.law import Law, RollLaw
from brickphys.odds.roll import Roll
from brickphys.rules.events.bricks import BrickRoll, OpposedRoll
from brickphys.rules.events.event import ChanceEvent
from brickphys.rules.events.measured import Measured
from brickphys.rules.events.sources import EventSource, LawSource, MixedSource, RollSource
from brickphys.rules.game import AnyGame


def law_rolls(
    law: RollLaw, root: int, thrown: Callable[[int, tuple[int, ...]], Roll] | None = None
) -> EventSource:
    """Return the source of all outcomes of a game.

    Parameters
    ----------
    law, root
        The law of bricks, and the root seed.
    thrown
        Throws bricks live in place of the law; None if the law answers.
    """
    sources: dict[type[ChanceEvent], EventSource] = {Measured: _Crashes()}
    if thrown is not None:
        sources |= dict.fromkeys((BrickRoll, OpposedRoll), RollSource(thrown))
    return MixedSource(LawSource(law, root), sources)


class _Crashes:
    """The source of crashes, which loads the physics of vehicles once something crashes."""

    def answer(self, event: ChanceEvent, address: tuple[int, ...]) -> tuple[float, ...]:
        """Return the places of units and vehicles after a move."""
        from brickphys.vehicles.physics.crash_source import CrashSource

        return CrashSource().answer(event, address)


def told_law(game: AnyGame, law: Law, called: object) -> str:
    """Return in words that a law rolls, for replays; a game without bricks has dice."""
    return f"the law {called} (a side: {float(law.p):.4f})" if game.rolls_bricks else "dice"


def told_table(game: AnyGame) -> str:
    """Return in words that people roll, for replays."""
    return f"{'bricks thrown' if game.rolls_bricks else 'dice rolled'} on a table"
