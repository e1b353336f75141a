"""Odds page: the odds desk, with real rolls beside the law; and the page of a law, which has it, too.

Real rolls are hands of bricks that were thrown on a table and typed in.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from nicegui import ui

from brickphys.calibration.home_counts import BRICKS, SCORE, HomeCounts, parse_home_counts
from brickphys.errors import InvalidValueError
from brickphys.odds.law import Law, RollLaw
from brickphys.odds.law_choice import named_law
from brickphys.odds.roll import MAX_BRICKS
from brickphys.text import counted, percent, percent_range
from brickphys.throws.conditions import Surface
from brickphys.view.app.brick_odds import BrickOdds, LawField, shipped
from brickphys.view.app.elements import (
    StatusLine,
    TableElement,
    desk,
    number_with_slider,
    titled,
    whole_number,
)
from brickphys.view.app.files import OpenedFile, TabStorage, open_button, save_file
from brickphys.view.app.game_odds import GameOdds, offered_rolls
from brickphys.view.app.glossary import glossary
from brickphys.view.app.jobs import Latest, quick
from brickphys.view.app.page_html import Cell, Chance, html_image, law_line, law_table, png_of

if TYPE_CHECKING:
    from brickphys.calibration.inference import Inference

_HEADER = f"{BRICKS},{SCORE}"
_MOST_LETTERS = 100_000
_STATED = "stated"
_OWN_LAW = "my rolls"
_SOURCE = "the odds desk of brickphys view"
_LINE = re.compile(r" \(line \d+\)")
_PAIR = re.compile(r"\s*(\d+)(?:\s*[,;|]\s*|\s+)(\d+)\s*")
"""Bricks and score on a line, whatever is between them."""


class _RollResults(NamedTuple):
    """What rolls say: by themselves, and together with the law; None if they cannot be combined."""

    rolls: "Inference"
    together: Law | None


class RealRolls:
    """Fields of rolls, one by one or as a list, which the tab keeps, and what they say of the law."""

    def __init__(self, law: LawField) -> None:
        self._law = law
        self._storage = TabStorage("brickphys-rolls")
        self._before = _HEADER
        panel, content = desk()
        with content:
            self._line = StatusLine()
            self._shares = TableElement()
            self._verdict = ui.label().props("role=status").classes("brickphys-note")
        with panel, titled("A roll of real bricks"):
            self._bricks = number_with_slider(
                "Bricks thrown together", 1, 1, MAX_BRICKS, lambda: None
            )
            self._score = number_with_slider("Of them on a side", 0, 0, MAX_BRICKS, lambda: None)
            ui.button("Add this roll", on_click=self._add)
        with panel, titled("All rolls"):
            self._list = ui.textarea("Rolls (bricks,score)", value=_HEADER)
            self._list.props(
                'rows=8 debounce=200 hint="a line for each roll; a list may be pasted"'
            )
            self._list.on_value_change(self._changed)
            with ui.row():
                open_button("Open a file of rolls", ".csv", self._open, self._line)
                ui.button("Save as a law", on_click=self._save).props("outline")
                ui.button("Begin again", on_click=lambda: self._replace(_HEADER)).props("outline")
                self._undo = ui.button("Undo", on_click=lambda: self._replace(self._before))
                self._undo.props("outline").set_visibility(False)
        self._latest = Latest[_RollResults](quick, self._show, self._line)
        self.refresh()
        ui.timer(0, self._go_on, once=True)

    async def _go_on(self) -> None:
        """Show the list that the tab has kept from before the page was loaded again."""
        if kept := await self._storage.kept():
            self._list.value = kept

    def _changed(self) -> None:
        self._storage.keep(self._written())
        self.refresh()

    def _add(self) -> None:
        with self._line.reporting_faults():
            bricks = whole_number(self._bricks, 1, MAX_BRICKS)
            score = whole_number(self._score, 0, bricks)
            self._list.value = f"{self._written().rstrip()}\n{bricks},{score}\n"

    def _replace(self, text: str) -> None:
        """Put another list in the place of this one, to which *Undo* leads back."""
        if text != self._written():
            self._before, self._list.value = self._written(), text
            self._undo.set_visibility(True)

    async def _open(self, files: list[OpenedFile]) -> None:
        text = as_counts(files[0].text)
        await quick(parse_home_counts, text, files[0].name)
        self._replace(text)

    async def _save(self) -> None:
        """Save the law that combines the chosen one with the rolls, and let the other tabs use it."""
        with self._line.reporting_faults():
            law = self._law.law
            if not isinstance(law, Law):
                raise InvalidValueError(
                    "Choose a measured law above: with a stated chance no rolls can be combined"
                )
            own = replace(await quick(_combined, self._written(), law), name=_OWN_LAW)
            name = save_file(_OWN_LAW, "json", own.file_text())
            self._law.add(_OWN_LAW, named_law(own))
            doubt = f" Beware: {own.contradiction}." if own.contradiction else ""
            ui.notify(f"{name} is saved, and chosen above as {_OWN_LAW}: all tabs use it.{doubt}")

    def _written(self) -> str:
        return str(self._list.value or _HEADER)[:_MOST_LETTERS]

    def refresh(self) -> None:
        """Tell what the rolls say."""
        self._shares.clear()
        self._verdict.text = ""
        self._latest.drop()
        with self._line.reporting_faults():
            text = as_counts(self._written())
            if text.strip().lower().replace(" ", "") == _HEADER:
                self._line.tell("No roll yet. Throw your own bricks, and add what you see.")
                return
            self._latest.ask(partial(_found, text, self._law.law))

    def _show(self, found: "_RollResults") -> None:
        counts, law = found.rolls.counts, self._law.law
        self._line.tell(
            f"{counted(counts.hands, 'roll')} of {counted(counts.thrown, 'brick')} in all: {counts.sides:,} on a side."
        )
        self._shares.show("Chance that a brick stops on a side", _COLUMNS, _rows(found, self._law))
        is_contained = _contains(law, counts)
        self._verdict.text = _CONTAINED if is_contained else _verdict(found.rolls, float(law.p))


_COLUMNS = ("by", "chance and range", "the range is")
_CONTAINED = "This law contains these rolls: compare them with another one."


def as_counts(text: str) -> str:
    """Return a list as a file of counts: other separators become commas, and one without a heading gets it."""
    lines = text.removeprefix("\ufeff").splitlines()
    pairs = [_PAIR.fullmatch(line) for line in lines]
    first = next((pair for pair, line in zip(pairs, lines, strict=True) if line.strip()), None)
    whole = [
        f"{pair[1]},{pair[2]}" if pair else line if "," in line else re.sub("[;\t|]", ",", line)
        for pair, line in zip(pairs, lines, strict=True)
    ]
    return "\n".join([_HEADER, *whole] if first else whole)


def _contains(law: RollLaw, counts: HomeCounts) -> bool:
    combined = law.combined if isinstance(law, Law) else None
    return combined is not None and combined.scores == counts.scores()


def _whole(text: str) -> HomeCounts:
    """Return all rolls of a list, whatever surfaces it names."""
    try:
        counts = parse_home_counts(text, "the list")
    except InvalidValueError as error:  # its line counts a heading that the list may not have
        raise InvalidValueError(_LINE.sub("", str(error))) from None
    return HomeCounts(counts.bricks, counts.score, counts.poses, repeats=counts.repeats)


def _combined(text: str, law: Law) -> Law:
    """Return the law that follows from a law and from rolls, as `brickphys infer --out` writes it."""
    from brickphys.calibration.combined_law import combined_law  # loads scipy.stats
    from brickphys.calibration.home import check_combinable

    counts = _whole(as_counts(text))
    check_combinable(law, {law.surface.name: counts})
    return combined_law(law, counts, _OWN_LAW, _SOURCE)


def _found(text: str, law: RollLaw) -> _RollResults:
    """Return what rolls say; they are taken as thrown on the surface of the law."""
    from brickphys.calibration.home import infer_surface  # loads scipy.stats

    known = law if isinstance(law, Law) else None
    table = known.surface if known else None
    friction, restitution = (table.friction, table.restitution) if table else (0.0, 0.0)
    name = table.name if table else _STATED
    on = Surface(name, (friction, friction), (restitution, restitution), "the law")
    together = None
    with suppress(InvalidValueError):  # the law contains them
        together = known and _combined(text, known)
    return _RollResults(infer_surface(_whole(text), on, known, None, seed=0), together)


def _rows(found: _RollResults, law: LawField) -> Iterator[list[Cell]]:
    counts, own = found.rolls.counts, found.rolls.share.p
    counting = "95 % interval: what endless rolls may show; few rolls are pulled towards 50 %"
    yield ["your rolls, as counted", Chance(counts.sides / counts.thrown), ""]
    yield ["your rolls, if they went on without end", Chance(own.mean, own.ci95), counting]
    laws = [(law.name, law.law)]
    if found.together is not None:
        laws.append(("both together, as 'Save as a law' saves it", found.together))
    for name, one in laws:
        known = one.p_range90 if isinstance(one, Law) else None
        meaning = f"90 % range: {one.range_meaning}" if isinstance(one, Law) and known else ""
        yield [name, Chance(float(one.p), known), meaning]


def _verdict(found: "Inference", stated: float) -> str:
    check = found.check
    if check is None:
        low, high = found.share.p.ci95
        where = "inside" if low <= stated <= high else "outside"
        return f"The stated {percent(stated)} is {where} the interval {percent_range(low, high)}."
    text = f"{check.verdict[0].upper()}{check.verdict[1:]} (p-value {check.p_value_all:.2g}, for the range of the law)."
    if check.lacking:
        some = counted(round(check.lacking, -1) or check.lacking, "more brick")
        text += f" To notice a difference of ten percentage points takes about {some}."
    return text


async def odds_page(own: Law | None = None) -> None:
    """Add the law, at first one of a file if there is one, and a tab for each way to ask."""
    laws, rolls = await quick(shipped), await quick(offered_rolls)
    desks: list[BrickOdds | GameOdds | RealRolls] = []

    def changed() -> None:
        for one in desks:
            one.refresh()

    law = LawField(laws, changed, own)
    makers: dict[str, Callable[[], BrickOdds | GameOdds | RealRolls]] = {
        "By bricks": lambda: BrickOdds(law),
        "By units of a game": lambda: GameOdds(law, rolls),
        "Real rolls": lambda: RealRolls(law),
    }
    with ui.tabs().props("align=left dense no-caps") as tabs:
        names = [ui.tab(name) for name in makers]
    with ui.tab_panels(tabs, value=names[0], animated=False).props("keep-alive").classes("w-full"):
        for name, make in zip(names, makers.values(), strict=True):
            with ui.tab_panel(name).classes("p-0"):
                desks.append(make())
    glossary(
        *("Law", "Alone or with others", "Score", "Success"),
        *("95 % interval", "90 % range", "Percentage points", "p-value"),
    )


async def law_page(law: Law) -> None:
    """Add a law, with the name of its file: a line, the odds desk with it, the shares of its poses, and its picture."""
    ui.label(law_line(law)).classes("text-lg")
    await odds_page(law)
    ui.html(law_table(law), sanitize=False)
    picture = ui.html("Drawing ...", sanitize=False).classes("brickphys-wide")
    glossary("Law", "Pose", "95 % interval", "90 % range")
    await ui.context.client.connected()
    png = await quick(png_of, law.plot)
    picture.content = html_image(png, law.line())
