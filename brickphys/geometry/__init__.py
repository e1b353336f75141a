"""Geometry: when and where what moves meets what stands. Exact, and no game is known here.

- `polygon`: convex footprints, and the one tolerance; `prism`: a footprint between two heights.
- `obstacles`: many prisms, prepared once for many moves among them.
- `sweep`: the time of impact of a prism that moves straight ahead, and the contact point; `sweep_kernel`: its loop.
- `swing`: the angle of impact of a prism that turns about a pivot; `swing_kernel`: its loop.
- `passage`: from where to where a prism that moves overlaps others, and where it first overlaps none.
- `line`: whether prisms are in the way of a straight line in space; `line_kernel`: its loop.
- `bearing`: in which direction a point lies, and whether it is within an arc.
"""
