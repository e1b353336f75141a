"""Stamp: what computed the numbers of this process: its program, compiler settings, processor and versions.

Checks of a file say in a line each what was compared, and what its stamp tells.
"""

import ast
import json
import os
import platform
import sys
import tomllib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from hashlib import sha256
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path
from sysconfig import get_path
from typing import Any

from brickphys import STARTED_NS
from brickphys.errors import InvalidValueError, in_words
from brickphys.files import cache_folder, digest
from brickphys.notes import NOTES
from brickphys.text import listed

_PACKAGES = (
    *("brickphys", "llvmlite", "manifold3d", "mujoco", "numba"),
    *("numpy", "pybullet", "scipy", "trimesh"),
)
"""Packages that compute."""
_NO_NUMBERS = ("cli/", "plots/", "view/", "batch/report/", "batch/studies/")
"""Folders of this package that change no stored number: a report is made from rows, a batch has its study in it."""
_SOURCES = (".json", ".py", ".toml")
"""Endings of the files of this package."""
_DEFAULTS = {
    "BOUNDSCHECK": "0",
    "DISABLE_INTEL_SVML": "0",
    "DISABLE_JIT": "0",
    "LOOP_VECTORIZE": "1",
    "OPT": "3",
    "SLP_VECTORIZE": "0",
}
"""Settings of Numba that change what it compiles, without those of the processor, and what they are by default."""
_SETTINGS = {*_DEFAULTS, "ENABLE_AVX", "CPU_NAME", "CPU_FEATURES"}
_NUMBA_FILE = Path(".numba_config.yaml")
"""File of the working directory in which Numba looks for settings."""
_CHOOSING = (
    *("GLIBC_TUNABLES", "OPENBLAS_CORETYPE"),
    *("NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES"),
)
"""Variables by which the C library, NumPy and OpenBLAS choose code: sines and products differ in their last bits, and
bounces amplify that. Of 30,000 throws 65 stopped in another pose."""
_OWN, _BASE = "brickphys", "base"
_OLDER = "its stamp is of an older form, so its sources cannot be compared with these"
_RECIPE = 1
"""Another number if `program_digest` becomes another one of the same sources."""
_MOST_KEPT = 200
"""Entries of the file of `kept`."""
_HERE = Path(__file__).parent
_File = tuple[str, int, int, int]
"""Path of a file of sources, its size, and the times (ns) when it was written and when it came to its place."""


