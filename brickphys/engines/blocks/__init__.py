"""Blocks: crashes of rigid blocks in PyBullet.

- `block`: a rigid block.
- `settings`: time step and contact solver.
- `world`: blocks on a floor.
- `impact`: the first impact of two blocks.
- `chain`: the blocks that a push reaches.
- `run`: one block driven among others until all are at rest.
"""
