"""Throws and collisions are the same bit for bit whatever code OpenBLAS and NumPy choose for a processor.

Throws of single bodies are the same on ARM, too: there the digests below were found with QEMU.
"""

import os
import subprocess
import sys
from hashlib import sha256

import numpy as np
import pytest

from brickphys.engines.compiled import CompiledEngine
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import preset, surface
from brickphys.throws.release import release

PROGRAM = """
import brickphys
from brickphys.vehicles.referee.corpus import corpus

for shape in ("2x2", "2x4", "coin:24x2"):
    print(brickphys.throw(shape, 2_000, seed=9).counts)
print(brickphys.throw("2x2", 20, seed=9, bricks=3).counts)
print(corpus(48, 2026).digests())
"""
OTHERS = {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4"}

ENDS = {
    ("2x2", "hand"): "57aca422d8eb610c",
    ("1x2", "cup"): "d97603146e66980f",
    ("d6:16", "roll"): "af50b130fcce2736",
    ("cuboid:10x10x20", "toss"): "b4b923ad1df45915",
    ("coin:20x5", "gentle"): "66d3297239693ade",
    ("coin:24x2", "flip"): "3f01694664ffdef8",
}
"""The first digits of the SHA-256 of the ends of 200 throws on wood."""


def digest(shape, thrown):
    body = parse_shape(shape)
    starts = release(body, preset(thrown), 5, (0,), 0, 200)
    found = CompiledEngine().land(body, surface("wood").nominal, starts)
    ends = found.states.position_mm, found.states.quaternion, found.time_s, found.pose
    return sha256(b"".join(np.ascontiguousarray(end).tobytes() for end in ends)).hexdigest()[:16]


@pytest.mark.parametrize("case", ENDS, ids=" by ".join)
def test_throws_have_the_bits_of_the_record_from_the_start_to_the_end(case):
    """A change of throws that is meant changes them: then run ``digest`` for each case."""
    assert digest(*case) == ENDS[case]


def told(**others: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in OTHERS}
    run = [sys.executable, "-W", "ignore", "-c", PROGRAM]
    return subprocess.run(
        run, env=environment | others, check=True, capture_output=True, text=True
    ).stdout


def test_no_code_for_another_processor_changes_a_digit():
    ours = told()
    assert {name: told(**{name: value}) for name, value in OTHERS.items()} == dict.fromkeys(
        OTHERS, ours
    )
