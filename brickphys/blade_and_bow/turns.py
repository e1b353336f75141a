"""Turns: the phases of a turn, and the automatic steps between two choices (BB 5.0).

- The goat path of Thermopylae (BB 14.2, special rule 3), and the initiative (BB 5.3).
- Rout management: leaders come back, rallied units return, routed units check (BB 5.5, 6.3, 6.4).
- Victory: armies that rout, and what scenarios decide (BB 5.6, 14.2 to 14.4).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from brickphys.blade_and_bow.combat.commitment import combat_following
from brickphys.blade_and_bow.command import actions
from brickphys.blade_and_bow.command.cards import DeckDraw, PlayCards, draw_phase
from brickphys.blade_and_bow.command.formation import LeaderReturn
from brickphys.blade_and_bow.command.morale import Facing, MoraleRoll, ask_morale
from brickphys.blade_and_bow.deck import EffectVerb, Lasts, Moment
from brickphys.blade_and_bow.deployment import awaited
from brickphys.blade_and_bow.ground import enemy_squares, passable, within, zones
from brickphys.blade_and_bow.pieces import BattleResult, Box, Grade
from brickphys.blade_and_bow.sheets import FACES, charts
from brickphys.blade_and_bow.state import Phase, State
from brickphys.grid.grid import Squares, each
from brickphys.rules.events import Outcome
from brickphys.rules.moves import OptionAnswer
from brickphys.rules.rolls import DiceCount
from brickphys.rules.turn_state import Count, DieRoll, FollowUp, PendingRoll, scores
from brickphys.rules.words import NAME
from brickphys.text import spoken


@dataclass(frozen=True, slots=True)
class PathRoll(PendingRoll[State]):
    """The path is discovered by a face up to the number of the turn."""

    def problems(self, state: State) -> list[str]:
        is_due = _is_hidden(state) and state.turn < FACES
        return [] if is_due else ["pending: there is no path to find"]

    def event(self, state: State) -> DiceCount:
        return DiceCount.of(1, "the goat path", found=state.turn, hidden=FACES - state.turn)

    def settle(self, state: State, outcome: Outcome) -> State:
        found, _ = scores(outcome)
        return state.replaced({"discovered": bool(found)})


def sought(state: State) -> State:
    """Return the state in which the path is sought, if it still is; from the sixth turn on it is found for certain."""
    if not _is_hidden(state):
        return state
    if state.turn >= FACES:
        return state.replaced({"discovered": True})
    return state.push_pending(PathRoll())


def _is_hidden(state: State) -> bool:
    return state.setting.special.hidden_path and not state.discovered


@dataclass(frozen=True, slots=True)
class InitiativeRoll(DieRoll[State]):
    """The die of the next player, the first player's first."""

    faces: tuple[Count, ...] = ()

    def problems(self, state: State) -> list[str]:
        is_due = state.phase is Phase.INITIATIVE and len(self.faces) < len(state.setting.players)
        return [] if is_due else ["pending: the initiative is known"]

    def reason(self, state: State) -> str:
        return f"initiative of {state.player_name(len(self.faces))}"

    def rolled(self, state: State, face: int) -> State:
        """Roll for the other, or give the initiative to the lower die; who holds it keeps it in a tie."""
        faces = (*self.faces, face)
        players = range(len(state.setting.players))
        if len(faces) < len(players):
            return state.push_pending(replace(self, faces=faces))
        holder = holder_by(state, faces)
        return state.replaced({"holder": holder, "mover": holder})


def holder_by(state: State, faces: Sequence[int]) -> int:
    """Return who holds the initiative after the dice of the players: the lower one; in a tie who held it before."""
    dice = [
        face - actions.bonus(state, EffectVerb.INITIATIVE, player)
        for player, face in enumerate(faces)
    ]
    return min(range(len(dice)), key=lambda player: (dice[player], player != state.holder))


def ask_for_initiative(state: State) -> State:
    """Return the state in which cards are played, the holder's first (ours), and dice rolled.

    The dice of special rules come after them (BB 14.2, 14.4).
    """
    state = awaited(sought(state))
    players = (state.holder, 1 - state.holder)
    cards = (PlayCards(player, Moment.INITIATIVE) for player in players)
    return state.push_pending(*cards, InitiativeRoll())


def return_squares(state: State, unit: int) -> Squares:
    """Return where a rallied unit may come back: near a leader or the camp, outside enemy zones (BB 5.5.1).

    Not where an enemy leader is (ours).
    """
    setting, player, found = state.setting, state.player_of(unit), 0
    for spec, leader in zip(setting.leaders, state.leaders, strict=True):
        if spec.player == player and leader.square is not None:
            found |= within(setting.grid, leader.square, spec.range_points)
    found |= setting.grid.around(state.camp_set(player))
    taken = state.occupied[player] | enemy_squares(state, player) | state.leader_squares(1 - player)
    return found & passable(state, player) & ~taken & ~zones(state, 1 - player).all


