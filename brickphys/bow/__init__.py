"""BOW, the Bricks Only Wargame 1.3: its description sheets, its field, and the game.

Sheets:

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

The field:

- `studs`: sets of studs as bits.
- `field`: the ground and the decor; `terrain`: with some doors open; `board`: with all that stands on it.
- `walk`, `line`, `sight`, `hand`, `melee`, `facing`, `throw`: who reaches, sees, touches and faces what.

The game:

- `game`: the game of the contract in `rules`.
- `setting`: what never changes in a battle; `state`: what does; `notation`, `state_reading`: its text.
- `setup`, `setups`: where a battle begins; `setup_schema`, `setup_form`: the form of that; `setup_reading`,
  `field_reading`, `aim_reading`: what its parts come to.
- `muster`: two armies drawn at random for a study; `muster_schema`: what may be said about it.
- `action`: what an action is; `kinds`: the table of all; `pending`: what must be rolled or answered.
- `rounds`: turns, marks, rounds; `victory`: who has won.
- `moving`, `objects`, `giving`, `doors`, `attack`, `treatment`, `special`: the actions of a unit on foot.
- `boarding`, `piloting`: seats, speed and direction; `crash`: moves and collisions; `traffic`: their geometry.
- `arms`, `targets`: with what and whom it attacks; `place`: what it can touch.
- `damage`: what it suffers; `effects`: what new actions do.
- `prospects`: what a battle seems worth to bots.
- `situation`: a battle as a map and tables of text; `clauses`, `story`: a battle that was played as sentences;
  `course`: as ways over the field.
"""
