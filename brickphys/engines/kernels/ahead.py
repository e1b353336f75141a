"""Ahead: the compiled engine as code of LLVM that was made before, so that the first throw does not wait for Numba.

Numba needs seven seconds from Python to optimised code. It is the same code for every processor, since vectors have a
fixed length, and LLVM needs 0.1 s from there to machine code. ``ahead.zip`` has it by modules and types of arguments;
``python -m benchmarks.ahead`` writes it. Numba compiles, to the same bits, what is not there or was made of other
kernels, and all where it has settings of its own, or not on Linux with x86-64.
"""

import ctypes
import os
import platform
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np

from brickphys.throws.faces import TIPPING_SHARE
from brickphys.throws.flight import TURN_PER_STEP_RAD
from brickphys.throws.release import FLAT_DEG
from brickphys.units import GRAVITY_M_S2

FILE = Path(__file__).with_name("ahead.zip")
_ELSEWHERE = (FLAT_DEG, GRAVITY_M_S2, TIPPING_SHARE, TURN_PER_STEP_RAD)
"""What kernels read from other folders."""
_FEW = 32_768
"""Throws before LLVM optimises for the processor: that takes 0.3 s, and gives two thirds more throws a second."""


def entry(module: str, arguments: tuple[Any, ...]) -> Any:
    """Return ``throw_all`` of a module of kernels for arguments of such types."""
    settings = {name for name in os.environ if name.startswith("NUMBA_")} - {"NUMBA_CACHE_DIR"}
    usual = not settings and not Path(".numba_config.yaml").exists()
    here = (sys.platform, platform.machine()) == ("linux", "x86_64")
    if usual and here and (made := _made(member(module, arguments))):
        return made
    import_module("brickphys.jit")  # refuses settings with which Numba does not start
    return import_module(f"{__package__}.{module}").throw_all


def member(module: str, arguments: tuple[Any, ...]) -> str:
    """Return the name in the file of the code for arguments of such types."""
    kinds = " ".join(kind for kind, _ in _flat(arguments))
    return f"{module}-{sha256(kinds.encode()).hexdigest()[:8]}"


def sources() -> str:
    """Return a digest of all that the code is made of."""
    files = [path for path in sorted(FILE.parent.glob("*.py")) if path != Path(__file__)]
    parts = [(path.name, path.read_bytes()) for path in files]
    return sha256(repr((parts, _ELSEWHERE)).encode()).hexdigest()


@cache
def _made(name: str) -> "Made | None":
    try:
        with ZipFile(FILE) as file:
            return Made(file.read(name).decode()) if file.comment.decode() == sources() else None
    except Exception:  # not in the file, which is damaged or for a newer LLVM
        return None


class Made:
    """An entry, called with the arguments of Numba's; the last one has a row for each throw."""

    def __init__(self, code: str) -> None:
        self._code, self._left, self._compilers = code, _FEW, list[Any]()
        self.compile(0)

    def __call__(self, *arguments: Any) -> None:
        before, self._left = self._left, self._left - len(arguments[-1])
        if self._left < 0 <= before:
            self.compile(3)
        numbers = [number for _, each in _flat(arguments) for number in each]
        self._call(ctypes.byref(ctypes.c_void_p()), None, *numbers)  # places of result and error

    def compile(self, opt: int, processor: str | None = None) -> None:
        """Make machine code, for this processor if none is named."""
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        module = llvm.parse_assembly(self._code)
        outer = [one for one in module.functions if one.linkage == llvm.Linkage.external]
        name = next(one.name for one in outer if not one.is_declaration)
        machine = llvm.Target.from_triple(module.triple).create_target_machine(
            cpu=processor or llvm.get_host_cpu_name(),
            features="" if processor else llvm.get_host_cpu_features().flatten(),
            opt=opt,
            jit=True,
        )
        # kept, since other threads may run what is compiled
        self._compilers.append(llvm.create_mcjit_compiler(module, machine))
        address = self._compilers[-1].get_function_address(name)
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32)(address)


def _flat(value: Any) -> Iterator[tuple[str, list[Any]]]:
    """Yield kind and numbers of all that is in tuples, as Numba passes them: of an array its shape and strides, too."""
    if isinstance(value, tuple):
        for one in value:
            yield from _flat(one)
    elif isinstance(value, np.ndarray):
        place = (0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides)
        kind = f"{value.dtype.str}{value.ndim}{value.flags.c_contiguous}"
        yield kind, [ctypes.c_int64(number) for number in place]
    else:
        number = ctypes.c_double if isinstance(value, float) else ctypes.c_int64
        yield type(value).__name__, [number(value or 0)]
