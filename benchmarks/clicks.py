"""Clicks: how many calls of functions the server makes for each click of a game, and into how many other files.

Run it with ``python -m benchmarks.clicks``, and with ``--functions`` for the calls of each function. Calls are counted,
not timed: the figures are the same on each machine. What a page of NiceGUI does is left out.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, count, islice
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import brickphys
from brickphys.battles.ongoing_game import OngoingGame, Waits
from brickphys.battles.start import GameStart
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.players.prompt import Choice, listed, placed
from brickphys.rules.record import CHANCE
from brickphys.rules.registry import game
from brickphys.view.app.battles.picture import described
from brickphys.view.battle import LiveBattle
from brickphys.view.document import document

_HOME = str(Path(brickphys.__file__).parent)
CLICKS = 40


class Calls:
    """Calls of functions of this package.

    Attributes
    ----------
    total
        How many.
    changes
        How many of them come from another file.
    files, functions
        How many are of each file, and of each function.
    """

    def __init__(self) -> None:
        self.total = self.changes = 0
        self.files, self.functions = Counter[str](), Counter[tuple[str, str]]()

    def count(self, work: Callable[[], object]) -> None:
        """Do something, and count its calls."""
        sys.setprofile(self._note)
        try:
            work()
        finally:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        if event != "call" or not name.startswith(_HOME):
            return
        self.total += 1
        self.files[name] += 1
        self.functions[name, frame.f_code.co_qualname] += 1
        self.changes += frame.f_back is not None and frame.f_back.f_code.co_filename != name


class Battle:
    """A battle in which a person clicks, against the bot greedy.

    Parameters
    ----------
    name, setup, seed
        The game, one of its setups, and the root of all rolls.
    """

    def __init__(self, name: str, setup: str, seed: int) -> None:
        self.game = game(name)
        start = GameStart(self.game.setups[setup], seed)
        self.table = OngoingGame(self.game, start, "person,greedy", find_law(DEFAULT), DEFAULT)
        self._live = LiveBattle(self.game, self.table.record, 0, setup)
        self._live.whole()
        self._rng = np.random.default_rng(seed)
        self._offered: Sequence[Choice[Any]] = ()

    def clicks(self) -> Iterator[Calls]:
        """Yield the calls of each click: the choice, rolls, and what is shown then; not those of the bot."""
        self._bot()
        self._show()
        while self.table.waits is not Waits.END:
            calls = Calls()
            calls.count(self._click)
            self._bot()
            calls.count(self._show)
            yield calls

    def _click(self) -> None:
        """Click on a place in the picture, or where there is none, on the list; then roll."""
        chosen = self._offered[int(self._rng.integers(len(self._offered)))]
        self.table.choose(*chosen.actions)
        while self.table.waits is Waits.PROGRAM and self.table.session.actor == CHANCE:
            self.table.go_on()

    def _bot(self) -> None:
        while self.table.waits is Waits.PROGRAM:
            self.table.go_on()

    def _show(self) -> None:
        """Make all that is sent to the page: the picture, the list, its places and the tables."""
        table, live = self.table, self._live
        table.replay()
        part = live.extended(table.record)
        assert part is not None
        json.dumps(document(part))
        described(table)
        if table.waits is Waits.CHOICE:
            choices = listed(table.asked)
            self._offered = placed(table.asked, choices) or choices
            ats_mm = (live.place_mm(one.place) for one in self._offered)
            live.reaches_mm([at_mm for at_mm in ats_mm if at_mm is not None])


def clicks(name: str, setup: str, most: int) -> list[Calls]:
    """Return the calls of so many clicks, in battles with the seeds 0, 1, 2 and so on."""
    every = chain.from_iterable(Battle(name, setup, seed).clicks() for seed in count())
    return list(islice(every, most))


def main() -> None:
    """Print the middle of all clicks, and the most."""
    for name, setup in (
        ("bow", "duel"),
        ("bow", "skirmish"),
        ("minifig", "duel"),
        ("pirate_wars", "duel"),
    ):
        found = clicks(name, setup, CLICKS)
        total, changes = ([getattr(one, what) for one in found] for what in ("total", "changes"))
        files = len({file for one in found for file in one.files})
        print(
            f"{name} {setup}: {np.median(total):,.0f} calls a click, mean {np.mean(total):,.0f}, most {max(total):,}; "
            f"changes of file {np.median(changes):,.0f}, mean {np.mean(changes):,.0f}; {files} files"
        )
        if sys.argv[1:]:
            functions = sum((one.functions for one in found), Counter[tuple[str, str]]())
            for (file, function), count in functions.most_common(45):
                print(f"{count / len(found):10,.1f}  {file.removeprefix(_HOME)[1:]}: {function}")


if __name__ == "__main__":
    main()
