"""Pages on the public names and on the commands, made of docstrings and of the commands' own help."""

import inspect
import re
from collections.abc import Iterator
from html import escape
from typing import get_origin

import click

import brickphys
from brickphys.cli.game_odds import game_odds
from brickphys.cli.main import cli

TOPICS = {
    "odds": ("odds", "law", "laws", "roll"),
    "throws": ("throw", "poses", "calibrate", "measure", "infer"),
    "collisions": ("scene", "resolve", "crash"),
    "games": ("game", "games", "play", "replay", "check_game"),
    "studies": ("study", "report"),
    "errors": ("BrickphysError",),
}
"""The public names by page."""
_ENTRY = """
::: {place}
    options:
      heading_level: {level}
      heading: "{heading}"
"""


def api_pages() -> dict[str, str]:
    """Return a page for each topic: its public names, and the values that they return, by file."""
    shown: set[str] = set()
    pages = {}
    for topic, names in TOPICS.items():
        text = [f"# {topic.capitalize()}"]
        for name in names:
            text.append(_ENTRY.format(place=_place(getattr(brickphys, name)), level=2, heading=f"brickphys.{name}"))
        values = [value for name in names if (value := _returned(name)) and _place(value) not in shown]
        for value in dict.fromkeys(values):
            shown.add(_place(value))
            text.append(_ENTRY.format(place=_place(value), level=2, heading=value.__name__))
        pages[f"{topic}.md"] = "\n".join(text)
    return pages


def _place(found: object) -> str:
    """Return where a public function or class is defined."""
    if inspect.ismodule(found):  # the package `odds` itself can be called
        found = found.odds
    return f"{found.__module__}.{found.__qualname__}"


def _returned(name: str) -> type | None:
    """Return the class of ours that a public function returns."""
    found = getattr(brickphys, name)
    kind = inspect.signature(found.odds if inspect.ismodule(found) else found).return_annotation
    kind = get_origin(kind) or kind
    return kind if isinstance(kind, type) and kind.__module__.startswith("brickphys.") else None


def command_pages() -> dict[str, str]:
    """Return a page for each command, with its sub-commands, by file."""
    with click.Context(cli, info_name="brickphys") as context:
        found = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    return {
        f"{name}.md": "\n\n".join(_command(command, f"brickphys {name}", 1))
        for name, command in found.items()
        if command
    }


def _command(command: click.Command, words: str, level: int) -> Iterator[str]:
    """Yield heading, usage, help and options of a command, and of the commands below it."""
    context = click.Context(command, info_name=words, terminal_width=100)
    yield f"{'#' * level} {words}"
    yield f"```text\n{command.get_usage(context).removeprefix('Usage: ')}\n```"
    yield from map(_paragraph, (command.help or "").split("\n\n"))
    yield _options(command, context)
    for name, inner in _commands_below(command, words):
        yield from _command(inner, f"{words} {name}", level + 1)


def _commands_below(command: click.Command, words: str) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        yield from sorted(command.commands.items())
    elif words == "brickphys odds":
        for name in brickphys.games():
            if brickphys.game(name).odds_tables():
                yield name, game_odds(name)


def _options(command: click.Command, context: click.Context) -> str:
    records = [record for option in command.get_params(context) if (record := option.get_help_record(context))]
    rows = [f"| `{names}` | {_prose(text).replace('|', '&#124;')} |" for names, text in records]
    return "\n".join(["| option | meaning |", "|---|---|", *rows])


def _paragraph(text: str) -> str:
    """Return a paragraph of a help text; one that click leaves as it is becomes a block."""
    if not text.startswith("\b"):
        return _prose(text)
    title, _, rest = text.removeprefix("\b").strip("\n").partition("\n")
    if title.startswith("Example"):
        return f"**{title.rstrip(':')}**\n\n```sh\n{inspect.cleandoc(rest)}\n```"
    if title.startswith("JSON:"):
        return f"**JSON:** {_prose(title.removeprefix('JSON:') + ' ' + rest)}"
    return f"```text\n{inspect.cleandoc(text.removeprefix(chr(8)))}\n```"


def _prose(text: str) -> str:
    """Return plain text as Markdown; what stands in backticks stays."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(
        part if part.startswith("`") else re.sub(r"([*\[\]])", r"\\\1", escape(part, quote=False))
        for part in parts
    )
