"""Engines: rigid-body simulations of throws and crashes, and pictures of models.

Throws:

- `engine`: the interface of engines, and their result.
- `registry`: engines by name.
- `recording`: where the bodies of one throw are at even times.
- `bullet`: the reference engine, PyBullet on any floor; `bullet_world`: the bodies and the floor of its worlds.
- `compiled`: the fast engine, single bodies on a plane.
- `throw_kernel`, `contact_kernel`, `flight_kernel`: its compiled loops.
- `lanes`: the engine that throws many single bodies at once, in the lanes of vector registers.
- `lanes_kernel`: its compiled loops, with `lanes_flight_kernel`, `lanes_contact_kernel`, `lanes_floor_kernel`.
- `vectors`, `lanes_rows`: the vectors in these kernels, and the rows of their workspace.
- `rings`: throws of round bodies, in loops of their own.
- `mujoco`: single bodies on a plane by MuJoCo, an independent check.

Other bodies in PyBullet:

- `client`: import of PyBullet and connection; the contact solver, coefficients, free bodies and collision groups.
- `bodies`: joined boxes and cylinders, and distances between prisms.
- `block_run`: crashes of rigid blocks; `block_world`: blocks on a floor; `block_impact`: impacts, pushes and energy.
- `shoot`: missiles against standing bodies; `shot_world`: both in a world.

Pictures:

- `camera`: camera position, PyBullet's software renderer, and pictures of assemblies.
"""
