"""Photograph every thing built of pieces, and write the table of models.md.

python -m docs.model_pictures
"""

from math import ceil
from pathlib import Path

import matplotlib.pyplot as plt

from benchmarks.renderer import render_assembly
from brickphys.plots.camera import Image
from brickphys.shapes.assembly import Assembly, assembly, assembly_names

DOCS = Path(__file__).parent
PAGE = DOCS / "models.md"
PICTURES = DOCS / "img" / "models"
BEGIN, END = "<!-- table: python -m docs.model_pictures -->", "<!-- end of table -->"
HEADER = """\
| thing | what it is | footprint, studs | bottom to top, plates | mass, g | of the hull alone, g | crew of its own |
|---|---|---|---|---|---|---|
"""
COLUMNS = 4
INCH_PIXELS = 150


def main() -> None:
    """Write the pictures, the sheet of all of them, and the table."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    pictures = {name: render_assembly(assembly(name)) for name in assembly_names()}
    for name, picture in pictures.items():
        plt.imsave(PICTURES / f"{name}.png", picture)
    draw_sheet(pictures)
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n\n{table()}\n{END}{after}", encoding="utf-8", newline="\n")


def draw_sheet(pictures: dict[str, Image]) -> None:
    """Write all pictures on one sheet, each with its name and size."""
    rows = ceil(len(pictures) / COLUMNS)
    height, width, _ = next(iter(pictures.values())).shape
    figure, axes = plt.subplots(
        rows,
        COLUMNS,
        figsize=(COLUMNS * width * 0.75 / INCH_PIXELS, rows * height * 0.87 / INCH_PIXELS),
        layout="constrained",
    )
    for place in axes.flat:
        place.set_axis_off()
    for (name, picture), place in zip(pictures.items(), axes.flat, strict=False):
        place.imshow(picture, interpolation="antialiased")
        place.set_title(f"{name.replace('_', ' ')}, {footprint(assembly(name))}", fontsize=8)
    figure.savefig(DOCS / "img" / "models.png", dpi=INCH_PIXELS)
    plt.close(figure)


def table() -> str:
    """Return the table of all things, as Markdown."""
    return HEADER + "".join(row(assembly(name)) for name in assembly_names())


def row(thing: Assembly) -> str:
    """Return the row of a thing."""
    crew = ", ".join(body.name.partition("/")[2] for body in thing.crew) or "none"
    heights = f"{thing.bottom_plates:g} to {thing.top_plates:g}"
    picture = f"[{thing.name}](img/models/{thing.name}.png)"
    masses = f"{thing.mass_g:.2f} | {thing.hull.mass.mass_g:.2f}"
    return f"| {picture} | {thing.about} | {footprint(thing)} | {heights} | {masses} | {crew} |\n"


def footprint(thing: Assembly) -> str:
    """Return length by width in studs."""
    return f"{thing.length_studs:g} x {thing.width_studs:g}"


if __name__ == "__main__":
    main()
