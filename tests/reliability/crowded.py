"""Crowded files: files near a limit of their reader that cost it the most, or have thousands of faults of meaning."""

import io
import json
from collections.abc import Callable, Mapping

import numpy as np
from scipy.io import wavfile

from brickphys.calibration.experiments.toss_tracks import TRACK_COLUMNS
from brickphys.reading import MOST_DATA_BYTES, MOST_VALUES
from brickphys.rules.replay import MOST_LINES
from tests.reliability.examples import resealed

MANY = 25_000
MESH_BYTES = 6_000_000
"""A large mesh; `docs/bodies.md` says what those of 200 MB take."""


def _study(kind: str, tables: str) -> bytes:
    return f'kind = "{kind}"\nrepeats = 1\nseed = 1\n{tables}\n'.encode()


def _texts(stem: str) -> str:
    return ", ".join(f'"{stem}{number}"' for number in range(MANY))


def _law(example: bytes) -> bytes:
    law = json.loads(example)
    law["counts"] |= {f"pose{number}": 0 for number in range(MANY)}
    return json.dumps(law).encode()


def _manifest(example: bytes) -> bytes:
    document = json.loads(example) | {"x": "filled"}
    return json.dumps(document).replace('"filled"', f"[{'[],' * (MOST_VALUES - 1000)}0]").encode()


def _replay(example: bytes) -> bytes:
    first, *_, last = example.splitlines()
    return resealed(b"\n".join([first, *[b"{}"] * (MOST_LINES - 10), last]))


def _obj(corners: int, faces: int) -> bytes:
    return b"v 1 2 3\n" * corners + b"f 1 2 3\n" * faces


def _stl(triangles: int) -> bytes:
    of_one = np.dtype([("corners", "<f4", 12), ("colour", "<u2")])
    made = np.zeros(triangles, of_one)
    made["corners"] = np.random.default_rng(1).random((triangles, 12))
    return bytes(80) + triangles.to_bytes(4, "little") + made.tobytes()


def _sound() -> bytes:
    target = io.BytesIO()
    heard = np.random.default_rng(1).integers(0, 255, MOST_DATA_BYTES - 100, dtype=np.uint8)
    wavfile.write(target, 8000, heard)
    return target.getvalue()


def _tracks(kind: type) -> bytes:
    target, columns = io.BytesIO(), len(TRACK_COLUMNS)
    frames = (MOST_DATA_BYTES - 2000) // np.dtype(kind).itemsize // columns
    data = np.ones((frames, columns), kind)
    np.savez_compressed(target, data=data, columns=np.array(TRACK_COLUMNS))
    return target.getvalue()


CROWDED: Mapping[str, Callable[[bytes], list[bytes]]] = {
    "law": lambda example: [_law(example)],
    "manifest": lambda example: [_manifest(example)],
    "replay": lambda example: [_replay(example)],
    "mesh_obj": lambda _: [_obj(4, MESH_BYTES // 8 - 4), _obj(MESH_BYTES // 8 - 4, 4)],
    "mesh_stl": lambda _: [_stl((MESH_BYTES - 84) // 50)],
    "clicks": lambda _: [_sound()],
    "tracks": lambda _: [_tracks(np.float64), _tracks(np.int8)],
    "study": lambda _: [
        _study("drop", "[fixed]\n" + "\n".join(f"surfac{n} = 1" for n in range(MANY))),
        _study("drop", "[grid]\n" + "\n".join(f"f{n} = [1]" for n in range(MANY))),
        _study("drop", f"[grid]\nsurface = [{_texts('wod')}]"),
        _study("battle", f"[grid]\ngame = [{_texts('bw')}]"),
        _study("battle", f'[fixed]\ngame = "bow"\n[grid]\nscenario = [{_texts("dul")}]'),
    ],
}
"""Made from the example of the reader."""
