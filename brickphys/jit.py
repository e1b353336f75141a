"""Jit: Numba's compiler as decorators that keep a function's type hints, and compiled kernels on disk.

Only kernel modules import this module at the top, and they are imported only when a throw or a sweep is computed.
Everything else starts without loading Numba.

The files of the cache are pickles, which run code when they are read. So they are kept only where Numba keeps them by
itself, and nobody else may write: in the folder that the variable NUMBA_CACHE_DIR names, beside the source, or in the
user's own cache folder. A folder that a file `.numba_config.yaml` names is not used: a file alone never runs code. Each
file has a digest of its content.
"""

import gc
import os
import pickle
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, ParamSpec, TypeVar

from filelock import FileLock
from numpy import ndarray

from brickphys.errors import InvalidValueError, in_words, is_short_of_memory
from brickphys.files import stranger_in
from brickphys.notes import COMPILING, NOTES
from brickphys.stamp import compiler_settings

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
from numba.core import caching, config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.event import Event, Listener, install_listener

_CACHING = {name.lstrip("_"): value for name, value in vars(caching).items()}  # "_" in Numba 0.61
_UserProvided: Any = _CACHING["UserProvidedCacheLocator"]
_UserWide: Any = _CACHING["UserWideCacheLocator"]
P = ParamSpec("P")
R = TypeVar("R")


_KERNEL: dict[str, Any] = {
    "_nrt": False,
    "forceinline": True,
    "no_cpython_wrapper": True,
}


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile to machine code, inlined into the entries that call it.

    Floating-point operations are neither reordered nor fused: what the compiler fuses to a multiply-add would depend on
    the processor, and on what was compiled before. Kernels allocate no arrays, so reference counting is off: it takes
    20 % of the time. They are inlined because a call with a body and its workspace passes about a hundred arguments,
    which takes 33 % of the time.

    Only compiled code may call a kernel: there is no wrapper for calls from Python, which would crash. Wrappers take a
    third of the time of compiling.
    """
    return _compiled(function, **_KERNEL)


def called_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile like a `kernel`, but not inlined: for one with few arguments that has several callers and much to do."""
    return _compiled(function, **{**_KERNEL, "forceinline": False})


def outer_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile as part of its callers, an entry that does not allocate or another outer kernel; best of one only.

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
        heard = install_listener("numba:compile", _Compiling(COMPILING.set))
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


class _Compiling(Listener):
    """Calls a function whenever kernels begin to be compiled, and are not only loaded."""

    def __init__(self, begun: Callable[[], object]) -> None:
        self.begun = begun

    def on_start(self, event: Event) -> None:
        self.begun()

    def on_end(self, event: Event) -> None:
        """Do nothing: the entry ends after its kernels."""


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
    noted_once = cache(lambda: NOTES.info("compiling %s%s", what, kept))
    with install_listener("numba:compile", _Compiling(noted_once)):
        call()


_DIGEST = 32
"""Bytes of SHA-256 before the content of each file."""


class _NamedFolder(_UserProvided):  # type: ignore[misc]
    """The folder that the variable names; one into which others may write is refused."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        """Return the place of a function; None if the variable names none."""
        named = os.environ.get("NUMBA_CACHE_DIR")
        is_named = named and named == vars(config)["CACHE_DIR"]
        return super().from_function(py_func, py_file) if is_named else None

    def ensure_cache_path(self) -> None:
        check_private(Path(os.environ["NUMBA_CACHE_DIR"]))
        super().ensure_cache_path()
        check_private(Path(self.get_cache_path()))


class _UserFolder(_UserWide):  # type: ignore[misc]
    """The user's cache folder, unless there is no home, or others may write into the folder."""

    def ensure_cache_path(self) -> None:
        """Make the folder; raise OSError, by which Numba knows that there is none, if it must not be used."""
        folder = Path(self.get_cache_path())
        if not folder.is_absolute():  # "~" without a home
            raise FileNotFoundError(folder)
        super().ensure_cache_path()
        if stranger_in(folder):
            raise PermissionError(folder)


class _Locators(CompileResultCacheImpl):
    _locator_classes = [  # noqa: RUF012 (Numba declares it so)
        _NamedFolder,
        _CACHING["InTreeCacheLocator"],
        _UserFolder,
    ]


