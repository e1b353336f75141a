"""Description sheets of BOW (1.4, A, B): what units and vehicles can do, what they carry, and what they cost.

- `gear`: weapons, armor, tools and bags, and ways to attack with them.
- `loadout`: what a minifig holds, wears and carries.
- `layout`: the blocks of studs on a sheet; their sizes are the capacities.
- `minifig_sheet`: the sheet of a minifig.
- `vehicle_sheet`: the sheet of a vehicle, its seats and weapons.
- `custom_actions`: the new actions of Annex B, trivial and opposed, as data.
- `army`: the sheets that fight on a side, and the seats in which units begin.
- `cost`: cost points, and how armies compare.
- `library`: gear, actions, sheets and armies by name.
- `sheet_file`: a library as TOML, written by hand; `sheet_schema`: its form; `sheet_reader`: what its tables mean.
- `catalogue`: the library that ships.
- `drawn_sheets`: the library that ships along with files, for armies that are drawn.
- `plate`: a sheet as studs on a plate.
- `sheet_text`: a sheet for people, and as a document for programs.
"""