@dataclass(frozen=True)
class Stamp:
    """What numbers are made by. Stamps without differences make equal rows from equal seeds."""

    sources: Mapping[str, str]
    """Folder of this package, or name of another package -> digest of its program (`program_digest`). ``base`` are the
    files of the package that are in none of its folders."""
    kernels: Mapping[str, str]
    """Variable of the environment -> value that Numba makes of it, or of its file of settings, of those that change
    what it compiles and are not as by default."""
    processor: Mapping[str, str]
    """``name``, and a digest of the ``features`` that machine code may use; variables of the environment that make
    libraries compute by other code than they would choose for it, with their values."""
    platform: Mapping[str, str]
    """``system``, ``machine``, ``python``, ``libc``."""
    versions: Mapping[str, str]
    """Package -> version; packages that are not installed are left out."""
    results: Mapping[str, str] | None = None
    """Name of a fixed set of results -> a hexadecimal digit for each, by which another program is compared with this
    one; empty in files that are computed again themselves. None in stamps of an older form, whose `sources` are digests
    of bytes."""

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that tell stamps apart."""
        return digest(json.dumps(self.document(), sort_keys=True))

    def of(self, sources: Container[str]) -> "Stamp":
        """Return the stamp with those of its sources that are named."""
        kept = {name: found for name, found in self.sources.items() if name in sources}
        return replace(self, sources=kept)

    def document(self) -> dict[str, dict[str, str]]:
        """Return the JSON object of the stamp, which `stamp_of` reads."""
        return {name: table for name, table in asdict(self).items() if table is not None}

    def differences(self, other: "Stamp") -> list[str]:
        """Return in words what another stamp has otherwise; results are not compared."""
        return self.source_differences(other) + self.setting_differences(other)

    def other_results(self, results: Mapping[str, str]) -> list[str]:
        """Return in words which of the fixed results another program does not give."""
        found = []
        for name, ours in (self.results or {}).items():
            theirs = results.get(name, "")
            others = sum(one != other for one, other in zip_longest(ours, theirs))
            if others and theirs:
                found.append(f"{others:,} of {len(ours):,} fixed {name} come out otherwise")
        return found

    def source_differences(self, other: "Stamp") -> list[str]:
        """Return in words which sources of another stamp are another program, wherever in them a definition is."""
        pythons = {one.platform.get("python", "").rpartition(".")[0] for one in (self, other)}
        if len(pythons) > 1:
            return []  # their syntax trees differ by themselves, and the versions are told
        if (self.results is None) != (other.results is None):
            return [_OLDER]
        if _total(self.sources) == _total(other.sources):
            return []
        names = sorted({*self.sources, *other.sources})
        changed = [name for name in names if self.sources.get(name) != other.sources.get(name)]
        return [f"the sources of {', '.join(changed)} have changed"]

    def setting_differences(self, other: "Stamp") -> list[str]:
        """Return in words what another stamp has otherwise besides sources: compiler, processor, platform, versions."""
        tables = ("kernels", "processor", "platform", "versions")
        ours, theirs = ({name: getattr(one, name) for name in tables} for one in (self, other))
        return [
            f"{table} {key} is {theirs[table].get(key, 'not there')}, was {values.get(key, 'not there')}"
            for table, values in ours.items()
            for key in sorted({*values, *theirs[table]})
            if values.get(key) != theirs[table].get(key)
        ]


def _total(sources: Mapping[str, str]) -> int | Mapping[str, str]:
    """Return the digest of all sources together, which does not depend on where a definition is."""
    try:
        return sum(int(one, 16) for one in sources.values()) % 2**64
    except ValueError:  # a file of somebody else
        return sources


def stamp_here(*packages: str) -> Stamp:
    """Return the stamp of this process: of the sources when they were first asked for, what it has imported.

    InvalidValueError if the sources of a package, or the settings of Numba, cannot be read. `packages` are names of
    other packages or modules whose sources count, such as that of a game of one's own.
    """
    return _stamp(packages, _first_sources)


def stamp_now(*packages: str) -> Stamp:
    """Return the stamp of what would be imported and compiled now; parameters and errors are those of `stamp_here`.

    It differs from `stamp_here` if somebody has edited the sources. Files are only read if their size or time has
    changed.
    """
    return _stamp(packages, _sources)


def unless_edited(stamp: Stamp, *packages: str) -> Stamp | None:
    """Return a stamp of this process and some packages; None, with a note, if sources were edited since it began.

    A stamp may be asked for long after the sources were imported, so files of its folders count that are newer than
    the process. A file that was moved or copied with its time, such as a backup that is put back, counts by the time
    of that.
    """
    edits = stamp.differences(stamp_now(*packages).of(stamp.sources))
    files = [one for room, files in _rooms(_HERE).items() if room in stamp.sources for one in files]
    files += [one for name in packages for one in _source_files(name)]
    new = [path for path, _, *times in files if max(times) > STARTED_NS]
    edits += [f"{path} is newer than this process" for path in new]
    if edits:
        NOTES.warning("no stamp is written: %s while they were computing", listed(edits))
    return None if edits else stamp


def _stamp(packages: Iterable[str], find: Callable[[str], Mapping[str, str]]) -> Stamp:
    numba = _numba_config()
    return Stamp(
        sources={name: found for one in (_OWN, *packages) for name, found in find(one).items()},
        kernels={} if numba is None else compiler_settings(numba),
        processor=_processor(numba),
        platform={
            "system": platform.system(),
            "machine": platform.machine(),
            "python": platform.python_version(),
            "libc": " ".join(platform.libc_ver()).strip(),
        },
        versions={name: found for name in [*_PACKAGES, *packages] if (found := _version(name))},
        results={},
    )


def stamp_of(document: object) -> Stamp:
    """Return the stamp in a JSON value; InvalidValueError if it is none."""
    from brickphys.schema import StampDocument, validated

    return Stamp(**dict(validated(StampDocument, document, "stamp")))


def compiler_settings(numba: Any) -> dict[str, str]:
    """Return what of ``numba.core.config`` changes machine code and is not as by default.

    That of AVX, whose default the processor decides, is in it if it is set.
    """
    found = {name: str(int(bool(getattr(numba, name)))) for name in _DEFAULTS}
    found["OPT"] = "max" if numba.OPT.is_opt_max else str(int(numba.OPT))
    if "NUMBA_ENABLE_AVX" in os.environ or _NUMBA_FILE.is_file():
        found["ENABLE_AVX"] = str(int(numba.ENABLE_AVX))
    names = sorted(name for name, value in found.items() if value != _DEFAULTS.get(name))
    return {f"NUMBA_{name}": found[name] for name in names}


def sources_in(folder: Path) -> dict[str, str]:
    """Return the digest of each folder of this package that computes, and as ``base`` that of the files in none.

    Only files as the package has them count, not those that editors, notebooks and compilers leave beside them.
    """
    return {room: program_digest(tuple(files)) for room, files in _rooms(folder).items()}


def _rooms(folder: Path) -> dict[str, list[_File]]:
    """Return the files of this package that compute, by its folders."""
    rooms: dict[str, list[_File]] = {}
    start = len(f"{folder}{os.sep}")
    for file in _files(str(folder)):
        name = file[0][start:].replace(os.sep, "/")
        if name.endswith(_SOURCES) and not name.startswith(_NO_NUMBERS):
            room, separator, _ = name.partition("/")
            rooms.setdefault(room if separator else _BASE, []).append(file)
    return rooms


def _files(folder: str, linked: set[str] | None = None) -> Iterator[_File]:
    """Yield the files in a folder and its folders but what Python, an editor or a notebook leaves there.

    Links to folders are followed, as imports do; each folder counts under its first link, so that no circle is endless.
    """
    linked = {os.path.realpath(folder)} if linked is None else linked
    for entry in sorted(os.scandir(folder), key=lambda one: one.name):
        if entry.name.startswith(".") or entry.name.endswith("~") or entry.name == "__pycache__":
            continue
        if not entry.is_dir():
            yield _file(entry.path, entry.stat())
        elif not entry.is_symlink():
            yield from _files(entry.path, linked)
        elif (real := os.path.realpath(entry.path)) not in linked:
            linked.add(real)
            yield from _files(entry.path, linked)


def _file(path: str, found: os.stat_result) -> _File:
    return (path, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _sources(name: str) -> dict[str, str]:
    """Return the digests of this package, or that of another."""
    if name.partition(".")[0] == _OWN:
        return sources_in(_HERE)
    if files := _source_files(name):
        return {name: program_digest(tuple(files))}
    raise InvalidValueError(f"{name}: its source files are not found, and only they tell changes")


_first_sources = cache(_sources)


def _source_files(name: str) -> list[_File]:
    """Return the files of another package, or of a module and of those beside it that it imports."""
    places = _places(name.partition(".")[0])
    if folders := [place for place in places if place.is_dir()]:
        return [file for folder in folders for file in _files(str(folder))]
    modules = [path for place in places if place.is_file() for path in _modules(place)]
    return [_file(str(path), path.stat()) for path in modules]


def _modules(path: Path) -> list[Path]:
    """Return the file of a module, and of the modules beside it that it imports, or that these import."""
    found, waiting = {path}, [path]
    while waiting:
        one = waiting.pop()
        beside = {path.parent / f"{name}.py" for name in _imported(one, one.stat().st_mtime_ns)}
        new = {other for other in beside - found if other.is_file()}
        waiting += new
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
    return [path for one in modules for path in _modules(one)]


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


@lru_cache(maxsize=128)
def program_digest(files: tuple[_File, ...]) -> str:
    """Return a digest of what files compute: that of all their definitions, in whatever order, and of their data.

    It is a sum, so a definition that moves to another file changes nothing in the sum of both. Comments, docstrings,
    imports and annotations outside classes do not count.
    """
    contents = [(path.name, path.read_bytes()) for path in (Path(file[0]) for file in files)]
    whole = sha256(repr((_RECIPE, platform.python_version(), contents)).encode()).hexdigest()
    return kept(f"program {whole}", lambda: _digest(contents))


def _digest(contents: Iterable[tuple[str, bytes]]) -> str:
    parts = [part for name, content in contents for part in _definitions(name, content)]
    return f"{sum(int(sha256(part).hexdigest()[:16], 16) for part in parts) % 2**64:016x}"


def _definitions(name: str, content: bytes) -> list[bytes]:
    """Return what a file holds: the syntax tree of each top-level statement, or its data under its name."""
    try:
        if name.endswith(".py"):
            return [ast.dump(one).encode() for one in _computing(ast.parse(content).body)]
        if name.endswith(".toml"):
            return [f"{name} {tomllib.loads(content.decode())!r}".encode()]
        if name.endswith(".json"):
            data = json.loads(content)
            if isinstance(data, dict):
                data.pop("stamp", None)  # of a law: no number
            return [f"{name} {data!r}".encode()]
    except (ValueError, SyntaxError, RecursionError):
        pass
    return [f"{name} ".encode() + content]


def _computing(statements: Iterable[Any], of_class: bool = False) -> list[Any]:
    """Return statements without those that compute nothing, in place of those within them, too."""
    found = []
    for one in statements:
        is_text = isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
        is_typing = isinstance(one, ast.If) and ast.unparse(one.test).endswith("TYPE_CHECKING")
        if is_text or is_typing or isinstance(one, ast.Import | ast.ImportFrom | ast.Pass):
            continue
        if isinstance(one, ast.AnnAssign) and not of_class:
            if one.value is None:
                continue
            one = ast.Assign([one.target], one.value)
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            one.returns = None
            for part in ast.walk(one.args):
                if isinstance(part, ast.arg):
                    part.annotation = None
        for inner in (one, *getattr(one, "handlers", ()), *getattr(one, "cases", ())):
            for field in ("body", "orelse", "finalbody"):
                if isinstance(body := getattr(inner, field, None), list):
                    setattr(inner, field, _computing(body, isinstance(one, ast.ClassDef)))
        found.append(one)
    return found


def kept(key: str, make: Callable[[], str]) -> str:
    """Return a text that is made once by this user, and then found by its key in the user's cache folder."""
    path = cache_folder() / "stamps.json"
    if isinstance(found := _texts_in(path).get(key), str):
        return found
    made = make()
    texts = list({**_texts_in(path), key: made}.items())[-_MOST_KEPT:]
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}.part")
        draft.write_text(json.dumps(dict(texts)), encoding="utf-8")
        draft.replace(path)
    return made


