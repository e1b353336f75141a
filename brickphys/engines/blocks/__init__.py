"""Blocks: crashes of rigid blocks in PyBullet.

- `block`: a rigid block.
- `settings`: time step and contact solver.
- `world`: blocks on a floor.
- `impact`: the first impact of two blocks.
- `chain`: the blocks that a push reaches.
- `drive`: how the first block is driven.
- `energy`: what the blocks are given, and that they only lose it.
- `run`: one block driven among others until all are at rest.
"""
