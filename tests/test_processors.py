"""Throws and collisions are the same bit for bit whatever code OpenBLAS and NumPy choose for a processor."""

import os
import subprocess
import sys

PROGRAM = """
import brickphys
from brickphys.vehicles.referee.corpus import corpus

for shape in ("2x2", "2x4", "coin:24x2"):
    print(brickphys.throw(shape, 2_000, seed=9).counts)
print(brickphys.throw("2x2", 20, seed=9, bricks=3).counts)
print(corpus(48, 2026).digests())
"""
OTHERS = {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4"}


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
