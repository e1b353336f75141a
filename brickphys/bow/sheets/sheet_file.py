"""Sheet files: gear, actions, sheets and armies as TOML, written by hand; faults have their key paths."""

from pathlib import Path

from brickphys.bow.sheets.library import Library
from brickphys.bow.sheets.sheet_reader import LibraryReader
from brickphys.errors import SheetFileError, raised_as, refuse
from brickphys.reading import MOST_SETUP_BYTES, parse_toml, read_text


def read_library(path: Path | str, base: Library) -> Library:
    """Read a file of sheets.

    Parameters
    ----------
    path
        TOML, as ``docs/sheets.md`` describes it.
    base
        What the file may name and extend, such as the catalogue.

    Returns
    -------
    Library
        What is in the file, and its gear and actions along with those of `base`.

    Raises
    ------
    SheetFileError
        If the file cannot be read, is no TOML, or has any fault: one line lists every fault of form, or if there is
        none every fault of meaning, as ``key.path: what``.
    """
    with raised_as(SheetFileError):
        return parse_library(read_text(path, MOST_SETUP_BYTES), str(path), base)


def parse_library(text: str, name: str, base: Library) -> Library:
    """Return the library in a text; `name` begins the message of an error (see `read_library`)."""
    from brickphys.bow.sheets.sheet_schema import LibraryDocument
    from brickphys.schema import validated

    with raised_as(SheetFileError):
        reader = LibraryReader(base)
        library = reader.read(validated(LibraryDocument, parse_toml(text, name), name))
        refuse(name, reader.faults)
    return library
