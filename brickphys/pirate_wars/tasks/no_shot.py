"""No shot: the shots at an enemy that a person means, or why no gun and no minifig can hit it (PW Firing)."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from brickphys.geometry.polygon import TOLERANCE
from brickphys.pirate_wars.sheets.minifigs import Ammunition
from brickphys.pirate_wars.state.state import State
from brickphys.pirate_wars.tasks.boarding import StrikeBack
from brickphys.pirate_wars.tasks.firing import Fire, Shoot, cannon
from brickphys.pirate_wars.tasks.gunnery import gap_studs
from brickphys.pirate_wars.tasks.orders import ship_problem, target_problem
from brickphys.rules.names import Names, meant
from brickphys.rules.readings import Readings
from brickphys.rules.report.names import names_text
from brickphys.text import spoken

_Kinds = Collection[type[Fire | Shoot]]
_KINDS: Mapping[str, _Kinds] = {
    StrikeBack.word: (Fire, Shoot),
    Fire.word: (Fire,),
    Shoot.word: (Shoot,),
}
"""The words after which the name of an enemy alone means shots at it."""


def shots_meant(state: State, names: Names, text: str) -> Readings | None:
    """Return the shots at an enemy that a person means, or why none can hit it; None for words that mean none.

    Words that mean some are the name of the enemy or of a minifig on it, alone or after such a word, and where there is
    only one enemy, the word alone.
    """
    word, _, name = text.partition(" ")
    kinds = _KINDS.get(word.lower())
    if name or kinds is None:
        named = _ships(state, meant(names, text if kinds is None else name))
    else:
        named = [state.setting.ships[ship].name for ship, _ in state.enemies(state.player)]
    if len(named) != 1 or named[0] not in state.setting.ship_numbers:
        return None
    if problem := target_problem(state, named[0]):
        return Readings((), why=problem)
    kinds = kinds or (Fire, Shoot)
    shots = [one.text() for kind in kinds for one in kind.legal(state) if one.target == named[0]]
    return Readings(tuple(shots), why="" if shots else no_shot(state, named[0], kinds))


def _ships(state: State, names: Iterable[str]) -> list[str]:
    """Return names with those of minifigs of others replaced by the ships on which they are, each once."""
    found = dict[str, None]()
    for name in names:
        number = state.setting.minifig_numbers.get(name)
        aboard = None if number is None else state.minifigs[number].ship
        if number is None or aboard is None or state.commander(number) == state.player:
            found[name] = None
        else:
            found[state.setting.ships[aboard].name] = None
    return list(found)


def no_shot(state: State, target: str, kinds: _Kinds) -> str:
    """Return why no shot of some types would hit a ship, for each ship of the player; equal reasons once."""
    found = list[str]()
    for ship, now in state.afloat():
        if now.owner != state.player:
            continue
        own = state.setting.ships[ship].name
        if fault := ship_problem(state, own):
            found.append(fault)
            continue
        name = spoken(own)
        if Fire in kinds and (guns := _told(_guns(state, ship, target))):
            found.append(f"cannons of {name}: {guns}")
        if Shoot in kinds and (crew := _told(_crew(state, ship, target))):
            found.append(f"muskets and pistols of {name}: {crew}")
    return "; ".join(found) or "no ship of yours has anything to shoot with (PW Firing)"


def _guns(state: State, ship: int, target: str) -> Iterator[tuple[str, str]]:
    """Yield the guns of a ship, each with the reason why its ball does not hit the target."""
    own, enemy = state.setting.ships[ship].name, state.setting.ship_numbers[target]
    far = gap_studs(state, ship, enemy)
    for gun in range(len(state.ships[ship].guns)):
        shot = Fire(own, gun, Ammunition.BALL, target)
        reach = cannon(state, ship, gun, Ammunition.BALL).range_studs
        if far > reach + TOLERANCE:
            away = f"{spoken(target)} is {far:.4g} studs away"
            yield f"gun{gun}", f"{away}, but ball reaches only {reach:g} (PW Firing)"
        elif problem := next(shot.problems(state), ""):
            yield f"gun{gun}", problem
        elif waste := shot.waste(state):
            yield f"gun{gun}", f"{waste}, and fires straight along its barrel (PW Firing)"


def _crew(state: State, ship: int, target: str) -> Iterator[tuple[str, str]]:
    """Yield the minifigs of a ship with a musket or pistol, each with the reason why it does not hit the target."""
    for number in state.crews[ship]:
        spec = state.setting.minifigs[number]
        if spec.weapon is None:
            continue
        shot = Shoot(spec.name, target)
        if waste := shot.waste(state):
            yield spec.name, f"{waste} (PW Firing)"
        elif problem := next(shot.problems(state), ""):
            yield spec.name, problem


def _told(whys: Iterable[tuple[str, str]]) -> str:
    """Return reasons, each once with all guns or minifigs that it is about."""
    groups: dict[str, list[str]] = {}
    for name, why in whys:
        groups.setdefault(re.sub(rf"\b{re.escape(name)}\b", "{}", why), []).append(name)
    pairs = ((why, names_text(names), len(names)) for why, names in groups.items())
    return "; ".join(
        why.format(f"each of {names}" if count > 1 else names) for why, names, count in pairs
    )
