"""Engines: who integrates a throw.

- `engine`: the interface, and what comes out of it.
- `registry`: engines by name.
- `bullet`: PyBullet, the reference; `bullet_settings`, `bullet_world`: what can be chosen, and what it steps.
- `block`, `block_settings`, `block_world`, `impact`, `block_run`: blocks that are driven into each other, in PyBullet.
- `bullet_prisms`: footprints between two heights in PyBullet, and how far they are apart.
- `camera`, `film`: pictures of models, and of models that move; `view`: from where they are taken.
- `client`: PyBullet's import and connection.
- `assembly_bodies`: vehicles, figures and decor in a PyBullet world; `camera`: their pictures.
- `compiled`: single bricks on a plane, compiled by Numba, fast.
- `kernel_flight`, `kernel_contact`, `kernel_throw`: the compiled loops, from the air to the whole throw.
- `mujoco`: single bricks on a plane by MuJoCo, an independent check; `mujoco_model`: its contact's law.
- `jit`: Numba's compiler as typed decorators.
"""
