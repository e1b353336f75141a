"""The command line, run in this process as a program would run it."""

import contextlib
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from unittest.mock import patch

import click
from click.testing import CliRunner

from brickphys.cli.main import cli, main
from brickphys.notes import NOTES

_ENVIRONMENT = {"COLUMNS": "80", "FORCE_COLOR": None, "NO_COLOR": None}


def brickphys(
    *words: object, typed: str = "", cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> CompletedProcess[str]:
    """Run a command to its end; return its exit status, its output and what it wrote on standard error."""
    line = ["brickphys", *map(str, words)]
    status = 0
    NOTES.handlers.clear()  # of a command that another test ran in this process
    streams = CliRunner().isolation(typed, env={**_ENVIRONMENT, **(env or {})})
    with (
        contextlib.chdir(cwd or Path.cwd()),
        patch.object(sys, "argv", line),
        streams as (out, err, _),
    ):
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
        finally:
            NOTES.handlers.clear()  # they write on the standard error of this command
            NOTES.setLevel("NOTSET")
        return CompletedProcess(line, status, out.getvalue().decode(), err.getvalue().decode())


def run(*words: object, fails: int = 0, **how: Any) -> CompletedProcess[str]:
    """Run a command that ends with a status: 0 if it does what it is asked."""
    result = brickphys(*words, **how)
    assert result.returncode == fails, result.stderr
    return result


def answer(*words: object, **how: Any) -> Any:
    """Return the JSON that a command prints on one line."""
    printed = run(*words, "--json", **how).stdout
    assert printed.count("\n") == 1
    return json.loads(printed)


def assert_refused(result: CompletedProcess[str], *says: str) -> None:
    """Assert that a command named its bad input in one line, printed nothing else, and ended with status 2."""
    assert (result.returncode, result.stdout) == (2, ""), result.stderr
    assert result.stderr.startswith("brickphys: ")
    assert result.stderr.count("\n") == 1
    for text in says:
        assert text in result.stderr


def commands(command: click.Command = cli, name: str = "") -> Iterator[str]:
    """Yield the names of all commands below one."""
    if not isinstance(command, click.Group):
        yield name
        return
    context = click.Context(command)
    for word in command.list_commands(context):
        inner = command.get_command(context, word)
        assert inner is not None
        yield from commands(inner, f"{name} {word}".strip())
