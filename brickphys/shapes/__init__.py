"""Shapes: bodies that are thrown, things built of pieces, their mass properties, hulls and model files.

Bodies that are thrown:

- `body`: a rigid body as an engine needs it.
- `catalogue`: bodies by name, such as ``2x2`` or ``coin:24x2``; cuboid, coin and die.
- `brick`: bricks and plates of any size, their lengths and density, and how these were fitted.
- `solids`: mass properties in closed form.
- `hull`: the convex hull as a polyhedron.
- `mesh`: the closed surface of a brick.
- `body_file`: bodies of one's own, from meshes and built models, with mass, edge radius and poses.
- `mesh_file`: the triangles in a file of any common format, and the solid that they enclose.

Things on the table (vehicles, figures, decor), built of pieces:

- `piece`: one piece, its place on the brick grid, its mass, its colour and its surface.
- `assembly`: a thing with its footprint, heights and rigid bodies; by name, read from ``assemblies/NAME.toml``.
- `ldraw`: models in files of LDraw, by the numbers of their parts in ``ldraw.toml``.
- `schema`: keys and types of these files, and of files of bodies.
- `export`: paths of models by name, and the meshes of their visual files.
"""
