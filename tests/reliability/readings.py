"""Readings: how each kind of file is read, and how what was read is written again."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import tomli_w

from brickphys import reading
from tests.reliability.examples import box, manifest


def of(module: str, name: str) -> Callable[[Path], Any]:
    """Return a reader of a module, which is imported when it is first used."""
    return lambda path: getattr(import_module(module), name)(path)


def text_of(content: bytes) -> str:
    """Return the text of a file as `read_text` does: each end of line is one character."""
    return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def toml_again(_: Any, content: bytes) -> bytes:
    return tomli_w.dumps(reading.parse_toml(text_of(content), "again")).encode()


def json_again(_: Any, content: bytes) -> bytes:
    return json.dumps(reading.parse_json(text_of(content), "again")).encode()


def csv_again(_: Any, content: bytes) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(row for _, row in reading.parse_csv(text_of(content), "again"))
    return text.getvalue().encode()


def same(_: Any, content: bytes) -> bytes:
    return content


def law_again(law: Any, _: bytes) -> bytes:

    return json.dumps(law.document()).encode()


def read_surface(path: Path) -> Any:
    from brickphys.throws.conditions import surface

    return surface(str(path))


def read_body(path: Path) -> Any:
    from brickphys.shapes.body_file import read_body_file

    (path.parent / "box.obj").write_bytes(box("obj"))
    return replace(read_body_file(path), files=())  # their names and digests


def read_pieces(path: Path) -> Any:
    from brickphys.shapes.assembly import build_assembly

    return build_assembly("thing", reading.read_text(path))


def read_mesh(path: Path) -> Any:
    from brickphys.shapes.mesh_file import mesh_solid, parse_mesh

    return mesh_solid(
        parse_mesh(reading.read_bytes(path, reading.MOST_MESH_BYTES), path.name, 1.0), path.name
    )


def scene_again(scene: Any, _: bytes) -> bytes:
    from brickphys.vehicles.scene_file import scene_text

    return scene_text(scene).encode()


def read_setup(game: str, path: Path) -> Any:
    from brickphys.rules.registry import game as game_of

    return game_of(game).read_setup(path)


def read_roster(path: Path) -> Any:
    from brickphys.rules.registry import game

    return game("minifig").read_roster(reading.read_text(path), path.name)


def read_party(path: Path) -> Any:
    from brickphys.reading import read_toml
    from brickphys.rules.registry import game

    campaign = game("campaign")
    setup = {**campaign.setups["ten_days"], **read_toml(path)}
    return campaign.format_state(campaign.initial(setup))


def read_sheets(path: Path) -> Any:
    from brickphys.rules.registry import game

    return [one.document() for one in game("bow").sheets(str(path)).sheets]


def read_study(path: Path) -> Any:
    from brickphys.batch.spec import find_spec

    return find_spec(path, usual_seed=1).content


def read_manifest(path: Path) -> Any:
    from brickphys.batch.store import open_store

    folder = path.parent / "batch"
    folder.mkdir(exist_ok=True)
    (folder / "manifest.json").write_bytes(path.read_bytes())
    return open_store(folder).manifest


def read_journal(path: Path) -> Any:
    from brickphys.batch.store import open_store

    folder = path.parent / "batch"
    folder.mkdir(exist_ok=True)
    (folder / "manifest.json").write_bytes(manifest())
    (folder / "journal.jsonl").write_bytes(path.read_bytes())
    store = open_store(folder)
    return [shard.file for shard in store.shards], store.shard_problems()


def read_mail(path: Path) -> Any:
    from brickphys.battles.mail import read_mail

    return read_mail(path.read_text("utf-8", "replace"), str(path), lambda *_: {0: "a secret"}).text


def read_replay(path: Path) -> Any:
    from brickphys.rules.registry import game
    from brickphys.rules.replay import play_back, read_replay

    replay = read_replay(path)
    played = game(replay.game)
    return played.format_state(play_back(played, replay, str(path)).final)


def read_counts(path: Path) -> Any:
    from brickphys.calibration.home_counts import read_home_counts

    counts = read_home_counts(path)
    return counts.scores(), counts.pose_totals(), sorted(counts.by_surface())


def read_film(path: Path) -> Any:
    from brickphys.calibration.measure.film import read_film

    return read_film(path, 240.0)
