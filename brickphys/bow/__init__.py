"""BOW, the Bricks Only Wargame 1.3: its description sheets.

- `gear`: weapons, armor, tools and bags, and ways to attack with them.
- `loadout`: what a minifig holds, wears and carries.
- `layout`: the blocks of studs on a sheet, and so the capacities.
- `sheet`: the sheet of a minifig.
- `vehicle_sheet`: the sheet of a vehicle, its seats and weapons.
- `custom`: new trivial and opposed actions, as data.
- `army`: which sheets fight on a side, and who sits where.
- `cost`: cost points, and how armies compare.
- `library`: gear, actions, sheets and armies by name.
- `sheet_file`: a library as TOML, written by hand; `sheet_schema` its form, `sheet_reading` what its tables name.
- `catalogue`: the library that ships.
- `plate`: a sheet as studs on a plate.
- `sheet_text`: a sheet for people, and as a document for programs.
"""
