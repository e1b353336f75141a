"""Shared: a table while pages look at it. One change comes after the other, and all pages show what came of it."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Protocol

from nicegui import background_tasks

from brickphys.battles.table import Table
from brickphys.errors import InvalidValueError, in_words
from brickphys.text import spoken
from brickphys.view.app import tables
from brickphys.view.app.jobs import BusyError, long, quick

_TOO_LATE = "The game has gone on since: look again."
_SLACK_S, _KEPT_S = 0.02, 10.0
"""How long after the end of a clock it is looked at; how often a clock that runs is kept."""


class Onlooker(Protocol):
    """A page at a table."""

    player: int | None
    """Whose seat it is; None for one who watches."""
    is_away: bool
    """Whether its browser is gone."""

    async def look(self, fault: str) -> None:
        """Show the table as it is now; `fault` says why the game does not go on by itself."""

    def look_at_people(self) -> None:
        """Show who is there, what they say and offer, and their time."""

    def rest(self) -> None:
        """Show nothing any more: the seat is taken in another window."""


class SharedTable:
    """A table and its pages."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.pages = list[Onlooker]()
        self._lock, self._keeping = asyncio.Lock(), asyncio.Lock()
        self._late: asyncio.TimerHandle | None = None
        self._is_driven = False

    @property
    def number(self) -> int:
        """The number of steps so far."""
        return len(self.table.ongoing.session.steps)

    def is_taken(self, player: int) -> bool:
        """Whether somebody sits at a seat now."""
        return any(page.player == player and not page.is_away for page in self.pages)

    async def sit(self, page: Onlooker) -> None:
        """Add a page; one that was at the same seat rests, so that a seat has one window."""
        for other in [one for one in self.pages if one.player == page.player is not None]:
            self.pages.remove(other)
            other.rest()
        self.pages.append(page)
        if page.player is not None:
            self.table.seen.add(page.player)
        await self.change()

    def leave(self, page: Onlooker) -> None:
        """Remove a page."""
        if page in self.pages:
            self.pages.remove(page)
            self.show_people()
        self._rest()

    def _rest(self) -> None:
        """Leave the table to the disk while nobody looks and nothing goes on."""
        if not self.pages and self._late is None and not self._is_driven:
            if _shared.get(self.table.name) is self:
                del _shared[self.table.name]
            tables.close(self.table)

    async def change(
        self, change: Callable[[], object] = lambda: None, at: int | None = None
    ) -> None:
        """Change the table, and let all pages show it; bots go on by themselves then.

        Parameters
        ----------
        change
            What is done; it raises BrickphysError if that cannot be.
        at
            The number of steps that its page has shown; None if that does not matter.

        Raises
        ------
        InvalidValueError
            If the game has gone on since that.
        BrickphysError
            If the change is refused.
        """
        async with self._lock:
            if at is not None and at != self.number:
                raise InvalidValueError(_TOO_LATE)
            before = self.number
            try:
                await quick(change)
                if self.number != before:
                    self.table.offers.clear()
            finally:
                await self._settle()
        if not self._is_driven:
            self._is_driven = True
            background_tasks.create(self._drive())

    async def talk(self, change: Callable[[], object]) -> None:
        """Change what does not touch the game, and let all pages show it; BrickphysError if that cannot be."""
        change()
        self.show_people()
        await self._keep()

    async def _keep(self) -> None:
        """Keep the table, one change after the other: what is said does not wait for the game."""
        async with self._keeping:
            await quick(tables.keep, self.table)

    async def _drive(self) -> None:
        """Let bots act and slow rolls be thrown, step by step; persons come in between."""
        fault = ""
        try:
            while self.table.waits_for_program and not fault:
                async with self._lock:
                    if self.table.waits_for_program:
                        fault = await self._act()
                        try:
                            await self._settle(fault)
                        except InvalidValueError as error:  # it cannot be kept
                            fault = str(error)
                            for page in [*self.pages]:
                                await page.look(fault)
        finally:
            self._is_driven = False
            self._rest()

    async def _act(self) -> str:
        """Take the step of a program; return who has failed, empty if nobody."""
        table = self.table.ongoing
        try:
            await long(table.go_on)
        except BusyError as error:
            return str(error)
        except Exception as error:  # a bot of another package may raise anything
            return f"{spoken(table.who) or 'The roll'} has failed: {in_words(error)}"
        return ""

    async def _settle(self, fault: str = "") -> None:
        """Do what needs nobody, let all pages show what has happened, and keep it."""
        if not fault:
            await quick(self.table.go_on_quickly)
        self._turn_clock()
        for page in [*self.pages]:
            await page.look(fault)
        await self._keep()

    def _turn_clock(self) -> None:
        """Let the clock run for who is to act, and look again when that time is over, or is to be kept."""
        clock, now_s = self.table.clock, monotonic()
        self.table.turn_clock(now_s)
        if self._late is not None:
            self._late.cancel()
            self._late = None
        if clock is not None and clock.runs_for is not None:
            left_s = clock.left_at(now_s, clock.runs_for)
            look = self._keep_time if left_s > _KEPT_S else self.change
            self._late = asyncio.get_running_loop().call_later(
                min(left_s + _SLACK_S, _KEPT_S), lambda: background_tasks.create(look())
            )

    async def _keep_time(self) -> None:
        """Keep the time that is left, so that it is right after the server has died."""
        self._turn_clock()
        with suppress(InvalidValueError):  # it was told at the last change
            await self._keep()

    def show_people(self) -> None:
        """Let all pages show who is there, what they say and offer, and their time."""
        for page in self.pages:
            page.look_at_people()


_shared: dict[str, SharedTable] = {}


async def shared_table(key: str) -> SharedTable:
    """Return the table of a key with its pages; InvalidValueError if there is none, or it was changed on disk."""
    table = await quick(tables.find_table, key)
    found = _shared.get(table.name)
    if found is None or found.table is not table:  # another server has played the old one on
        found = _shared[table.name] = SharedTable(table)
    return found
