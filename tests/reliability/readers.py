"""Every reader of the project: what it reads, a file that it accepts, and how what it accepted is written again."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w
from command_line import brickphys
from scipy.io import wavfile

from brickphys import chain
from brickphys.reading import (
    MOST_MESH_BYTES,
    parse_csv,
    parse_json,
    parse_toml,
    read_bytes,
    read_text,
)

ROOT = Path(__file__).parent.parent.parent
Again = Callable[[Any, bytes], bytes]


@dataclass(frozen=True)
class Reader:
    """A reader.

    Attributes
    ----------
    ending
        Of the name of its files: the form of their content.
    example
        Returns the content of a file that it accepts.
    read
        Returns the value of a file.
    again
        Returns the content of a file that says the same as a value and the content that it was read from.
    modules
        Where files of this kind are opened or parsed.
    """

    ending: str
    example: Callable[[], bytes]
    read: Callable[[Path], Any]
    again: Again
    modules: tuple[str, ...]


def _text_of(content: bytes) -> str:
    """Return the text of a file as `read_text` does: each end of line is one character."""
    return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def _toml_again(_: Any, content: bytes) -> bytes:
    return tomli_w.dumps(parse_toml(_text_of(content), "again")).encode()


def _json_again(_: Any, content: bytes) -> bytes:
    return json.dumps(parse_json(_text_of(content), "again")).encode()


def _csv_again(_: Any, content: bytes) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(row for _, row in parse_csv(_text_of(content), "again"))
    return text.getvalue().encode()


def _same(_: Any, content: bytes) -> bytes:
    return content


def _shipped(path: str) -> Callable[[], bytes]:
    return lambda: (ROOT / path).read_bytes()


def _text(text: str) -> Callable[[], bytes]:
    return partial(text.encode, "utf-8")


SCENE = """[field]
width = 48
height = 32
[move]
vehicle = "jeep"
sectors = "quadrant"
[[move.piece]]
turn_deg = 30.0
pivot = [-5.0, 0.0]
[[move.piece]]
ahead = 12.0
[[vehicle]]
id = "jeep"
x = 10.0
y = 16.0
heading_deg = 0.0
length = 10.0
width = 6.0
speed = 2
[[unit]]
id = "peasant"
x = 18.5
y = 16.0
[[decor]]
id = "wall"
polygon = [[22, 10], [23, 10], [23, 22], [22, 22]]
top = 15.0
"""
SHEETS = """[[weapon]]
name = "whip"
damage = 1
kind = "melee"
reach_studs = 4

[[vehicle_weapon]]
name = "ballista"
damage = 4
shots_per_turn = 1

[[opposed_action]]
name = "scare"
colour = "orange"
acting = "dread"
resisting = "courage"
target = "enemy"
range_studs = 10
effect = { kind = "hold", points = 1 }

[[unit]]
name = "tamer"
base = "trooper"
attack = 2
custom = { dread = 3 }
held = ["whip"]

[[unit]]
name = "robot_tamer"
base = "tamer"
health_colour = "yellow"

[[vehicle]]
name = "war_cart"
speed = 2
armor = 4
health = 3
length_studs = 8.0
width_studs = 4.0
bottom_plates = 0.0
top_plates = 9.0
doors = ["rear"]
seat = [
    { name = "driver", pilot = true, exposed = true },
    { name = "gunner", weapon = "ballista", axis_deg = 90.0, arc_deg = 360 },
]

