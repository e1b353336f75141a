"""Preview: what a choice would do, drawn into the picture of a game; and the question before own men are lost."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from nicegui import ui

from brickphys.geometry.polygon import Point
from brickphys.rules.players.preview import NO_ROLL, Preview
from brickphys.rules.players.prompt import strikes_text
from brickphys.text import sentence, spoken, with_blanks
from brickphys.view.battle import ABOVE_MM, LiveBattle
from brickphys.view.builder import EVER_MS
from brickphys.view.document import document
from brickphys.view.recording import SceneMark, SceneRecording, Sign
from brickphys.view.signs import WAY, Signed, way_signs

_WIDTHS = {Sign.HIT: 4.5, Sign.SPOT: 6.0}
"""How large signs are, in the width of a way."""
OWN = "red"


def drawn(found: Preview, live: LiveBattle) -> dict[str, Any]:
    """Return a preview as the browser draws it: its words in short and in full, pale pieces at its ends, and marks."""
    strikes = [strikes_text(one) for one in found.rolls if one.strikes]
    brief = strikes[:1] or [found.lines[0].partition(";")[0].replace(NO_ROLL, "").strip()]
    words = {"words": [*brief, *found.lines[-1:] * bool(found.harm)]}
    words["more"] = [line for line in found.lines if "fewer " not in line]
    told = {key: with_blanks("\n".join(lines)) for key, lines in words.items()}
    return {**drawn_together([found], live), **told}


def drawn_together(found: Sequence[Preview], live: LiveBattle) -> dict[str, Any]:
    """Return several previews as the browser draws them, without words."""
    signs = chain.from_iterable(_signs(one, live) for one in found)
    ends = [(way.id, way.poses[-1]) for one in found for way in one.ways]
    ghosts = [
        {"id": name, "at": live.field_mm((x, y)), "deg": heading} for name, (x, y, heading) in ends
    ]
    return {**drawing(live, signs), "ghosts": ghosts}


def drawn_units(names: Collection[str], live: LiveBattle) -> dict[str, Any]:
    """Return marks around units, by their names as they are spoken."""
    pieces = live.builder.scene(live.scene).pieces
    chosen = (one for one in pieces if one.name and spoken(one.name) in names)
    return drawing(live, ((Sign.SPOT, [one.at], WAY, "") for one in chosen))


def drawing(live: LiveBattle, signs: Iterable[Signed]) -> dict[str, Any]:
    """Return signs as the browser draws them."""
    marks = tuple(_mark(live, *sign) for sign in signs)
    return document(SceneRecording("", "", 1, 1.0, False, (), (), (), marks))


def _signs(found: Preview, live: LiveBattle) -> Iterator[Signed]:
    """Yield ways, what hulls sweep over, a star where one meets something; own men at risk, and the lane of a shot."""
    for way in found.ways:
        yield from way_signs(way)
    for piece in live.builder.scene(live.scene).pieces if found.own else ():
        if piece.name in found.own:
            yield Sign.HIT, [piece.at], OWN, f"{spoken(piece.name)}: {found.own[piece.name]}"
    if found.lane is not None:
        yield Sign.ARROW, found.lane, OWN if found.own else "black", ""


def _mark(live: LiveBattle, sign: Sign, places: Sequence[Point], *words: str) -> SceneMark:
    """Return a mark; lines are as wide as those of what has happened, stars larger, and in the air like shots."""
    width, (colour, text), is_high = live.builder.mark_mm, words, sign in (Sign.HIT, Sign.ARROW)
    found = tuple(live.field_mm(one, 10 * width if is_high else ABOVE_MM) for one in places)
    return SceneMark(sign, 0, EVER_MS, found, colour, width * _WIDTHS.get(sign, 1.0), text)


def ask_first(
    place: ui.element,
    harm: str,
    do: Callable[[], Awaitable[None]],
    words: tuple[str, str] = ("Do it", "Leave it"),
) -> None:
    """Ask in a place whether something is to be done in spite of the harm; the words are those of the buttons."""
    place.clear()
    with place:
        ui.label(f"Sure? {sentence(harm)}.").classes("live-heading").props("role=alert")
        with ui.row():
            ui.button(words[0], on_click=do).props("outline color=negative")
            ui.button(words[1], on_click=place.clear).props("outline")
