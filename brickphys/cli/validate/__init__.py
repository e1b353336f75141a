"""The commands of `validate`.

- `group`: the group.
- `throws`: tracked tosses of a cube.
- `radius`: the edge radius of a tracked cube.
- `collisions`: the compulsory move against independent geometry.
- `engines`: the engines against each other.
- `rolls`: published rolls of prisms, a coin and a cylinder.
"""