[[army]]
name = "circus"
units = { tamer = 2, trooper = 1 }
vehicles = { war_cart = 1 }
boarded = [{ unit = "tamer", vehicle = "war_cart", seat = "driver" }]
"""
BODY = """name = "thing"
source = "a test"
mesh = "box.obj"
unit = "mm"
mass_g = 2.0
edge_radius_mm = [0.1, 0.3]
scores = ["end"]
[poses]
end = [[0, 0, -1]]
side = [[1, 0, 0], [-1, 0, 0]]
"""
MODEL = """name = "thing"
source = "a test"
model = "pieces.toml"
edge_radius_mm = [0.1, 0.3]
scores = ["wheels"]
[poses]
wheels = [[0, 0, -1]]
"""
PIECES = """kind = "decor"
about = "a tower"
[[pieces]]
form = "block"
at = [0.0, 0.0, 0.0]
size = [2.0, 2.0, 3.0]
colour = "red"
copies = [[0.0, 0.0, 3.0]]
[[pieces]]
form = "cylinder"
at = [0.0, 0.0, 6.0]
size = [1.0, 1.0, 1.0]
colour = "grey"
"""
MEASUREMENTS = """schema = "brickphys.measurements/1"
[tilt]
angles_deg = [21.0, 22.5]
error_deg = 0.5
[drop]
restitution = [[0.5, 0.52], [0.48]]
error = 0.01
[film]
heights_mm = [200.0, 180.5]
speeds_m_s = [1.0, 0.7]
spins_rad_s = [30.0, 25.0]
scale_error = 0.02
"""
TOSSES = (
    "toss,x_m,y_m,z_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_rad_s,wz_rad_s,final_x_m,final_y_m,duration_s,"
    "initial_bottom_face,final_bottom_face\n"
    "7,0.1,-0.2,0.15,0.5,0.5,0.5,0.5,1,2,-0.5,1,2,3,0.4,0.2,0.8,-x,+y\n"
    "8,0.1,-0.2,0.15,1,0,0,0,1,2,-0.5,1,2,3,0.4,0.2,0.8,-x,+z\n"
)
COUNTS = (
    "bricks,score,studs_up,studs_down,side,leaning,surface\n5,2,1,2,2,0,wood\n1,0,1,0,0,0,glass\n"
)
FILM = "throw,frame,x,z,turns\n" + "".join(
    f"{throw},{frame},{10.0 * frame},{226.0 - frame**2},{frame / 40}\n"
    for throw in (1, 2)
    for frame in range(4)
)
STUDY = """kind = "drop"
title = "two surfaces"
seed = 1
repeats = 4
[fixed]
shape = "2x2"
[grid]
surface = ["wood", "glass"]
"""


@cache
def _box(kind: str) -> bytes:
    import trimesh

    made = trimesh.creation.box((10, 8, 6)).export(file_type=kind)
    return made.encode() if isinstance(made, str) else made


@cache
def _sound() -> bytes:
    rate, heard = 8000, np.zeros(8000, dtype=np.int16)
    for at in (1000, 3000, 4200):
        heard[at : at + 40] = 20_000 * np.exp(-np.arange(40) / 10) * np.cos(np.arange(40) * 2)
    target = io.BytesIO()
    wavfile.write(target, rate, heard)
    return target.getvalue()


@cache
def _tracks() -> bytes:
    from brickphys.calibration.tosses.toss_starts import TRACK_COLUMNS

    data = np.zeros((4, len(TRACK_COLUMNS)))
    data[:, TRACK_COLUMNS.index("qw")] = 1.0
    data[:, TRACK_COLUMNS.index("t_s")] = np.arange(4) / 100
    target = io.BytesIO()
    np.savez(target, data=data, columns=np.array(TRACK_COLUMNS))
    return target.getvalue()


@cache
def _played(name: str) -> bytes:
    """Return the replay of a small game of two random bots."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        brickphys("play", name, "duel", "--bots", "random", "--seed", 3, "--replay", path)
        return path.read_bytes()


@cache
def _campaign() -> bytes:
    import tempfile

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
    from brickphys.batch.store.manifest import manifest_here
    from brickphys.batch.study.spec import parse_spec

    return manifest_here(parse_spec(STUDY, "study.toml", Path()))


def _manifest() -> bytes:
    return _here().text().encode()


def _journal() -> bytes:
    (stamp,) = _here().stamps
    entries = [
        {"blocks": [[cell, 1, 0, 4, 0]], "sha256": "0" * 64, "seconds": 0.1, "stamp": stamp.digest}
        for cell in (0, 1)
    ]
    return _forged_journal("".join(f"{json.dumps(entry)}\n" for entry in entries).encode())


def _forged_journal(content: bytes) -> bytes:
    return resealed(content, _here().spec.sha256)


def _forged_manifest(content: bytes) -> bytes:
    body = {key: value for key, value in json.loads(content).items() if key != chain.CHECK}
    return json.dumps(chain.sealed(chain.START, body)).encode()


FORGERS: Mapping[str, Callable[[bytes], bytes]] = {
    "replay": resealed,
    "campaign": resealed,
    "journal": _forged_journal,
    "manifest": _forged_manifest,
}
"""Readers of files with checks, and how a forger writes these anew."""


def _read_law(path: Path) -> Any:
    from brickphys.odds.law_file import read_law

    return read_law(path)


def _law_again(law: Any, _: bytes) -> bytes:
    from brickphys.odds.law_file import law_document

    return json.dumps(law_document(law)).encode()


