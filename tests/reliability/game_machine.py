"""A state machine over `brickphys play` with people at the keyboard: play, ask, mistype, undo, save, leave, go on."""

import shutil
import tempfile
from collections import Counter
from itertools import takewhile
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import assume
from hypothesis import note as tell
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from brickphys.cli.shared.options import chosen_law
from brickphys.rules.game import advance, parse_move
from brickphys.rules.players.typed import is_numbered
from brickphys.rules.record import OVER, with_options
from brickphys.rules.registry import game as registered_game
from brickphys.rules.replay import play_back, read_replay
from brickphys.rules.sources import LEAVING
from tests.command_line import assert_refused, brickphys
from tests.reliability.damage import LINES, damaged_lines
from tests.reliability.kept_moves import PERSON, KeptMoves
from tests.reliability.sitting import CTRL_C, NOT_UTF8, Sitting

DONE: Counter[str] = Counter()
"""How often each thing was done, in all games of this process."""
WORDS = (
    "undo",
    "save",
    "odds",
    "why",
    "help",
    "quit",
    "to",
    "end",
    "roll",
    "0",
    "-1",
    "99999999999",
)
MISTYPED = st.one_of(
    st.text(max_size=12),
    st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join),
    st.integers(0, 10**7).map(str),
    st.sampled_from(
        ["é" * 300, "\0", "\x1b[2J", "1" * 5000, "\N{FULLWIDTH DIGIT ONE}", "²", "a\rb"]
    ),
)
BAD_NAMES = ("", "game.json", "no/such/folder.jsonl", "f" * 300 + ".jsonl", "\0.jsonl", "/")
GOES_ON = ("; it continues with rolls from ", " goes on: ")
"""What is in the notes of a game that goes on."""
QUESTIONS = ("help", "?", "show", "list", "", "odds", "why")