@dataclass(frozen=True, slots=True)
class Rejoin(OptionAnswer[State]):
    """Put a rallied unit back on the map in good order."""

    word = "rejoin"
    section = "BB 5.5.1"
    unit: Annotated[str, NAME]
    square: Annotated[str, actions.SQUARE]


@dataclass(frozen=True, slots=True)
class UnitReturn(actions.UnitQuestion):
    """Where a rallied unit comes back."""

    answers = (Rejoin,)
    asks = "where does {} return?"

    def options(self, state: State) -> Iterator[tuple[str, str]]:
        setting = state.setting
        name = setting.units[self.unit].name
        return ((name, setting.squares[at]) for at in each(return_squares(state, self.unit)))

    def answered(self, state: State, name: str, place: str) -> State:
        back = {"box": Box.MAP, "square": state.setting.square_numbers[place], "disrupted": False}
        return state.change_unit(self.unit, **back).push_pending(Facing(self.unit))

    def problems(self, state: State) -> list[str]:
        is_rallied = state.units[self.unit].box is Box.RALLIED
        return [] if is_rallied else ["unit: it has not rallied"]

    def lapses(self, state: State) -> bool:
        """Whether it has no place: then it is checked with the routed units."""
        return not return_squares(state, self.unit)


@dataclass(frozen=True, slots=True)
class RoutedRoll(MoraleRoll):
    """The morale check of a routed unit: it rallies, or is eliminated (BB 5.5.2)."""

    what = "rally after rout"
    on_map = False

    def modifier(self, state: State) -> int:
        """Return what a leader on the camp takes off, if it is not lost (BB 5.5.3)."""
        player = state.player_of(self.unit)
        led = bool(state.leader_squares(player) & state.camp_set(player))
        return super(RoutedRoll, self).modifier(state) - charts().morale["camp_leader"] * led

    def passed(self, state: State) -> State:
        return state.change_unit(self.unit, box=Box.RALLIED)

    def failed(self, state: State) -> State:
        return state.out_of_play(self.unit, Box.ELIMINATED)


@dataclass(frozen=True, slots=True)
class RoutedRolls(FollowUp[State]):
    """All routed units check, and those that rallied before and found no place."""

    def happen(self, state: State) -> State:
        for unit in reversed(_in_order(state, Box.ROUTED, Box.RALLIED)):
            state = ask_morale(state.change_unit(unit, box=Box.ROUTED), RoutedRoll(unit))
        return state


def manage_rout(state: State) -> State:
    """Return the state in which leaders come back, rallied units return, and then routed units check (BB 5.5).

    The player who holds the initiative comes first, and leaders before units (ours).
    """
    units = map(UnitReturn, _in_order(state, Box.RALLIED))
    return state.push_pending(*_leader_returns(state), *units, RoutedRolls())


def _leader_returns(state: State) -> list[LeaderReturn]:
    """Return the questions for leaders who routed, and for captured ones whose turn has come (BB 6.3, 6.4)."""
    found = [
        number
        for number, leader in enumerate(state.leaders)
        if leader.box is Box.ROUTED or (leader.box is Box.CAPTURED and leader.returns <= state.turn)
    ]
    players = [leader.player for leader in state.setting.leaders]
    found.sort(key=lambda number: players[number] != state.holder)
    return list(map(LeaderReturn, found))


def _in_order(state: State, *boxes: Box) -> list[int]:
    """Return the units in some boxes, those of the holder of the initiative first."""
    found = [number for number, unit in enumerate(state.units) if unit.box in boxes]
    return sorted(found, key=lambda number: state.player_of(number) != state.holder)


def result_at_once(state: State) -> BattleResult | None:
    """Return how the battle ends without delay: by the loss of a camp that decides it (BB 14.4); None if it goes on."""
    for player, when in enumerate(state.setting.special.camp_decides):
        if when == "at_once" and state.sacked[player]:
            is_major = state.losses[player] > state.losses[1 - player]
            grade = Grade.MAJOR if is_major else Grade.MINOR
            return BattleResult(
                1 - player, grade, f"the camp of {state.player_name(player)} is lost"
            )
    return None


def result_of_turn(state: State) -> BattleResult | None:
    """Return how the battle ends with a turn, by special rules or by rout; None if it goes on."""
    decided = _special_results(state)
    if len(decided) > 1:  # the book's case (BB 14.2): both sides have what they fought for
        return BattleResult(
            state.setting.special.minor_to, Grade.MINOR, "both sides have met their aims"
        )
    if decided:
        return decided[0]
    players = range(len(state.setting.players))
    routed = [player for player in players if state.losses[player] >= state.rout_level(player)]
    if len(routed) > 1:
        return BattleResult(1 - state.setting.tie_breaker, Grade.MARGINAL, "both armies rout")
    if routed:
        why = f"the army of {state.player_name(routed[0])} routs"
        return BattleResult(1 - routed[0], Grade.MAJOR, why)
    return None


