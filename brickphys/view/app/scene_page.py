"""Scene page: a scene is put together, its move swept, and the same move made by rigid bodies."""

from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files

from nicegui import events, ui

from brickphys.errors import InvalidValueError
from brickphys.reading import shipped_text
from brickphys.throws.conditions import SURFACES
from brickphys.vehicles.collision import Collision, resolve
from brickphys.vehicles.crash import SPEED_SCALE_M_S
from brickphys.vehicles.crash_outcome import Crash
from brickphys.vehicles.scene import Scene, ThingType, Unit
from brickphys.vehicles.scene_edit import moved, thing_of, with_new, without
from brickphys.vehicles.scene_file import parse_scene, scene_text
from brickphys.view.app.crash import CrashRun, crash_table, hit_table
from brickphys.view.app.elements import StatusLine, UncorrectedNumber, desk, explain, titled
from brickphys.view.app.files import OpenedFile, TabStorage, open_button, read_as, save_file
from brickphys.view.app.glossary import glossary
from brickphys.view.app.jobs import at_work, quick
from brickphys.view.app.player import Arrangement, ScenePlayer
from brickphys.view.app.scene_fields import MoveFields, ThingFields, fault_words, models
from brickphys.view.collision import WHOLE_FIELD, crash_recording, sweep_recording
from brickphys.view.recording import SceneRecording

_MOST_THINGS = 300
"""More are too many to be arranged in a browser."""
_NEW = {ThingType.VEHICLE: "Vehicle", ThingType.UNIT: "Figure", ThingType.DECOR: "Wall or tree"}
_MOST_UNDONE = 200

_RULES = (
    "This is the answer of the rules, which counts at a table: the compulsory move by geometry alone. It ends at the "
    "first thing that the vehicle cannot pass."
)


async def scene_page(start: Scene | None = None) -> None:
    """Add the page; it begins with a scene, or with what the same tab of the browser had of it before."""
    desk = SceneDesk(*await quick(_begun, start))
    await ui.context.client.connected()
    await desk.begin()


def _begun(start: Scene | None) -> tuple[Scene, str]:
    """Return a scene, the example if there is none, and a name for it; load the models that it may be built of."""
    scene = start or parse_scene(shipped_text(files("brickphys.view.app") / "example_scene.toml"))
    for kind in _NEW:
        models(kind)
    return scene, sha256(scene_text(scene).encode()).hexdigest()[:16]


