"""Arrays: types of NumPy arrays by element (docstrings give the shapes), and `Triple`, a tuple of three numbers."""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
Counts = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Depths = npt.NDArray[np.float32]
Faces = npt.NDArray[np.int32]
Triple = tuple[float, float, float]
