"""Wavefront OBJ: the text of a mesh, in metres."""

from brickphys.shapes.mesh import Mesh

MM_PER_M = 1000.0
G_PER_KG = 1000.0


def wavefront(name: str, mesh: Mesh) -> str:
    """Return the text of an OBJ file with one object."""
    vertices = [
        "v " + " ".join(metres(coordinate) for coordinate in vertex) for vertex in mesh.vertices_mm
    ]
    faces = [f"f {a} {b} {c}" for a, b, c in mesh.triangles + 1]
    return "\n".join([f"o {name}", *vertices, *faces, ""])


def metres(value_mm: float) -> str:
    """Return a length in metres, rounded to 1 nm so that the text is the same on every platform."""
    return f"{round(value_mm / MM_PER_M, 9) + 0.0:.9f}".rstrip("0").rstrip(".")