class SceneDesk:
    """A scene of one open page, with its fields, its picture and its results."""

    def __init__(self, start: Scene, name: str) -> None:
        self._start, self.scene = start, start
        self._chosen = start.mover_id
        self._undone: list[Scene] = []
        self._version = 0
        self._storage = TabStorage(f"brickphys-scene-{name}")
        panel, content = desk()
        with content:
            self.fault = StatusLine("alert")
            self.player = ScenePlayer()
            self._line = ui.label().props("role=status").classes("brickphys-result")
            ui.label(_RULES).classes("brickphys-note")
            self._results = ui.html(sanitize=False).classes("brickphys-wide")
            self._crash = CrashPanel(self)
        with panel:
            self._add_panel()
        glossary("Move", "Sectors", "Bricks to resist", "Lashed", "Drift", "Pivot", "Tilt")
        heard = self.player.element
        heard.on("chosen", self._chosen_there, args=["detail"])
        heard.on("placed", self._placed, args=["detail"])

    def _add_panel(self) -> None:
        with ui.row().classes("gap-1"):
            self._back = ui.button("Undo", on_click=self._undo).props("outline")
            ui.button("Start again", on_click=self._begin_again).props("outline")
            opener = open_button("Load", ".toml", self._load, self.fault)
            opener.props('aria-label="Load a scene file"')
            save = ui.button("Save", on_click=self._save)
            save.props('outline aria-label="Save as a scene file"')
        with titled("Add"), ui.row().classes("items-center no-wrap w-full"):
            choices = {
                f"{kind.value} {model}": f"{_NEW[kind]}: {name}"
                for kind in (ThingType.VEHICLE, ThingType.UNIT, ThingType.DECOR)
                for model, name in models(kind).items()
            }
            self._new = (
                ui.select(choices, value="unit ", label="New").props("dense").classes("grow")
            )
            ui.button("Add", on_click=self._add)
        with titled("Chosen"):
            with ui.row().classes("items-center no-wrap w-full"):
                self._choice = ui.select([], label="Thing").props("dense").classes("grow")
                self._choice.on_value_change(self._choose_here)
                ui.button("Take out", on_click=self._remove).props("dense flat")
            self._fields = ThingFields(self._edit)
            ui.label(
                "In the picture: drag it, or its knob to turn it. By keys, after a click or a Tab into the picture: "
                "Page Up and Page Down choose, Shift + arrows move, [ and ] turn."
            ).classes("brickphys-note")
        with titled("Move"):
            self._move = MoveFields(self._edit)

    async def begin(self) -> None:
        """Show the scene, or what the same tab had of it before the page was loaded again."""
        kept = await self._storage.kept()
        if kept:
            with self.fault.reporting_faults():
                self._take(await quick(_parsed, kept, "what this tab has kept"))
        await self.show()

    def _edit(self, change: Callable[[Scene], Scene], chosen: str | None = None) -> None:
        """Change the scene; if that is impossible tell why, and show it as it was."""
        with self.fault.reporting_faults():
            try:
                self._take(_arrangeable(change(self.scene)), chosen)
            except InvalidValueError as error:
                kept = "The scene stays as it was."
                raise InvalidValueError(f"{fault_words(str(error))}. {kept}") from None
        ui.timer(0, self.show, once=True)

    def _take(self, scene: Scene, chosen: str | None = None) -> None:
        """Take a scene in place of the last one, which *Undo* brings back."""
        if scene == self.scene:
            return
        self._undone = [*self._undone[-_MOST_UNDONE:], self.scene]
        self.scene = scene
        self._chosen = chosen or self._chosen

    async def show(self) -> None:
        """Show the scene, its move and its fields as they are now."""
        self._version += 1
        version, scene = self._version, self.scene
        names = [thing.id for thing in scene.things]
        if self._chosen not in names:
            self._chosen = scene.mover_id
        self._crash.clear()
        self._choice.set_options(names, value=self._chosen)
        self._fields.show(thing_of(scene, self._chosen))
        self._move.show(scene)
        self._back.set_enabled(bool(self._undone))
        text, found, recording = await quick(_swept, scene)
        if version != self._version:
            return  # a later change is shown
        self._storage.keep(text)
        turns = tuple(thing.id for thing in scene.things if not isinstance(thing, Unit))
        arrange = Arrangement(tuple(names), turns, self._chosen)
        await self.player.show(recording, is_same=True, arrange=arrange)
        self._show_results(found)

    def _show_results(self, found: Collision) -> None:
        beyond = _beyond(found.scene)
        over = f". Partly over the edge of the field: {', '.join(beyond)}" if beyond else ""
        self._line.text = f"{found.line()}{over}"
        self._results.content = hit_table(found)

    def _choose_here(self) -> None:
        name = self._choice.value
        if isinstance(name, str) and name != self._chosen:
            self._chosen = name
            self.fault.clear()
            ui.timer(0, self.show, once=True)

    def _chosen_there(self, event: events.GenericEventArguments) -> None:
        """Show the fields of what was chosen in the picture, which frames it itself."""
        name = _detail(event).get("id")
        if isinstance(name, str) and name in {thing.id for thing in self.scene.things}:
            self._chosen = name
            self._choice.value = name
            self._fields.show(thing_of(self.scene, name))

    def _placed(self, event: events.GenericEventArguments) -> None:
        detail = _detail(event)
        name = detail.get("id")
        way = [
            part for key in ("x", "y", "deg") if isinstance(part := detail.get(key), int | float)
        ]
        if isinstance(name, str) and len(way) == 3:
            x, y, deg = map(float, way)
            self._edit(lambda scene: moved(scene, name, x, y, deg), name)

    def _add(self) -> None:
        kind, _, model = str(self._new.value).partition(" ")
        added, name = with_new(self.scene, ThingType(kind), model or None)
        self._edit(lambda _: added, name)

    def _remove(self) -> None:
        name = self._chosen
        self._edit(lambda scene: without(scene, name))

    async def _undo(self) -> None:
        if self._undone:
            self.fault.clear()
            self.scene = self._undone.pop()
            await self.show()

    def _begin_again(self) -> None:
        if self.scene != self._start:
            ui.notify("The scene is as it was at first; Undo brings yours back.")
        self._edit(lambda _: self._start)

    async def _load(self, files: list[OpenedFile]) -> None:
        with read_as("scene"):
            self._take(await quick(_parsed, files[0].text, files[0].name))
        await self.show()

    async def _save(self) -> None:
        self.fault.clear()
        save_file("scene", "toml", await quick(scene_text, self.scene))


