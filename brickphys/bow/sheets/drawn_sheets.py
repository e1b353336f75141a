"""Drawn sheets: the units that armies are drawn from, those that ship and those in files of one's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from brickphys.bow.sheets.catalogue import foot
from brickphys.bow.sheets.library import Library
from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.bow.sheets.sheet_reader import LibraryReader
from brickphys.errors import refuse
from brickphys.reading import parse_toml
from brickphys.rules.catalogue import TableReader
from brickphys.rules.setup.random_armies import OPTIONS
from brickphys.text import shown

_TOML = ".toml"
_NOT_DRAWN = ("vehicle", "army")
"""Tables of a file of sheets that are left out: only minifigs are drawn."""


def sheet_files(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the files of sheets that the options of a draw name, each once; options with faults name what they can."""
    units = options.get("units")
    words = [unit for unit in units if isinstance(unit, str)] if isinstance(units, list) else []
    files = (word.partition(",")[0] for word in words)
    return tuple(dict.fromkeys(name for name in files if name.endswith(_TOML)))


@dataclass(frozen=True)
class DrawnSheets:
    """What ships along with what is in files.

    Attributes
    ----------
    library
        Gear, actions and units of both.
    tables
        The tables of the files, as the part ``library`` of a setup.
    units
        Name of a file -> names of its units.
    """

    library: Library
    tables: Mapping[str, Any]
    units: Mapping[str, Sequence[str]]

    def chosen(self, names: Sequence[str] | None) -> dict[str, MinifigSheet]:
        """Return the sheets that may be drawn, those that ship first.

        Parameters
        ----------
        names
            Names of shipped units; ``mine.toml`` for all units of a file, ``mine.toml,gladiator`` for one of them. None
            for all that ship.

        Raises
        ------
        InvalidValueError
            With the names that are not known.
        """
        reader, wanted = TableReader(), set[str]()
        for index, word in enumerate(foot().units if names is None else names):
            wanted.update(self._named(reader, f"units[{index}]", word))
        refuse(OPTIONS, reader.faults)
        return {name: sheet for name, sheet in self.library.units.items() if name in wanted}

    def _named(self, reader: TableReader, place: str, word: str) -> Sequence[str]:
        """Return the names of the units that a word stands for; what is wrong with it becomes a fault."""
        file, _, name = word.partition(",")
        if not file.endswith(_TOML):
            reader.find(place, "unit", word, foot().units)
            return [word]
        if file not in self.units:
            reader.faults.append(f"{place}: the text of {shown(file)} is not in files")
            return []
        own = self.units[file]
        if not own:
            reader.faults.append(f"{place}: {shown(file)} has no units")
        if name:
            reader.find(place, f"unit of {file}", name, dict.fromkeys(own, name))
            return [name]
        return own


def drawn_sheets(files: Mapping[str, str]) -> DrawnSheets:
    """Return what ships along with what is in files of sheets.

    Parameters
    ----------
    files
        Name -> text. Their vehicles and armies are left out.

    Raises
    ------
    InvalidValueError
        With the faults of a file. No name may be that of a shipped unit, or of a unit in another file.
    """
    return _drawn_sheets(tuple(files.items()))


@lru_cache(maxsize=8)
def _drawn_sheets(files: tuple[tuple[str, str], ...]) -> DrawnSheets:
    from brickphys.bow.sheets.sheet_schema import LibraryDocument
    from brickphys.schema import validated

    library, tables, units = foot(), dict[str, Any](), dict[str, Sequence[str]]()
    for name, text in files:
        document = {
            table: rows for table, rows in parse_toml(text, name).items() if table not in _NOT_DRAWN
        }
        reader = LibraryReader(library)
        read = reader.read(validated(LibraryDocument, document, name))
        refuse(name, reader.faults)
        library = replace(read, units={**library.units, **read.units})
        units[name] = tuple(read.units)
        for table, rows in document.items():
            tables[table] = [*tables.get(table, ()), *rows]
    return DrawnSheets(library, tables, units)
