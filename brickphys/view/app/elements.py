"""Elements of several pages.

- A line for results and faults, which screen readers read out; headings; the glossary of a page; tables; numbers.
- Files that a person opens and saves: they go through the browser, which alone reads its disk.
- A text that a tab of a browser keeps while it is open, also when its page is loaded again.
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from html import escape
from itertools import takewhile
from typing import Literal, NamedTuple

from nicegui import events, ui

from brickphys.errors import BrickphysError, InvalidValueError
from brickphys.reading import MOST_BYTES, decode
from brickphys.view.app.page_html import Cell, html_table

_FAULT = "brickphys-fault"


class StatusLine:
    """A line that tells results and faults; one of the role ``alert`` tells faults alone, which are read at once."""

    results: ui.element | None = None
    """What is hidden while a fault is told, since it answers something else; None for nothing."""
    _changes = 0

    def __init__(self, role: Literal["status", "alert"] = "status", fault: str = "") -> None:
        self._label = ui.label().props(f"role={role}").classes("brickphys-line")
        if fault:
            self.refuse(fault)

    @property
    def text(self) -> str:
        """What it tells."""
        return str(self._label.text).rstrip()

    def tell(self, text: str, *, aloud: bool = True) -> None:
        """Tell a result; `aloud` is false for what a screen reader need not read, since more follows at once."""
        self._write(text, aloud=aloud)
        self._label.classes(remove=_FAULT)
        self._show_results(are_shown=True)

    def refuse(self, text: str) -> None:
        """Tell a fault."""
        self._write(text)
        self._label.classes(add=_FAULT)
        self._show_results(are_shown=False)
        self._label.client.run_javascript(
            f"getHtmlElement({self._label.id})?.scrollIntoView({{block: 'nearest'}})"
        )

    def _write(self, text: str, *, aloud: bool = True) -> None:
        """Write a text; a space after one that was there already lets it be read aloud again."""
        self._changes += 1
        self._label.props(remove="aria-live") if aloud else self._label.props("aria-live=off")
        is_same = bool(text) and text == self._label.text
        self._label.text = f"{text}\N{NO-BREAK SPACE}" if is_same else text

    def _show_results(self, *, are_shown: bool) -> None:
        if self.results is not None:
            self.results.set_visibility(are_shown)

    def clear(self) -> None:
        """Tell nothing."""
        self.tell("")

    @contextmanager
    def reporting_faults(self) -> Iterator[None]:
        """Tell what is wrong in the block; clear the line if it was a fault, and nothing was told meanwhile."""
        before = self._changes
        try:
            yield
        except BrickphysError as error:
            self.refuse(str(error))
        else:
            is_old = before == self._changes and not self._label.is_deleted
            if is_old and _FAULT in self._label.classes:
                self.clear()


_SIZES = {1: "text-h5", 2: "text-h6"}


def heading(text: str, level: int = 2) -> None:
    """Add a heading; that of the page has level 1."""
    with ui.element(f"h{level}").classes(_SIZES[level]):
        ui.label(text)


_MEANINGS = {
    "Law": "The chance that a brick scores, measured with many throws, and how uncertain it is.",
    "Pose": (
        "How a body lies at rest: a brick on a side, with its studs up or its studs down. Leaning: against "
        "another one or on the edge of its studs. Unsettled: it still moved when the simulation ended."
    ),
    "Barrier": (
        "The height to which the centre of mass has to rise before the body can tip over into another pose. "
        "Energy is drawn as the height that it could lift the body to. Once it is below the barrier, the pose "
        "is decided."
    ),
    "95 % interval": (
        "Of 100 such series of throws about 95 have an interval that contains the chance that endless throws "
        "would show. A share has Wilson's interval, which holds for few throws, too; the difference of two "
        "shares has Newcombe's."
    ),
    "90 % range": (
        "Where the chance lies for 90 % of tables and hands like these: their friction, bounce and way of "
        "throwing differ, and no number of simulated throws makes that smaller."
    ),
    "Percentage points": "The difference of two chances: from 30 % to 33 % are 3 percentage points.",
    "Friction": (
        "The force along the table that stops a sliding body, as a share of the force that presses it down."
    ),
    "Restitution": (
        "The speed after a bounce as a share of the speed before: 0 for clay, 1 for a perfect ball."
    ),
    "Throw": (
        "Hand: as people throw dice. Drop: let fall, without a push. Cup: poured out of a cup just above the "
        "table."
    ),
    "Seed": (
        "A number that fixes all chance: the same seed gives the same throws, or the same rolls, again."
    ),
    "Bot": (
        "A player that is a program. Random does anything that is legal. Greedy does what has the best odds now. "
        "Lookahead thinks some moves ahead."
    ),
    "Replay": "A file with all that was chosen and rolled in a game.",
    "Alone or with others": (
        "Bricks that are thrown together hit each other, so a brick among them has another chance to stop on a side "
        "than one that is thrown alone."
    ),
    "Score": "How many of the bricks thrown stop on a side.",
    "Success": "The attack scores more than the defence; the damage is the difference.",
    "p-value": (
        "How often rolls would differ at least this much from the law if the law is right. Below 5 % is a "
        "reason to doubt it."
    ),
    "Move": (
        "A compulsory move: a vehicle with speed must go on, five studs for a point of its speed, or along the "
        "course that is given. Figures do not stop it; walls and vehicles do."
    ),
    "Sectors": (
        "The side on which a vehicle is hit: front, rear, left or right. Quadrant: by the direction to the "
        "mover's centre, with limits at 45 and 135 degrees. Corner: with limits through its corners. Contact: "
        "by the face that is touched."
    ),
    "Bricks to resist": (
        "How many bricks the thing that is hit rolls against the hit: the speed of the mover. If it is a "
        "vehicle, both roll, and their speeds are added in a hit from the front and subtracted in one from the "
        "rear."
    ),
    "Lashed": "Tied to the vehicle that moves: they go as one body.",
    "Drift": "The vehicle goes in a direction other than the one that it looks in.",
    "Pivot": "The point about which a vehicle turns, seen from its centre.",
    "Tilt": "By how much a thing is tipped over in the end; 90 degrees lies flat.",
    "Cell": "One combination of the values that a study varies; it has many runs.",
    "Run": "One throw, scene or battle of a study, with a seed of its own.",
}


def glossary(*terms: str) -> None:
    """Add the explanations of terms of a page."""
    entries = "".join(
        f"<dt>{escape(term)}</dt><dd>{escape(_MEANINGS[term])}</dd>" for term in terms
    )
    ui.html(
        f"<details><summary>Terms of this page</summary><dl>{entries}</dl></details>",
        sanitize=False,
    ).classes("brickphys-terms")


class TableElement:
    """A table in a page, whose rows can change."""

    def __init__(self) -> None:
        self._html = ui.html("", sanitize=False).classes("brickphys-rows")

    def show(self, caption: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
        """Show other rows."""
        self._html.content = html_table(caption, columns, rows)

    def clear(self) -> None:
        """Show nothing."""
        self._html.content = ""


def explain(element: ui.element, about: str) -> None:
    """Tell what a field is: the mouse gets a tooltip, a screen reader a description; `about` has no quotes."""
    element.tooltip(about).props(f'aria-description="{about}"')


class RefusedNumber(ui.number):
    """A number that stays as it was typed: what is outside its limits is refused in words, not changed silently."""

    def sanitize(self) -> None:
        """Change nothing."""


def slid_number(
    label: str, value: int, least: int, most: int, changed: Callable[[], object]
) -> ui.number:
    """Return a whole number that may be typed or slid; the keyboard and screen readers use the number alone."""
    with ui.column().classes("brickphys-slid"):
        number = RefusedNumber(label, value=value, min=least, max=most, step=1)
        number.on_value_change(lambda _: changed())
        slider = ui.slider(min=least, max=most, value=value).bind_value(number)
        slider.props("tabindex=-1 aria-hidden=true")
    return number


def whole(number: ui.number, least: int, most: int) -> int:
    """Return what was typed as a whole number; InvalidValueError if it is none, or outside its range."""
    label, value = str(number.props.get("label", "")), number.value
    if not isinstance(value, (int, float)) or value != int(value):
        raise InvalidValueError(f"{label}: give a whole number from {least} to {most:,}")
    if not least <= value <= most:
        raise InvalidValueError(f"{label}: {value:,.0f} is outside {least} to {most:,}")
    return int(value)


_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9]+")


class OpenedFile(NamedTuple):
    """A file that a person opened in the browser."""

    name: str
    content: bytes
    """Its name, without a folder, and its bytes."""

    @property
    def text(self) -> str:
        """Its text; InvalidValueError if it is not UTF-8."""
        return decode(self.content, self.name)


def open_button(
    label: str,
    endings: str,
    opened: Callable[[list[OpenedFile]], Awaitable[None] | None],
    line: StatusLine,
    most: int = MOST_BYTES,
) -> ui.button:
    """Add a button that opens files of the person at the browser, and return it.

    The browser offers files with some endings (``.json,.toml``), of `most` bytes together. `opened` is called with
    them; the line tells what it raises.
    """
    wanted = f"only files of {endings.replace(',', ', ')}, together at most {most / 1e6:g} MB, are opened here"

    async def take(event: events.MultiUploadEventArguments) -> None:
        upload.reset()
        with line.reporting_faults():
            if sum(file.size() for file in event.files) > most:
                raise InvalidValueError(wanted)
            doing = opened([OpenedFile(file.name, await file.read()) for file in event.files])
            if doing is not None:
                await doing

    upload = ui.upload(multiple=True, auto_upload=True, max_total_size=most, on_multi_upload=take)
    upload.on_rejected(lambda: line.refuse(wanted)).classes("hidden").props(f'accept="{endings}"')
    button = ui.button(label).props("outline")
    return button.on("click", js_handler=f"() => getElement({upload.id}).$refs.qRef.pickFiles()")


@contextmanager
def read_as(what: str) -> Iterator[None]:
    """Say first what an opened file is not, if it cannot be read in the block."""
    try:
        yield
    except InvalidValueError as error:
        raise InvalidValueError(f"This is not a saved {what}: {error}") from None


def save_file(stem: str, ending: str, text: str) -> str:
    """Let the browser save a text as a file, and return its name, in which only letters and digits are kept."""
    name = f"{_NOT_IN_NAMES.sub('-', stem).strip('-')}.{ending}"
    ui.download.content(text.encode(), name)
    return name


_ANSWER_S = 30.0
"""Time in which a browser answers, however busy the machine is."""
_KEEP = """{{
    const lines = (sessionStorage.getItem({name}) ?? "").split("\\n").slice(0, {start});
    sessionStorage.setItem({name}, lines.concat({lines}).join("\\n"));
}}"""


class TabStorage:
    """The text of a name, in the tab of the page that is being made; no other tab reads it."""

    def __init__(self, name: str) -> None:
        self._client = ui.context.client
        self._name = json.dumps(name)
        self._lines = list[str]()

    def keep(self, text: str) -> None:
        """Keep a text in place of the last one; only the lines from the first one that differs are sent."""
        lines = text.split("\n")
        pairs = zip(lines, self._lines, strict=False)
        start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        self._lines = lines
        self._client.run_javascript(
            _KEEP.format(name=self._name, start=start, lines=json.dumps(lines[start:]))
        )

    def forget(self) -> None:
        """Keep nothing."""
        self._lines = []
        self._client.run_javascript(f"sessionStorage.removeItem({self._name})")

    async def kept(self) -> str:
        """Return the text; empty if there is none, or the browser does not answer."""
        found = None
        with suppress(TimeoutError):
            found = await self._client.run_javascript(
                f"return sessionStorage.getItem({self._name})", timeout=_ANSWER_S
            )
        return found if isinstance(found, str) else ""
