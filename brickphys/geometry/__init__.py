"""Geometry: when and where a moving body first meets standing ones, exactly and without any game.

- `polygon`: convex footprints, and the one tolerance.
- `rings`: outlines as GeoJSON and WKT.
- `shape`: outlines of any form, split into convex parts: concave, with holes, round, of several parts.
- `pose`: place and heading, and in which direction a point lies.
- `obstacles`: footprints between two heights, bodies of them, and many of them, prepared once for many moves.
- `motion`: a straight motion or a turn of a body: what it meets, where it touches, where it leaves a field.
- `sweep`: the first touch of a prism that moves straight ahead or turns, where it overlaps, and lines in space.
- `clearance`: how near a body that moves comes to what it misses.
- `disc_way`: the shortest way of a disc, round discs and polygons, and how far it goes straight.
- `many`: millions of moves, distances and overlaps, as arrays.
- `sweep_kernel`, `swing_kernel`, `clearance_kernel`, `disc_way_kernel`: the compiled loops of these. The third also has
  how far points are from the nearest of another side.
- `rounded_kernel`, `border_kernel`: those of rounded outlines, and where outlines of any form touch.
"""
