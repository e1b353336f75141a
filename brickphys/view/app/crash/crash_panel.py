"""Crash panel: the move of a scene as rigid bodies: starts it, shows how far it is, ends it, and shows it."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from brickphys.throws.surfaces import SURFACES
from brickphys.vehicles.physics.blocks import SPEED_SCALE_M_S
from brickphys.vehicles.physics.outcome import Crash
from brickphys.vehicles.scene import Scene
from brickphys.view.app.crash.crash_run import CrashRun
from brickphys.view.app.crash.scene_tables import crash_table
from brickphys.view.app.jobs import at_work, quick
from brickphys.view.app.number_field import RefusedNumber, explain
from brickphys.view.app.player import ScenePlayer
from brickphys.view.app.status_line import StatusLine
from brickphys.view.crash import crash_recording
from brickphys.view.field import WHOLE_FIELD

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
