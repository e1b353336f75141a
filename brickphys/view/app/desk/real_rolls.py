"""Real rolls: hands of bricks that were thrown and typed in, beside the law."""

import json
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from brickphys.calibration.home_counts import BRICKS, SCORE, HomeCounts, parse_home_counts
from brickphys.errors import InvalidValueError
from brickphys.odds.law import Law, RollLaw
from brickphys.odds.law_choice import named_law
from brickphys.odds.law_file import law_document
from brickphys.odds.roll import MAX_BRICKS
from brickphys.text import counted, percent, percent_range
from brickphys.throws.surfaces import Surface
from brickphys.view.app.browser_files import OpenedFile, open_button, save_file
from brickphys.view.app.desk.law_field import LawField
from brickphys.view.app.html_table import Cell, Chance
from brickphys.view.app.jobs import Latest, quick
from brickphys.view.app.number_field import slid_number, whole
from brickphys.view.app.status_line import StatusLine
from brickphys.view.app.tab_storage import TabStorage
from brickphys.view.app.table_element import TableElement

if TYPE_CHECKING:
    from brickphys.calibration.inference import Inference

_HEADER = f"{BRICKS},{SCORE}"
_MOST_LETTERS = 100_000
_STATED = "stated"
_OWN_LAW = "my rolls"
_SOURCE = "the odds desk of brickphys view"
_PAIR = re.compile(r"\s*(\d+)(?:\s*[,;|]\s*|\s+)(\d+)\s*")
"""Bricks and score on a line, whatever is between them."""


class RealRolls:
    """Fields of rolls, one by one or as a list, which the tab keeps, and what they say of the law."""

    def __init__(self, law: LawField) -> None:
        self._law = law
        self._storage = TabStorage("brickphys-rolls")
        ui.label(
            "Throw real bricks, and type in how many you threw together and how many stopped on a "
            "side. Each roll is a line of the list, which you may also paste."
        ).classes("max-w-3xl")
        with ui.row().classes("items-end w-full"):
            self._bricks = slid_number("Bricks thrown together", 1, 1, MAX_BRICKS, lambda: None)
            self._score = slid_number("Of them on a side", 0, 0, MAX_BRICKS, lambda: None)
            ui.button("Add this roll", on_click=self._add)
        self._line = StatusLine()
        with ui.row().classes("w-full"):
            self._list = ui.textarea("Rolls (bricks,score)", value=_HEADER)
            self._list.props("outlined rows=8 debounce=200").classes("w-56")
            self._list.on_value_change(self._changed)
            with ui.column().classes("grow"):
                self._shares = TableElement()
                self._verdict = ui.label().props("role=status").classes("max-w-2xl")
        with ui.row():
            open_button("Open a file of rolls", ".csv", self._open, self._line)
            ui.button("Save as a law", on_click=self._save).props("outline")
            ui.button("Begin again", on_click=self._clear).props("outline")
        self._latest = Latest["Inference"](quick, self._show, self._line)
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
        with self._line.telling():
            bricks = whole(self._bricks, 1, MAX_BRICKS)
            score = whole(self._score, 0, bricks)
            self._list.value = f"{self._written().rstrip()}\n{bricks},{score}\n"

    def _clear(self) -> None:
        self._list.value = _HEADER

    async def _open(self, files: list[OpenedFile]) -> None:
        text = as_counts(files[0].text)
        await quick(parse_home_counts, text, files[0].name)
        self._list.value = text

    async def _save(self) -> None:
        """Save the law that combines the chosen one with the rolls, and let the other tabs use it."""
        with self._line.telling():
            law = self._law.law
            if not isinstance(law, Law):
                raise InvalidValueError(
                    "Choose a measured law above: with a stated chance no rolls can be combined"
                )
            own = replace(await quick(_combined, self._written(), law), name=_OWN_LAW)
            text = json.dumps(law_document(own), indent=2, ensure_ascii=False) + "\n"
            name = save_file(_OWN_LAW, "json", text)
            self._law.add(_OWN_LAW, named_law(own))
            ui.notify(f"{name} is saved, and chosen above as {_OWN_LAW}: all tabs use it.")

    def _written(self) -> str:
        return str(self._list.value or _HEADER)[:_MOST_LETTERS]

    def refresh(self) -> None:
        """Tell what the rolls say."""
        self._shares.clear()
        self._verdict.text = ""
        self._latest.drop()
        with self._line.telling():
            text = as_counts(self._written())
            if text.strip().lower().replace(" ", "") == _HEADER:
                self._line.tell("No roll yet.")
                return
            self._latest.ask(partial(_inferred, text, self._law.law))

    def _show(self, found: "Inference") -> None:
        self._line.tell(_told(found.counts))
        own, law = found.share.p, self._law.law
        known = law.p_range90 if isinstance(law, Law) else None
        rows: list[list[Cell]] = [
            ["these rolls", Chance(own.mean, own.ci95), "95 % interval"],
            [self._law.name, Chance(float(law.p), known), "90 % range" if known else ""],
        ]
        self._shares.show("Chance of a side", ("by", "chance and range", "the range is"), rows)
        self._verdict.text = (
            _CONTAINED if _contains(law, found.counts) else _verdict(found, float(law.p))
        )


