"""Lesson: a guided first game: what to do step by step, why, and where the book has the rule.

A lesson is the file ``data/lesson.toml`` of a game: a scenario with its seed and players, and steps. Where a lesson
stands follows from the actions of the pupil alone, so it goes on after undo, in a saved game, and on another page.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.resources import files
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
Parts = tuple[str, ...]
"""Patterns of choices in their order, in the game's notation: ``*`` is any text.

What a choice is for may stand behind it, as in lists: ``go * - rear of much``.
"""
_FOR = " - "
_PATIENCE = 25
"""After so many other actions a step is left out: it may have become impossible."""


def fits(told: str, pattern: str) -> bool:
    """Whether an action fits a pattern, with what it is for or without."""
    return any(fnmatchcase(text, pattern) for text in (told, told.partition(_FOR)[0]))


@dataclass(frozen=True)
class LessonStep:
    """One step of a lesson."""

    text: str
    why: str
    section: str
    """Where the book has the rule."""
    actions: tuple[Parts, ...]
    """What is expected, the best alternative first; the step is done with the last part of one."""
    optional: bool = False
    """Whether it is passed over where it cannot be done."""
    typed: str = ""
    """What to type at first; empty for what is expected."""

    def left(self, texts: Sequence[str]) -> Parts:
        """Return what is expected from now on: the first alternative, from its furthest part that an action fits."""
        rests = (parts[n:] for parts in self.actions for n in reversed(range(len(parts))))
        return next((one for one in rests if any(fits(text, one[0]) for text in texts)), ())

    def fitting(self, text: str) -> set[bool]:
        """Return whether the parts that an action fits are the last ones of what is expected; empty if it fits none."""
        return {part is parts[-1] for parts in self.actions for part in parts if fits(text, part)}


@dataclass(frozen=True)
class LessonPage:
    """What a lesson says before a choice."""

    heading: str
    lines: tuple[str, ...]
    """At first what the last choice did, if the lesson had asked for another one."""
    parts: Parts = ()
    """What is expected from now on; empty if anything will do."""
    typed: str = ""
    """What to type."""


@dataclass(frozen=True)
class Lesson:
    """A guided first game of one person against a bot."""

    game: AnyGame
    start: GameStart
    """Where it begins, and who plays."""
    told: Mapping[str, str]
    """The letters of the `book`, what it is about (`text`), and what is said after the last step (`end`)."""
    steps: tuple[LessonStep, ...]
    meanwhile: LessonStep
    """What is usual where no step can be done."""

    def page(self, state: Any, so_far: Steps) -> LessonPage | None:
        """Return what is said before a choice of the pupil; None before anything else, and well after the end."""
        pupil = self.start.players.split(",").index(PERSON)
        own = [one for one in so_far if one[1].actor == pupil]
        at, before = self._at(own), self._at(own[:-1])
        if self.game.actor(state) != pupil or at == before == len(self.steps):
            return None
        noted = self._noted(so_far, own) if own and at == before else ()
        if at == len(self.steps):
            return LessonPage("The lesson is over", (*noted, self.told["end"]))
        texts = [*self.legal(state)]
        number, parts = self._asked(at, texts)
        step = self.steps[number]
        begun = () if own else (self.told["text"],)
        lines = (*noted, *begun, step.text, f"Why: {step.why}")
        if not parts:
            parts = self.meanwhile.left(texts)
            lines = (*noted, f"First answer as you like (hint helps). Then: {step.text}")
        typed = step.typed or "; ".join(parts)
        if "*" in typed:
            first = next(text for text in texts if fits(text, parts[0]))
            typed = f"{first.partition(_FOR)[0]} (for example)"
        book = self.told["book"]
        heading = f"Lesson, step {number + 1} of {len(self.steps)} ({book} {step.section})"
        return LessonPage(heading, lines, parts, typed)

    def legal(self, state: Any) -> dict[str, Any]:
        """Return the legal actions by their notations, with what each is for."""
        actions = (*self.game.actions(state), *self.game.unlisted(state))
        return {self._text(state, one): one for one in actions}

    def _text(self, state: Any, action: Any) -> str:
        purpose = self.game.purpose(state, action)
        return f"{self.game.format_action(action)}{_FOR if purpose else ''}{purpose}"

    def _at(self, own: Steps) -> int:
        """Return how many steps are behind the pupil."""
        at = others = 0
        for before, step in own:
            if at == len(self.steps):
                break
            text, others = self._text(before, step.move), others + 1
            found = ((n, self.steps[n].fitting(text)) for n in self._open(at))
            number, ends = next(filter(lambda one: one[1], found), (at, set()))
            if True in ends or others == _PATIENCE:
                at, others = number + 1, 0
        return at

    def _open(self, at: int) -> Iterator[int]:
        """Yield the steps that may be next: up to the first one that cannot be passed over."""
        for number in range(at, len(self.steps)):
            yield number
            if not self.steps[number].optional:
                return

    def _asked(self, at: int, texts: Sequence[str]) -> tuple[int, Parts]:
        """Return the step that can be done now, and what it expects; nothing if none can be."""
        found = ((number, self.steps[number].left(texts)) for number in self._open(at))
        return next(filter(lambda one: one[1], found), (at, ()))

    def _noted(self, so_far: Steps, own: Steps) -> tuple[str, ...]:
        """Return what the last choice did, if the lesson asked for another one."""
        before, step = own[-1]
        _, parts = self._asked(self._at(own[:-1]), [*self.legal(before)])
        is_asked = not parts or fits(self._text(before, step.move), parts[0])
        if is_asked or self.game.only_action(before) is not None:
            return ()
        told = " ".join(self.game.tell(before, step, step.actor).split("\n"))
        is_back = so_far[-1] is own[-1] and may_take_back(self.game, before, step, step.actor)
        way = "undo takes it back, or just go on" if is_back else "the lesson goes on from here"
        return (f"You chose {spoken(step.text)}, which is legal, too ({way}). {told}".rstrip(),)


def teller(taught: Lesson | None, keyboard: Keyboard[Any, Any]) -> Callable[[], None]:
    """Return what says the pages at a keyboard: each before its choice, and where it goes on only what to type."""
    told = tuple[str, ...]()

    def tell() -> None:
        nonlocal told
        if taught is None:
            return
        so_far = keyboard.steps
        state = so_far[-1][1].after if so_far else taught.game.initial(taught.start.setup)
        page = taught.page(state, so_far)
        if page is not None:
            lines, told = () if page.lines == told else page.lines, page.lines
            shown = map(
                keyboard.wrapped, (*lines, *filter(None, [page.typed and f"Type: {page.typed}"]))
            )
            keyboard.write(joined([inked(page.heading, Ink.HEAD), *shown], "\n"))

    return tell


def lesson(game: AnyGame) -> Lesson | None:
    """Return the lesson of a game, which is in its package; None if it has none."""
    package = type(game).__module__.rpartition(".")[0]
    if not package or not (file := files(package) / "data" / "lesson.toml").is_file():
        return None
    table = shipped_toml(file)
    start = GameStart(
        game.parse_setup(table["scenario"], file.name), table["seed"], players=table["players"]
    )
    steps = [
        LessonStep(**{**one, "actions": tuple(tuple(a.split("; ")) for a in one["actions"])})
        for one in (
            *table["step"],
            {"text": "", "why": "", "section": "", "actions": table["meanwhile"]},
        )
    ]
    return Lesson(game, start, table, tuple(steps[:-1]), steps[-1])


def lesson_start(game: AnyGame) -> GameStart:
    """Return where the lesson of a game begins; InvalidValueError if it has none."""
    if (found := lesson(game)) is None:
        having = ", ".join(one.game.name for one in lessons())
        raise InvalidValueError(f"{game.name} has no lesson; there are those of {having}")
    return found.start


def lessons() -> list[Lesson]:
    """Return the lessons of all games that have one."""
    return [*filter(None, map(lesson, map(named_game, games())))]


def lesson_of(game: AnyGame, start: GameStart) -> Lesson | None:
    """Return the lesson that a game is, by its setup, seed and players; None if it is another game."""
    found = lesson(game)
    if found is None or start.players not in ("", found.start.players):
        return None
    is_it = (found.start.setup, found.start.root) == (start.setup, start.root)
    return found if is_it else None