def _special_results(state: State) -> list[BattleResult]:
    """Return the major victories that special rules give at the end of a turn."""
    setting, found = state.setting, []
    for spec, leader in zip(setting.leaders, state.leaders, strict=True):
        if spec.name == setting.special.mortal and leader.box is Box.ELIMINATED:
            found.append(
                BattleResult(1 - spec.player, Grade.MAJOR, f"{spoken(spec.name)} is killed")
            )
    for player, when in enumerate(setting.special.camp_decides):
        if when == "end_of_turn" and state.sacked[player]:
            why = f"the camp of {state.player_name(player)} is lost"
            found.append(BattleResult(1 - player, Grade.MAJOR, why))
    return found


def last_result(state: State) -> BattleResult:
    """Return how a battle ends that nobody has won by its last turn (BB 5.6)."""
    if (winner := state.setting.special.minor_to) is not None:
        return BattleResult(winner, Grade.MINOR, "the battle is over, and the enemy has not won")
    first, second = (state.rout_level(player) - state.losses[player] for player in (0, 1))
    if first != second:
        return BattleResult(int(second > first), Grade.MINOR, "its army is further from rout")
    first, second = state.losses
    if first != second:
        return BattleResult(int(second < first), Grade.MARGINAL, "its army has fewer losses")
    return BattleResult(None, Grade.MARGINAL, "both armies are as far from rout, with equal losses")


def following(state: State) -> State | None:
    """Return what follows by itself where nothing is pending; None if the player has a choice."""
    if (result := result_at_once(state)) is not None:
        return _ended(state, result)
    match state.phase:
        case Phase.SETUP:
            return _begin_turn(state)
        case Phase.CARDS:
            impulses = tuple(impulses_of(state, one) for one in range(len(state.setting.players)))
            changes = {"phase": Phase.INITIATIVE, "impulses": impulses}
            return ask_for_initiative(state.replaced(changes))
        case Phase.INITIATIVE:
            return _next_impulse(state.replaced({"phase": Phase.IMPULSES}), state.holder)
        case Phase.IMPULSES:
            return _within_impulse(state)
        case Phase.ROUT:
            return _end_turn(state)


def _within_impulse(state: State) -> State | None:
    """Return what follows in a combat, an action, or an impulse that is over."""
    activation = state.activation
    if state.combat is not None:
        return combat_following(state)
    if activation is not None:
        is_done = activation.closed and not activation.waiting
        return actions.finished(state) if is_done else None
    if state.actions:
        return None
    return _next_impulse(state, 1 - state.mover)


def _next_impulse(state: State, first: int) -> State:
    """Begin the next impulse, of a player if any is left to that one, or rout management."""
    after = next_impulse(state, first)
    return manage_rout(state.replaced({"phase": Phase.ROUT})) if after is None else after


def impulses_of(state: State, player: int) -> int:
    """Return how many impulses a player has in a turn: one less for each leader killed and a camp lost (BB 5.2)."""
    lost = state.leaders_killed(player) + state.sacked[player]
    return max(0, state.setting.impulses[player] - lost)


def next_impulse(state: State, first: int) -> State | None:
    """Return the state with the next impulse, of a player if any is left to that one; None if none is left to either.

    A card is drawn for the actions of the impulse (BB 5.4.1).
    """
    state = actions.expired(state, Lasts.IMPULSE)
    for player in (first, 1 - first):
        if left := state.impulses[player]:
            state = state.with_entry("impulses", player, left - 1).replaced({"mover": player})
            return state.push_pending(DeckDraw(player, to_hand=False))
    return None


def _begin_turn(state: State) -> State:
    state = actions.expired(state, Lasts.TURN)
    changes = {"turn": state.turn + 1, "phase": Phase.CARDS, "hand_sizes": state.next_hand_sizes}
    return draw_phase(state.replaced(changes))


def _end_turn(state: State) -> State:
    """Judge the battle, and roll for its end or begin the next turn (BB 5.6, 5.7)."""
    if (result := result_of_turn(state)) is not None:
        return _ended(state, result)
    mark = _mark(state)
    if mark >= FACES or state.turn == len(charts().ends):
        return _ended(state, last_result(state))
    return state.push_pending(EndRoll()) if mark else _begin_turn(state)


def _mark(state: State) -> int:
    """Return the end-of-game mark of the turn; 0 for none."""
    return charts().ends[state.turn - 1]


def _ended(state: State, result: BattleResult) -> State:
    return state.replaced({"result": result, "activation": None, "combat": None, "actions": 0})


@dataclass(frozen=True, slots=True)
class EndRoll(PendingRoll[State]):
    """The die of a turn with an end-of-game mark (BB 5.7)."""

    def problems(self, state: State) -> list[str]:
        is_rolled = state.phase is Phase.ROUT and 0 < _mark(state) < FACES
        return [] if is_rolled else [f"turn: {state.turn} has no die for the end"]

    def event(self, state: State) -> DiceCount:
        mark = _mark(state)
        return DiceCount.of(1, "the end of the battle", ends=mark, goes_on=FACES - mark)

    def settle(self, state: State, outcome: Outcome) -> State:
        ends, _ = scores(outcome)
        return _ended(state, last_result(state)) if ends else _begin_turn(state)
