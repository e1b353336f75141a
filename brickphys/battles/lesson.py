"""Lesson: a guided first game: what to do step by step, why, and where the book has the rule.

A lesson is the file ``data/lesson.toml`` of a game: a scenario with its seed and players, and steps. Where a lesson
stands follows from the actions of the pupil alone, so it goes on after undo, in a saved game, and on another page.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from brickphys.battles.players import PERSON
from brickphys.battles.start import GameStart
from brickphys.errors import InvalidValueError
from brickphys.reading import shipped_toml
from brickphys.rules.game import AnyGame
from brickphys.rules.play import may_take_back
from brickphys.rules.players.keyboard import Keyboard
from brickphys.rules.record import Step
from brickphys.rules.registry import game as named_game
from brickphys.rules.registry import games
from brickphys.rules.report.char_map import Ink, inked, joined
from brickphys.text import spoken

Steps = Sequence[tuple[Any, Step[Any, Any]]]
"""The steps of a game, each with the state before it."""
_FOR = " - "
"""Between a choice and what it is for."""
_PATIENCE = 25
"""After so many other actions a step is left out: it may have become impossible."""


def fits(told: str, pattern: str) -> bool:
    """Whether an action fits a pattern, with what it is for or without."""
    return any(fnmatchcase(text, pattern) for text in (told, told.partition(_FOR)[0]))


@dataclass(frozen=True)
class LessonStep:
    """One step of a lesson."""

    text: str
    """What to do."""
    why: str
    section: str
    """Where the book has the rule."""
    actions: tuple[str, ...]
    """What is expected, the best first: choices in the game's notation, with ``;`` between and ``*`` for any text.

    What a choice is for may stand behind it, as in lists: ``go * - rear of much``.
    """
    optional: bool = False
    """Whether it is passed over where it cannot be done."""
    typed: str = ""
    """What to type at first; empty for what is expected."""

    def expected(self, texts: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
        """Return which of some actions lead on, and what is expected from there on.

        They are the furthest part of the first alternative that is among them, so nothing else need be noted.
        """
        for alternative in self.actions:
            parts = alternative.split("; ")
            for number in reversed(range(len(parts))):
                if found := [text for text in texts if fits(text, parts[number])]:
                    return found, tuple(parts[number:])
        return [], ()

    def is_done_by(self, text: str) -> bool | None:
        """Whether an action is the last part of what is expected; None if it is no part of it."""
        alternatives = [one.split("; ") for one in self.actions]
        if any(fits(text, last) for *_, last in alternatives):
            return True
        return False if any(fits(text, part) for one in alternatives for part in one) else None


@dataclass(frozen=True)
class LessonPage:
    """What a lesson says before a choice."""

    heading: str
    lines: tuple[str, ...]
    """At first what the last choice did, if the lesson had asked for another one."""
    expected: tuple[Any, ...] = ()
    """The actions that lead on; none if any will do."""
    parts: tuple[str, ...] = ()
    """What is expected from here on, as in `LessonStep.actions`."""
    typed: str = ""
    """What to type."""


@dataclass(frozen=True)
class Lesson:
    """A guided first game of one person against a bot."""

    game: AnyGame
    start: GameStart
    """Where it begins, and who plays."""
    book: str
    """The letters before a section of the book."""
    text: str
    """What it is about."""
    end: str
    """What is said after the last step."""
    steps: tuple[LessonStep, ...]
    meanwhile: LessonStep
    """What is usual where no step can be done."""

    @property
    def pupil(self) -> int:
        """Who learns: the player that is a person."""
        return self.start.players.split(",").index(PERSON)

    def page(self, state: Any, so_far: Steps) -> LessonPage | None:
        """Return what is said before a choice of the pupil; None before anything else, and well after the end."""
        own = [one for one in so_far if one[1].actor == self.pupil]
        at = self._at(own)
        if self.game.actor(state) != self.pupil or (at == len(self.steps) == self._at(own[:-1])):
            return None
        noted = self._noted(so_far, own)
        if at == len(self.steps):
            return LessonPage("The lesson is over", (*noted, self.end))
        legal = self._legal(state)
        number, found, parts = self._asked(at, legal)
        step = self.steps[number]
        lines = (*noted, *(() if own else (self.text,)), step.text, f"Why: {step.why}")
        if not found:
            lines = (
                *noted,
                f"First answer this question as you like (hint helps). Then: {step.text}",
            )
            found, parts = self.meanwhile.expected([*legal])
        first = found[0].partition(_FOR)[0] + " (for example)" if found else ""
        typed = first if any("*" in part for part in parts) else "; ".join(parts)
        heading = f"Lesson, step {number + 1} of {len(self.steps)} ({self.book} {step.section})"
        expected = tuple(legal[text] for text in found)
        return LessonPage(heading, lines, expected, parts, step.typed or typed)

    def _at(self, own: Steps) -> int:
        """Return how many steps are behind the pupil."""
        at = others = 0
        for before, step in own:
            text = self._told(before, step.move)
            leads = ((n, self.steps[n].is_done_by(text)) for n in self._open(at))
            number, is_done = next((one for one in leads if one[1] is not None), (at, False))
            others += 1
            if is_done or others == _PATIENCE:
                at, others = number + 1, 0
        return at

    def _open(self, at: int) -> Iterator[int]:
        """Yield the steps that may be next: up to the first one that cannot be passed over."""
        for number in range(at, len(self.steps)):
            yield number
            if not self.steps[number].optional:
                return

    def _legal(self, state: Any) -> dict[str, Any]:
        """Return the legal actions by their notations."""
        actions = (*self.game.actions(state), *self.game.unlisted(state))
        return {self._told(state, one): one for one in actions}

    def _asked(self, at: int, texts: Iterable[str]) -> tuple[int, list[str], tuple[str, ...]]:
        """Return the step that can be done, which of some actions lead on, and what is expected from there on."""
        for number in self._open(at):
            found, parts = self.steps[number].expected([*texts])
            if found:
                return number, found, parts
        return at, [], ()

    def _told(self, state: Any, action: Any) -> str:
        is_told = any(_FOR in one for step in self.steps for one in step.actions)
        purpose = self.game.purpose(state, action) if is_told else ""
        return f"{self.game.format_action(action)}{_FOR if purpose else ''}{purpose}"

    def _noted(self, so_far: Steps, own: Steps) -> tuple[str, ...]:
        """Return what the last choice did, if the lesson asked for another one."""
        if not own or self.game.only_action(own[-1][0]) is not None:
            return ()
        before, step = own[-1]
        at, done = self._at(own[:-1]), self._told(before, step.move)
        _, found, _ = self._asked(at, self._legal(before))
        if not found or done in found or self._at(own) > at:
            return ()
        told = " ".join(self.game.tell(before, step, self.pupil).split("\n"))
        is_back = so_far[-1] is own[-1] and may_take_back(self.game, before, step, self.pupil)
        way = "undo takes it back, or just go on" if is_back else "the lesson goes on from here"
        return (f"You chose {spoken(step.text)}, which is legal, too. {told} ({way})",)


class Tutor:
    """Says the pages of a lesson at a keyboard: each before its choice, and only what to type where it goes on."""

    def __init__(self, taught: Lesson, keyboard: Keyboard[Any, Any]) -> None:
        self._lesson, self._keyboard = taught, keyboard
        self._told = tuple[str, ...]()

    def tell(self) -> None:
        """Say what the lesson expects now, if it is the pupil who is asked."""
        so_far, taught, keyboard = self._keyboard.steps, self._lesson, self._keyboard
        first = taught.game.initial(taught.start.setup)
        page = taught.page(so_far[-1][1].after if so_far else first, so_far)
        if page is not None:
            lines, self._told = () if page.lines == self._told else page.lines, page.lines
            typed = (f"Type: {page.typed}",) if page.typed else ()
            shown = map(keyboard.wrapped, (*lines, *typed))
            keyboard.write(joined([inked(page.heading, Ink.HEAD), *shown], "\n"))


def lesson(game: AnyGame) -> Lesson:
    """Return the lesson of a game; InvalidValueError if it has none."""
    file = _file(game)
    if file is None:
        having = ", ".join(one.game.name for one in lessons())
        raise InvalidValueError(f"{game.name} has no lesson; there are those of {having}")
    table = shipped_toml(file)
    steps = tuple(LessonStep(**{**one, "actions": tuple(one["actions"])}) for one in table["step"])
    setup = game.parse_setup(table["scenario"], file.name)
    start = GameStart(setup, table["seed"], players=table["players"])
    meanwhile = LessonStep("", "", "", tuple(table.get("meanwhile", ())))
    return Lesson(game, start, table["book"], table["text"], table["end"], steps, meanwhile)


def lessons() -> list[Lesson]:
    """Return the lessons of all games that have one."""
    return [lesson(one) for one in map(named_game, games()) if _file(one)]


def lesson_of(game: AnyGame, start: GameStart) -> Lesson | None:
    """Return the lesson that a game is, by its setup, seed and players; None if it is another game."""
    if _file(game) is None:
        return None
    found = lesson(game)
    same = (found.start.setup, found.start.root) == (start.setup, start.root)
    return found if same and start.players in ("", found.start.players) else None


def _file(game: AnyGame) -> Traversable | None:
    """Return the file of the lesson of a game, in its package; None if there is none."""
    package = type(game).__module__.rpartition(".")[0]
    file = files(package) / "data" / "lesson.toml" if package else None
    return file if file is not None and file.is_file() else None
