"""Engines: rigid-body simulations of throws and crashes, and pictures of models.

Throws:

- `engine`: the interface of engines, and their result.
- `registry`: engines by name.
- `recording`: where the bodies of one throw are at even times.
- `bullet/`: the reference engine, PyBullet on any floor.
- `compiled`: the fast engine, single bodies on a plane.
- `kernels/`: its compiled loops.
- `mujoco`: single bodies on a plane by MuJoCo, an independent check.
- `mujoco_model`: the contact model of that engine.

Other bodies in PyBullet:

- `client`: import of PyBullet and connection.
- `solver`: the contact solver, coefficients, free bodies and collision groups of all its worlds.
- `compound`: the shape of boxes and cylinders that are joined.
- `blocks/`: crashes of rigid blocks.
- `shots/`: missiles against standing bodies.
- `assembly_bodies`: vehicles, figures and decor.

Pictures:

- `view`: camera position, and PyBullet's software renderer.
- `camera`: pictures of assemblies.
"""
