"""Records: answers about many outlines as a structured array, and the threads that share the work."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from brickphys.errors import InvalidValueError
from brickphys.interface import Displayed, Row
from brickphys.units import Array
from brickphys.workers import MAX_WORKERS, cores

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")


class Records(Displayed):
    """Answers, one record each."""

    array: npt.NDArray[Any]

    def rows(self) -> list[Row]:
        """Return one row for each record."""
        names = self.array.dtype.names or ()
        return [dict(zip(names, row, strict=True)) for row in self.array.tolist()]

    def to_arrow(self) -> "pa.Table":
        """Return the array as a table of Arrow."""
        import pyarrow as pa

        names = self.array.dtype.names or ()
        return pa.table({name: np.ascontiguousarray(self.array[name]) for name in names})


def filled(form: np.dtype[Any], rows: Array, columns: Mapping[str, int]) -> npt.NDArray[Any]:
    """Return records of a form, given the rows of a compiled loop and the column of each field that has one."""
    found = np.empty(len(rows), form)
    for name, column in columns.items():
        found[name] = rows[:, column]
    return found


def thread_count(threads: int | None) -> int:
    """Return how many threads work, all cores if None; refuse an impossible number."""
    if threads is not None and not 1 <= threads <= MAX_WORKERS:
        raise InvalidValueError(f"threads {threads} is outside 1..{MAX_WORKERS}")
    return threads or cores()


def in_chunks(part: Callable[[int, int], T], total: int, chunk: int, threads: int) -> list[T]:
    """Return what a function of the first and the end of a chunk returns for each; threads share the chunks."""
    begins = range(0, total, chunk)
    with ThreadPoolExecutor(min(threads, max(len(begins), 1))) as pool:
        return list(pool.map(lambda begin: part(begin, min(begin + chunk, total)), begins))
