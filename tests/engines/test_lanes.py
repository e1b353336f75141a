"""Throws in lanes have the same bits for any number of lanes, and on any processor."""

import os
import platform
import subprocess
import sys
from hashlib import sha256
from zipfile import ZipFile

import numpy as np
import pytest

from benchmarks.lanes import stone
from brickphys.engines.compiled import (
    CompiledSettings,
    kernel_basins,
    kernel_body,
    kernel_motions,
    kernel_sector,
    kernel_settings,
)
from brickphys.engines.kernels import ahead, rows
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import surface
from brickphys.throws.release import PLANE, TRAY
from tests.landings import hands

SETTINGS = CompiledSettings()
GOLDEN = {
    ("2x2", "wood"): "95d206d740dfd3b9",
    ("2x2", "glass"): "34654d9b674a41f0",
    ("2x2", "cloth"): "000d3418279a8aca",
    ("1x2", "wood"): "3ee36824112b0b30",
    ("d6:16:r1", "wood"): "dea8a1b05a311c0a",
    ("stone", "cloth"): "63391b4c8977e915",
}
"""The first digits of the SHA-256 of 96 final motions, results, times and gains of energy."""


def rounded(value):
    """Return tables without their last digits, which depend on the libraries and the processor that made them."""
    if isinstance(value, tuple):
        return tuple(map(rounded, value))
    if isinstance(value, float):
        return float(f"{value:.10g}")
    if isinstance(value, np.ndarray) and value.dtype == float:
        return np.array([rounded(x) for x in value.ravel().tolist()]).reshape(value.shape)
    return value


def throws(shape, surface_name, floor=PLANE):
    """Return the arguments of the kernel for 96 throws, from rounded states and tables."""
    body = stone(20) if shape == "stone" else parse_shape(shape)
    contact = surface(surface_name).nominal
    solid, motions = rounded((kernel_body(body, 1e-6), kernel_motions(hands(body, 96).flat())))
    settings = (
        *rounded(kernel_settings(contact, SETTINGS))[:-1],
        rows.walls_of(floor.inside_mm, len(solid[0])),
    )
    space = *rows.workspace(len(solid[0]), 96), rounded(tuple(kernel_sector(body)))
    ends, measures = np.empty((96, 2), dtype=np.intp), np.empty((96, 2))
    return solid, rounded(tuple(kernel_basins(body))), settings, space, motions, ends, measures


def digest(shape, surface_name, throw_all=None):
    """Return the digest of 96 throws by the kernel alone, as Numba compiles it if no other is given."""
    from brickphys.engines.kernels import throw_kernel

    arguments = throws(shape, surface_name)
    (throw_all or throw_kernel.throw_all)(*arguments)
    motions, ends, measures = arguments[-3:]
    assert set(ends[:, 0]) == {1}  # decided
    return sha256(motions.tobytes() + ends.tobytes() + measures.tobytes()).hexdigest()[:16]


def digests_elsewhere(folder, lanes=16, **environment):
    """Return the digests of another process, with another number of lanes or another processor to compile for."""
    program = (
        "import sys; from brickphys.engines.kernels import rows; rows.LANES = int(sys.argv[1])\n"
        "from tests.engines.test_lanes import GOLDEN, digest\n"
        "print({case: digest(*case) for case in GOLDEN})"
    )
    return subprocess.run(
        [sys.executable, "-c", program, str(lanes)],
        env={**os.environ, **environment, "NUMBA_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


@pytest.mark.parametrize("case", GOLDEN, ids=" on ".join)
def test_throws_have_the_bits_of_the_record(case):
    """A change of the kernels that is meant changes them: then run ``digest`` for each case."""
    assert digest(*case) == GOLDEN[case]


@pytest.mark.slow
@pytest.mark.parametrize("lanes", [4, 1])
def test_the_number_of_lanes_changes_no_bit(lanes, tmp_path):
    assert digests_elsewhere(tmp_path, lanes) == str(GOLDEN)


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="names of x86")
@pytest.mark.parametrize(
    ("name", "features"),
    [("generic", ""), ("sandybridge", "+avx"), ("haswell", "+avx,+avx2,+fma,+bmi,+bmi2")],
)
def test_the_processor_changes_no_bit(name, features, tmp_path):
    """With and without AVX and fused multiply-add in hardware."""
    found = digests_elsewhere(tmp_path, NUMBA_CPU_NAME=name, NUMBA_CPU_FEATURES=features)
    assert found == str(GOLDEN)


def made(floor=PLANE):
    """Return the code that was made before for throws on a floor."""
    pytest.importorskip("llvmlite", minversion="0.45", reason="it is for LLVM 20 and later")
    name = f"throw_kernel-{floor.name}"
    with ZipFile(ahead.FILE) as file:
        assert file.comment.decode() == ahead.sources(), "run `python -m benchmarks.ahead`"
        code = file.read(name).decode()
    assert code.startswith(f"{ahead.kinds(throws('2x2', 'wood', floor))}\n")
    return ahead.Made(name, code)


@pytest.mark.parametrize(("opt", "cpu"), [(0, None), (3, None), (0, "generic"), (3, "haswell")])
def test_what_was_made_before_throws_the_same_bits_on_any_processor(
    opt, cpu, tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for is_kept in (False, True):
        code = made()
        assert code.compile(opt, cpu, is_kept=is_kept) or not is_kept
        assert {case: digest(*case, code) for case in GOLDEN} == GOLDEN


def test_machine_code_that_is_damaged_or_into_whose_folder_others_may_write_is_made_anew(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    code = made()
    (path,) = (tmp_path / "brickphys" / "kernels").iterdir()
    content = path.read_bytes()
    for damage in (b"", content[:-9], content[:40] + b"x" + content[41:]):
        path.write_bytes(damage)
        assert not code.compile(0, is_kept=True)
        code.compile(0)
        assert path.read_bytes() == content
    path.parent.chmod(0o777)
    assert not code.compile(0, is_kept=True)


@pytest.mark.parametrize("floor", [TRAY, PLANE], ids=["for it", "for other types"])
def test_in_a_tray_what_was_made_before_throws_the_bits_of_numba(floor):
    from brickphys.engines.kernels.throw_kernel import throw_all

    ours, numbas = (throws("2x2", "wood", TRAY) for _ in range(2))
    made(floor)(*ours)
    throw_all(*numbas)
    assert all(map(np.array_equal, ours[-3:], numbas[-3:]))
