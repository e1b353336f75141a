"""Echo: prints text from anywhere on a terminal, with its control characters made visible."""

import shutil
import sys
import textwrap

import click

from brickphys.text import cleaned, cleaned_line

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
