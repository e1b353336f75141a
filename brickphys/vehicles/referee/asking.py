"""Asking: lets a program or a function answer scenes; one that hangs, crashes or raises loses one scene, not all."""

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from traceback import extract_tb
from typing import IO, Any, NamedTuple

from brickphys.errors import InvalidValueError, in_words
from brickphys.reading import MOST_LINE_BYTES, decode, parse_json
from brickphys.text import cut, shown

LIMIT_S = 10.0
"""Seconds that an answer may take if nobody says otherwise."""
MOST_LIMIT_S = 86_400.0
MOST_FAILURES = 20
"""Scenes in a row that may fail before the others are not asked any more."""
_MOST_AT_ONCE = 500
"""Scenes that a program gets at once: it may answer them all at the end."""
_MOST_STRANGE = 20
"""Lines of a program that are not answers to its scenes, before it is ended."""
_LONGEST = 300
"""Characters of an error that are told."""
_GIVEN_UP = f"the other scenes are not asked, after {MOST_FAILURES} failures in a row"
Content = Mapping[str, Any]
"""A JSON object as a dict."""
Function = Callable[[dict[str, Any]], Any]
"""Gets a scene with its id, and returns its answer or the list of its hits."""


def check_limit(limit_s: float) -> float:
    """Return the time that an answer may take, or raise InvalidValueError if nobody can mean it."""
    if not 0 < limit_s <= MOST_LIMIT_S:
        raise InvalidValueError(f"time limit {limit_s:g} is outside 0..{MOST_LIMIT_S:g} s")
    return limit_s


class Reply(NamedTuple):
    """An answer as it came, or why there is none."""

    id: str
    """Of the scene; empty if that is not known."""
    content: Any
    problem: str = ""


Ask = Callable[[Mapping[str, Content]], Iterator[Reply]]
"""Yields the replies to scenes, given by their ids."""


def ask_function(
    function: Function, scenes: Mapping[str, Content], limit_s: float
) -> Iterator[Reply]:
    """Yield the replies of a function; one that hangs goes on in a thread of its own, without effect.

    InvalidValueError if nobody can mean the time limit.
    """
    failed, life = 0, _Life(function)
    check_limit(limit_s)
    for name, content in scenes.items():
        if failed == MOST_FAILURES:
            yield Reply("", None, _GIVEN_UP)
            break
        life.asked.put({"id": name, **deepcopy(dict(content))})  # it may change it
        try:
            answer, error = life.answered.get(timeout=limit_s)
        except Empty:
            answer, error, life = None, _late(limit_s), _Life(function)
        failed = failed + 1 if error else 0
        yield Reply(name, None, error) if error else returned(name, answer)
    life.asked.put(None)


def returned(name: str, answer: Any) -> Reply:
    """Return an answer of a function or a list as JSON has it: numbers of other libraries become those of Python."""
    try:
        content = parse_json(json.dumps(answer, default=_number), "the answer")
    except (TypeError, ValueError, RecursionError) as error:
        return Reply(name, None, in_words(error))
    if isinstance(content, list):
        content = {"hits": content}
    hits = content.get("hits", []) if isinstance(content, dict) else content
    if not (isinstance(hits, list) and all(isinstance(hit, dict) for hit in hits)):
        return Reply(name, None, f"{shown(hits)} should be a list of hits: dicts with an id")
    if isinstance(content, dict) and str(content.pop("id", name)) != name:
        return Reply(name, None, "the answer has the id of another scene")
    return Reply(name, content)


