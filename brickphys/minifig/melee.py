"""Melee: hand-to-hand, its bricks by rows of the chart, and its rolls (MF Resolving Combat)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Self

from brickphys.errors import unknown
from brickphys.geometry.polygon import unit_vector
from brickphys.minifig import sheets
from brickphys.minifig.ground import SLACK_IN, height_bricks, opponents, wall_between
from brickphys.minifig.setting import FigureNumber
from brickphys.minifig.state import Deed, Phase, State
from brickphys.rules.events import Outcome
from brickphys.rules.moves import Move
from brickphys.rules.rolls import OpposedRoll
from brickphys.rules.turn_state import PendingRoll, scores
from brickphys.rules.words import NAME
from brickphys.text import spoken


def attack_bricks(state: State, attacker: int, defender: int) -> dict[str, int]:
    """Return the bricks of an attack, by row of the chart; with option ``experience_bricks`` a row of experience."""
    rows = sheets.attack_rows(state.setting.figures[attacker].kind, state.arms(attacker))
    rows.update(_place_rows(state, attacker, defender, "downward"))
    if state.setting.options.wall_attack == "against":
        rows.discard(sheets.WALL)
    one, other = state.figures[attacker], state.figures[defender]
    x, y = unit_vector(other.facing_deg)
    if (one.x_in - other.x_in) * x + (one.y_in - other.y_in) * y < -SLACK_IN:
        rows.add("rear")
    return sheets.attack_chart(rows) | _experience_bricks(state, attacker)


def defence_bricks(state: State, attacker: int, defender: int) -> dict[str, int]:
    """Return the bricks of a defence, by row; see `attack_bricks`."""
    rows = sheets.defence_rows(state.arms(defender))
    rows.update(_place_rows(state, defender, attacker, "higher"))
    return sheets.defence_chart(rows) | _experience_bricks(state, defender)


def _place_rows(state: State, figure: int, enemy: int, above: str) -> Iterator[str]:
    """Yield the rows of either side by its place; `above` is that of who stands a brick higher or more."""
    if state.figures[figure].horse is not None:
        yield sheets.MOUNTED
    if wall_between(state, figure, enemy) is not None:
        yield sheets.WALL
    here, there = (
        height_bricks(state.setting, state.figures[each].place_in) for each in (figure, enemy)
    )
    if here - there >= 1:
        yield above


def _experience_bricks(state: State, figure: int) -> dict[str, int]:
    level = state.setting.figures[figure].experience
    return {"experience": level} if level and state.setting.options.experience_bricks else {}


def ahead(state: State, attacker: int, defender: int) -> int:
    """Return by how much experience puts an attacker's score ahead of a defender's (MF Experience)."""
    if state.setting.options.experience_bricks:
        return 0
    figures = state.setting.figures
    return figures[attacker].experience - figures[defender].experience


def attacks(state: State) -> dict[int, list[int]]:
    """Return whom each figure of the player whose turn it is may attack, if it moved or stayed and touches enemies."""
    figures = state.setting.figures
    mine = (
        number
        for number in state.alive
        if figures[number].player == state.player and state.figures[number].deed is Deed.MOVED
    )
    return {number: found for number in mine if (found := list(opponents(state, number)))}


def strike(state: State, attacker: int, defender: int) -> State:
    """Return the state in which a figure is about to attack another one: it is its only attack in the round."""
    state = state.change_figure(attacker, deed=Deed.ATTACKED)
    return state.push_pending(MeleeRoll(attacker, defender))


@dataclass(frozen=True, slots=True)
class MeleeAttack(Move[State]):
    """Attack an enemy whom the figure touches (MF Resolving Combat)."""

    word = "attack"
    when = "figures attack once their side has moved: choose end first, then attack an enemy that touches the figure"
    section = "MF Resolving Combat"
    figure: Annotated[str, NAME]
    target: Annotated[str, NAME]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        names = [figure.name for figure in state.setting.figures]
        for attacker, enemies in attacks(state).items():
            yield from (cls(names[attacker], names[enemy]) for enemy in enemies)

    def refusals(self, state: State, figure: str, target: str) -> Iterator[str]:
        numbers = state.setting.figure_numbers
        if named := [name for name in (figure, target) if name not in numbers]:
            yield from (str(unknown("figure", name, numbers)) for name in named)
        elif state.phase is not Phase.COMBAT:
            yield f"{figure} can attack only after its side has moved"
        elif numbers[figure] not in (able := attacks(state)):
            yield (
                f"{figure} cannot attack: a figure attacks once a turn, if it is yours, only moved or stayed, "
                "and touches an enemy"
            )
        elif numbers[target] not in able[numbers[figure]]:
            yield f"{figure} does not touch an enemy {target}"

    def result(self, state: State, figure: str, target: str) -> State:
        numbers = state.setting.figure_numbers
        return strike(state, numbers[figure], numbers[target])


@dataclass(frozen=True, slots=True)
class MeleeRoll(PendingRoll[State]):
    """The bricks of an attack and of the defence, by the numbers of the figures."""

    attacker: FigureNumber
    defender: FigureNumber

    def problems(self, state: State) -> list[str]:
        is_fight = state.are_enemies(self.attacker, self.defender)
        return [] if is_fight else ["attack: the target is a friend"]

    def lapses(self, state: State) -> bool:
        return not state.figures[self.defender].is_alive

    def event(self, state: State) -> OpposedRoll:
        pair = self.attacker, self.defender
        attack, defence = (
            sum(rows(state, *pair).values()) for rows in (attack_bricks, defence_bricks)
        )
        who, whom = (spoken(state.setting.figures[number].name) for number in pair)
        return OpposedRoll(attack, defence, f"{who} attacks {whom}", ahead(state, *pair))

    def settle(self, state: State, outcome: Outcome) -> State:
        """Eliminate the defender if the attack scores more; a tie saves it, and nobody strikes back."""
        attack, defence = scores(outcome)
        if attack + ahead(state, self.attacker, self.defender) <= defence:
            return state
        return state.eliminated(self.defender)
