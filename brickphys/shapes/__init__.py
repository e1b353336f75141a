"""What is thrown, and what stands on the table: their mass, their hull, their models on disk.

What is thrown are bricks and plates, cuboids, coins and dice.

`body` is what an engine needs to know of a thing. `catalogue` reads a shape's name. `brick` builds the family of bricks
and plates from the lengths in `dimensions`, `primitives` the cuboid, the coin and the die. `solids` adds up mass
properties in closed form, `hull` makes a polyhedron of points, `mesh` the watertight surface of a brick.

What stands on the table (vehicles, figures, decor) is built of pieces. `assembly_file` finds a thing by name: it reads
its pieces from ``assemblies/NAME.toml`` by `assembly_schema`. `piece` is one of them and what it weighs, in a colour of
the `palette`; `piece_mesh` is its surface; `assembly` is the whole, with footprint, height and bodies.

`export` writes and finds the URDF and OBJ files; `assembly_model` tells those of an assembly, `wavefront` those of a
mesh.
"""
