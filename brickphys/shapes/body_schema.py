"""The schema of a body file. It loads pydantic, so `body_file` imports it only to read a file."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, FiniteFloat, model_validator

from brickphys.schema import Name, Strict, validated

_NOT_A_FACE = ("leaning", "unsettled")
"""Results of a throw that are no named pose."""
Triplet = Annotated[list[FiniteFloat], Field(min_length=3, max_length=3)]
Positive = Annotated[FiniteFloat, Field(gt=0)]


class BodyDocument(Strict):
    """A whole file; see ``docs/bodies.md``."""

    not_lines: ClassVar[frozenset[str]] = frozenset({"source"})

    name: Name
    """Name of the body in laws and tables."""
    source: Annotated[str, Field(min_length=1)]
    """Source of its lengths and its mass."""
    mesh: Annotated[str, Field(min_length=1)] | None = None
    """A mesh file beside this one: OBJ, STL, PLY, GLB, OFF or 3MF. Either `mesh` or `model`."""
    unit: Literal["mm", "cm", "m", "in"] = "mm"
    """Unit of the mesh."""
    model: Annotated[str, Field(min_length=1)] | None = None
    """A model that ships, such as `jeep`, or a model file beside this one."""
    mass_g: Positive | None = None
    """Mass in grams. A mesh needs it or the density."""
    density_g_cm3: Positive | None = None
    """Density in g/cm³, of a mesh."""
    inertia_g_mm2: Annotated[list[Positive], Field(min_length=3, max_length=3)] | None = None
    """Principal moments of inertia in g mm², in place of those of the mesh."""
    centre_of_mass_mm: Triplet | None = None
    """Centre of mass in mm, in the axes of the file, in place of that of the mesh."""
    edge_radius_mm: (
        FiniteFloat | Annotated[list[FiniteFloat], Field(min_length=2, max_length=2)]
    ) = Field(0.0, description="a number, or [least, greatest]")
    """Radius of the rounded edges in mm; of a range, the middle is used, and a law's 90 % range spans it."""
    poses: dict[Name, Annotated[list[Triplet], Field(min_length=1)]] = Field(default_factory=dict)
    """Pose → outward normals of the faces that lie below in it."""
    within_deg: Annotated[FiniteFloat, Field(gt=0, le=90)] = 1.0
    """A face has the pose of the nearest normal within this angle, in degrees."""
    other_pose: Name | None = None
    """Pose of all other faces; without it they count as `leaning`."""
    scores: list[Name] = Field(default_factory=list)
    """Poses that score; a law needs at least one."""

    @model_validator(mode="after")
    def _is_one_body(self) -> "BodyDocument":
        if (self.mesh is None) == (self.model is None):
            raise ValueError("mesh, model: exactly one of them is needed")
        weights = sum(weight is not None for weight in (self.mass_g, self.density_g_cm3))
        if self.mesh is not None and weights != 1:
            raise ValueError("mass_g, density_g_cm3: a mesh needs exactly one of them")
        for key in ("unit", "density_g_cm3"):
            if self.model is not None and key in self.model_fields_set:
                raise ValueError(f"{key}: a model has its own")
        if not self.named:
            raise ValueError("poses, other_pose: no face has a pose")
        for name in _NOT_A_FACE:
            if name in self.named:
                raise ValueError(
                    f"poses: {name!r} is reserved for a body that stops in no named pose"
                )
        return self

    @property
    def named(self) -> tuple[str, ...]:
        """Names of all poses."""
        other = () if self.other_pose is None else (self.other_pose,)
        return tuple(dict.fromkeys((*self.poses, *other)))


def body_document(tables: dict[str, Any], place: str) -> BodyDocument:
    """Return the tables of a body file if they have the right form.

    Raises
    ------
    InvalidValueError
        With every fault of form, as ``key.path: what``.
    """
    return validated(BodyDocument, tables, place)
