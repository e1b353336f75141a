"""Stamp: what computed the numbers of this process: sources, compiler settings, processor and versions."""

import ast
import os
import platform
import sys
from collections.abc import Container, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from json import dumps
from pathlib import Path
from sysconfig import get_path
from typing import Any

from brickphys import STARTED_NS
from brickphys.chain import digest
from brickphys.errors import InvalidValueError, in_words
from brickphys.notes import NOTES
from brickphys.text import listed

_PACKAGES = (
    "brickphys",
    "llvmlite",
    "manifold3d",
    "mujoco",
    "numba",
    "numpy",
    "pybullet",
    "scipy",
    "trimesh",
)
"""Packages that compute."""
_NO_NUMBERS = ("cli/", "plots/", "batch/report/", "batch/studies/")
"""Folders of this package that change no stored number: a report is made from rows, a batch has its study in it."""
_SOURCES = (".json", ".py", ".toml")
"""Endings of the files of this package."""
_DEFAULTS = {
    "BOUNDSCHECK": False,
    "DISABLE_INTEL_SVML": False,
    "DISABLE_JIT": False,
    "LOOP_VECTORIZE": True,
    "SLP_VECTORIZE": False,
}
"""Switches of Numba that change what it compiles, without those of the processor, and what they are by default."""
_AVX, _OPT, _DEFAULT_OPT = "ENABLE_AVX", "OPT", "3"
_PROCESSOR = {"CPU_NAME", "CPU_FEATURES"}
_SETTINGS = {*_DEFAULTS, _AVX, _OPT, *_PROCESSOR}
_PREFIX = "NUMBA_"
_NUMBA_FILE = Path(".numba_config.yaml")
"""File of the working directory in which Numba looks for settings."""
_CHOOSING = (
    "GLIBC_TUNABLES",
    "NPY_DISABLE_CPU_FEATURES",
    "NPY_ENABLE_CPU_FEATURES",
    "OPENBLAS_CORETYPE",
)
"""Variables by which the C library, NumPy and OpenBLAS choose code: sines and products differ in their last bits, and
bounces amplify that. Of 30,000 throws 65 stopped in another pose."""
_OWN = "brickphys"
_BASE = "base"
_DIGITS = 16


