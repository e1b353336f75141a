"""Kernels: the compiled loops of throws of single bodies.

- `tables`: what they are given, and their results.
- `throw_kernel`: throws of many bodies at once, in the lanes of vector registers, until they are decided or at rest.
- `flight_kernel`, `contact_kernel`, `floor_kernel`: free flight, impulses of contacts, and steps on the floor.
- `wall_kernel`: throws near the walls of a tray; `decision_kernel`: when a throw is over.
- `vectors`, `rows`: the vectors in these kernels, and their workspace.
- `ahead`: code of LLVM that was made before, so that the first throw does not wait for Numba.
- `ring_kernel`: throws of round bodies, one after the other; `scalar_kernel`: fall and contact of one body.
"""
