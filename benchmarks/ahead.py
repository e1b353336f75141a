"""Ahead: writes the engine's kernels as code of LLVM, `brickphys.engines.kernels.ahead`, after one of them has changed.

It prints the seconds and the size of each entry. Half a minute; the tests fail until it has been done.
"""

import re
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

import numpy as np
from numba import njit, typeof

from brickphys.engines.compiled import CompiledEngine, Results
from brickphys.engines.kernels.ahead import FILE, kinds, sources
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import surface
from brickphys.throws.release import PLANE, TRAY

Arguments = tuple[Any, ...]
OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def calls() -> list[tuple[str, Arguments]]:
    """Return the entry and the arguments of a throw on each floor."""
    found = []

    class Recorder(CompiledEngine):
        def _in_threads(
            self, name: str, given: Callable[[int], Arguments], results: Results
        ) -> None:
            found.append((name, (*given(1), *results)))

    for floor in (PLANE, TRAY):
        results = np.zeros((1, 13)), np.zeros((1, 2), dtype=np.intp), np.zeros((1, 2))
        Recorder()._throw(parse_shape("2x2"), surface("wood").nominal, floor, results)
    return found


def code(name: str, arguments: Arguments) -> str:
    """Return the optimised code of an entry for arguments of such types."""
    module = import_module(f"brickphys.engines.kernels.{name.partition('-')[0]}")
    types = tuple(map(typeof, arguments))
    lines = njit(types, **OPTIONS)(module.throw_all.py_func).inspect_llvm(types).splitlines()
    kept = [kinds(arguments), *(one for one in lines if not one.startswith("@_ZN08NumbaEnv"))]
    unknown = r" (captures\(none\)|nocreateundeforpoison)"  # to LLVM 20
    return re.sub(unknown, "", "\n".join(kept))


def main() -> None:
    """Write the file."""
    made = {}
    for name, arguments in calls():
        start = time.process_time()
        made[name] = code(name, arguments)
        print(f"{name}: {time.process_time() - start:.1f} s, {len(made[name]):,} characters")
    with ZipFile(FILE, "w", ZIP_LZMA) as file:
        for name, text in made.items():
            file.writestr(ZipInfo(name), text, ZIP_LZMA)
        file.comment = sources().encode()


if __name__ == "__main__":
    main()
