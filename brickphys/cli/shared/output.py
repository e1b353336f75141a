"""Output: JSON for programs, tables for people, progress on standard error.

Text from anywhere is printed with its control characters made visible. A group of commands names the nearest command
where an unknown one is typed.
"""

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.errors import CancelledRunError, InvalidValueError, unknown
from brickphys.files import check_target, write_whole
from brickphys.notes import Progress, StageProgress, Waiting, bar, steps
from brickphys.text import cleaned, cleaned_line, table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from brickphys.view.recording import SceneRecording

WIDTH = 120
"""Letters of a line of sentences, the longest; tables are as wide as their columns."""


def echo(text: object = "", *, nl: bool = True, err: bool = False) -> None:
    """Print text on standard output, or on standard error; see `brickphys.text.cleaned`."""
    click.echo(cleaned(str(text)), nl=nl, err=err)


def echo_text(text: str, indent: str = "") -> None:
    """Print a sentence on standard output behind an indent, folded where it is wider than a terminal or `WIDTH`.

    No word is broken: it may be a path.
    """
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    columns = shutil.get_terminal_size().columns if is_terminal else WIDTH
    lines = textwrap.wrap(
        cleaned_line(text),
        min(columns, WIDTH),
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    echo("\n".join(lines))


def echo_line(text: str, *, err: bool = False) -> None:
    """Print one line with the name of a file in it, which may have ends of lines."""
    echo(cleaned_line(text), err=err)


class CommandGroup(click.Group):
    """A group of commands; ``help`` shows its help, as ``--help`` does."""

    def meant(self, _name: str) -> str | None:
        """Return the command that is meant by a name that does not look like it; None if there is none."""
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is typed; InvalidValueError names the nearest one if there is none."""
        known = self.list_commands(ctx)
        if args and args[0] == "help":
            echo(ctx.get_help())
            ctx.exit()
        if args and args[0] not in known and not args[0].startswith("-"):
            raise unknown("command", args[0], known, self.meant(args[0]))
        return super().resolve_command(ctx, args)


def print_json(kind: str, document: Mapping[str, Any]) -> None:
    """Print one JSON object, the only thing on standard output; NaN is refused."""
    from brickphys.interface import json_object  # takes time to load

    echo(json.dumps(json_object(kind, document)))


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, folded: bool = False, texts: int = 1
) -> None:
    """Print a plain table; see `brickphys.text.table`."""
    echo(table(columns, rows, folded=folded, texts=texts))


@contextmanager
def drawing() -> Iterator[StageProgress]:
    """Show the progress of pictures; Ctrl-C ends the block after one of them.

    A KeyboardInterrupt in a callback of the drawing library would be lost and its traceback printed.
    """
    from brickphys.signals import StopRequest

    waiting = Waiting()
    with StopRequest() as stop:
        with bar("pictures") as advance:

            def report(stage: str, done: int, total: int) -> None:
                advance(stage, done, total)
                _note(waiting, stage, done, total)
                if stop.asked:
                    raise CancelledRunError(f"interrupted after {done} of {total} pictures")

            yield report
        if stop.asked:
            raise CancelledRunError("interrupted while a picture was drawn")


@contextmanager
def working(stage: str, unit: str) -> Iterator[Progress]:
    """Show the progress of a work of one stage that may take long."""
    waiting = Waiting()
    with steps(True, stage, unit) as advance:

        def report(done: int, total: int) -> None:
            advance(done, total)
            _note(waiting, stage, done, total, unit)

        yield report


def _note(waiting: Waiting, stage: str, done: int, total: int, unit: str = "pictures") -> None:
    """Say once how long a work will take if it takes long and no bar is shown."""
    is_shown = sys.stderr is not None and sys.stderr.isatty()
    if is_shown or waiting.is_told or not waiting.is_long or not 0 < done < total:
        return
    left = waiting.seconds / done * (total - done)
    echo_line(f"{stage}: {done:,} of {total:,} {unit}, about {left:.0f} s more", err=True)
    waiting.is_told = True


def check_apart(
    read: Mapping[str, Path | str | None], written: Mapping[str, Path | str | None]
) -> None:
    """Raise InvalidValueError if a command would write twice to one file, or over one that it reads.

    The files are given by the words that name them on the command line, such as ``--plot``; None where there is none.
    """
    named = {word: path for word, path in {**read, **written}.items() if path is not None}
    for one, other in combinations(named, 2):
        if other in written and os.path.realpath(named[one]) == os.path.realpath(named[other]):
            raise InvalidValueError(f"{one} and {other} are the same file, {named[other]}")


def check_plot(
    path: Path | None,
    *,
    force: bool,
    option: str = "--plot",
    suffixes: Sequence[str] = (".png", ".svg", ".pdf"),
) -> None:
    """Raise InvalidValueError if no plot can be written to `path`, before any work is done."""
    if path is None:
        return
    if path.suffix.lower() not in suffixes:
        raise InvalidValueError(f"{option} {path}: the name must end in {_either(suffixes)}")
    try:
        check_target(path, force=force)
    except InvalidValueError as error:
        raise InvalidValueError(f"{option} {error}") from None


def _either(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def save_plot(figure: "Figure", path: Path, what: str = "plot") -> None:
    """Write a figure whole or not at all, and name the file on standard error."""
    with drawing():
        content = figure_bytes([figure], path.suffix[1:].lower())
    write_whole(content, path, force=True)
    note_written(what, path)


def check_page(path: Path | None, *, force: bool) -> None:
    """Raise InvalidValueError if no page can be written to `path`, before any work is done."""
    check_plot(path, force=force, option="--html", suffixes=(".html", ".htm"))


def save_page(recording: "SceneRecording", path: Path) -> None:
    """Write the page of a scene recording whole or not at all, and name the file on standard error."""
    from brickphys.view.document import write_page

    write_page(recording, path, force=True)
    note_written("page", path)


def figure_bytes(pages: Sequence["Figure"], kind: str) -> bytes:
    """Return figures as the content of a file, several as the pages of a PDF; the same figures make the same file.

    The kind is ``png``, ``svg`` or ``pdf``.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_pdf import PdfPages

    content = BytesIO()
    with mpl.rc_context({"svg.hashsalt": "brickphys"}):
        if kind != "pdf":
            metadata = {"Date": None} if kind == "svg" else None
            pages[0].savefig(content, format=kind, metadata=metadata)
            return content.getvalue()
        with PdfPages(content, metadata={"CreationDate": None}) as book:
            for page in pages:
                page.savefig(book, format="pdf")
    return content.getvalue()


def note_written(what: str, path: Path) -> None:
    """Name a file that has been written on standard error."""
    echo_line(f"{what}: {path}", err=True)
