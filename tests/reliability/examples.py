"""Examples: files that readers accept (shipped, kept in `example_files/`, or made), and forgeries of their checks."""

import io
import json
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w
from PIL import Image
from scipy.io import wavfile

from brickphys import files as chain
from tests.command_line import brickphys

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent / "example_files"


def shipped(path: str) -> bytes:
    return (ROOT / path).read_bytes()


def example(name: str) -> bytes:
    return (HERE / name).read_bytes()


def rolls() -> bytes:
    """Counted rolls of a shape by name."""
    return b"body,face,rolls,normals\ncoin:15x5,edge,7,\ncoin:15x5,heads+tails,53,\n"


@cache
def box(kind: str) -> bytes:
    import trimesh

    made = trimesh.creation.box((10, 8, 6)).export(file_type=kind)
    return made.encode() if isinstance(made, str) else made


@cache
def scenes() -> bytes:
    """Return two scenes as JSON Lines."""
    from brickphys.vehicles.referee.scene_lines import random_lines

    return random_lines(2, 1)[0].encode()


def packed_scenes() -> bytes:
    from brickphys.vehicles.referee.parquet_lines import parquet_of

    return parquet_of(scenes().decode())


@cache
def geojson() -> bytes:
    """Return a scene as GeoJSON."""
    from brickphys.vehicles.scene_file import scene_geojson
    from brickphys.vehicles.validation.random_scenes import random_scene

    return json.dumps(scene_geojson(random_scene(1, 0).scene)).encode()


@cache
def sound() -> bytes:
    rate, heard = 8000, np.zeros(8000, dtype=np.int16)
    for at in (1000, 3000, 4200):
        heard[at : at + 40] = 20_000 * np.exp(-np.arange(40) / 10) * np.cos(np.arange(40) * 2)
    target = io.BytesIO()
    wavfile.write(target, rate, heard)
    return target.getvalue()


@cache
def photo() -> bytes:
    """Return a small photo: many damaged ones are decoded."""
    target = io.BytesIO()
    with Image.open(ROOT / "docs" / "tray.jpg") as whole:
        whole.resize((40, 30)).save(target, "jpeg")
    return target.getvalue()


@cache
def tracks() -> bytes:
    from brickphys.calibration.experiments.toss_tracks import TRACK_COLUMNS

    data = np.zeros((4, len(TRACK_COLUMNS)))
    data[:, TRACK_COLUMNS.index("qw")] = 1.0
    data[:, TRACK_COLUMNS.index("t_s")] = np.arange(4) / 100
    target = io.BytesIO()
    np.savez(target, data=data, columns=np.array(TRACK_COLUMNS))
    return target.getvalue()


@cache
def played(name: str) -> bytes:
    """Return the replay of a small game of two random bots."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        brickphys("play", name, "duel", "--bots", "random", "--seed", 3, "--replay", path)
        return path.read_bytes()


@cache
def mail() -> bytes:
    """Return a game by mail at its first choice: blue's first lines, and a roll."""
    from brickphys.battles.mail import Mail
    from brickphys.rules.registry import game

    bow = game("bow")
    mail = Mail(bow, bow.setups["duel"], [], {0: "a secret", 1: "another"})
    for seat in (0, 1, 0, 1):
        mail.go_on(seat)
    return mail.text.encode()


@cache
def campaign() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "quest.jsonl"
        brickphys("campaign", "new", path, "--days", 3, "--seed", 7)
        return path.read_bytes()


def resealed(content: bytes, study: str = "") -> bytes:
    """Return lines of JSON with checks that follow their content, as a forger would write them."""
    check, lines = chain.START, []
    for line in content.decode().splitlines():
        body = {key: value for key, value in json.loads(line).items() if key != chain.CHECK}
        sealed = chain.sealed(study + check, body)
        check = sealed[chain.CHECK]
        lines.append(chain.written(sealed))
    return ("\n".join(lines) + "\n").encode()


@cache
def _here() -> Any:
    """Return the manifest of a small study."""
    from brickphys.batch.journal import manifest_here
    from brickphys.batch.spec import parse_spec

    return manifest_here(parse_spec(example("study.toml").decode(), "study.toml", Path()))


def manifest() -> bytes:
    return _here().text().encode()


def journal() -> bytes:
    (stamp,) = _here().stamps
    entries = [
        {"blocks": [[cell, 1, 0, 4, 0]], "sha256": "0" * 64, "seconds": 0.1, "stamp": stamp.digest}
        for cell in (0, 1)
    ]
    return forged_journal("".join(f"{json.dumps(entry)}\n" for entry in entries).encode())


def forged_journal(content: bytes) -> bytes:
    return resealed(content, _here().spec.sha256)


def forged_manifest(content: bytes) -> bytes:
    body = {key: value for key, value in json.loads(content).items() if key != chain.CHECK}
    return json.dumps(chain.sealed(chain.START, body)).encode()


def party() -> bytes:
    from brickphys.rules.registry import game

    setup = game("campaign").setups["ten_days"]
    return tomli_w.dumps({key: setup[key] for key in ("party", "square") if key in setup}).encode()


FORGERS: Mapping[str, Callable[[bytes], bytes]] = {
    "replay": resealed,
    "mail": resealed,
    "campaign": resealed,
    "journal": forged_journal,
    "manifest": forged_manifest,
}
"""Readers of files with checks, and how a forger writes these anew."""
