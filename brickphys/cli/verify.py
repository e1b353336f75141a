"""Verify: checks that stored results follow from the data that they rest on."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from brickphys.checks import NO_STAMP, TRUSTED, WARNING
from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo, echo_text
from brickphys.cli.shared.options import FILE, json_option, trust_option, unused_seed_option
from brickphys.errors import InvalidValueError, system_fault
from brickphys.progress import bar
from brickphys.text import counted

if TYPE_CHECKING:
    from brickphys.checks import Check
    from brickphys.cli.shared.file_kinds import FileKind


class _Found(NamedTuple):
    """A file, its kind, and what was found out about it."""

    path: Path
    kind: str
    checks: "list[Check]"


@click.command()
@click.argument("paths", metavar="FILE|DIR...", type=FILE, nargs=-1, required=True)
@trust_option
@unused_seed_option
@json_option
def verify(paths: tuple[Path, ...], as_json: bool) -> None:
    """Check laws, replays, saved games, batch folders and other files of brickphys, and list what was checked.

    Derived values in a file are computed again and compared. A replay is played. Values that cannot be checked are
    listed as "taken on trust". A stamp says whether the present sources, processor and versions computed the file.
    Another stamp is no error, and files of earlier versions have no stamp. The content decides the kind of a file. In
    a folder, every batch and every .json, .jsonl, .toml and .csv of a known kind is checked; the others are listed as
    skipped.

    The exit status is 0 if everything is right. It is 2 if there is an error, or nothing to check in a folder.

    \b
    Examples:
      brickphys verify mine.json
      brickphys verify duel.jsonl results
      brickphys verify . --json
    """
    found, passed_over = _found(paths)
    faulty = sum(any(check.fault for check in checks) for _, _, checks in found)
    told = f"{counted(len(found), 'file')}: "
    told += f"{faulty} with faults" if faulty else "all right"
    if warned := sum(any(check.what.startswith(WARNING) for check in one.checks) for one in found):
        told += f", {warned} with warnings"
    if passed_over:
        told += f", {len(passed_over):,} skipped"
    if as_json:
        output.print_json("verify", _document(found, passed_over, ok=not faulty))
    else:
        for path, kind, checks in found:
            echo_text(f"{path}: {kind}")
            for check in checks:
                echo_text(_line(check), "  ")
        for path in passed_over:
            echo_text(f"{path}: skipped: unknown kind of file")
    if faulty:
        raise InvalidValueError(told)
    if not as_json:
        echo(told)


def _found(paths: tuple[Path, ...]) -> tuple[list[_Found], list[Path]]:
    """Return what was found out about each file, and the files of no known kind below folders."""
    from brickphys.cli.shared.file_kinds import files_in

    for path in paths:
        if not os.access(path, os.F_OK):
            raise InvalidValueError(f"{path}: there is no such file or folder")
    inner = {path: list(files_in(path)) for path in paths}
    files = dict.fromkeys(file for path in paths for file in inner[path])
    checked: dict[Path, _Found | None] = {}
    with bar("files") as advance:
        for number, file in enumerate(files, start=1):
            checked[file] = _checked(file)
            advance("verify", number, len(files))
    found = [one for one in checked.values() if one]
    found += [_nothing(path) for path in paths if not any(checked[file] for file in inner[path])]
    return found, [file for file, one in checked.items() if one is None and file not in paths]


def _checked(file: Path) -> _Found | None:
    """Return a file with its kind and what was found out about it; None if it is of no known kind."""
    from brickphys.checks import Check
    from brickphys.cli.shared.file_kinds import kind_of

    try:
        kind = kind_of(file)
    except InvalidValueError as error:
        return _Found(file, "unknown", [_bare(file, Check("its content", str(error)))])
    if kind is None:
        return None
    return _Found(file, kind.name, [_bare(file, check) for check in _checks(kind, file)])


def _checks(kind: "FileKind", file: Path) -> "Iterator[Check]":
    """Yield what a kind finds out about a file; what stops it is a fault, and other files are checked all the same."""
    from brickphys.checks import Check

    try:
        yield from kind.checks(file)
    except InvalidValueError as error:
        yield Check("all that is in it", str(error))
    except OSError as error:
        yield Check("all that is in it", system_fault(error))


def _bare(file: Path, check: "Check") -> "Check":
    """Return a check whose fault does not begin with the file: that is told before it."""
    if check.fault is None:
        return check
    fault, inner = check.fault, check.what.partition(":")[0]
    for place in (file, os.path.realpath(file), file / inner):
        fault = fault.removeprefix(f"{place}: ")
    return replace(check, fault=fault)


def _nothing(path: Path) -> _Found:
    """Return the fault of a path that holds nothing to check."""
    from brickphys.checks import Check

    if path.is_dir():
        return _Found(path, "folder", [Check("files of brickphys", "there are none")])
    return _Found(path, "unknown", [Check("the kind of the file", "is not known to brickphys")])


def _line(check: "Check") -> str:
    if check.fault is not None:
        return f"fault: {check.what}: {check.fault}"
    return (
        check.what if check.what.startswith((TRUSTED, WARNING, NO_STAMP)) else f"ok: {check.what}"
    )


def _document(found: Sequence[_Found], passed_over: Sequence[Path], *, ok: bool) -> dict[str, Any]:
    return {
        "ok": ok,
        "passed_over": [str(path) for path in passed_over],
        "checks": [
            {"file": str(path), "kind": kind, "what": check.what, "fault": check.fault}
            for path, kind, checks in found
            for check in checks
        ],
    }
