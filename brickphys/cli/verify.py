"""Verify: what is stored follows from what it rests on, checked line by line."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.checks import NO_STAMP, TRUSTED
from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import FILE, json_option, unused_seed_option
from brickphys.errors import InvalidValueError
from brickphys.text import counted

if TYPE_CHECKING:
    from brickphys.checks import Check


@click.command()
@click.argument("paths", metavar="FILE|DIR...", type=FILE, nargs=-1, required=True)
@unused_seed_option
@json_option
def verify(paths: tuple[Path, ...], as_json: bool) -> None:
    """Check laws, replays, saved games, folders of batches and other files of brickphys, and say what was checked.

    What follows from something else in a file is computed again and compared; a replay is played. What nothing
    determines is named as "taken on trust". A stamp says whether these sources, this processor and these versions
    computed the file; other ones are no fault, and files of earlier versions have no stamp. The kind of a file is told
    by its content; of a folder that is no batch every file of a known kind is checked.

    The status is 0 if all is right, and 2 if anything is not.

    \b
    Examples:
      brickphys verify mine.json
      brickphys verify duel.jsonl results
      brickphys verify . --json
    """
    found = _found(paths)
    faulty = sum(any(check.fault for check in checks) for _, _, checks in found)
    told = f"{counted(len(found), 'file')}: "
    told += f"{faulty} with faults" if faulty else "all right"
    if as_json:
        output.print_json("verify", _document(found, ok=not faulty))
    else:
        for path, kind, checks in found:
            echo(f"{path}: {kind}")
            echo("\n".join(f"  {_line(check)}" for check in checks))
    if faulty:
        raise InvalidValueError(told)
    if not as_json:
        echo(told)


def _found(paths: tuple[Path, ...]) -> "list[tuple[Path, str, list[Check]]]":
    """Return each file with its kind and what was found out; files of unknown kinds below a folder are left out."""
    from brickphys.checks import Check
    from brickphys.cli.shared.file_kinds import files_in, kind_of

    for path in paths:
        if not path.exists():
            raise InvalidValueError(f"{path}: there is no such file or folder")
    files = list(dict.fromkeys(file for path in paths for file in files_in(path)))
    found = []
    with output.progress("files") as advance:
        for number, file in enumerate(files, start=1):
            try:
                kind = kind_of(file)
            except InvalidValueError as error:
                found.append(
                    (file, "unknown", [Check("a text", str(error).removeprefix(f"{file}: "))])
                )
                continue
            if kind is not None:
                found.append((file, kind.name, list(kind.checks(file))))
            elif file in paths:
                found.append(
                    (file, "unknown", [Check("the kind of the file", "is none of brickphys")])
                )
            advance("verify", number, len(files))
    return found


def _line(check: "Check") -> str:
    if check.fault is not None:
        return f"fault: {check.what}: {check.fault}"
    return check.what if check.what.startswith((TRUSTED, NO_STAMP)) else f"ok: {check.what}"


def _document(found: "list[tuple[Path, str, list[Check]]]", *, ok: bool) -> dict[str, Any]:
    return {
        "ok": ok,
        "checks": [
            {"file": str(path), "kind": kind, "what": check.what, "fault": check.fault}
            for path, kind, checks in found
            for check in checks
        ],
    }
