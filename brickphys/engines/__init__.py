"""Engines: rigid-body simulations of throws and crashes, and pictures of models.

Throws:

- `engine`: the interface of engines, and their result.
- `registry`: engines by name.
- `bullet`: the reference engine, PyBullet on any floor.
- `bullet_settings`: its time step, contact solver and stopping rules.
- `bullet_world`: the bodies of hands in a PyBullet world.
- `bullet_floor`: the floor of such a world.
- `bullet_landing`: poses in which it finds all corners that touch the floor.
- `bullet_lift`: bricks moved out of the floor and of each other.
- `compiled`: the fast engine, single bricks on a plane.
- `kernel_flight`: its compiled loops for free flight.
- `kernel_contact`: its compiled loops for contact impulses.
- `kernel_throw`: its compiled loops for whole throws.
- `mujoco`: single bricks on a plane by MuJoCo, an independent check.
- `mujoco_model`: the contact model of that engine.

Other bodies in PyBullet:

- `client`: import of PyBullet and connection.
- `block`: a rigid block.
- `block_settings`: time step and contact solver for blocks.
- `block_world`: blocks on a floor.
- `impact`: the first impact of two blocks.
- `block_run`: one block driven among others until all are at rest.
- `bullet_prisms`: distances between prisms.
- `assembly_bodies`: vehicles, figures and decor.

Pictures:

- `view`: camera position, and PyBullet's software renderer.
- `camera`: pictures of assemblies.
- `film`: frames of moving models.
"""