_PHYSICS = (
    "This is physics, not the rules: what the bodies would do. Figures that it pushes slow the vehicle. Its drive ends "
    "when it, or what it pushes, meets a vehicle or a wall; then all slides on until it rests. So how far it is driven "
    "differs from the move by the rules above, and 'Moved', which counts the sliding, from both."
)


class CrashPanel:
    """Buttons, progress and table of the crash of a desk's scene."""

    def __init__(self, desk: SceneDesk) -> None:
        self._desk = desk
        self._run: CrashRun | None = None
        with ui.row().classes("items-center"):
            self._floor = ui.select(list(SURFACES), value="wood", label="Surface")
            self._floor.props("dense options-dense").classes("w-32")
            self._scale = UncorrectedNumber(
                "m/s for each point of speed", value=SPEED_SCALE_M_S, min=0.01, max=1.0, step=0.05
            )
            self._scale.props("dense").classes("w-48")
            explain(
                self._scale, "How fast the vehicle starts: 0.1 and 4 points of speed are 0.4 m/s."
            )
            self._start = ui.button("Crash as rigid bodies")
            self._start.on_click(lambda: at_work(self._start, self._crash))
            self._cancel = ui.button("Cancel", on_click=self.cancel).props("outline")
            back = ui.button("Back to the scene", on_click=desk.show).props("outline")
        self._bar = ui.linear_progress(show_value=False).props(
            'indeterminate aria-label="Simulating"'
        )
        self._line = StatusLine()
        about = ui.label(_PHYSICS).classes("brickphys-note")
        self._table = ui.html(sanitize=False).classes("brickphys-wide")
        for one in (about, back):  # there is a crash while there is a table
            one.bind_visibility_from(self._table, "content", backward=bool)
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

    async def _crash(self) -> None:
        self._desk.fault.clear()
        scene, floor = self._desk.scene, SURFACES[str(self._floor.value)].nominal
        self._set_running(is_running=True)
        try:
            with self._line.reporting_faults():
                self._run = CrashRun(scene, float(self._scale.value or 0.0), floor)
                await self._show(scene, await self._run.result(self._tell))
        finally:
            self._run = None
            self._set_running(is_running=False)

    async def _show(self, scene: Scene, crash: Crash | None) -> None:
        """Show a crash, unless the scene has changed meanwhile."""
        if crash is None:
            self._line.tell("Cancelled.")
            return
        recording = await quick(crash_recording, scene, crash)
        if scene is self._desk.scene:
            seen = recording.seen_first(WHOLE_FIELD)
            await self._desk.player.show(seen, is_same=True, plays=True)
            self._line.tell(f"{crash.line()}.")
            self._table.content = crash_table(crash)

    def _tell(self, done_ms: int, all_ms: int) -> None:
        self._line.tell(
            f"{done_ms / 1000:.1f} s simulated, of at most {all_ms / 1000:.1f} s", aloud=False
        )

    def _set_running(self, *, is_running: bool) -> None:
        self._cancel.set_visibility(is_running)
        self._bar.set_visibility(is_running)


def _swept(scene: Scene) -> tuple[str, Collision, SceneRecording]:
    found = resolve(scene)
    return scene_text(scene), found, sweep_recording(found).seen_first(WHOLE_FIELD)


def _beyond(scene: Scene) -> list[str]:
    """Return the things that are not on the field with all of their footprint; scenes may have them."""
    return [
        thing.id
        for thing in scene.things
        if not all(map(scene.bounds.contains, thing.prism.footprint.vertices_studs.tolist()))
    ]


def _detail(event: events.GenericEventArguments) -> dict[str, object]:
    """Return what the picture has told; nothing if it is no table."""
    args = event.args.get("detail") if isinstance(event.args, dict) else None
    return args if isinstance(args, dict) else {}


def _parsed(text: str, name: str) -> Scene:
    """Return the scene of a file, as `brickphys collide` reads it."""
    return _arrangeable(parse_scene(text, name))


def _arrangeable(scene: Scene) -> Scene:
    if len(scene.things) > _MOST_THINGS:
        raise InvalidValueError(
            f"{len(scene.things):,} things are more than the {_MOST_THINGS} that are arranged here"
        )
    return scene
