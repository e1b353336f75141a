"""The field of Minifig battles: the table in inches, and what figures may do on it.

- `ground`: walls as they stand, woods, water and hills, and the ground of a move.
- `reach`: where a move may end, and the way there.
- `places`: places worth going to, of the many within reach; `places_kernel`: their loops.
- `contact`: who touches whom, over a low wall too.
- `sight`: whether a figure sees some of a target past bricks and hills.
"""
