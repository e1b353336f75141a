"""Live player: the player of a game that goes on, as an element of a page."""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from nicegui import events, ui

from brickphys.arrays import Triple
from brickphys.rules.players.choices import Choice
from brickphys.text import spoken
from brickphys.view.app.modules import LIVE, LIVE_STYLE
from brickphys.view.app.player import ScenePlayer
from brickphys.view.document import document, text_of
from brickphys.view.live_battle import Fall, LiveBattle
from brickphys.view.recording import SceneRecording

_FAR_MM = 1e6
_CALL = """
    globalThis.liveCalls = (globalThis.liveCalls ?? Promise.resolve())
        .then(async () => (await import("{module}")).{name}({words}))
        .catch((error) => console.warn(error));
"""


class LivePlayer(ScenePlayer):
    """Shows a recording that grows, and lights places that one may click.

    Parameters
    ----------
    on_pick
        Is called with the place in mm that is clicked, and the name of the thing that is there, which may be empty.
    """

    def __init__(self, on_pick: Callable[[tuple[float, float], str], Awaitable[None]]) -> None:
        super().__init__()
        ui.add_head_html(f'<link rel="stylesheet" href="{LIVE_STYLE}">')
        self._shapes = set[str]()

        async def picked(event: events.GenericEventArguments) -> None:
            if (found := picked_place(event.args)) is not None:
                await on_pick(*found)

        self.element.on("picked", picked, args=["detail"])

    def ready(
        self, recording: SceneRecording, falls: Sequence[Fall] | None = None
    ) -> Callable[[], None]:
        """Return what shows a recording; its documents are made now, which takes a moment.

        Parameters
        ----------
        recording
            A whole one, which is shown at its end: the camera stays where it is if its title is that of the last one;
            or what is added to the one that is shown.
        falls
            The bricks that fall meanwhile in a corner of the picture, each in its time; None for a whole recording.
        """
        shapes = {thing.shape.name for thing in recording.things}
        if falls is None:
            self._shapes = shapes
            text = text_of(recording)
            return lambda: self._call("show", self._offered(text))
        fallen = [(one.start_ms, one.stop_ms, document(one.recording)) for one in falls]
        part = document(recording, frozenset(self._shapes))
        self._shapes |= shapes

        def show() -> None:
            for one in fallen:
                self._call("fall", *one)
            self._call("extend", part)

        return show

    def offer(
        self, choices: Sequence[tuple[Choice[Any], Triple]], live: LiveBattle, here: Triple | None
    ) -> None:
        """Light the places of choices, and no others.

        Parameters
        ----------
        choices
            The choices, each with its place in mm.
        live
            What is shown.
        here
            Where the piece is that acts; None if there is none.
        """
        ats = [at for _, at in choices] + ([] if here is None else [here])
        rings = [
            {"at": [round(part, 2) for part in at], "ring": round(reach, 2)}
            for at, reach in zip(ats, live.reaches_mm(ats), strict=True)
        ]
        acts = None if here is None else rings.pop()
        places = [
            {
                **ring,
                "text": spoken(choice.text),
                "told": choice.told,
                "is_attack": choice.is_attack,
                "is_harmful": choice.is_harmful,
            }
            for (choice, _), ring in zip(choices, rings, strict=True)
        ]
        self._call("offer", places, live.place_size_mm, acts)

    def wait(self) -> None:
        """Light no place: nobody here is to act."""
        self._call("wait")

    def clear(self) -> None:
        """Show nothing any more: nobody else may see what is here."""
        self._forget()
        self._call("clear")

    def _call(self, name: str, *values: object) -> None:
        """Call a function of the module, after all that was called before has been done."""
        words = ",".join(json.dumps(value, separators=(",", ":")) for value in values)
        self.element.client.run_javascript(_CALL.format(module=LIVE, name=name, words=words))


def picked_place(args: object) -> tuple[tuple[float, float], str] | None:
    """Return place and thing of what a browser has sent; None if it is something else."""
    detail = args.get("detail") if isinstance(args, dict) else None
    if not isinstance(detail, dict):
        return None
    at, thing = detail.get("at"), detail.get("thing")
    if not (isinstance(at, list) and len(at) == 2 and isinstance(thing, str)):
        return None
    if not all(isinstance(part, int | float) and abs(part) < _FAR_MM for part in at):
        return None
    return (float(at[0]), float(at[1])), thing
