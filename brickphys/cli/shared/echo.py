"""Echo: prints text from anywhere on a terminal, with its control characters made visible."""

import click

from brickphys.text import cleaned


def echo(text: object = "", *, nl: bool = True, err: bool = False) -> None:
    """Print text on standard output, or on standard error; see `brickphys.text.cleaned`."""
    click.echo(cleaned(str(text)), nl=nl, err=err)
