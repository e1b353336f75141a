"""The schemas of a file of pieces and of a body file. They load pydantic, so they are imported only to read a file."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError, model_validator

from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import open_ring
from brickphys.reading import parse_toml
from brickphys.schema import Name, Positive, Strict, validated
from brickphys.shapes.piece import Piece
from brickphys.units import Triple


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class PieceEntry(_Strict):
    """A piece, its copies and its mirror image."""

    form: str
    """`brick`, `plate`, `tile`, `block`, `prism` or `cylinder`."""
    at: Triple
    """Least x and y in studs, and z in plates, of its box without studs on top."""
    size: Triple
    """Size of the box: studs, studs, plates."""
    colour: str
    """Colour by name."""
    axis: str = "z"
    """Axis of a prism or cylinder: x, y or z."""
    outline: tuple[tuple[float, float], ...] = ()
    """Convex base of a prism: corners in the two other axes, as shares of the box."""
    bore: float = 0.0
    """Inner over outer diameter of a cylinder."""
    material: str = "hollow"
    """`hollow`, `abs` or `rubber`; of blocks, prisms and cylinders."""
    mass_g: float | None = None
    """Weighed mass in grams, in place of the computed one."""
    overhangs: bool = False
    """Whether it is left out of footprint and height, as the barrel of a gun is."""
    copies: tuple[Triple, ...] = ()
    """Shifts by which the piece is there again: studs, studs, plates."""
    mirror: bool = False
    """Whether all of them are there again at -y."""

    def pieces(self) -> list[Piece]:
        """Return the piece, its copies, and the mirror images (at -y) of all of them."""
        kept = self.model_dump(exclude={"at", "copies", "mirror", "outline"})
        first = Piece(corner=self.at, outline=open_ring(self.outline), **kept)
        pieces = [first, *(first.moved(by) for by in self.copies)]
        return pieces + [piece.reflected(1) for piece in pieces] * self.mirror


class IncludeEntry(_Strict):
    """The pieces of another file, moved by `at`, optionally turned by 180 degrees and recoloured."""

    of: str
    """Name of the other model."""
    at: Triple
    """Shift of its pieces: studs, studs, plates."""
    backwards: bool = False
    """Whether it is turned by 180 degrees."""
    recolour: dict[str, str] = {}
    """Colour → the colour in its place."""


class BodyEntry(_Strict):
    """The pieces of a body, its own and those of included files."""

    pieces: tuple[PieceEntry, ...] = ()
    """Pieces of its own."""
    include: tuple[IncludeEntry, ...] = ()
    """Other models that are part of it."""


class AssemblyEntry(BodyEntry):
    """A whole file."""

    kind: Literal["vehicle", "figure", "decor", "part"]
    """Kind of thing; a part is only included by others."""
    about: str
    """Short description."""
    raised_plates: Annotated[float, Field(ge=0, le=1000)] = 0.0
    """Height of its underside above the ground, in plates."""
    crew: dict[str, BodyEntry] = {}
    """Seat → the figure in it, a body that comes off in a crash."""


def parse(text: str, place: str) -> AssemblyEntry:
    """Return the entry of a file's text; messages start with `place`.

    Raises InvalidValueError if the text is not TOML, or has unknown, missing or impossible values; the message lists
    all of them by key.
    """
    tables = parse_toml(text, place)
    try:
        return AssemblyEntry.model_validate(tables)
    except ValidationError as error:
        faults = error.errors(include_url=False)
    texts = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults]
    raise InvalidValueError(f"{place}: {'; '.join(texts)}")


_NOT_A_FACE = ("leaning", "unsettled")
"""Results of a throw that are no named pose."""
Triplet = Annotated[list[FiniteFloat], Field(min_length=3, max_length=3)]


class BodyDocument(Strict):
    """A whole file; see ``docs/bodies.md``."""

    not_lines: ClassVar[frozenset[str]] = frozenset({"source"})

    name: Name
    """Name of the body in laws and tables."""
    source: Annotated[str, Field(min_length=1)]
    """Source of its lengths and its mass."""
    mesh: Annotated[str, Field(min_length=1)] | None = None
    """A mesh file beside this one: OBJ, STL, PLY, GLB, OFF or 3MF. Either `mesh` or `model`."""
    unit: Literal["mm", "cm", "m", "in"] | Positive = Field(
        "mm", description="mm, cm, m, in, or its length in mm"
    )
    """Unit of the mesh: a name, or its length in mm."""
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

    InvalidValueError with every fault of form, as ``key.path: what``.
    """
    return validated(BodyDocument, tables, place)