def _read_impact_law(path: Path) -> Any:
    from brickphys.projectiles.impact.law_file import read_law

    return read_law(path)


def _read_surface(path: Path) -> Any:
    from brickphys.throws.surfaces import surface

    return surface(str(path))


def _read_body(path: Path) -> Any:
    from brickphys.shapes.body_file import read_body_file

    (path.parent / "box.obj").write_bytes(_box("obj"))
    return replace(read_body_file(path), files=())  # their names and digests


def _read_pieces(path: Path) -> Any:
    from brickphys.shapes.assembly_file import build_assembly

    return build_assembly("thing", read_text(path))


def _read_mesh(path: Path) -> Any:
    from brickphys.shapes.mesh_file import parse_mesh

    return parse_mesh(read_bytes(path, MOST_MESH_BYTES), path.name, 1.0)


def _read_scene(path: Path) -> Any:
    from brickphys.vehicles.scene_file import read_scene

    return read_scene(path)


def _scene_again(scene: Any, _: bytes) -> bytes:
    from brickphys.vehicles.scene_file import scene_text

    return scene_text(scene).encode()


def _read_setup(game: str, path: Path) -> Any:
    from brickphys.rules.registry import game as game_of

    return game_of(game).read_setup(path)


def _read_party(path: Path) -> Any:
    from brickphys.reading import read_toml
    from brickphys.rules.registry import game

    campaign = game("campaign")
    setup = {**campaign.setups["ten_days"], **read_toml(path)}
    return campaign.format_state(campaign.initial(setup))


def _party() -> bytes:
    from brickphys.rules.registry import game

    setup = game("campaign").setups["ten_days"]
    return tomli_w.dumps({key: setup[key] for key in ("party", "square") if key in setup}).encode()


def _read_sheets(path: Path) -> Any:
    from brickphys.rules.registry import game

    return [one.document() for one in game("bow").sheets(str(path)).sheets]


def _read_study(path: Path) -> Any:
    from brickphys.batch.study.spec import find_spec

    return find_spec(path, usual_seed=1).content


def _read_manifest(path: Path) -> Any:
    from brickphys.batch.store.store import open_store

    folder = path.parent / "batch"
    folder.mkdir(exist_ok=True)
    (folder / "manifest.json").write_bytes(path.read_bytes())
    return open_store(folder).manifest


def _read_journal(path: Path) -> Any:
    from brickphys.batch.store.store import open_store

    folder = path.parent / "batch"
    folder.mkdir(exist_ok=True)
    (folder / "manifest.json").write_bytes(_manifest())
    (folder / "journal.jsonl").write_bytes(path.read_bytes())
    store = open_store(folder)
    return [shard.file for shard in store.shards], store.shard_problems()


def _read_replay(path: Path) -> Any:
    from brickphys.rules.registry import game
    from brickphys.rules.replay.playback import play_back
    from brickphys.rules.replay.replay_file import read_replay

    replay = read_replay(path)
    played = game(replay.game)
    return played.format_state(play_back(played, replay, str(path)).final)


def _read_tosses(path: Path) -> Any:
    from brickphys.calibration.tosses.toss_file import read_tosses

    return read_tosses(path)


def _read_tracks(path: Path) -> Any:
    from brickphys.calibration.tosses.toss_starts import read_tracks

    return read_tracks(path)


def _read_counts(path: Path) -> Any:
    from brickphys.calibration.home_counts import read_home_counts

    counts = read_home_counts(path)
    return counts.scores(), counts.pose_totals(), sorted(counts.by_surface())


def _read_film(path: Path) -> Any:
    from brickphys.calibration.measure.film_file import read_film

    return read_film(path, 240.0)


def _read_measurements(path: Path) -> Any:
    from brickphys.calibration.measure.measurement_file import read_measurements

    return read_measurements(path)


def _read_clicks(path: Path) -> Any:
    from brickphys.calibration.measure.clicks import read_clicks

    return read_clicks(path)


def _scenario(game: str, name: str) -> Reader:
    return Reader(
        "toml",
        _shipped(f"brickphys/{game}/scenarios/{name}.toml"),
        partial(_read_setup, game),
        _toml_again,
        ("brickphys.rules.scenario.shipped", "brickphys.rules.scenario.scenario_file"),
    )