_CONTAINED = "This law contains these rolls: compare them with another one."


def as_counts(text: str) -> str:
    """Return a list as a file of counts: other separators become commas, and one without a heading gets it."""
    lines = text.splitlines()
    pairs = [_PAIR.fullmatch(line) for line in lines]
    first = next((pair for pair, line in zip(pairs, lines, strict=True) if line.strip()), None)
    whole = [
        f"{pair[1]},{pair[2]}" if pair else line if "," in line else re.sub("[;\t|]", ",", line)
        for pair, line in zip(pairs, lines, strict=True)
    ]
    return "\n".join([_HEADER, *whole] if first else whole)


def _contains(law: RollLaw, counts: HomeCounts) -> bool:
    """Whether a law was combined with these very rolls."""
    combined = law.combined if isinstance(law, Law) else None
    return combined is not None and combined.scores == counts.scores()


def _whole(text: str) -> HomeCounts:
    """Return all rolls of a list, whatever surfaces it names."""
    counts = parse_home_counts(text, "the list")
    return HomeCounts(counts.bricks, counts.score, counts.poses, repeats=counts.repeats)


def _combined(text: str, law: Law) -> Law:
    """Return the law that follows from a law and from rolls, as `brickphys infer --out` writes it."""
    from brickphys.calibration.combined_law import combined_law  # loads scipy.stats
    from brickphys.calibration.home import check_combinable

    counts = _whole(as_counts(text))
    check_combinable(law, {law.surface.name: counts})
    return combined_law(law, counts, _OWN_LAW, _SOURCE)


def _inferred(text: str, law: RollLaw) -> "Inference":
    """Return what rolls say; they are taken as thrown on the surface of the law."""
    from brickphys.calibration.inference import infer  # loads scipy.stats

    known = law if isinstance(law, Law) else None
    table = known.surface if known else None
    friction, restitution = (table.friction, table.restitution) if table else (0.0, 0.0)
    on = Surface(
        table.name if table else _STATED,
        (friction, friction),
        (restitution, restitution),
        "the law",
    )
    return infer(_whole(text), on, known, None, seed=0)


def _told(counts: HomeCounts) -> str:
    return (
        f"{counted(counts.hands, 'roll')} of {counted(counts.thrown, 'brick')} in all: "
        f"{counts.sides:,} on a side, {percent(counts.sides / counts.thrown)}. "
        "The table has the chance estimated from them: the posterior mean with Jeffreys' prior, "
        "which pulls few rolls towards 50 %."
    )


def _verdict(found: "Inference", stated: float) -> str:
    """Return what the rolls say of the law, in sentences."""
    check = found.check
    if check is None:
        low, high = found.share.p.ci95
        where = "inside" if low <= stated <= high else "outside"
        return f"The stated {percent(stated)} is {where} the interval {percent_range(low, high)}."
    text = f"{check.verdict[0].upper()}{check.verdict[1:]} (p-value {check.p_value_all:.2g} with its 90 % range)."
    if check.lacking:
        text += f" {counted(check.lacking, 'more brick')} would show a difference of ten percentage points."
    return text
