"""Units: the brick's own lengths, and the one place that converts to engine units.

Engines work in centimetres, grams and seconds: bodies of 0.2 to 10 units are what Bullet is made for.
Everything outside ``engines/`` speaks millimetres, grams, metres a second and radians a second.
"""

STUD_MM = 8.0
PLATE_MM = 3.2
BRICK_MM = 3 * PLATE_MM

GRAVITY_M_S2 = 9.81

MM_PER_UNIT = 10.0
"""Engine units: one unit is a centimetre."""
GRAVITY_UNITS_S2 = GRAVITY_M_S2 * 1000.0 / MM_PER_UNIT
UNITS_PER_M = 1000.0 / MM_PER_UNIT
"""Multiplies metres (or metres a second) into engine units."""
MM2_PER_UNIT2 = MM_PER_UNIT**2
