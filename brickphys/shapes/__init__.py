"""Shapes: bodies that are thrown, things built of pieces, their mass properties, hulls and model files.

Bodies that are thrown:

- `body`: a rigid body as an engine needs it.
- `catalogue`: bodies by name, such as ``2x2`` or ``coin:24x2``.
- `dimensions`: lengths and density of bricks and plates, and how they were fitted.
- `brick`: bricks and plates of any size, built from these lengths.
- `primitives`: cuboid, coin and die.
- `solids`: mass properties in closed form.
- `hull`: the convex hull as a polyhedron.
- `mesh`: the closed surface of a brick.
- `body_file`: bodies of one's own, from meshes and built models, with mass, edge radius and poses.
- `body_schema`: keys and types of these files.
- `mesh_file`: the triangles in a file of any common format.
- `mesh_solid`: the solid that the shells of a mesh enclose.

Things on the table (vehicles, figures, decor), built of pieces:

- `piece`: one piece, its place on the brick grid and its mass.
- `palette`: colours of pieces.
- `piece_mesh`: the surface of a piece.
- `assembly`: a thing with its footprint, heights and rigid bodies.
- `assembly_file`: things by name, read from ``assemblies/NAME.toml``.
- `assembly_schema`: keys and types of these files.

Model files:

- `wavefront`: the OBJ text of a mesh.
- `assembly_model`: the URDF and OBJ files of an assembly.
- `export`: writes all models; paths of models by name.
"""
