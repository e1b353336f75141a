"""Column: the values of a column of rows as an array."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa


def values(column: pa.ChunkedArray) -> npt.NDArray[Any]:
    """Return the values of a column of numbers or truth values without nulls.

    pyarrow's own `to_numpy` imports pandas, which takes longer than the status of a large batch.
    """
    if column.type == pa.bool_():
        return values(column.cast(pa.uint8())).astype(bool)
    return np.from_dlpack(column.combine_chunks())
