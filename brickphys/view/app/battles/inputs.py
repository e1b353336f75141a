"""Inputs: what a person clicks in the picture, or types below it, becomes an action or an answer.

A click beside the marks becomes the words that a person would type, or the reason why it does nothing.
"""

import re
from collections.abc import Awaitable, Callable
from math import dist
from typing import Any

from nicegui import ui

from brickphys.battles.ongoing_game import OngoingGame, Waits
from brickphys.errors import InvalidValueError
from brickphys.rules.players.person import NobodyError, answer, planned_action
from brickphys.rules.players.prompt import COMMANDS, Asked
from brickphys.rules.players.typed import AmbiguousError, NotAskedError
from brickphys.text import with_blanks
from brickphys.view.app.battles.picture import GamePicture, PlacedChoices
from brickphys.view.app.battles.question import QuestionPanel
from brickphys.view.app.jobs import quick
from brickphys.view.battle import LiveBattle

_ATTACKS = ("attack", "shoot")
"""What one wants if one clicks on a unit of another player."""
_KIND = re.compile(r"^(vehicle|ship|crew|door) ")
"""What some things in the picture have before the name."""
_PART = re.compile(r"( in place \d+)?( \(\d+\))?$")
"""What a thing in the picture has behind the name of the unit."""


def is_on_table(at_mm: tuple[float, float], live: LiveBattle) -> bool:
    """Whether a place is on the field."""
    sizes, unit = live.builder.size(live.scene), live.builder.unit_mm
    return all(0 <= at <= size * unit for at, size in zip(at_mm, sizes, strict=True))


def scenery(thing: str, live: LiveBattle) -> str:
    """Return what a thing of the field is, such as a tree; empty if it is none that has a name."""
    key = _PART.sub("", thing)
    fixed = live.builder.ground(live.scene)
    return next((one.label for one in fixed if one.key == key and one.label), "") if key else ""


def is_in_play(thing: str, table: OngoingGame) -> bool:
    """Whether somebody who types can name a thing: a unit, a vehicle or a door."""
    asked = table.asked
    return _name(thing) in asked.game.names(asked.state)


def words(at_mm: tuple[float, float], thing: str, table: OngoingGame, live: LiveBattle) -> str:
    """Return what would be typed for a click: a unit, a door, the words of an attack on it, or a place.

    Parameters
    ----------
    at_mm, thing
        Where, and the id of the thing that is there; empty for none.
    table, live
        The game, and what is seen of it.
    """
    asked = table.asked
    name, names = _name(thing), asked.game.names(asked.state)
    if name not in names:
        unit = live.builder.unit_mm
        return str(live.builder.place_text(live.scene, (at_mm[0] / unit, at_mm[1] / unit)))
    if names[name].player in (None, table.session.actor):
        return name
    known = live.game.action_words()
    return f"{next((word for word in _ATTACKS if word in known), '')} {name}".strip()


def _name(thing: str) -> str:
    """Return the name in play of a thing in the picture, if it has one."""
    return _KIND.sub("", _PART.sub("", thing)).partition("/")[0]


def why_nothing(error: InvalidValueError, asked: Asked[Any, Any, Any]) -> str:
    """Return why a click does nothing: what is told of its words, without what one might type instead."""
    if isinstance(error, AmbiguousError):
        names = {one.rpartition(" by ")[2] for one in error.notations if " by " in one}
        if len(names) > 1:
            return "Several can do this here: choose first who acts."
        return "Several choices lead there: use the buttons."
    if isinstance(error, NotAskedError):
        return f"No place and no piece is asked for here now, but this: {asked.game.prompt(asked.state)}"
    return error.reason if isinstance(error, NobodyError) else str(error)


_MOST_TYPED = 200
"""Letters of an action that is typed."""
_NEAR = 0.75
"""How near to a place one clicks, in its width."""
_NO_CHOICE = {
    Waits.ROLL: "The roll comes first: type what came on your table.",
    Waits.END: "The game is over.",
}


