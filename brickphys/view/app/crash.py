"""Crash: the move of a scene as rigid bodies, and the tables of hits and of what becomes of things.

It is simulated in a process of its own, which can be ended at any time.
"""

import asyncio
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from brickphys.notes import Progress
from brickphys.throws.conditions import ContactCoefficients
from brickphys.vehicles.collision import Collision
from brickphys.vehicles.crash import check_bodies, check_scale, simulated
from brickphys.vehicles.crash_outcome import Crash
from brickphys.vehicles.scene import Scene
from brickphys.view.app.jobs import BusyError
from brickphys.view.app.page_html import html_table
from brickphys.workers import LocalExecutor


def hit_table(found: Collision) -> str:
    """Return the hits in order."""
    if not found.hits:
        return ""
    rows = [
        (
            f"{number}. {row['hit']}",
            str(row["kind"]),
            _after(row["distance_studs"], row["turned_deg"]),
            str(row["sector"] or ""),
            str(row["bricks_to_resist"]),
        )
        for number, row in enumerate(found.rows(), start=1)
    ]
    return html_table("Hits in order", ("Hit", "Kind", "After", "Sector", "Bricks to resist"), rows)


def _after(distance_studs: object, turned_deg: object) -> str:
    if isinstance(distance_studs, float):
        return f"{distance_studs:.1f} studs"
    return f"{turned_deg:.1f} degrees" if isinstance(turned_deg, float) else ""


def crash_table(crash: Crash) -> str:
    """Return what has become of the things that were hit or have moved."""
    affected = [one for one in (*crash.outcomes, *crash.riders) if one.is_affected]
    rows = [
        (
            one.id,
            "({:.1f}, {:.1f})".format(*one.end_studs),
            f"{one.moved_studs:.1f} studs",
            f"{round(one.tilt_deg)} degrees",
            one.state,
        )
        for one in affected
    ]
    return html_table("In the end", ("Thing", "Ends at", "Moved", "Tilt", "State"), rows)


_TIME_S, _MEMORY_MB = 300.0, 3072
_EVERY_S, _EVERY_MS = 0.1, 40
_MOST_RUNS = 2
"""Simulations at once, of all visitors: each takes a processor and much memory."""


@dataclass(frozen=True)
class _Job:
    """A scene, its surface and scale, and the file into which the process writes how far it has come."""

    scene: Scene
    scale_m_s: float
    floor: ContactCoefficients
    note: Path


class CrashRun:
    """One simulation of a scene, given the speed in m/s for one point of speed.

    InvalidValueError if bodies cannot make the move of the scene, or the scale is impossible.
    """

    _running = 0
    """How many are simulated at this server."""

    def __init__(self, scene: Scene, scale_m_s: float, floor: ContactCoefficients) -> None:
        check_bodies(scene)
        self._given = scene, check_scale(scale_m_s), floor
        self._is_cancelled = False
        self._done_ms: tuple[int, int] | None = None

    def cancel(self) -> None:
        """End it soon."""
        self._is_cancelled = True

    async def result(self, tell: Progress) -> Crash | None:
        """Return the crash, None if it was cancelled; `tell` hears of the simulated time and its limit, in ms.

        BusyError if so many are simulated at this server already; BrickphysError if it fails, takes too long, or needs
        too much memory.
        """
        if CrashRun._running >= _MOST_RUNS:
            raise BusyError(
                f"{_MOST_RUNS} crashes are simulated at this server now: try it again when one has ended."
            )
        CrashRun._running += 1
        working = asyncio.ensure_future(asyncio.to_thread(self._work))
        working.add_done_callback(_ended)
        try:
            while not working.done():
                await asyncio.wait([working], timeout=_EVERY_S)
                if self._done_ms is not None:
                    tell(*self._done_ms)
            return working.result()
        finally:
            self.cancel()

    def _work(self) -> Crash | None:
        """Start the process, and wait for it; this is a thread of its own, since ending a process takes time."""
        with (
            tempfile.TemporaryDirectory() as folder,
            LocalExecutor(_simulate, 1, time_s=_TIME_S, memory_mb=_MEMORY_MB) as executor,
        ):
            job = _Job(*self._given, Path(folder) / "progress")
            future = executor.submit(job)
            while not (future.done() or self._is_cancelled):
                executor.wait(_EVERY_S)
                with suppress(OSError, ValueError):  # it is not there yet, or is being written
                    done_ms, all_ms = job.note.read_text().split()
                    self._done_ms = int(done_ms), int(all_ms)
            return None if self._is_cancelled else future.result()


def _ended(working: "asyncio.Future[Crash | None]") -> None:
    CrashRun._running -= 1
    if not working.cancelled():
        working.exception()  # it is told by `result`, or nobody looks any more


def _simulate(job: _Job) -> Crash:
    """Do a job; this is the other process."""
    last_ms = 0

    def note(done_ms: int, all_ms: int) -> None:
        nonlocal last_ms
        if done_ms - last_ms >= _EVERY_MS:
            last_ms = done_ms
            job.note.write_text(f"{done_ms} {all_ms}")

    return simulated(job.scene, job.scale_m_s, job.floor, progress=note)
