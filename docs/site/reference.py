"""Pages on the public names and on the commands, made of docstrings and of the commands' own help."""

import inspect
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from html import escape
from typing import Any, get_args, get_origin

import click

import brickphys
from brickphys.cli.game_odds import game_odds
from brickphys.cli.main import cli
from brickphys.cli.odds import MORE, command_below
from brickphys.errors import InvalidValueError
from brickphys.interface import Displayed

TOPICS = {
    "odds": ("odds", "law", "laws", "roll"),
    "throws": ("throw", "poses", "calibrate", "measure", "infer"),
    "collisions": ("scene", "resolve", "ldraw", "hit_chances", "crash", "judge"),
    "arrays": ("outlines", "sweep", "encounter", "distance", "penetration", "overlaps"),
    "games": ("game", "games", "play", "replay", "check_game"),
    "studies": ("study", "report"),
    "errors": ("BrickphysError",),
}
"""The public names by page."""


def api_pages() -> dict[str, str]:
    """Return a page for each topic, by file: its public names, then the classes of what they return; and a list."""
    shown: dict[str, str] = {}
    pages, text = (
        {},
        inspect.cleandoc(brickphys.__doc__ or "").partition("\n")[2].replace("``", "`"),
    )
    for topic, names in TOPICS.items():
        found = {name: getattr(brickphys, name) for name in names}
        entries = {_place(value): f"brickphys.{name}" for name, value in found.items()}
        entries |= {
            _place(kind): kind.__name__ for value in found.values() for kind in _returned(value)
        }
        blocks = [_entry(place, name) for place, name in entries.items() if place not in shown]
        shown |= entries
        pages[f"{topic}.md"] = "\n\n".join([f"# {topic.capitalize()}", *blocks, ""])
        for name, value in found.items():
            text = text.replace(f"`{name}`", f"[`{name}`]({topic}.md#{_place(value)})")
    return {"index.md": f"# Python\n{text}\n", **pages}


def _entry(place: str, heading: str) -> str:
    """Return the words by which mkdocstrings shows a function or class."""
    return f'::: {place}\n    options:\n      heading: "{heading}"\n      toc_label: "{heading}"'


def _place(found: Any) -> str:
    return f"{found.__module__}.{found.__qualname__}"


def _returned(found: Any) -> list[type]:
    """Return the class of ours that a public function returns, if there is one, and those of which it has tuples."""
    kind = inspect.signature(found).return_annotation if inspect.isfunction(found) else None
    kind = get_origin(kind) or kind
    if not isinstance(kind, type) or not kind.__module__.startswith("brickphys."):
        return []
    held = [get_args(one.type)[:1] for one in fields(kind)] if is_dataclass(kind) else []
    return [kind, *dict.fromkeys(one for (one,) in filter(None, held) if _is_shown(one))]


def _is_shown(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Displayed)


def command_pages() -> dict[str, str]:
    """Return a page for each command, with its sub-commands, by file; and a list of all."""
    with click.Context(cli, info_name="brickphys") as context:
        found = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    rows = ["# Commands", "", "| command | what it does |", "|---|---|"]
    pages = {}
    for name, command in found.items():
        if command:
            rows.append(f"| [`{name}`]({name}.md) | {_prose(command.get_short_help_str(200))} |")
            pages[f"{name}.md"] = "\n\n".join(_command(command, f"brickphys {name}", 1))
    return {"index.md": "\n".join(rows), **pages}


def _command(command: click.Command, words: str, level: int) -> Iterator[str]:
    """Yield heading, usage, help and options of a command, and of the commands below it."""
    context = click.Context(command, info_name=words, terminal_width=100, show_default=True)
    yield f"{'#' * level} {words}"
    yield f"```text\n{command.get_usage(context).removeprefix('Usage: ')}\n```"
    yield from map(_paragraph, inspect.cleandoc(command.help or "").split("\n\n"))
    yield _options(command, context)
    for name, inner in _commands_below(command, words):
        yield from _command(inner, f"{words} {name}", level + 1)


def _commands_below(command: click.Command, words: str) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        yield from sorted(command.commands.items())
    elif words == "brickphys odds":
        for name in MORE:
            yield name, command_below(name)
        for name in brickphys.games():
            with suppress(InvalidValueError):  # it has no odds of its own
                yield name, game_odds(name)


def _options(command: click.Command, context: click.Context) -> str:
    records = [
        record
        for option in command.get_params(context)
        if (record := option.get_help_record(context))
    ]
    rows = [
        f"| `{names}` | {_prose(text).replace('|', '&#124;')} |" for names, text in records if text
    ]
    return "\n".join(["| option | meaning |", "|---|---|", *rows])


def _paragraph(text: str) -> str:
    """Return a paragraph of a help text; one that click leaves as it is becomes a block."""
    if text.startswith("Example: "):
        return f"**Example**\n\n```sh\n{' '.join(text.split()[1:])}\n```"
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
