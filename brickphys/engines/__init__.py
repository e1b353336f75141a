"""Engines: who integrates a throw.

- `engine`: the interface, and what comes out of it.
- `registry`: engines by name.
- `bullet`: PyBullet, the reference; `bullet_settings`, `bullet_world`: what can be chosen, and what it steps.
- `client`: PyBullet's import and connection.
"""