class KernelCache(FunctionCache):
    """Numba's cache of one function.

    Code that was compiled with other settings counts as another function: Numba itself would load it
    (https://github.com/numba/numba/issues/10821). So does code of other kernels and constants, in whatever module they
    are: Numba itself looks only at size and time of the function's own file. A file that is cut, damaged or of another
    format counts as missing: the function is compiled, and the file is written anew. If it cannot be written, the
    machine code is kept in memory. RuntimeError if no folder for the files can be written.

    Parameters
    ----------
    dispatcher
        The function, as Numba made it.
    """

    _impl_class = _Locators

    def __init__(self, dispatcher: Any) -> None:
        super().__init__(dispatcher.py_func)
        self._dispatcher = dispatcher
        self._cache_file = _CheckedFiles(
            self._cache_path, f"{self._impl.filename_base}.checked", self._cache_file._source_stamp
        )

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        settings = tuple(compiler_settings(config).items())
        return (*super()._index_key(sig, codegen), settings, code_digest(self._dispatcher))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for these types; None if it is not on the disk."""
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:
            # whole, but of another version of what it was made with: unpickling may raise anything
            NOTES.debug("%s: cannot be loaded: %r", self.cache_path, error)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write the machine code for these types."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            note_compiled_in_memory(f"{self.cache_path} cannot be written ({error.strerror})")


def code_digest(dispatcher: Any) -> str:
    """Return a digest of what the machine code of a function follows from: all kernels and constants that it reads."""
    found, waiting, seen = sha256(), [dispatcher], set()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        parts = [sorted(one.targetoptions.items()), *_constants(one.py_func.__code__)]
        for name, value in _values(one.py_func):
            if isinstance(value, Dispatcher):
                waiting.append(value)
            else:
                parts += [name, _written(value)]
        found.update(repr(parts).encode())
    return found.hexdigest()


def _constants(code: CodeType) -> Iterator[object]:
    """Yield what is in a piece of code, and in those within it."""
    yield from (code.co_code, code.co_names, code.co_varnames)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _constants(constant)
        else:
            yield constant


def _values(function: FunctionType) -> Iterator[tuple[str, object]]:
    """Yield the names that a function reads from around it and from modules, with their values."""
    names = sorted(_names(function.__code__))
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    around = function.__globals__ | {name: cell.cell_contents for name, cell in cells}
    for name in names:
        if isinstance(value := around.get(name), ModuleType):
            yield from ((inner, vars(value)[inner]) for inner in names if inner in vars(value))
        elif name in around:
            yield name, value


def _names(code: CodeType) -> set[str]:
    inner = (_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return {*code.co_names, *code.co_freevars}.union(*inner)


def _written(value: object) -> object:
    """Return a value in a form that tells it from others, and is the same in each process."""
    if isinstance(value, ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, FunctionType) and value.__module__.startswith("brickphys."):
        # not compiled itself: its module tells Numba by which instructions it is replaced
        return sha256(Path(value.__code__.co_filename).read_bytes()).digest()
    if callable(value):  # of Python or a library: Numba knows what it does
        return getattr(value, "__qualname__", type(value)), getattr(value, "_fields", ())
    return value


class _CheckedFiles(IndexDataCacheFile):
    """An index and the files that it names; each begins with the SHA-256 of the rest."""

    def _dump(self, obj: object) -> bytes:
        content: bytes = super()._dump(obj)
        return sha256(content).digest() + content

    def _save_index(self, overloads: dict[Any, str]) -> None:
        with self._open_for_write(self._index_path) as file:
            file.write(self._dump((self._version, self._source_stamp, overloads)))

    def _load_index(self) -> dict[Any, str]:
        try:
            version, stamp, overloads = _loaded(self._index_path)
        except Exception:  # missing or damaged, or of types that another version of Numba had
            return {}
        fresh = (version, stamp) == (self._version, self._source_stamp)
        return overloads if fresh else {}

    def _load_data(self, name: str) -> Any:
        return _loaded(self._data_path(name))


def _loaded(path: str) -> Any:
    """Return what a file holds; OSError if it cannot be read, or its digest is wrong."""
    content = Path(path).read_bytes()
    if sha256(content[_DIGEST:]).digest() != content[:_DIGEST]:
        raise OSError(f"{path}: damaged")
    return pickle.loads(content[_DIGEST:])


def check_private(folder: Path) -> None:
    """Raise InvalidValueError if others may write into the folder that NUMBA_CACHE_DIR names, or replace it."""
    if (place := stranger_in(folder)) is not None:
        raise InvalidValueError(
            f"NUMBA_CACHE_DIR={folder}: others may write into {place}, and the files in it are run: name a folder of "
            "your own, or chmod go-w it"
        )


def lock(path: Path) -> AbstractContextManager[object]:
    """Return a lock of all processes that share a cache; none where its folder has no locks, or not for this user."""
    try:
        return FileLock(path).acquire()
    except (OSError, NotImplementedError):
        return nullcontext()


_told: list[str] = []


def note_compiled_in_memory(why: str) -> None:
    """Write a note, once in a process."""
    if not _told:
        NOTES.info(
            "%s: every start compiles again, about 10 s in each process; set NUMBA_CACHE_DIR to a writable folder",
            why,
        )
    _told.append(why)
