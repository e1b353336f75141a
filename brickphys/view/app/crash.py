"""Crash: the move of a scene as rigid bodies: its start, its progress, its end, its picture and its tables.

It is simulated in a process of its own, which can be ended at any time.
"""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from nicegui import ui

from brickphys.notes import Progress
from brickphys.throws.conditions import SURFACES, ContactCoefficients
from brickphys.vehicles.collision import Collision
from brickphys.vehicles.crash import SPEED_SCALE_M_S, check_scale, check_straight, simulated
from brickphys.vehicles.crash_outcome import Crash
from brickphys.vehicles.scene import Scene
from brickphys.view.app.elements import RefusedNumber, StatusLine, explain
from brickphys.view.app.jobs import BusyError, at_work, quick
from brickphys.view.app.page_html import html_table
from brickphys.view.app.player import ScenePlayer
from brickphys.view.collision import WHOLE_FIELD, crash_recording
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
    told = [one for one in (*crash.outcomes, *crash.riders) if one.is_told]
    rows = [
        (
            one.id,
            "({:.1f}, {:.1f})".format(*one.end_studs),
            f"{one.moved_studs:.1f} studs",
            f"{round(one.tilt_deg)} degrees",
            one.state,
        )
        for one in told
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
    """One simulation.

    Parameters
    ----------
    scene
        What is simulated.
    scale_m_s
        Speed in m/s for one point of speed.
    floor
        Of the table.

    Raises
    ------
    InvalidValueError
        If the scene has a course or lashed vehicles, or the scale is impossible.
    """

    _running = 0
    """How many are simulated at this server."""

    def __init__(self, scene: Scene, scale_m_s: float, floor: ContactCoefficients) -> None:
        check_straight(scene)
        self._given = scene, check_scale(scale_m_s), floor
        self._is_cancelled = False
        self._done_ms: tuple[int, int] | None = None

    def cancel(self) -> None:
        """End it soon."""
        self._is_cancelled = True

    async def result(self, tell: Progress) -> Crash | None:
        """Return the crash; None if it was cancelled.

        Parameters
        ----------
        tell
            Is called again and again with the simulated time and its limit, in ms.

        Raises
        ------
        BusyError
            If so many are simulated at this server already.
        BrickphysError
            If it fails, takes too long, or needs too much memory.
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


_PHYSICS = (
    "This is physics, not the rules: what the bodies would do. Figures that it pushes slow the vehicle. Its drive ends "
    "when it, or what it pushes, meets a vehicle or a wall; then all slides on until it rests. So how far it is driven "
    "differs from the move by the rules above, and 'Moved', which counts the sliding, from both."
)


class CrashPanel:
    """Buttons, progress and table of a crash.

    Parameters
    ----------
    scene
        Returns the scene as it is now.
    player
        Shows the crash.
    back
        Shows the scene again.
    begun
        Called when a crash begins.
    """

    def __init__(
        self,
        scene: Callable[[], Scene],
        player: ScenePlayer,
        back: Callable[[], Awaitable[None]],
        begun: Callable[[], None],
    ) -> None:
        self._scene, self._player, self._begun = scene, player, begun
        self._run: CrashRun | None = None
        with ui.row().classes("items-center"):
            self._floor = ui.select(list(SURFACES), value="wood", label="Surface")
            self._floor.props("dense options-dense").classes("w-32")
            self._scale = RefusedNumber(
                "m/s for each point of speed", value=SPEED_SCALE_M_S, min=0.01, max=1.0, step=0.05
            )
            self._scale.props("dense").classes("w-48")
            explain(
                self._scale, "How fast the vehicle starts: 0.1 and 4 points of speed are 0.4 m/s."
            )
            self._start = ui.button("Crash as rigid bodies", on_click=self._go)
            self._cancel = ui.button("Cancel", on_click=self.cancel).props("outline")
            self._back = ui.button("Back to the scene", on_click=back).props("outline")
        self._bar = ui.linear_progress(show_value=False).props(
            'indeterminate aria-label="Simulating"'
        )
        self._line = StatusLine()
        self._about = ui.label(_PHYSICS).classes("text-sm max-w-3xl")
        self._table = ui.html(sanitize=False).classes("brickphys-wide")
        self._set_running(is_running=False)
        self.clear()
        ui.context.client.on_delete(self.cancel)

    def cancel(self) -> None:
        """End a simulation that runs."""
        if self._run is not None:
            self._run.cancel()

    def clear(self) -> None:
        """Forget the crash: the scene has changed."""
        self.cancel()
        self._line.clear()
        self._table.content = ""
        self._about.set_visibility(False)
        self._back.set_visibility(False)

    async def _go(self) -> None:
        await at_work(self._start, self._crash)

    async def _crash(self) -> None:
        self._begun()
        scene, floor = self._scene(), SURFACES[str(self._floor.value)].nominal
        self._set_running(is_running=True)
        try:
            with self._line.telling():
                self._run = running = CrashRun(scene, float(self._scale.value or 0.0), floor)
                await self._show(scene, await running.result(self._tell))
        finally:
            self._run = None
            self._set_running(is_running=False)

    async def _show(self, scene: Scene, crash: Crash | None) -> None:
        """Show a crash, unless the scene has changed meanwhile."""
        if crash is None:
            self._line.tell("Cancelled.")
            return
        recording = await quick(crash_recording, scene, crash)
        if scene is self._scene():
            seen = recording.seen_first(WHOLE_FIELD)
            await self._player.show(seen, is_same=True, plays=True)
            self._line.tell(f"{crash.line()}.")
            self._table.content = crash_table(crash)
            self._about.set_visibility(True)
            self._back.set_visibility(True)

    def _tell(self, done_ms: int, all_ms: int) -> None:
        self._line.tell(
            f"{done_ms / 1000:.1f} s simulated, of at most {all_ms / 1000:.1f} s", aloud=False
        )

    def _set_running(self, *, is_running: bool) -> None:
        self._cancel.set_visibility(is_running)
        self._bar.set_visibility(is_running)