def _number(value: Any) -> Any:
    """Return a number or an array of another library as JSON can write it."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a {type(value).__name__} cannot be written as JSON")


class _Life:
    """A thread that calls a function until its call hangs."""

    def __init__(self, function: Function) -> None:
        self.asked: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self.answered: SimpleQueue[tuple[Any, str]] = SimpleQueue()
        _in_thread(self._serve, function)

    def _serve(self, function: Function) -> None:
        while (scene := self.asked.get()) is not None:
            try:
                self.answered.put((function(scene), ""))
            except BaseException as error:  # it may exit, too
                place = extract_tb(error.__traceback__)[-1]
                where = f"{Path(place.filename).name} line {place.lineno}"
                self.answered.put((None, f"it raises {in_words(error)} ({where})"))


def _late(limit_s: float) -> str:
    return f"no answer within {limit_s:g} s"


class Program:
    """A program that reads scenes on standard input, one a line, and writes answers on standard output.

    It gets many scenes at once, and the end of its input after them. It may answer in any order. InvalidValueError if
    the command is empty, or has an open quote. No shell reads its command line. It may take `limit_s` for a scene.
    """

    def __init__(self, command: str, limit_s: float = LIMIT_S) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise InvalidValueError(f"{shown(command)}: {error}") from None
        if not self._words:
            raise InvalidValueError("the command is empty")
        self._limit_s = check_limit(limit_s)

    def __call__(self, scenes: Mapping[str, Content]) -> Iterator[Reply]:
        """Yield the replies to scenes; InvalidValueError if the program cannot be started."""
        left, size, failed = dict(scenes), _MOST_AT_ONCE, 0
        while left and failed < MOST_FAILURES:
            asked = dict(islice(left.items(), size))
            open_ones = dict(asked)
            problem = yield from self._run(open_ones)
            if problem and len(asked) > 1:
                # a program that answers at once has failed at the first open scene, any other one at some scene
                size = 1 if len(open_ones) < len(asked) else len(asked) // 2
                asked = {name: asked[name] for name in asked if name not in open_ones}
            else:
                yield from (Reply(name, None, problem) for name in open_ones if problem)
                failed = failed + 1 if problem else 0
                size = min(2 * size, _MOST_AT_ONCE)
            left = {name: content for name, content in left.items() if name not in asked}
        if left:
            yield Reply("", None, _GIVEN_UP)

    def _run(self, left: dict[str, Content]) -> Generator[Reply, None, str]:
        """Let the program answer scenes, and remove those that it answers; return why it ended before all others."""
        texts = [json.dumps({"id": name, **content}) for name, content in left.items()]
        lines: SimpleQueue[bytes | None] = SimpleQueue()
        with tempfile.TemporaryFile() as errors:
            process = self._started(errors)
            _in_thread(_read, process.stdout, lines)
            _in_thread(_feed, process.stdin, texts)
            strange = 0
            try:
                while (line := lines.get(timeout=self._limit_s)) is not None:
                    if not line.strip():
                        continue
                    reply = _reply(line, left)
                    strange += not reply.id
                    if strange > _MOST_STRANGE:
                        return "it writes lines that are not answers"
                    yield reply
                status = process.wait(self._limit_s)
            except (Empty, subprocess.TimeoutExpired):
                return _late(self._limit_s) if left else ""
            finally:
                _kill(process)
            return _crash(status, errors) if status and left else ""

    def _started(self, errors: IO[bytes]) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InvalidValueError(
                f"{shown(self._words[0])}: cannot be started: {reason}"
            ) from None


def _reply(line: bytes, left: dict[str, Content]) -> Reply:
    """Return the reply in a line of a program, and remove its scene."""
    try:
        content = parse_json(decode(line, "answer"), "answer")
    except InvalidValueError as error:
        return Reply("", None, f"{error}: {shown(line.decode(errors='replace'))}")
    name = content.pop("id", None) if isinstance(content, dict) else None
    if name is None:
        return Reply("", None, f"answer without an id: {shown(line.decode(errors='replace'))}")
    if str(name) not in left:
        return Reply(
            "", None, f"answer {shown(str(name))}: no such scene was asked, or it is answered"
        )
    del left[str(name)]
    return Reply(str(name), content)


def _in_thread(work: Callable[..., None], *arguments: Any) -> None:
    threading.Thread(target=work, args=arguments, daemon=True).start()


def _feed(pipe: IO[bytes], texts: Iterable[str]) -> None:
    with suppress(OSError, ValueError), pipe:  # it has ended before it has read all
        for text in texts:
            pipe.write(text.encode() + b"\n")


def _read(pipe: IO[bytes], lines: "SimpleQueue[bytes | None]") -> None:
    with suppress(OSError, ValueError), pipe:
        while line := pipe.readline(MOST_LINE_BYTES):
            lines.put(line)
    lines.put(None)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    with suppress(OSError):
        if sys.platform != "win32":
            os.killpg(process.pid, signal.SIGKILL)  # and whatever it has started
        else:
            process.kill()
    process.wait()


def _crash(status: int, errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = errors.read().decode(errors="replace").split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    ended = f"ends with status {status}" if status > 0 else f"is ended by signal {-status}"
    return f"it {ended}{f': {cut(last.strip(), _LONGEST)}' if last else ''}"
