"""Jit: Numba's compiler as decorators that keep a function's type hints.

Only kernel modules import this module at the top, and they are imported only when a throw or a sweep is computed.
Everything else starts without loading Numba.
"""

import gc
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from brickphys.errors import InvalidValueError, in_words, is_short_of_memory

try:
    with warnings.catch_warnings():
        # Else Numba leaves the variable out, with a traceback.
        warnings.filterwarnings("error", "Environment variable")
        import numba
except ImportError:
    raise
except Exception as error:  # whatever its settings make Numba raise
    if is_short_of_memory(error):
        raise
    raise InvalidValueError(
        "Numba does not start with its settings (variables NUMBA_..., file .numba_config.yaml): "
        + in_words(error).partition(" The parse failed")[0]
    ) from None
from numba.core.compiler_lock import global_compiler_lock
from numba.core.event import Event, Listener, install_listener

from brickphys.jit_cache import KernelCache, lock, note_compiled_in_memory
from brickphys.notes import COMPILING, NOTES

P = ParamSpec("P")
R = TypeVar("R")


_KERNEL: dict[str, Any] = {
    "_nrt": False,
    "forceinline": True,
    "fastmath": {"contract"},
    "no_cpython_wrapper": True,
}


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile to machine code, inlined into the entries that call it.

    Floating-point operations are not reordered, so results depend neither on the number of threads nor on loop
    unrolling; only multiply-add is fused (``contract``), in the same way for every throw. Kernels allocate no arrays,
    so reference counting is off: it takes 20 % of the time. They are inlined because a call with a body and its
    workspace passes about a hundred arguments, which takes 33 % of the time.

    No compiled function may contain ``x**2``. Numba compiles powers once in a process, with the ``fastmath`` of the
    entry that needs them first (https://github.com/numba/numba/issues/7168). The last bit of a throw would depend on
    what was compiled before.

    Only compiled code may call a kernel: there is no wrapper for calls from Python, which would crash. Wrappers take a
    third of the time of compiling.
    """
    return _compiled(function, **_KERNEL)


def outer_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile as part of its only caller, an entry that does not allocate or another outer kernel.

    LLVM optimises a kernel, with all kernels that it calls, for itself and again in each caller. An outer kernel, which
    calls most others, is inlined before types are inferred, so LLVM sees it only in the entry. For kernels further
    inside, or with several callers, this takes longer than it saves.
    """
    return _compiled(function, inline="always", **_KERNEL)


def allocating_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile to machine code with reference counting, for kernels that allocate arrays."""
    return _compiled(function, no_cpython_wrapper=True)


def entry(function: Callable[P, R], *, allocates: bool = True) -> Callable[P, R]:
    """Compile a function that Python calls; cache the machine code on disk and release the GIL while it runs.

    Processes that share the cache compile it only once: the first does, the others wait, and load the machine code.
    Where no folder for it can be written, each process compiles for itself; a note says so.

    The parameters must be arrays and numbers. An entry that neither allocates arrays nor calls an `allocating_kernel`
    needs no reference counting.
    """
    dispatcher: Any = _compiled(function, nogil=True, _nrt=allocates)
    if not hasattr(dispatcher, "compile"):  # with NUMBA_DISABLE_JIT nothing is compiled
        return function
    compile_or_load, where = dispatcher.compile, None
    try:
        dispatcher._cache = KernelCache(dispatcher)
        where = Path(dispatcher._cache.cache_path)
    except RuntimeError:
        pass

    def one_at_a_time(signature: object) -> object:
        if where is None:
            note_compiled_in_memory("no folder for compiled code can be written")
        name = f"{function.__module__}.{function.__name__}.lock"
        # Numba's own lock comes first, so that no thread holds one of the two and waits for the other
        heard = install_listener("numba:compile", _CompilingListener())
        with global_compiler_lock, lock(where / name) if where else nullcontext(), heard:
            collected = gc.isenabled()
            gc.disable()  # it takes 15 % of the time
            try:
                return compile_or_load(signature)
            finally:
                COMPILING.clear()
                if collected:
                    gc.enable()

    dispatcher.compile = one_at_a_time
    compiled: Callable[P, R] = dispatcher
    return compiled


def _compiled(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    compile_it: Callable[[Callable[P, R]], Callable[P, R]] = numba.njit(  # type: ignore[call-overload]
        error_model="numpy", no_cfunc_wrapper=True, **options
    )
    return compile_it(function)


class _CompilingListener(Listener):
    """Lets others know that kernels are compiled, and not only loaded."""

    def on_start(self, event: Event) -> None:
        COMPILING.set()

    def on_end(self, event: Event) -> None:
        """Do nothing: the entry ends after its kernels."""


class _CompileListener(Listener):
    """Writes a note at the first compilation."""

    def __init__(self, note: str) -> None:
        self._note, self._is_noted = note, False

    def on_start(self, event: Event) -> None:
        if not self._is_noted:
            NOTES.info(self._note)
        self._is_noted = True

    def on_end(self, event: Event) -> None:
        """Do nothing."""


def compile_once(function: object, what: str, call: Callable[[], object]) -> None:
    """Compile an entry that takes many seconds, unless this process has it; write a note if it is not on the disk.

    Parameters
    ----------
    function
        The entry.
    what
        Its name and the usual duration, such as ``"the fast engine, some 10 s"``.
    call
        Calls the entry with the usual types of arguments, best without any work.
    """
    dispatcher: Any = function
    if getattr(dispatcher, "overloads", True):
        return
    kept = " (once: the next start takes it from the disk)" if dispatcher.stats.cache_path else ""
    with install_listener("numba:compile", _CompileListener(f"compiling {what}{kept}")):
        call()
