"""Geometry: when and where a moving body first meets standing ones, exactly and without any game.

- `polygon`: convex footprints, and the one tolerance; `prism`: a footprint between two heights.
- `body`: prisms that move as one; `pose`: its place and heading.
- `obstacles`: many prisms, prepared once for many moves among them, and replaced one at a time.
- `motion`: a straight motion or a turn of a body: what it meets, what it does to the body, where it leaves a field.
- `sweep`: the time of impact of a prism that moves straight ahead; `sweep_kernel`: its loop.
- `swing`: the angle of impact of a prism that turns about a pivot; `swing_kernel`: its loop.
- `passage`: from where to where a prism that moves overlaps others, and where it first overlaps none.
- `contact`: point, normal and edge of a touch; `contact_kernel`: its loop.
- `clearance`: how near a body that moves comes to what it misses; `clearance_kernel`: its loop.
- `line`: whether prisms are in the way of a straight line in space; `line_kernel`: its loop.
- `disc_way`: the shortest way of a disc, round discs and polygons, and how far it goes straight; `disc_ground_kernel`,
  `disc_way_kernel`: its loops.
- `nearest_kernel`: how far points are from the nearest of another side, compiled.
- `bearing`: in which direction a point lies, and whether it is within an arc.
"""
