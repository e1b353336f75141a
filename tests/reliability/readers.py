"""Every reader of the project: what it reads, a file that it accepts, and how what it accepted is written again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from brickphys.shapes.mesh import MESH_FILES
from tests.reliability import examples, readings


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
    again: Callable[[Any, bytes], bytes]
    modules: tuple[str, ...]


def _scenario(game: str, name: str) -> Reader:
    return Reader(
        "toml",
        partial(examples.shipped, f"brickphys/{game}/scenarios/{name}.toml"),
        partial(readings.read_setup, game),
        readings.toml_again,
        ("brickphys.rules.scenario",),
    )


READERS: Mapping[str, Reader] = {
    "law": Reader(
        "json",
        partial(examples.shipped, "brickphys/laws/default.json"),
        readings.of("brickphys.odds.law_file", "read_law"),
        readings.law_again,
        ("brickphys.odds.law_file",),
    ),
    "impact_law": Reader(
        "json",
        partial(examples.shipped, "brickphys/laws/impact/bb-foot.json"),
        readings.of("brickphys.projectiles.impact_law", "read_law"),
        readings.json_again,
        ("brickphys.projectiles.impact_law",),
    ),
    "surface": Reader(
        "toml",
        partial(examples.shipped, "docs/bodies/felt.toml"),
        readings.read_surface,
        readings.toml_again,
        ("brickphys.throws.conditions",),
    ),
    "roster": Reader(
        "toml",
        partial(examples.example, "roster.toml"),
        readings.read_roster,
        readings.toml_again,
        ("brickphys.cli.shared.game_start",),
    ),
    "body": Reader(
        "toml",
        partial(examples.example, "body.toml"),
        readings.read_body,
        readings.toml_again,
        ("brickphys.shapes.body_file",),
    ),
    "pieces": Reader(
        "toml",
        partial(examples.example, "pieces.toml"),
        readings.read_pieces,
        readings.toml_again,
        ("brickphys.shapes.body_file",),
    ),
    **{
        f"mesh_{kind}": Reader(
            kind,
            partial(examples.box, kind),
            readings.read_mesh,
            readings.same,
            ("brickphys.shapes.body_file",),
        )
        for kind in MESH_FILES
    },
    "scene": Reader(
        "toml",
        partial(examples.example, "scene.toml"),
        readings.of("brickphys.vehicles.scene_file", "read_scene"),
        readings.scene_again,
        ("brickphys.vehicles.scene_file",),
    ),
    "scenario_bow": _scenario("bow", "duel"),
    "scenario_pirate_wars": _scenario("pirate_wars", "duel"),
    "scenario_minifig": _scenario("minifig", "duel"),
    "scenario_blade_and_bow": _scenario("blade_and_bow", "marathon"),
    "party": Reader(
        "toml",
        examples.party,
        readings.read_party,
        readings.toml_again,
        ("brickphys.cli.campaign", "brickphys.rules.game"),
    ),
    "sheets": Reader(
        "toml",
        partial(examples.example, "sheets.toml"),
        readings.read_sheets,
        readings.toml_again,
        ("brickphys.bow.sheets.catalogue", "brickphys.bow.army"),
    ),
    "study": Reader(
        "toml",
        partial(examples.example, "study.toml"),
        readings.read_study,
        readings.toml_again,
        (
            "brickphys.batch.spec",
            "brickphys.batch.kinds.drops",
            "brickphys.batch.kinds.scenes",
            "brickphys.batch.kinds.battles",
        ),
    ),
    "manifest": Reader(
        "json",
        examples.manifest,
        readings.read_manifest,
        readings.json_again,
        ("brickphys.batch.store",),
    ),
    "journal": Reader(
        "jsonl",
        examples.journal,
        readings.read_journal,
        readings.same,
        ("brickphys.batch.store", "brickphys.batch.journal"),
    ),
    "replay": Reader(
        "jsonl",
        partial(examples.played, "bow"),
        readings.read_replay,
        readings.same,
        ("brickphys.rules.replay",),
    ),
    "campaign": Reader(
        "jsonl",
        examples.campaign,
        readings.read_replay,
        readings.same,
        ("brickphys.rules.replay",),
    ),
    "tosses": Reader(
        "csv",
        partial(examples.example, "tosses.csv"),
        readings.of("brickphys.calibration.toss_tracks", "read_tosses"),
        readings.csv_again,
        ("brickphys.calibration.toss_tracks",),
    ),
    "counts": Reader(
        "csv",
        partial(examples.example, "counts.csv"),
        readings.read_counts,
        readings.csv_again,
        ("brickphys.calibration.home_counts",),
    ),
    "film": Reader(
        "csv",
        partial(examples.example, "film.csv"),
        readings.read_film,
        readings.csv_again,
        ("brickphys.calibration.measure.film",),
    ),
    "measurements": Reader(
        "toml",
        partial(examples.example, "measurements.toml"),
        readings.of("brickphys.calibration.measure.measurement_file", "read_measurements"),
        readings.toml_again,
        ("brickphys.calibration.measure.measurement_file",),
    ),
    "clicks": Reader(
        "wav",
        examples.sound,
        readings.of("brickphys.calibration.measure.drop", "read_clicks"),
        readings.same,
        ("brickphys.calibration.measure.drop",),
    ),
    "tracks": Reader(
        "npz",
        examples.tracks,
        readings.of("brickphys.calibration.toss_tracks", "read_tracks"),
        readings.same,
        ("brickphys.calibration.toss_tracks",),
    ),
}
"""The readers, by name."""

OWN_FILES = {
    "brickphys.batch.report.report": "its own report, and a manifest, to tell its faults line by line",
    "brickphys.cli.verify": "which kind a file is; the reader of that kind then reads it",
    "brickphys.batch.dask": "the address of a scheduler that Dask wrote",
    "brickphys.view.app.battles.saving": "games that it stored; their replays are read by the reader of replays",
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
