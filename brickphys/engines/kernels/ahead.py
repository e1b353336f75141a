"""Ahead: the compiled engine as code of LLVM that was made before, so that the first throw does not wait for Numba.

Numba needs seven seconds from Python to optimised code. It is the same code for every processor, since vectors have a
fixed length, and LLVM needs 0.1 s from there to machine code. ``ahead.zip`` has it by modules and types of arguments;
``python -m benchmarks.ahead`` writes it. Numba compiles, to the same bits, what is not there or was made of other
kernels, and all where it has settings of its own, or not on Linux with x86-64. Machine code is kept in the user's cache
folder, unless others may write there.
"""

import ctypes
import functools
import os
import platform
import sys
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np

from brickphys.files import cache, cached
from brickphys.throws.faces import TIPPING_SHARE
from brickphys.throws.flight import TURN_PER_STEP_RAD
from brickphys.throws.release import FLAT_DEG
from brickphys.units import GRAVITY_M_S2

FILE = Path(__file__).with_name("ahead.zip")
_ELSEWHERE = (FLAT_DEG, GRAVITY_M_S2, TIPPING_SHARE, TURN_PER_STEP_RAD)
"""What kernels read from other folders."""
_FEW = 32_768
"""Throws before LLVM optimises for the processor: that takes 0.3 s, and gives two thirds more throws a second."""
_MOST_KEPT = 20
"""Files of machine code."""


@functools.cache
def entry(name: str, is_made: bool = True) -> Any:
    """Return ``throw_all`` of a module, as ``throw_kernel-tray`` with a floor, made before or not."""
    settings = {name for name in os.environ if name.startswith("NUMBA_")} - {"NUMBA_CACHE_DIR"}
    usual = is_made and not settings and not Path(".numba_config.yaml").exists()
    if usual and (sys.platform, platform.machine()) == ("linux", "x86_64"):
        with suppress(Exception), ZipFile(FILE) as file:  # damaged, without it, or for a newer LLVM
            if file.comment.decode() == sources():
                return Made(name, file.read(name).decode())
    import_module("brickphys.jit")  # refuses settings with which Numba does not start
    return import_module(f"{__package__}.{name.partition('-')[0]}").throw_all


def kinds(arguments: tuple[Any, ...]) -> str:
    """Return the types of arguments, for which alone code is made: the comment in its first line."""
    return f"; {' '.join(_flat(arguments, [], [])[0])}"


def sources() -> str:
    """Return a digest of all that the code is made of."""
    files = [path for path in sorted(FILE.parent.glob("*.py")) if path != Path(__file__)]
    parts = [(path.name, path.read_bytes()) for path in files]
    return sha256(repr((parts, _ELSEWHERE)).encode()).hexdigest()


class Made:
    """An entry, called with the arguments of Numba's; the last one has a row for each throw."""

    def __init__(self, name: str, code: str) -> None:
        self._name, self._code, self._left, self._compilers = name, code, _FEW, list[Any]()
        self._kinds = code.partition("\n")[0]
        if self.compile(3, is_kept=True):
            self._left = -1
        else:
            self.compile(0)

    def __call__(self, *arguments: Any) -> None:
        before, self._left = self._left, self._left - len(arguments[-1])
        if self._left < 0 <= before:
            self.compile(3)
        call, (found, numbers) = self._call, _flat(arguments, [], [])
        if f"; {' '.join(found)}" != self._kinds:
            entry(self._name, is_made=False)(*arguments)
            return
        types = (ctypes.c_double if isinstance(one, float) else ctypes.c_int64 for one in numbers)
        call.argtypes = call.argtypes or (ctypes.c_void_p, ctypes.c_void_p, *types)
        call(ctypes.byref(ctypes.c_void_p()), None, *numbers)  # places of result and error

    def compile(self, opt: int, processor: str | None = None, *, is_kept: bool = False) -> bool:
        """Make machine code, for this processor if none is named, or take it from the cache.

        With `is_kept` nothing is made: it returns whether there was some.
        """
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        cpu = processor or llvm.get_host_cpu_name()
        features = "" if processor else llvm.get_host_cpu_features().flatten()
        made_of = repr((llvm.llvm_version_info, cpu, features, opt, self._code))
        key = f"kernels/{sha256(made_of.encode()).hexdigest()}.o"
        machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
            cpu=cpu, features=features, opt=opt, jit=True
        )
        if (made := cached(key)) is None:
            if is_kept:
                return False
            module = llvm.parse_assembly(self._code)
            outer = [one for one in module.functions if one.linkage == llvm.Linkage.external]
            entry_name = next(one.name for one in outer if not one.is_declaration)
            made = b"\n".join((entry_name.encode(), machine.emit_object(module)))
            cache(key, made, _MOST_KEPT)
        name, _, code = made.partition(b"\n")
        # kept, since other threads may run what is compiled
        self._compilers.append(llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine))
        self._compilers[-1].add_object_file(llvm.ObjectFileRef.from_data(code))
        self._compilers[-1].finalize_object()
        address = self._compilers[-1].get_function_address(name.decode())
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32)(address)
        return True


def _flat(value: Any, kinds: list[str], numbers: list[float]) -> tuple[list[str], list[float]]:
    """Add kinds and numbers of all that is in tuples, as Numba passes them: of arrays their shapes and strides, too."""
    if isinstance(value, tuple):
        for one in value:
            _flat(one, kinds, numbers)
    elif isinstance(value, np.ndarray):
        kinds.append(f"{value.dtype.str}{value.ndim}{value.flags.c_contiguous}")
        numbers += 0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides
    else:
        kinds.append("float" if isinstance(value, float) else type(value).__name__)
        numbers.append(0 if value is None else value)
    return kinds, numbers