class GameMachine(RuleBasedStateMachine):
    """One game of one setup; subclasses name it."""

    name: ClassVar[str]
    setups: ClassVar[tuple[str, ...]]
    options: ClassVar[dict[str, list[Any]]] = {}
    bots: ClassVar[tuple[str, ...]] = ("random",)

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.saves: list[tuple[Path, list[str]]] = []
        self.sitting: Sitting

    # how it begins and goes on

    @initialize(data=st.data(), typed=st.booleans(), root=st.integers(0, 2**53 - 1))
    def begin(self, data: Any, typed: bool, root: int) -> None:
        setup = data.draw(st.sampled_from(self.setups))
        options = {
            name: data.draw(st.sampled_from(values)) for name, values in self.options.items()
        }
        words = [f"--option={name}={str(value).lower()}" for name, value in options.items()]
        self.game = registered_game(self.name)
        self.law = chosen_law(None)
        complete = with_options(self.game.setups[setup], options)
        count = self.game.players(self.game.initial(complete))
        seats = data.draw(self._seats(count))
        self.model = KeptMoves(self.game, complete, seats, self.law, root, typed=typed)
        self._sit(self.name, setup, "--seed", root, *words, seats=seats, typed=typed)
        tell(f"{self.name} {setup} {options} {seats} seed {root} typed {typed}")

    def _seats(self, count: int) -> st.SearchStrategy[list[str]]:
        """At least one person, the rest persons or bots."""
        player = st.sampled_from([PERSON, *self.bots])
        return st.lists(player, min_size=count, max_size=count).filter(
            lambda seats: PERSON in seats
        )

    def _sit(self, *words: object, seats: list[str], typed: bool) -> None:
        self.last = self.folder / f"last{len(list(self.folder.iterdir()))}.jsonl"
        more = ["--typed"] * typed + [f"--bots={','.join(seats)}", f"--replay={self.last}"]
        self.sitting = Sitting("play", *words, *more)
        self._pass_on()

    def _type(self, line: str | BaseException) -> str:
        """Type a line; return what it was answered with, without passing the keyboard on."""
        tell(f"> {line!r}")
        shown = self.sitting.type(line)
        self._check_secrets()
        self._pass_on()
        return shown

    def _pass_on(self) -> None:
        while self.sitting.shown.endswith("; press Enter\n> ") and self.waits:
            self.sitting.type("")
            self._check_secrets()

    @property
    def waits(self) -> bool:
        return self.sitting.status is None

    def is_choice(self) -> bool:
        return self.waits and self.model.actor >= 0

    def is_roll(self) -> bool:
        return self.waits and self.model.asks_for_roll

    # what people do

    @precondition(is_choice)
    @rule(data=st.data(), as_number=st.booleans())
    def act(self, data: Any, as_number: bool) -> None:
        texts = self._texts()
        at = data.draw(st.integers(0, len(texts) - 1))
        line = str(at + 1) if as_number and is_numbered(texts) else texts[at]
        self.model.add(texts[at])
        self._type(line)
        DONE["actions"] += 1

    @precondition(is_choice)
    @rule(data=st.data())
    def act_several_times(self, data: Any) -> None:
        """Choices on one line are made as long as the same person is to choose, and the others told."""
        before, actor = self.model.state, self.model.actor
        texts = [data.draw(st.sampled_from(self._texts()))]
        after = advance(self.game, before, parse_move(self.game, before, texts[0]))
        goes_on = self.game.actor(after) == actor
        texts.append(data.draw(st.sampled_from(self._texts(after))) if goes_on else texts[0])
        self.model.add(*texts)
        self._type("; ".join(texts))
        DONE["actions on one line"] += goes_on

    @precondition(is_choice)
    @rule(data=st.data())
    def act_undo_and_act_again(self, data: Any) -> None:
        """Taken back and chosen again, an action leads to the same state, with the same rolls after it."""
        before, actor = len(self.model.texts), self.model.actor
        text = data.draw(st.sampled_from(self._texts()))
        self.model.add(text)
        self._type(text)
        once = list(self.model.texts)
        self.state_is_that_of_the_kept_moves()
        assume(self.waits and self.model.actor == actor)
        if self._undo():
            assert len(self.model.texts) == before
            self.model.add(text)
            self._type(text)
        assert self.model.texts == once

    @precondition(is_choice)
    @rule(question=st.sampled_from(QUESTIONS), data=st.data())
    def ask(self, question: str, data: Any) -> None:
        texts = self._texts()
        about = data.draw(st.sampled_from(["", *texts[:40]])) if question in ("odds", "why") else ""
        shown = self._type(f"{question} {about}".strip())
        assert shown.removesuffix("> ").strip(), "no answer"
        DONE["questions"] += 1

    @precondition(is_choice)
    @rule(line=MISTYPED)
    def mistype(self, line: str) -> None:
        self._mistype(line)

    @precondition(is_choice)
    @rule(data=st.data())
    def mistype_an_action(self, data: Any) -> None:
        text = data.draw(st.sampled_from(self._texts()))
        at, letter = data.draw(st.integers(0, len(text))), data.draw(st.characters(codec="utf-8"))
        self._mistype(data.draw(st.sampled_from([text[:at], text[:at] + letter + text[at + 1 :]])))

    @precondition(lambda self: self.waits)
    @rule()
    def type_what_is_no_text(self) -> None:
        """Bytes of another encoding are asked for again: the game is not lost."""
        assert "not UTF-8 text" in self._type(NOT_UTF8)

    def _mistype(self, line: str) -> None:
        """Whatever is typed is refused in words, or it is a legal action."""
        words = line.lower().replace(";", " ").split()
        assume("\n" not in line and not {*words[:1]} & {*LEAVING, "undo", "save"})
        before, kept = self.model.state, len(self.model.texts)
        shown = self._type(line)
        if chosen := self._chosen_since(kept):
            assert not self.game.problems(before, chosen[0].move)
            several = sum(bool(self.game.chooses(step.move)) for step in chosen)
            assert len(chosen) <= 1 + line.count(";") + several
            self.model.add(*(step.text for step in chosen))
        else:
            assert shown.removesuffix("> ").strip(), "no answer"
        DONE["mistyped lines"] += 1

    def _chosen_since(self, kept: int) -> list[Any]:
        """The steps after some that one line chose, without those that followed from it."""
        keyboard, actor = self.sitting.keyboard, self.model.actor
        chosen = takewhile(
            lambda number: (
                keyboard.steps[number][1].actor == actor and number not in keyboard.automatic
            ),
            range(kept, len(keyboard.steps)),
        )
        return [keyboard.steps[number][1] for number in chosen]

    @precondition(lambda self: self.waits)
    @rule(times=st.sampled_from([1, 1, 2, 30]))
    def undo(self, times: int) -> None:
        for _ in range(times):
            if not self._undo():
                break

    def _undo(self) -> bool:
        """Take the last move or typed roll back; return whether that was allowed."""
        may = self.model.undo()
        assert ("nothing to take back" in self._type("undo")) != may
        DONE["undone"] += may
        return may

    # rolls

    @precondition(is_roll)
    @rule(data=st.data())
    def roll(self, data: Any) -> None:
        event = self.game.chance(self.model.state)
        outcomes = list(event.law(self.law))
        text = event.format(outcomes[data.draw(st.integers(0, len(outcomes) - 1))])
        self.model.add(text)
        self._type(text)
        DONE["rolls"] += 1

    @precondition(is_roll)
    @rule(line=st.one_of(MISTYPED, st.sampled_from(["help", "?", "9 9 9 9"])))
    def mistype_a_roll(self, line: str) -> None:
        assume("\n" not in line and line.strip().lower() not in (*LEAVING, "undo"))
        assume(not line.strip().lower().startswith("save"))  # into the working directory
        kept = len(self.model.texts)
        shown = self._type(line)
        steps = self.sitting.keyboard.steps
        if len(steps) > kept:
            self.model.add(steps[kept][1].text)
        else:
            assert shown.removesuffix("> ").strip(), "no answer"
        DONE["mistyped lines"] += 1

    # saves

    @precondition(is_choice)
    @rule()
    def save(self) -> None:
        path = self.folder / f"saved {len(self.saves)}.jsonl"
        assert "continues from here" in self._type(f"save {path}")
        self.saves.append((path, list(self.model.texts)))
        self._check_file(path)
        DONE["saves"] += 1

    @precondition(lambda self: self.waits)
    @rule(name=st.sampled_from(BAD_NAMES))
    def save_under_a_bad_name(self, name: str) -> None:
        here = sorted(self.folder.iterdir())
        shown = self._type(f"save {self.folder}/{name}")
        assert "continues" not in shown
        assert self.waits
        assert sorted(self.folder.iterdir()) == here

    @precondition(lambda self: self.is_choice() and self.saves)
    @rule()
    def save_over_another(self) -> None:
        """A file of this sitting is replaced, one of an earlier sitting only by force."""
        path = self.saves[-1][0]
        before = path.read_bytes()
        if "already exists" in self._type(f"save {path}"):
            assert path.read_bytes() == before
            assert "continues from here" in self._type(f"save {path}!")
        self.saves[-1] = (path, list(self.model.texts))
        self._check_file(path)

    @rule(how=st.sampled_from(["quit", "end", "Ctrl-C"]), data=st.data(), typed=st.booleans())
    def leave_and_go_on(self, how: str, data: Any, typed: bool) -> None:
        """Leave in any way; go on from a save or from the replay, with the same players or others."""
        if self.waits:
            self._leave(how)
        whole = (self.last, list(self.model.texts))
        path, texts = data.draw(st.sampled_from([whole, *self.saves]))
        if path == self.last and self.model.actor == OVER:
            assert_refused(brickphys("play", self.name, path), "the game is over")
            return
        self.model.restore(texts)
        seats = data.draw(self._seats(len(self.model.seats)))
        self.model.sit(seats, typed=typed)
        self._sit(self.name, path, seats=seats, typed=typed)
        DONE["resumed"] += 1

    def _leave(self, how: str) -> None:
        if how == "end":
            self.sitting.leave()
        else:
            self._type("quit" if how == "quit" else CTRL_C)
        if self.waits:  # it was told once that the game is not saved
            self._type("quit")
        assert not self.waits

    @precondition(lambda self: self.saves)
    @rule(data=st.data(), how=st.sampled_from(LINES))
    def go_on_from_an_edited_save(self, data: Any, how: str) -> None:
        """What is resumed was written so; a file that was edited is refused in one line."""
        path, _ = data.draw(st.sampled_from(self.saves))
        content = path.read_bytes()
        edited = damaged_lines(content, how, data.draw(st.integers(0, 2**31)))
        assume(edited != content)
        copy = self.folder / "edited.jsonl"
        copy.write_bytes(edited)
        assert_refused(brickphys("play", self.name, copy, "--bots", "person"), str(copy))
        copy.unlink()
        DONE["edited saves refused"] += 1

    # what always holds

    @invariant()
    def state_is_that_of_the_kept_moves(self) -> None:
        model, keyboard = self.model, self.sitting.keyboard
        assert [step.text for _, step in keyboard.steps] == model.texts
        assert [step.actor for _, step in keyboard.steps] == model.actors
        assert keyboard.automatic == model.automatic
        if keyboard.steps:
            before, last = keyboard.steps[-1]
            assert (before, last.after) == (model.states[-2], model.state)
        if self.waits:
            assert model.actor != OVER
        else:
            self._check_file(self.last)
        assert "Traceback" not in self.sitting.shown + self.sitting.errors

    def _check_secrets(self) -> None:
        """What stands on the screen tells no step as only others may know it."""
        reader = self.sitting.keyboard.reader if self.sitting.keyboard else None
        if reader is None or reader.viewer is None:
            return
        screen = self.sitting.shown.rpartition("\033[3J")[2]
        told = [self.game.tell(*pair, reader.viewer) for pair in self.sitting.keyboard.steps]
        for (before, step), known in zip(self.sitting.keyboard.steps, told, strict=True):
            whole = self.game.tell(before, step)
            if whole and whole != known and whole not in told:
                assert f"{whole}\n" not in screen

    def _check_file(self, path: Path) -> None:
        """A file holds the moves that were kept, and plays back to the same state."""
        record = play_back(self.game, read_replay(path))
        assert [step.text for step in record.steps] == self.model.texts
        assert record.final == self.model.state

    def teardown(self) -> None:
        try:
            if hasattr(self, "sitting") and self.sitting.crash is None:
                self.sitting.leave()
                assert self.sitting.status == 0
                notes = self.sitting.errors.splitlines()
                assert all(any(word in note for word in GOES_ON) for note in notes)
                self._check_file(self.last)
                DONE["games"] += 1
        finally:
            shutil.rmtree(self.folder)

    def _texts(self, state: Any = None) -> list[str]:
        """The actions that are legal in a state, by default the present one."""
        state = self.model.state if state is None else state
        return [self.game.format_action(one) for one in self.game.actions(state)]
