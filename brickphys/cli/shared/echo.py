"""Echo: prints text from anywhere on a terminal, with its control characters made visible."""

import textwrap

import click

from brickphys.text import cleaned, cleaned_line

WIDTH = 120
"""Letters of a line of sentences, the longest; tables are as wide as their columns."""


def echo(text: object = "", *, nl: bool = True, err: bool = False) -> None:
    """Print text on standard output, or on standard error; see `brickphys.text.cleaned`."""
    click.echo(cleaned(str(text)), nl=nl, err=err)


def echo_text(text: str) -> None:
    """Print a sentence on standard output, folded where it is wider than `WIDTH`."""
    echo(textwrap.fill(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False))


def echo_line(text: str, *, err: bool = False) -> None:
    """Print one line with the name of a file in it, which may have ends of lines."""
    echo(cleaned_line(text), err=err)