def _texts_in(path: Path) -> dict[str, object]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, TypeError, ValueError):
        return {}


@cache
def _version(package: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # slow: laws are read without it

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _numba_config() -> Any:
    """Return Numba's settings as they are now; None if all are as by default and it is not loaded."""
    is_set = any(f"NUMBA_{name}" in os.environ for name in _SETTINGS)
    if not is_set and not _NUMBA_FILE.is_file() and "numba" not in sys.modules:
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


TRUSTED = "taken on trust"
"""How a check begins that tells what nothing else in the file determines."""
WARNING = "warning"
"""How a check begins that tells what is no fault of the file, but of what it says."""
NO_STAMP = "no stamp"
"""How a check begins that tells that a file does not say what computed it."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    what: str
    """What was compared with what, in words; what no recomputation can find begins with `TRUSTED`."""
    fault: str | None = None
    """What is wrong; None if nothing is."""


def stamp_check(
    stamp: Stamp | None,
    here: Stamp | None = None,
    *,
    again: Callable[[], Mapping[str, str]] = dict,
    same: str = "",
) -> Check:
    """Return what a stamp says of the numbers of a file; another program than this one is no fault.

    Only the sources that the stamp names are compared: a law does not depend on those of games.

    Parameters
    ----------
    stamp
        That of the file; None if it has none, as files of earlier versions.
    here
        That of this process; made if None.
    again
        Computes the fixed results of the stamp by this program; called if another one computed the file.
    same
        What of the whole file came out the same by this program, in words.
    """
    if stamp is None:
        return Check(f"{NO_STAMP}: the file does not say what computed it")
    changes = stamp.differences((here or stamp_here()).of(stamp.sources))
    told, found = "by these sources", again() if changes and stamp.results else {}
    if found and not (others := stamp.other_results(found)):
        same = f"all {sum(map(len, found.values())):,} fixed results ({', '.join(found)}) come out the same"
    elif found:
        changes = [*others, *changes]
    if changes:
        told = f"not by these sources, but {same}" if same else "not by these sources"
        told += f": {listed(changes)}"
    return Check(f"stamp {stamp.digest}: computed {told}")
