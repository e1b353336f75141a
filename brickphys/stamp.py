"""Stamp: what the numbers of this process are made by: sources, settings of the compiler, processor, versions."""

import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from json import dumps
from pathlib import Path

from brickphys.errors import InvalidValueError

_PACKAGES = ("brickphys", "llvmlite", "mujoco", "numba", "numpy", "pybullet", "scipy", "trimesh")
"""Packages that compute."""
_NO_NUMBERS = {"__pycache__", "cli", "plots"}
"""Folders of this package that change no number."""
_KERNEL_SETTINGS = (
    "NUMBA_BOUNDSCHECK",
    "NUMBA_DISABLE_INTEL_SVML",
    "NUMBA_DISABLE_JIT",
    "NUMBA_ENABLE_AVX",
    "NUMBA_LOOP_VECTORIZE",
    "NUMBA_OPT",
    "NUMBA_SLP_VECTORIZE",
)
"""Variables of the environment that change what Numba compiles; those of the processor are in `Stamp.processor`."""
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
        Variable of the environment -> value, of those that change what Numba compiles.
    processor
        ``name``, and a digest of the ``features`` that machine code may use.
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
        return _hex(dumps(self.document(), sort_keys=True).encode())

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
    """Return the stamp of this process.

    Parameters
    ----------
    packages
        Names of other packages or modules whose sources count, such as that of a game of one's own.
    """
    others = {name: _package_digest(name) for name in packages if not _is_own(name)}
    names = dict.fromkeys([*_PACKAGES, *packages])
    return Stamp(
        sources={**_own_sources(), **others},
        kernels={name: os.environ[name] for name in _KERNEL_SETTINGS if name in os.environ},
        processor=_processor(),
        platform={
            "system": platform.system(),
            "machine": platform.machine(),
            "python": platform.python_version(),
            "libc": " ".join(platform.libc_ver()).strip(),
        },
        versions={name: found for name in names if (found := _version(name))},
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


def sources_in(folder: Path) -> dict[str, str]:
    """Return the digest of each folder of a package that computes, and as ``base`` that of the files in none."""
    paths = sorted(folder.iterdir())
    folders = (path for path in paths if path.is_dir() and path.name not in _NO_NUMBERS)
    return {
        _BASE: _files_digest(folder, paths),
        **{path.name: _files_digest(path, sorted(path.rglob("*"))) for path in folders},
    }


@cache
def _own_sources() -> dict[str, str]:
    return sources_in(Path(__file__).parent)


def _files_digest(folder: Path, paths: list[Path]) -> str:
    """Return the digest of the names and contents of files, without what Python and Numba store beside them."""
    found = sha256()
    for path in paths:
        if "__pycache__" not in path.parts and path.is_file():
            content = path.read_bytes()
            found.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
            found.update(content)
    return found.hexdigest()[:_DIGITS]


def _package_digest(name: str) -> str:
    spec = find_spec(name.partition(".")[0])
    if spec is None or spec.origin is None:
        return "unknown"
    origin = Path(spec.origin)
    if origin.name != "__init__.py":
        return _files_digest(origin.parent, [origin])
    return _files_digest(origin.parent, sorted(origin.parent.rglob("*")))


def _is_own(name: str) -> bool:
    return name.partition(".")[0] == __package__


@cache
def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> dict[str, str]:
    """Return the processor for which Numba compiles: this one, unless the environment says otherwise."""
    from llvmlite.binding import get_host_cpu_features, get_host_cpu_name

    name = os.environ.get("NUMBA_CPU_NAME") or get_host_cpu_name()
    features = os.environ.get("NUMBA_CPU_FEATURES")
    if features is None:  # Numba takes none for the processor "generic"
        features = "" if name.lower() == "generic" else get_host_cpu_features().flatten()
    return {"name": name, "features": _hex(features.encode())}


def _hex(data: bytes) -> str:
    return sha256(data).hexdigest()[:_DIGITS]


def _difference(table: str, key: str, ours: str | None, theirs: str | None) -> str:
    if table == "sources":
        return f"the sources of {key} have changed"
    return f"{table} {key} is {theirs or 'not there'}, was {ours or 'not there'}"
