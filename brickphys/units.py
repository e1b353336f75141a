"""Units: stud, plate and brick in mm, gravity, and the factors between these units and engine units.

Engines work in centimetres, grams and seconds, because Bullet is made for bodies of 0.2 to 10 units. Everything
outside ``engines/`` uses millimetres, grams, metres per second and radians per second.
"""

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
