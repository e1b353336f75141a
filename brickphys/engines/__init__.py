"""Engines: who integrates a throw.

- `engine`: the interface, and what comes out of it.
- `registry`: engines by name.
- `bullet`: PyBullet, the reference.
- `client`: PyBullet's import and connection.
"""
