"""Every reader of the project: what it reads, a file that it accepts, and how what it accepted is written again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from brickphys.shapes.mesh import MESH_FILES
from tests.reliability import examples, readings


@dataclass(frozen=True)
class Reader:
    """A reader, the ending of its files (the form of their content), and the modules that open or parse them."""

    ending: str
    example: Callable[[], bytes]
    """Returns the content of a file that it accepts."""
    read: Callable[[Path], Any]
    again: Callable[[Any, bytes], bytes]
    """Returns the content of a file that says the same as a value and the content that it was read from."""
    modules: tuple[str, ...]


AGAIN = {"toml": readings.toml_again, "json": readings.json_again, "csv": readings.csv_again}
"""Ending -> how a file of that form is written again, if not as it was."""


def _reader(
    ending: str, example: Callable[[], bytes], read: Callable[[Path], Any], *modules: str
) -> Reader:
    """Return a reader whose files are written again by their form; modules are below `brickphys`."""
    again = AGAIN.get(ending, readings.same)
    return Reader(ending, example, read, again, tuple(f"brickphys.{one}" for one in modules))


def _named(ending: str, example: Callable[[], bytes], module: str, name: str) -> Reader:
    """Return a reader that is a function of a module."""
    return _reader(ending, example, readings.of(f"brickphys.{module}", name), module)


def _scenario(game: str, name: str) -> Reader:
    file = partial(examples.shipped, f"brickphys/{game}/scenarios/{name}.toml")
    return _reader("toml", file, partial(readings.read_setup, game), "rules.scenario")


def _example(name: str) -> Callable[[], bytes]:
    return partial(examples.example, name)


LAW = partial(examples.shipped, "brickphys/laws/default.json")
IMPACT_LAW = partial(examples.shipped, "brickphys/laws/impact/bb-foot.json")
FELT = partial(examples.shipped, "docs/bodies/felt.toml")
BODIES, STORE, REPLAY = "shapes.body_file", "batch.store", "rules.replay"
STUDIES = ("spec", "kinds.drops", "kinds.scenes", "kinds.battles")
TRACKS, MEASURED = "calibration.experiments.toss_tracks", "calibration.measure"
READERS: Mapping[str, Reader] = {
    "law": replace(_named("json", LAW, "odds.law_file", "read_law"), again=readings.law_again),
    "impact_law": _named("json", IMPACT_LAW, "projectiles.impact_law", "read_law"),
    "surface": _reader("toml", FELT, readings.read_surface, "throws.conditions"),
    "roster": _reader(
        "toml", _example("roster.toml"), readings.read_roster, "cli.shared.game_start"
    ),
    "body": _reader("toml", _example("body.toml"), readings.read_body, BODIES),
    "pieces": _reader("toml", _example("pieces.toml"), readings.read_pieces, BODIES),
    **{
        f"mesh_{kind}": _reader(kind, partial(examples.box, kind), readings.read_mesh, BODIES)
        for kind in MESH_FILES
    },
    "scene": replace(
        _named("toml", _example("scene.toml"), "vehicles.scene_file", "read_scene"),
        again=readings.scene_again,
    ),
    "scene as GeoJSON": _named("geojson", examples.geojson, "vehicles.scene_file", "read_scene"),
    "scenes": _named("jsonl", examples.scenes, "vehicles.referee.scene_lines", "answer_lines"),
    "scenes as Parquet": _reader(
        "parquet",
        examples.packed_scenes,
        readings.of("brickphys.vehicles.referee.scene_lines", "answer_lines"),
        "vehicles.referee.parquet_lines",
    ),
    "LDraw": _named("mpd", _example("car.mpd"), "shapes.ldraw", "ldraw"),
    "traffic": _named("xml", _example("traffic.xml"), "vehicles.commonroad", "read_commonroad"),
    "scenario_bow": _scenario("bow", "duel"),
    "scenario_pirate_wars": _scenario("pirate_wars", "duel"),
    "scenario_minifig": _scenario("minifig", "duel"),
    "scenario_blade_and_bow": _scenario("blade_and_bow", "marathon"),
    "party": _reader("toml", examples.party, readings.read_party, "cli.campaign", "rules.game"),
    "sheets": _reader(
        "toml", _example("sheets.toml"), readings.read_sheets, "bow.sheets.catalogue", "bow.army"
    ),
    "study": _reader(
        "toml", _example("study.toml"), readings.read_study, *(f"batch.{one}" for one in STUDIES)
    ),
    "manifest": _reader("json", examples.manifest, readings.read_manifest, STORE),
    "journal": _reader("jsonl", examples.journal, readings.read_journal, STORE, "batch.journal"),
    "replay": _reader("jsonl", partial(examples.played, "bow"), readings.read_replay, REPLAY),
    "mail": _reader("jsonl", examples.mail, readings.read_mail, "battles.mail_seat"),
    "campaign": _reader("jsonl", examples.campaign, readings.read_replay, REPLAY),
    "tosses": _named("csv", _example("tosses.csv"), TRACKS, "read_tosses"),
    "counts": _reader(
        "csv", _example("counts.csv"), readings.read_counts, "calibration.home_counts"
    ),
    "rolls": _named(
        "csv", examples.rolls, "calibration.experiments.body_counts", "read_counted_bodies"
    ),
    "film": _reader("csv", _example("film.csv"), readings.read_film, f"{MEASURED}.film"),
    "measurements": _named(
        "toml",
        _example("measurements.toml"),
        f"{MEASURED}.measurement_file",
        "read_measurements",
    ),
    "clicks": _named("wav", examples.sound, f"{MEASURED}.drop", "read_clicks"),
    "photo": _named("jpg", examples.photo, f"{MEASURED}.photo", "read_photo"),
    "tracks": _named("npz", examples.tracks, TRACKS, "read_tracks"),
}
"""The readers, by name."""

OWN_FILES = {
    "brickphys.batch.report.report": "its own report, and a manifest, to tell its faults line by line",
    "brickphys.cli.verify": "which kind a file is; the reader of that kind then reads it",
    "brickphys.batch.dask": "the address of a scheduler that Dask wrote",
    "brickphys.view.app.battles.saving": "games that it stored; their replays are read by the reader of replays",
    "brickphys.view.app.battles.tournament_page": "the tournament that it stored; a damaged one is tested there",
    "brickphys.view.app.tables": "tables that it stored under a seal; their replays are read by the reader of replays",
    "brickphys.files": "fingerprints of files of any kind",
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
