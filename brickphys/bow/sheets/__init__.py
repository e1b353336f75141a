"""Description sheets of BOW (1.4, A, B): what units and vehicles can do, what they carry, and what they cost.

- `rulebook`: numbers of the rules.
- `gear`: weapons, armor, tools and bags, what a minifig carries, and ways to attack.
- `sheet`: the sheets of minifigs and vehicles, and the blocks of studs on them.
- `library`: gear, custom actions, sheets and armies by name, and their cost.
- `documents`: the form of a file of sheets.
- `catalogue`: the library that ships, and those in files.
- `plate`: a sheet as studs on a plate, as text, and as a document.
"""
