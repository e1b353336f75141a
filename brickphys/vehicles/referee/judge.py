"""Judge: the answers of a file, a function or a program to many scenes, and what was found."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from brickphys.errors import InvalidValueError, refuse
from brickphys.files import make_folder, write_whole
from brickphys.geometry.polygon import TOLERANCE
from brickphys.interface import Displayed, Row, json_object, public
from brickphys.notes import StageProgress, stages
from brickphys.text import counted, listed, paragraphs, shown, table
from brickphys.vehicles.collision import SceneLike, scene
from brickphys.vehicles.referee.answer_schema import answer_of
from brickphys.vehicles.referee.asking import (
    LIMIT_S,
    Ask,
    Content,
    Function,
    Reply,
    ask_function,
    check_limit,
    returned,
)
from brickphys.vehicles.referee.fault import Fault, FaultKind, by_kind
from brickphys.vehicles.referee.judgement import judge_answer
from brickphys.vehicles.referee.scene_lines import ID, numbered_lines, random_scenes
from brickphys.vehicles.referee.worst_faults import FaultCase, Respondent, by_direction, worst_cases
from brickphys.vehicles.scene_file import plain_tables, scene_in, scene_tables
from brickphys.vehicles.validation.validate import check_folder
from brickphys.workers import LocalExecutor, check_workers

CHUNK = 200
"""Scenes in a job."""
MOST_TOLERANCE = 0.1
"""Studs and degrees: nobody means a larger tolerance."""
_MOST_PROBLEMS = 20
"""Lines of what cannot be judged."""


@dataclass(frozen=True, repr=False)
class Judgement(Displayed):
    """What was found in the answers of another program."""

    right: int
    """Answers without a fault."""
    undecided: int
    """Answers that differ only where the truth lies within the tolerance."""
    faults: tuple[Fault, ...]
    """The first fault of each wrong answer, in the order of the scenes."""
    problems: tuple[str, ...]
    """Scenes and answers that cannot be judged, and why."""
    cases: tuple[FaultCase, ...] = ()
    """The worst faults of each kind; those of a program or function as the smallest scenes that still show them."""
    tolerance: float = TOLERANCE
    """Studs and degrees by which a place may be off."""

    @property
    def wrong(self) -> int:
        """How many answers have a fault."""
        return len(self.faults)

    @property
    def checked(self) -> int:
        """How many answers were judged."""
        return self.right + self.undecided + self.wrong

    @property
    def by_kind(self) -> Mapping[FaultKind, list[Fault]]:
        """The faults of each kind that there is, the largest first."""
        return by_kind(self.faults)

    def line(self) -> str:
        """Return one line: how many answers are right, wrong and undecided."""
        kinds = ", ".join(f"{len(those)} {kind.value}" for kind, those in self.by_kind.items())
        wrong = f"{self.wrong:,} wrong{f' ({kinds})' if kinds else ''}"
        found = f"{counted(self.checked, 'answer')}: {self.right:,} right, {wrong}"
        return f"{found}, {self.undecided:,} undecided"

    def rows(self) -> list[Row]:
        """Return a row for each verdict, the wrong ones by kind of fault, with the worst of each."""
        found: list[Row] = [
            {"verdict": "right", "answers": self.right},
            {"verdict": "undecided", "answers": self.undecided},
        ]
        for kind, those in self.by_kind.items():
            worst = {"worst": those[0].off, "unit": those[0].unit, "scene": those[0].scene}
            found.append({"verdict": kind.value, "answers": len(those), **worst})
        return found

    def text(self) -> str:
        return paragraphs(
            table(*self.table()),
            "\n".join(line for case in self.cases for line in case.lines()),
            "\n".join(self._problem_lines()),
            self.reach(),
        )

    def table(self) -> tuple[Sequence[str], list[tuple[str, ...]]]:
        """Return the columns and the lines of its table for people."""
        counts = [
            ("right", f"{self.right:,}", "", ""),
            ("undecided", f"{self.undecided:,}", "", ""),
        ]
        kinds = [
            (kind.value, f"{len(those):,}", those[0].size, those[0].scene)
            for kind, those in self.by_kind.items()
        ]
        return ("verdict", "answers", "worst", "scene"), [*counts, *kinds]

    def _problem_lines(self) -> list[str]:
        more = len(self.problems) - _MOST_PROBLEMS
        rest = [f"and {counted(more, 'more problem')}"] if more > 0 else []
        return [*self.problems[:_MOST_PROBLEMS], *rest]

    def reach(self) -> str:
        """Return one sentence: how many answers were judged, how exactly, and how many are wrong."""
        if not self.checked:
            return "no answer could be judged"
        judged = f"{counted(self.checked, 'answer')} judged to {self.tolerance:g} studs and degrees"
        if not self.wrong:
            return f"{judged}; none is wrong"
        return f"{judged}; {self.wrong:,} wrong: of each the first fault on the way counts"

    def document(self) -> dict[str, Any]:
        """Return it as the JSON of the command ``validate collisions`` with answers."""
        found = {
            "checked": self.checked,
            "right": self.right,
            "wrong": self.wrong,
            "undecided": self.undecided,
            "kinds": {kind.value: len(those) for kind, those in self.by_kind.items()},
            "faults": [one.document() for one in self.faults],
            "cases": [{**case.fault.document(), "smaller": case.is_shrunk} for case in self.cases],
            "problems": list(self.problems),
            "tolerance": self.tolerance,
        }
        return json_object("validate.collisions.answers", found)

    def save(self, folder: Path | str) -> list[Path]:
        """Write the scenes of the worst faults into a new or empty folder, for `brickphys collide`.

        Raises InvalidValueError if there is something in the folder, or it cannot be written.
        """
        check_folder(Path(folder))
        numbers: Counter[FaultKind] = Counter()
        paths = []
        for case in self.cases:
            numbers[case.fault.kind] += 1
            name = case.file_name(numbers[case.fault.kind])
            paths.append(write_whole(case.file_text(), make_folder(folder) / name))
        return paths


Scenes = Path | str | Sequence[SceneLike]
"""A file of JSON Lines or Parquet, or scenes."""
Answers = Path | str | Function | Sequence[Content]
"""A file of JSON Lines or Parquet, a function, or answers in the order of the scenes."""


@public()
def judge(
    scenes: Path | str | Sequence[Any],
    answers: Path | str | Callable[..., Any] | Sequence[Any],
    *,
    tolerance: float = TOLERANCE,
    limit_s: float = LIMIT_S,
    workers: int = 1,
    progress: StageProgress | bool = True,
) -> Judgement:
    """Judge the collisions that a function of yours finds, or those in a file, by the exact geometry.

    Parameters
    ----------
    scenes
        A file of scenes as JSON Lines or Parquet, or a list of scenes, whose ids are "0", "1", ... if dicts have none.
    answers
        A function that gets a scene as a dict, and returns its answer or the list of its hits; a file of answers as
        JSON Lines or Parquet; or a list of answers in the order of the scenes.
    tolerance
        Studs and degrees by which a place may be off; 1e-9 to 0.1.
    limit_s
        Seconds that the function may take for a scene.
    workers
        Number of processes that judge. A script that asks for more than one needs the guard
        ``if __name__ == "__main__":``.
    progress
        Callback, or whether progress is shown where a person watches.

    Raises
    ------
    InvalidValueError
        If a file cannot be read, there is no scene, or a value is impossible. Scenes and answers that cannot be used
        raise nothing: they are told in `Judgement.problems`.

    Examples
    --------
    >>> import brickphys
    >>> wall = {"id": "wall", "polygon": [[22, 10], [23, 10], [23, 22], [22, 22]]}
    >>> jeep = {"id": "jeep", "x": 8, "y": 16, "heading_deg": 0, "length": 10, "width": 6, "speed": 4}
    >>> scene = {"field": {"width": 48, "height": 32}, "move": {"vehicle": "jeep"}}
    >>> scenes = [scene | {"vehicle": [jeep], "decor": [wall]}]
    >>> brickphys.judge(scenes, lambda scene: [])
    <1 answer: 0 right, 1 wrong (1 tunnelling), 0 undecided>
    >>> brickphys.judge(scenes, lambda scene: [{"id": "wall", "distance": 9.0}])
    <1 answer: 1 right, 0 wrong, 0 undecided>
    """
    problems: list[str] = []
    questions = _questions(scenes, problems)
    with stages(progress, "scenes") as advance:
        how = _Way(tolerance, check_workers(workers), advance)
        if isinstance(answers, Path | str):
            return _judged(questions, _filed(answers, problems), problems, how)
        if callable(answers):
            ask = partial(ask_function, answers, limit_s=check_limit(limit_s))
            return _judged(questions, ask(questions), problems, how, ask)
        refuse("answers without ids need all scenes", problems)
        more = (f"number {number}" for number in range(len(questions), len(answers)))
        in_order = (returned(*one) for one in zip([*questions, *more], answers, strict=False))
        return _judged(questions, in_order, problems, how)


def judge_files(
    scenes: Path | tuple[int, int],
    answers: Path | Ask,
    *,
    tolerance: float = TOLERANCE,
    workers: int = 1,
    progress: StageProgress,
) -> Judgement:
    """Judge the answers in a file, or those of a program; see `judge`.

    Scenes are a file, or the number of random ones and their root seed.
    """
    problems: list[str] = []
    if isinstance(scenes, Path):
        questions = _questions(scenes, problems)
    else:
        questions = {name: scene_tables(one) for name, one in random_scenes(*scenes)}
    how = _Way(tolerance, check_workers(workers), progress)
    if isinstance(answers, Path):
        return _judged(questions, _filed(answers, problems), problems, how)
    return _judged(questions, answers(questions), problems, how, answers)


def _questions(scenes: Scenes, problems: list[str]) -> dict[str, Content]:
    """Return the tables of scenes by their ids."""
    if isinstance(scenes, Path | str):
        faults: list[str] = []
        found: dict[str, Content] = {}
        for line in numbered_lines(scenes, faults):
            try:
                found[line.id] = plain_tables(line.content)
            except InvalidValueError as error:
                faults.append(f"{line.place}: {error}")
        problems += [f"{scenes}: {fault}" for fault in faults]
    else:
        found = {}
        for number, one in enumerate(scenes):
            name = str(one.get(ID, number) if isinstance(one, Mapping) else number)
            if name in found:
                raise InvalidValueError(
                    f"scenes[{number}]: id {shown(name)} is also that of another"
                )
            found[name] = scene_tables(scene(one))
    if not found:
        raise InvalidValueError(
            f"no scene to judge by{f': {listed(problems)}' if problems else ''}"
        )
    return found


def _filed(path: Path | str, problems: list[str]) -> Iterator[Reply]:
    """Yield the answers of a file; lines that cannot be used become problems."""
    faults: list[str] = []
    for line in numbered_lines(path, faults):
        yield Reply(line.id, line.content)
    problems += [f"{path}: {fault}" for fault in faults]


class _Way(NamedTuple):
    """How answers are judged."""

    tolerance: float
    workers: int
    progress: StageProgress


class _Job(NamedTuple):
    """Scenes with their answers, by their ids."""

    pairs: list[tuple[str, Content, Any]]
    tolerance: float


class _Found(NamedTuple):
    right: int
    undecided: int
    faults: list[tuple[Fault, Any]]
    """With the answers as they came."""
    problems: list[str]


def _judged(
    questions: Mapping[str, Content],
    replies: Iterator[Reply],
    problems: list[str],
    how: _Way,
    ask: Ask | None = None,
) -> Judgement:
    """Return the judgement of the replies to some scenes; problems that are known already come first."""
    tolerance, workers, progress = how
    if not TOLERANCE <= tolerance <= MOST_TOLERANCE:
        raise InvalidValueError(
            f"tolerance {tolerance:g} is outside {TOLERANCE:g}..{MOST_TOLERANCE:g}"
        )
    pairs = _pairs(questions, replies, problems)
    jobs = iter(lambda: list(islice(pairs, CHUNK)), [])
    right = undecided = 0
    faults: list[Fault] = []
    answers: dict[str, Any] = {}
    # a process takes longer to start than to judge a chunk
    useful = max(1, len(questions) // CHUNK)
    with LocalExecutor(_judge_job, min(workers, useful)) as executor:
        for found in executor.map(_Job(job, tolerance) for job in jobs):
            right, undecided = right + found.right, undecided + found.undecided
            faults += [fault for fault, _ in found.faults]
            answers |= {fault.scene: content for fault, content in found.faults}
            problems += found.problems
            progress("judged", right + undecided + len(faults), len(questions))
    order = {name: number for number, name in enumerate(questions)}
    faults.sort(key=lambda fault: order[fault.scene])
    respondent = Respondent(ask, tolerance) if ask else None
    if respondent:
        renamed = by_direction(faults, questions, respondent)
        faults = [renamed.get(fault.scene, fault) for fault in faults]
    cases = worst_cases(by_kind(faults), questions, answers, respondent)
    return Judgement(right, undecided, tuple(faults), tuple(problems), tuple(cases), tolerance)


def _pairs(
    questions: Mapping[str, Content],
    replies: Iterator[Reply],
    problems: list[str],
) -> Iterator[tuple[str, Content, Any]]:
    """Yield scenes with their answers; what has no partner becomes a problem."""
    answered, strange = set[str](), list[str]()
    for reply in replies:
        answered.add(reply.id)
        if reply.problem:
            problems.append(f"scene {reply.id}: {reply.problem}" if reply.id else reply.problem)
        elif reply.id in questions:
            yield reply.id, questions[reply.id], reply.content
        else:
            strange.append(reply.id)
    missing = [name for name in questions if name not in answered]
    for names, what in ((strange, "no such scene for {} to"), (missing, "no answer to {}")):
        if names:
            things = counted(len(names), "answer" if names is strange else "scene")
            problems.append(f"{what.format(things)}: {listed([shown(name) for name in names])}")


def _judge_job(job: _Job) -> _Found:
    found = _Found(0, 0, [], [])
    for name, tables, content in job.pairs:
        try:
            place = f"scene {name}"
            answer = answer_of(content, f"answer to {name}")
            verdict = judge_answer(name, scene_in(dict(tables), place), answer, job.tolerance)
        except InvalidValueError as error:
            found.problems.append(str(error))
            continue
        if verdict.fault:
            found.faults.append((verdict.fault, content))
        found = found._replace(
            right=found.right + (verdict == (None, False)),
            undecided=found.undecided + verdict.is_undecided,
        )
    return found