class Inputs:
    """Reads clicks in the picture, and the line below the choices.

    Parameters
    ----------
    table, seen, question
        The game, its picture, and what is asked.
    do
        Changes the game, and lets it go on.
    save
        Saves the game.
    is_busy
        Whether the game goes on by itself just now: nothing is read then.
    """

    def __init__(
        self,
        table: OngoingGame,
        seen: GamePicture,
        question: QuestionPanel,
        do: Callable[[Callable[[], object]], Awaitable[None]],
        save: Callable[[], Awaitable[None]],
        is_busy: Callable[[], bool],
    ) -> None:
        self._table, self._seen, self._question = table, seen, question
        self._do, self._save, self._is_busy = do, save, is_busy
        self._note = question.note
        self._line = ui.input("Or type: an action, a place, a name")
        self._line.props(f"maxlength={_MOST_TYPED}")
        self._line.on("keydown.enter", self._enter).classes("w-full")

    def show(self, waits: Waits) -> None:
        """Show the line where something can be typed."""
        self._line.visible = waits in (Waits.CHOICE, Waits.ROLL)

    async def pick(self, at_mm: tuple[float, float], thing: str) -> None:
        """Do what leads to a place that was clicked, let the player choose if several do, or tell why none does."""
        live, waits = self._seen.live, self._table.waits
        if self._is_busy() or live is None:
            return
        if waits is not Waits.CHOICE:
            self._note.refuse(_NO_CHOICE.get(waits, ""))
            return
        what = scenery(thing, live)
        if what and not is_in_play(thing, self._table):
            self._note.refuse(f"You clicked a part of the field: {what}.")
        elif not what and (hits := self._hits(at_mm, live.place_size_mm)):
            await self._take(hits)
        elif not thing and not is_on_table(at_mm, live):
            self._note.refuse("That is beyond the edge of the table.")
        else:
            await self._say(words(at_mm, thing, self._table, live), is_clicked=True)

    def _hits(self, at_mm: tuple[float, float], size_mm: float) -> PlacedChoices:
        """Return the choices whose place is the nearest to a click that is near enough."""
        found = [(dist(at_mm, at[:2]), (choice, at)) for choice, at in self._seen.placed]
        near = min([_NEAR * size_mm, *(away + 0.01 for away, _ in found)])
        return [one for away, one in found if away <= near]

    async def _take(self, hits: PlacedChoices) -> None:
        """Do the only choice of a place, or show all of them."""
        if len(hits) > 1:
            self._question.show_here(hits)
        else:
            await self._do(lambda: self._table.choose(*hits[0][0].actions))

    async def _enter(self) -> None:
        """Do what was typed."""
        text = " ".join(str(self._line.value or "").split())
        if self._is_busy() or not text:
            return
        self._line.value = ""
        word, _, rest = text.partition(" ")
        is_choice = self._table.waits is Waits.CHOICE
        if word in COMMANDS and not (is_choice and text in self._table.asked.texts):
            await self._command(word, rest)
        elif is_choice:
            await self._say(text)
        elif self._table.waits is Waits.ROLL:
            await self._do(lambda: self._table.roll(text))

    async def _command(self, word: str, rest: str) -> None:
        """Do a command of the keyboard, or tell what there is in its place."""
        if word in ("undo", "redo"):
            await self._do(self._table.undo if word == "undo" else self._table.redo)
        elif word == "save":
            await self._save()
        elif word in ("odds", "why") and self._table.waits is not Waits.CHOICE:
            self._note.refuse(_NO_CHOICE.get(self._table.waits, ""))
        elif word in ("odds", "why"):
            lines = await quick(lambda: [*map(str, answer(self._table.asked, word, rest))])
            self._note.tell("\n".join(lines))
        else:
            self._note.refuse(
                f"Nothing to type is called {word} here: the page has it as a button, a list or a picture."
            )

    async def _say(self, text: str, *, is_clicked: bool = False) -> None:
        """Do what words say; tell why not if that is illegal."""
        table = self._table

        def choose() -> None:
            try:
                actions = planned_action(table.asked, text).actions
            except InvalidValueError as error:
                told = with_blanks(why_nothing(error, table.asked)) if is_clicked else str(error)
                raise InvalidValueError(told) from None
            table.choose(*actions)

        await self._do(choose)
