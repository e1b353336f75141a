"""Rings: throws of bodies of revolution on a plane, as coaxial circles swept by a ball.

- `ring_kernel`: the compiled loop: flights, bounces, steps on the floor with the losses of rolling, and the end.
"""
