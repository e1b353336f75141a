"""Engines: rigid-body simulations of throws and crashes.

Throws:

- `engine`: the interface of engines, and their result.
- `registry`: engines by name.
- `recording`: where the bodies of one throw are at even times.
- `bullet`: the reference engine, PyBullet on any floor; `bullet_world`: the bodies and the floor of its worlds.
- `compiled`: the fast engine, single bodies on a plane or in a tray, many at once; `kernels`: its compiled loops.
- `mujoco`: bodies on any floor by MuJoCo, an independent check; `mujoco_world`: the bodies and the floor of its worlds.
- `hands`: hands from release to rest, for `bullet` and `mujoco`: energy, decision, results.

Other bodies in PyBullet:

- `client`: import of PyBullet and connection; the contact solver, coefficients, free bodies and collision groups.
- `bodies`: joined boxes and cylinders, and distances between prisms.
- `block_run`: crashes of rigid blocks; `block_world`: blocks on a floor; `block_impact`: impacts, pushes and energy.
- `shoot`: missiles against standing bodies; `shot_world`: both in a world.
"""
