"""Units: stud, plate and brick in mm, gravity, the factors between these units and engine units, and types of arrays.

Engines work in centimetres, grams and seconds, because Bullet is made for bodies of 0.2 to 10 units. Everything
outside ``engines/`` uses millimetres, grams, metres per second and radians per second. The types of NumPy arrays are by
element; docstrings give the shapes. `Triple` is a tuple of three numbers.
"""

import numpy as np
import numpy.typing as npt

STUD_MM = 8.0
PLATE_MM = 3.2
BRICK_MM = 3 * PLATE_MM

GRAVITY_M_S2 = 9.81

MM_PER_UNIT = 10.0
"""The engine unit of length is a centimetre."""
GRAVITY_UNITS_S2 = GRAVITY_M_S2 * 1000.0 / MM_PER_UNIT
UNITS_PER_M = 1000.0 / MM_PER_UNIT
"""Engine units of length in a metre; also converts metres per second."""
MM2_PER_UNIT2 = MM_PER_UNIT**2


Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
Counts = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Depths = npt.NDArray[np.float32]
Faces = npt.NDArray[np.int32]
Triple = tuple[float, float, float]