@dataclass(frozen=True)
class Stamp:
    """What numbers are made by. Equal stamps make equal rows from equal seeds.

    Attributes
    ----------
    sources
        Folder of this package, or name of another package -> digest of its files. ``base`` are the files of the package
        that are in none of its folders.
    kernels
        Variable of the environment -> value that Numba makes of it, or of its file of settings, of those that change
        what it compiles and are not as by default.
    processor
        ``name``, and a digest of the ``features`` that machine code may use; variables of the environment that make
        libraries compute by other code than they would choose for it, with their values.
    platform
        ``system``, ``machine``, ``python``, ``libc``.
    versions
        Package -> version; packages that are not installed are left out.
    """

    sources: Mapping[str, str]
    kernels: Mapping[str, str]
    processor: Mapping[str, str]
    platform: Mapping[str, str]
    versions: Mapping[str, str]

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that tell stamps apart."""
        return digest(dumps(self.document(), sort_keys=True))

    def of(self, sources: Container[str]) -> "Stamp":
        """Return the stamp with those of its sources that are named."""
        kept = {name: found for name, found in self.sources.items() if name in sources}
        return replace(self, sources=kept)

    def document(self) -> dict[str, dict[str, str]]:
        """Return the JSON object of the stamp, which `stamp_of` reads."""
        return asdict(self)

    def differences(self, other: "Stamp") -> list[str]:
        """Return in words what another stamp has otherwise."""
        ours, theirs = self.document(), other.document()
        return [
            _difference(table, key, values.get(key), theirs[table].get(key))
            for table, values in ours.items()
            for key in sorted({*values, *theirs[table]})
            if values.get(key) != theirs[table].get(key)
        ]


def stamp_here(*packages: str) -> Stamp:
    """Return the stamp of this process: of the sources when they were first asked for, what it has imported.

    Parameters
    ----------
    packages
        Names of other packages or modules whose sources count, such as that of a game of one's own.

    Raises
    ------
    InvalidValueError
        If the sources of a package, or the settings of Numba, cannot be read.
    """
    return _stamp(packages, {**_first_sources(_OWN), **_of_all(map(_first_sources, packages))})


def stamp_now(*packages: str) -> Stamp:
    """Return the stamp of what would be imported and compiled now; parameters and errors are those of `stamp_here`.

    It differs from `stamp_here` if somebody has edited the sources. Files are only read if their size or time has
    changed.
    """
    return _stamp(packages, {**_sources(_OWN), **_of_all(map(_sources, packages))})


def unless_edited(stamp: Stamp, *packages: str) -> Stamp | None:
    """Return a stamp of this process and some packages; None, with a note, if sources were edited since it began.

    A stamp may be asked for long after the sources were imported, so files of its folders count that are newer than
    the process.
    """
    edits = stamp.differences(stamp_now(*packages).of(stamp.sources))
    edits += [f"{path} is newer than this process" for path in _newer(stamp, packages)]
    if edits:
        NOTES.warning("no stamp is written: %s while they were computing", listed(edits))
    return None if edits else stamp


def _stamp(packages: Iterable[str], sources: dict[str, str]) -> Stamp:
    numba = _numba_config()
    return Stamp(
        sources=sources,
        kernels={} if numba is None else compiler_settings(numba),
        processor=_processor(numba),
        platform={
            "system": platform.system(),
            "machine": platform.machine(),
            "python": platform.python_version(),
            "libc": " ".join(platform.libc_ver()).strip(),
        },
        versions={name: found for name in [*_PACKAGES, *packages] if (found := _version(name))},
    )


def stamp_of(document: object) -> Stamp:
    """Return the stamp in a JSON value.

    Raises
    ------
    InvalidValueError
        If it is none.
    """
    tables = list(Stamp.__dataclass_fields__)
    if not isinstance(document, Mapping) or set(document) != set(tables):
        raise InvalidValueError(f"stamp: should be a table with the keys {', '.join(tables)}")
    for name, table in document.items():
        if not isinstance(table, Mapping) or not all(isinstance(v, str) for v in table.values()):
            raise InvalidValueError(f"stamp.{name}: should be a table of texts")
    return Stamp(**{name: dict(document[name]) for name in tables})


def compiler_settings(numba: Any) -> dict[str, str]:
    """Return what of ``numba.core.config`` changes machine code and is not as by default.

    That of AVX, whose default the processor decides, is in it if it is set.
    """
    level = "max" if numba.OPT.is_opt_max else str(int(numba.OPT))
    found = {_OPT: level} if level != _DEFAULT_OPT else {}
    for name, default in _DEFAULTS.items():
        value = bool(getattr(numba, name))
        if value != default:
            found[name] = str(int(value))
    if f"{_PREFIX}{_AVX}" in os.environ or _NUMBA_FILE.is_file():
        found[_AVX] = str(int(numba.ENABLE_AVX))
    return {f"{_PREFIX}{name}": found[name] for name in sorted(found)}


def sources_in(folder: Path) -> dict[str, str]:
    """Return the digest of each folder of this package that computes, and as ``base`` that of the files in none.

    Only files as the package has them count, not those that editors, notebooks and compilers leave beside them.
    """
    rooms: dict[str, list[str]] = {_BASE: []}
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir():
            rooms[entry.name] = [f"{entry.name}/{name}" for name in _files(entry.path)]
        else:
            rooms[_BASE].append(entry.name)
    computing = {room: list(filter(_computes, names)) for room, names in rooms.items()}
    return {room: _digest(folder, names) for room, names in computing.items() if names}


def _computes(name: str) -> bool:
    """Return whether a file of this package is one of its own, and changes numbers."""
    is_own = name.endswith(_SOURCES) and not _is_left(name.rpartition("/")[2])
    return is_own and not name.startswith(_NO_NUMBERS)


def _room(name: str) -> str:
    """Return the folder of this package in which a file is; ``base`` if it is in none."""
    folder, separator, _ = name.partition("/")
    return folder if separator else _BASE


def _is_left(name: str) -> bool:
    """Return whether a file or folder is what Python, an editor or a notebook leaves beside the sources."""
    return name.startswith(".") or name.endswith("~") or name == "__pycache__"


def _files(folder: str | Path) -> list[str]:
    """Return the names of the files in a folder and its folders; `Path.rglob` would take ten times as long.

    Links to folders are followed, as imports do; each folder counts under its first link, so that no circle is endless.
    """
    found, linked = [], {os.path.realpath(folder)}
    for place, folders, files in os.walk(folder, followlinks=True):
        folders[:] = [
            name
            for name in sorted(folders)
            if not _is_left(name) and _is_new(Path(place, name), linked)
        ]
        within = os.path.relpath(place, folder)
        found += [f"{within}/{name}" for name in files if not _is_left(name)]
    return sorted(os.path.normpath(name).replace(os.sep, "/") for name in found)


def _is_new(folder: Path, linked: set[str]) -> bool:
    """Return whether a folder is none of those linked before; a link adds its own."""
    if not folder.is_symlink():
        return True
    real = os.path.realpath(folder)
    is_new = real not in linked
    linked.add(real)
    return is_new


def _sources(name: str) -> dict[str, str]:
    """Return the digests of this package, or that of another."""
    top = name.partition(".")[0]
    if top == _OWN:
        return sources_in(Path(__file__).parent)
    places = _source_files(top)
    if not any(places.values()):
        raise InvalidValueError(
            f"{name}: its source files are not found, and only they tell changes"
        )
    return {name: digest(" ".join(_digest(place, names) for place, names in places.items()))}


def _source_files(name: str) -> dict[Path, list[str]]:
    """Return the folders of another package with the names of their files; of a module its folder with its files."""
    places = _places(name)
    return {place: _files(place) for place in places if place.is_dir()} or {
        place.parent: _modules(place) for place in places if place.is_file()
    }


def _modules(path: Path) -> list[str]:
    """Return the names of the file of a module, and of the modules beside it that it imports, or that these import."""
    found, waiting = {path.name}, [path]
    while waiting:
        one = waiting.pop()
        beside = {f"{name}.py" for name in _imported(one, one.stat().st_mtime_ns)} - found
        new = {name for name in beside if (path.parent / name).is_file()}
        waiting += [path.parent / name for name in new]
        found |= new
    return sorted(found)


@lru_cache(maxsize=128)
def _imported(path: Path, _time_ns: int) -> frozenset[str]:
    """Return the names of the modules that a file imports, as of a time; none if it is not Python."""
    try:
        nodes = list(ast.walk(ast.parse(path.read_bytes())))
    except (SyntaxError, ValueError):
        return frozenset()
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return frozenset(name.partition(".")[0] for name in names)


def module_files(name: str) -> list[Path]:
    """Return the file of a module and of those beside it that it imports; none if it is installed, or a package."""
    installed = {Path(get_path(kind)) for kind in ("purelib", "platlib")}
    modules = [one for one in _places(name) if one.is_file() and one.parent not in installed]
    return [one.parent / file for one in modules for file in _modules(one)]


def _newer(stamp: Stamp, packages: Iterable[str]) -> list[str]:
    """Return the files of a stamp's folders, and of other packages, that were written since the process began.

    A file that was moved or copied with its time, such as a backup that is put back, counts by the time of that.
    """
    own = Path(__file__).parent
    paths = [own / name for name in _files(own) if _computes(name) and _room(name) in stamp.sources]
    for name in packages:
        for folder, names in _source_files(name.partition(".")[0]).items():
            paths += [folder / name for name in names]
    found = ((path, path.stat()) for path in paths)
    return [
        str(path) for path, file in found if max(file.st_mtime_ns, file.st_ctime_ns) > STARTED_NS
    ]


_first_sources = cache(_sources)


def _of_all(digests: Iterable[dict[str, str]]) -> dict[str, str]:
    return {name: found for one in digests for name, found in one.items()}


def _places(name: str) -> list[Path]:
    """Return the folders of a package, or the file of a module."""
    try:
        spec = find_spec(name)
    except ValueError:  # the program itself, which was not imported
        spec = None
    if spec is not None and spec.submodule_search_locations is not None:
        return [Path(place) for place in spec.submodule_search_locations]
    origin = spec.origin if spec else getattr(sys.modules.get(name), "__file__", None)
    return [Path(origin)] if origin else []


def _digest(folder: Path, names: Iterable[str]) -> str:
    """Return the digest of the names and contents of files."""
    files = ((name, (folder / name).stat()) for name in names)
    return _digest_as_of(
        folder, tuple((name, stat.st_size, stat.st_mtime_ns) for name, stat in files)
    )


@lru_cache(maxsize=128)
def _digest_as_of(folder: Path, files: tuple[tuple[str, int, int], ...]) -> str:
    found = sha256()
    for name, _size, _time in files:
        content = (folder / name).read_bytes()
        found.update(f"{name}\0{len(content)}\0".encode())
        found.update(content)
    return found.hexdigest()[:_DIGITS]


@cache
def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _numba_config() -> Any:
    """Return Numba's settings as they are now; None if all are as by default: Numba takes a second to load."""
    is_set = any(f"{_PREFIX}{name}" in os.environ for name in _SETTINGS)
    if not is_set and not _NUMBA_FILE.is_file():
        return None
    try:
        from numba.core import config

        config.reload_config()  # type: ignore[no-untyped-call]  # as the compiler does
    except Exception as error:  # whatever the parser of the file raises
        raise InvalidValueError(f"{_NUMBA_FILE}: Numba cannot read it: {in_words(error)}") from None
    return config


def _processor(numba: Any) -> dict[str, str]:
    """Return the processor for which Numba compiles: this one, unless its settings say otherwise."""
    from llvmlite.binding import get_host_cpu_features, get_host_cpu_name

    name = numba and numba.CPU_NAME
    features = None if numba is None else numba.CPU_FEATURES
    if features is None:
        features = get_host_cpu_features().flatten()
    chosen = {name: os.environ[name] for name in _CHOOSING if os.environ.get(name)}
    return {"name": name or get_host_cpu_name(), "features": digest(features), **chosen}


def _difference(table: str, key: str, ours: str | None, theirs: str | None) -> str:
    if table == "sources":
        return f"the sources of {key} have changed"
    return f"{table} {key} is {theirs or 'not there'}, was {ours or 'not there'}"
