"""Physics: a compulsory move as rigid bodies in PyBullet.

- `masses`: what the things on a field weigh.
- `crash`: the move of a scene with bodies; `outcome`: what it comes to, as values.
- `landing_spot`: the free studs nearest to where figures came to rest.
"""