READERS: Mapping[str, Reader] = {
    "law": Reader(
        "json",
        _shipped("brickphys/laws/default.json"),
        _read_law,
        _law_again,
        ("brickphys.odds.law_file",),
    ),
    "impact_law": Reader(
        "json",
        _shipped("brickphys/projectiles/laws/bb-foot.json"),
        _read_impact_law,
        _json_again,
        ("brickphys.projectiles.impact.law_file",),
    ),
    "surface": Reader(
        "toml",
        _shipped("docs/bodies/felt.toml"),
        _read_surface,
        _toml_again,
        ("brickphys.throws.surfaces",),
    ),
    "body": Reader("toml", _text(BODY), _read_body, _toml_again, ("brickphys.shapes.body_file",)),
    "pieces": Reader(
        "toml", _text(PIECES), _read_pieces, _toml_again, ("brickphys.shapes.body_file",)
    ),
    "mesh_obj": Reader(
        "obj", partial(_box, "obj"), _read_mesh, _same, ("brickphys.shapes.body_file",)
    ),
    "mesh_stl": Reader(
        "stl", partial(_box, "stl"), _read_mesh, _same, ("brickphys.shapes.body_file",)
    ),
    "scene": Reader(
        "toml", _text(SCENE), _read_scene, _scene_again, ("brickphys.vehicles.scene_file",)
    ),
    "scenario_bow": _scenario("bow", "duel"),
    "scenario_pirate_wars": _scenario("pirate_wars", "duel"),
    "scenario_minifig": _scenario("minifig", "duel"),
    "scenario_blade_and_bow": _scenario("blade_and_bow", "marathon"),
    "party": Reader(
        "toml", _party, _read_party, _toml_again, ("brickphys.cli.campaign", "brickphys.rules.game")
    ),
    "sheets": Reader(
        "toml",
        _text(SHEETS),
        _read_sheets,
        _toml_again,
        ("brickphys.bow.sheets.sheet_file",),
    ),
    "study": Reader(
        "toml",
        _text(STUDY),
        _read_study,
        _toml_again,
        (
            "brickphys.batch.study.spec",
            "brickphys.batch.kinds.drops",
            "brickphys.batch.kinds.scenes",
            "brickphys.batch.kinds.battles",
        ),
    ),
    "manifest": Reader(
        "json", _manifest, _read_manifest, _json_again, ("brickphys.batch.store.store",)
    ),
    "journal": Reader(
        "jsonl",
        _journal,
        _read_journal,
        _same,
        ("brickphys.batch.store.store",),
    ),
    "replay": Reader(
        "jsonl",
        partial(_played, "bow"),
        _read_replay,
        _same,
        ("brickphys.rules.replay.replay_file",),
    ),
    "campaign": Reader(
        "jsonl", _campaign, _read_replay, _same, ("brickphys.rules.replay.replay_file",)
    ),
    "tosses": Reader(
        "csv", _text(TOSSES), _read_tosses, _csv_again, ("brickphys.calibration.csv_file",)
    ),
    "counts": Reader(
        "csv", _text(COUNTS), _read_counts, _csv_again, ("brickphys.calibration.home_counts",)
    ),
    "film": Reader("csv", _text(FILM), _read_film, _csv_again, ("brickphys.calibration.csv_file",)),
    "measurements": Reader(
        "toml",
        _text(MEASUREMENTS),
        _read_measurements,
        _toml_again,
        ("brickphys.calibration.measure.measurement_file",),
    ),
    "clicks": Reader("wav", _sound, _read_clicks, _same, ("brickphys.calibration.measure.clicks",)),
    "tracks": Reader(
        "npz", _tracks, _read_tracks, _same, ("brickphys.calibration.tosses.toss_starts",)
    ),
}
"""The readers, by name."""

OWN_FILES = {
    "brickphys.batch.report.checks": "a manifest, whose reader is tested, to tell its faults line by line",
    "brickphys.cli.shared.file_kinds": "which kind a file is; the reader of that kind then reads it",
    "brickphys.batch.run.dask": "the address of a scheduler that Dask wrote",
    "brickphys.files": "fingerprints of files of any kind",
    "brickphys.cli.batch.report": "its own report, to see whether it is of this study",
}
"""Modules that read files without parsing them, and why they may."""


def plain(value: Any) -> Any:
    """Return a value of a reader in a form that can be compared with ==."""
    if isinstance(value, np.ndarray):
        return value.shape, plain(value.tolist())
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Enum) or value is None or isinstance(value, (str, int, bytes)):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if is_dataclass(value):
        return [plain(getattr(value, entry.name)) for entry in fields(value)]
    return repr(value)
