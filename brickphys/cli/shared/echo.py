"""Echo: prints text from anywhere on a terminal, with its control characters made visible."""

import click

from brickphys.text import cleaned, cleaned_line


def echo(text: object = "", *, nl: bool = True, err: bool = False) -> None:
    """Print text on standard output, or on standard error; see `brickphys.text.cleaned`."""
    click.echo(cleaned(str(text)), nl=nl, err=err)


def echo_line(text: str, *, err: bool = False) -> None:
    """Print one line with the name of a file in it, which may have ends of lines."""
    echo(cleaned_line(text), err=err)
