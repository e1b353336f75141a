"""Recording page: a recording in the player, and nothing else."""

from collections.abc import Callable

from nicegui import run, ui

from brickphys.view.app.player import ScenePlayer
from brickphys.view.recording import SceneRecording


async def recording_page(make: Callable[[], SceneRecording]) -> None:
    """Add the player; it shows the recording as soon as that is made."""
    player = ScenePlayer()
    await ui.context.client.connected()
    if (recording := await run.io_bound(make)) is not None:
        player.show(recording)
