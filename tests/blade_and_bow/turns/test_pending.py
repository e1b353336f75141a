"""What can be pending in a state, what cannot and why, and what lapses: a line for each case."""

from typing import Any

import pytest

from brickphys.blade_and_bow import deployment, turns
from brickphys.blade_and_bow.combat import pursuit
from brickphys.blade_and_bow.combat.attack import Aiming, LeadQuestion, RetreatMove, RetreatQuestion
from brickphys.blade_and_bow.combat.commitment import CommitmentQuestion, CommitmentRoll
from brickphys.blade_and_bow.combat.dice import Rerolls, Resolution, SideRoll
from brickphys.blade_and_bow.combat.hits import Recoil, RecoilChoice, SteadyRoll, Struck
from brickphys.blade_and_bow.command import morale
from brickphys.blade_and_bow.command.cards import DeckDraw, DrawChoice, PlayCards
from brickphys.blade_and_bow.command.formation import DepartureRoll, LeaderReturn, Relocation
from brickphys.blade_and_bow.command.movement import Displacing, ReverseRoll
from brickphys.blade_and_bow.deck import Moment
from brickphys.blade_and_bow.notation import PENDING_TYPES
from brickphys.blade_and_bow.pieces import Activation, Box, Checked, FormationOrder, Stage
from brickphys.blade_and_bow.setting import Entry, Options, Special
from brickphys.blade_and_bow.sheets import charts
from brickphys.blade_and_bow.state import Phase, State
from brickphys.rules.turn_state import Pending
from tests.blade_and_bow.battle import battle, square
from tests.blade_and_bow.fight import clash

ANN, AMY, LATE, BOB, BEN = range(5)
LEO, KIM = range(2)
FREE, PRINTED = Options(free_setup=True), Options(free_setup=False)


def field(**changes: Any) -> State:
    """Cavalry, and psiloi before it; a hoplite with a leader, and spears with another one, far away."""
    return battle(
        "....... ....... ....... ....... .......",
        "greeks heavy_cavalry D3 n as=ann",
        "greeks hoplite A5 n +1 max=3 as=amy",
        "greeks hoplite - n as=late",
        "persians psiloi D2 s as=bob",
        "persians spears G1 s as=ben",
        "greeks leader leo A5 1-6-3/red",
        "persians leader kim G1 1-6-6/red",
        **changes,
    )


STATE = field()
D1, D2, D3, G1, E3 = (square(STATE, name) for name in ("D1", "D2", "D3", "G1", "E3"))
FIGHT = clash(STATE, "bob", "ann")
COMMITS = FIGHT.change_combat(stage=Stage.COMMITMENT, lead=None)
DICE = FIGHT.change_combat(attack=(0, 0, 0), defence=(0, 0, 0), rerolls=(1, 0))
UNARMED = clash(STATE.change_unit(ANN, facing=2), "bob", "ann", ranged=True).change_combat(
    attack=(0, 0, 0), defence=(0, 0, 0), rerolls=(0, 0)
)
AIMS = (
    clash(STATE.change_unit(ANN, facing=6), "bob", "ann", ranged=True)
    .change_combat(stage=Stage.CARDS)
    .replaced({"pending": (Aiming(ANN),)})
)
LIGHT = STATE.change_unit(AMY, square=E3, facing=3)
CHARGED = clash(LIGHT, "bob", "amy").change_combat(stage=Stage.COMMITMENT, lead=None)
"""Foot attacks the psiloi, which may give way."""
FLED = FIGHT.change_unit(BOB, square=D1).change_combat(stage=Stage.HITS)
CHASE = FLED.change_unit(ANN, square=D2)
"""The cavalry has advanced, and has the psiloi in front again."""
ROUTED, RALLIED = (STATE.out_of_play(ANN, box) for box in (Box.ROUTED, Box.RALLIED))
DICED = field(phase=Phase.INITIATIVE)
ENTRIES = Special(entries=(Entry((1,), (0,), 0),))
NO_PERSIANS = STATE.out_of_play(BOB, Box.ROUTED).out_of_play(BEN, Box.LEFT)
HOPELESS = battle(
    "..", "greeks spears A1 e", "greeks leader leo A1 1-1-1/red", sacked=(True, False)
)
"""No face passes."""
FEARLESS = CHARGED.change_leader(LEO, square=D3).change_unit(AMY, wall=True)
"""Each face passes, by a leader beside the unit, its wall, and a light enemy."""
RALLY = Activation(FormationOrder.RALLY, None, (ANN,), closed=True, waiting=(ANN,))
OPEN_RALLY = RALLY.replaced({"closed": False})
MOVE = Activation(FormationOrder.MOVE, None, (AMY,), closed=True, waiting=(AMY,), active=AMY)
ROUT = {turn: field(phase=Phase.ROUT, turn=turn) for turn in range(1, 13)}
MARKED = [turn for turn, mark in enumerate(charts().ends, 1) if 0 < mark < 6]


ALLOWED: dict[type[Pending[State]], list[tuple[Pending[State], State]]] = {
    deployment.RankChoice: [(deployment.RankChoice(AMY), field(options=FREE))],
    deployment.LeaderPlace: [(deployment.LeaderPlace(LEO), STATE)],
    deployment.CampPlace: [(deployment.CampPlace(0), STATE)],
    deployment.WallChoice: [(deployment.WallChoice(ANN), STATE)],
    DeckDraw: [
        (DeckDraw(0, True), STATE),
        (DeckDraw(0, True), field(deck=(), discards=(1,))),
        (DeckDraw(0, True), field(deck=(1,))),
    ],
    DrawChoice: [(DrawChoice(0), STATE)],
    PlayCards: [
        *((PlayCards(0, moment), FIGHT) for moment in Moment),
        *((PlayCards(0, moment), STATE) for moment in (Moment.INITIATIVE, Moment.IMPULSE)),
    ],
    turns.InitiativeRoll: [(turns.InitiativeRoll(), DICED), (turns.InitiativeRoll((3,)), DICED)],
    turns.PathRoll: [(turns.PathRoll(), field(special=Special(hidden_path=True), turn=5))],
    deployment.ArrivalRoll: [(deployment.ArrivalRoll(), field(special=ENTRIES, turn=5))],
    deployment.EntryRoll: [(deployment.EntryRoll(), field(special=ENTRIES))],
    deployment.ArrivalQuestion: [(deployment.ArrivalQuestion(), field(special=ENTRIES, entry=1))],
    Relocation: [(Relocation(LEO), STATE)],
    DepartureRoll: [(DepartureRoll(ANN), STATE)],
    Displacing: [],
    ReverseRoll: [(ReverseRoll(ANN), STATE)],
    morale.Rallying: [(morale.Rallying(), field(activation=RALLY, pending=(morale.Rallying(),)))],
    morale.RallyRoll: [(morale.RallyRoll(ANN), STATE)],
    morale.Facing: [(morale.Facing(ANN), STATE)],
    Aiming: [(Aiming(ANN), AIMS)],
    RetreatQuestion: [(RetreatQuestion(), CHARGED)],
    RetreatMove: [(RetreatMove(D1, 2), CHARGED)],
    CommitmentRoll: [(CommitmentRoll(AMY), CHARGED)],
    CommitmentQuestion: [(CommitmentQuestion(), COMMITS)],
    LeadQuestion: [
        (LeadQuestion(), COMMITS),
        (LeadQuestion(), COMMITS.change_combat(stage=Stage.CARDS)),
    ],
    SideRoll: [(SideRoll(0), DICE), (SideRoll(1), DICE), (SideRoll(1), UNARMED)],
    Rerolls: [(Rerolls(0), DICE), (Rerolls(1), DICE)],
    Resolution: [(Resolution(), DICE)],
    Struck: [
        (Struck(BOB, 1, D3, False), FLED.change_unit(BOB, square=D2)),
        (Struck(BOB, 1, D3, False), FLED.out_of_play(BOB, Box.ROUTED)),
    ],
    morale.LeaderRoll: [(morale.LeaderRoll(LEO, False), STATE)],
    morale.DeathRoll: [(morale.DeathRoll(LEO, False), STATE)],
    SteadyRoll: [(SteadyRoll(ANN), STATE)],
    Recoil: [
        (Recoil(ANN, 0, (D3,), 0, ranged), STATE) for ranged in (False, True)
    ] + [(Recoil(ANN, 0, (D3, E3), 0, False), STATE), (Recoil(ANN, 0, (D3,), 0, True), ROUTED)],
    RecoilChoice: [(RecoilChoice(ANN, 0, (D3,), 0, False), STATE)],
    morale.RoutChecks: [(morale.RoutChecks(ANN, 1), STATE)],
    morale.RoutRoll: [(morale.RoutRoll(ANN, 2), STATE)],
    pursuit.Aftermath: [(pursuit.Aftermath(), FIGHT)],
    pursuit.AdvanceChoice: [(pursuit.AdvanceChoice(), FLED)],
    pursuit.Pursuit: [(pursuit.Pursuit(), FIGHT)],
    pursuit.PursuitRoll: [(pursuit.PursuitRoll(ANN), CHASE)],
    pursuit.PursuitChoice: [(pursuit.PursuitChoice(), CHASE)],
    LeaderReturn: [
        (LeaderReturn(LEO), STATE.change_leader(LEO, box=box, square=None))
        for box in (Box.ROUTED, Box.CAPTURED)
    ],
    turns.UnitReturn: [(turns.UnitReturn(ANN), RALLIED)],
    turns.RoutedRolls: [(turns.RoutedRolls(), STATE)],
    turns.RoutedRoll: [(turns.RoutedRoll(ANN), ROUTED)],
    turns.EndRoll: [(turns.EndRoll(), ROUT[turn]) for turn in MARKED],
}  # fmt: skip


@pytest.mark.parametrize("kind", ALLOWED, ids=lambda kind: kind.__name__)
def test_what_can_be_pending(kind: type[Pending[State]]) -> None:
    for one, state in ALLOWED[kind]:
        assert type(one) is kind
        assert one.problems(state) == [], state


def test_every_type_is_here() -> None:
    assert set(ALLOWED) == set(PENDING_TYPES)


OFF_MAP = "pending: ann is off the map"
CERTAIN = "pending: this morale roll is certain"
NO_FIGHT, NO_DICE = "dice: no unit fights", "dice: the combat has no dice"
NO_RETREAT = "retreat: the target is not a light unit that may give way"
NO_LEAD, NO_CHASE = "lead: there is no lead attacker to choose", "pending: no unit can be pursued"
NO_REINFORCEMENTS = "pending: no reinforcements can come"
FUTURE = Special(hidden_path=True)
STAYING = [
    FLED.change_combat(ranged=True),
    FLED.change_combat(off_map=True),
    FLED.change_combat(lead=None),
    FLED.out_of_play(ANN, Box.ROUTED),
    FLED.change_unit(ANN, disrupted=True),
    FLED.change_unit(ANN, wall=True),
    FLED.change_unit(AMY, square=D2),
    FLED.change_unit(BEN, square=D2),
    FLED.replaced({"camps": (None, D2)}),
    FLED.change_unit(ANN, square=G1 - 1),  # not beside the square
]
"""Who shoots or is disrupted, has a shield wall or no way into the square, does not advance (BB 9.4.9, 13.2)."""
FOOT = CHASE.change_unit(ANN, square=D3).change_unit(AMY, square=D2)
SPENT = [
    CHASE.change_combat(lead=None),
    CHASE.change_combat(target=None),
    CHASE.out_of_play(ANN, Box.ROUTED),
    CHASE.change_unit(ANN, disrupted=True),
    CHASE.change_unit(ANN, facing=6),
    CHASE.change_unit(BOB, square=G1 - 1),
    CHASE.change_combat(square=D3),  # it has not advanced
    FOOT.change_combat(lead=AMY, units=(AMY,)),
]
"""Only cavalry in good order that has advanced, and has the unit in front, attacks again (BB 9.4.11)."""
REFUSED: list[tuple[str, Pending[State], State]] = [
    ("unit: its ranks are not for the player to choose", deployment.RankChoice(AMY), field(options=PRINTED)),
    ("unit: its ranks are not for the player to choose", deployment.RankChoice(ANN), field(options=FREE)),
    ("leader: no unit can take the leader in", deployment.LeaderPlace(KIM), NO_PERSIANS),
    ("pending: there is no card to draw", DeckDraw(0, False), field(deck=())),
    *(
        ("pending: there is no combat", PlayCards(0, moment), STATE)
        for moment in Moment
        if moment not in (Moment.INITIATIVE, Moment.IMPULSE)
    ),
    ("pending: the initiative is known", turns.InitiativeRoll((3, 4)), DICED),
    ("pending: the initiative is known", turns.InitiativeRoll(), STATE),
    ("pending: there is no path to find", turns.PathRoll(), STATE),
    ("pending: there is no path to find", turns.PathRoll(), field(special=FUTURE, turn=6)),
    ("pending: there is no path to find", turns.PathRoll(), field(special=FUTURE, discovered=True)),
    ("pending: there are no reinforcements to roll for", deployment.ArrivalRoll(), field(entry=1)),
    ("pending: there are no reinforcements to roll for", deployment.ArrivalRoll(), field(turn=6)),
    ("pending: there are no reinforcements to roll for", deployment.ArrivalRoll(), STATE.out_of_play(LATE, Box.LEFT)),
    ("pending: the place of the reinforcements is known", deployment.EntryRoll(), field(entry=1)),
    (NO_REINFORCEMENTS, deployment.ArrivalQuestion(), STATE),
    (NO_REINFORCEMENTS, deployment.ArrivalQuestion(), field(entry=1).out_of_play(LATE, Box.LEFT)),
    ("pending: the leader is not on the map", Relocation(LEO), STATE.change_leader(LEO, box=Box.ROUTED, square=None)),
    (OFF_MAP, DepartureRoll(ANN), ROUTED),
    (OFF_MAP, SteadyRoll(ANN), ROUTED),
    ("pending: a morale roll needs at least one die", morale.RoutRoll(ANN, 0), STATE),
    (CERTAIN, morale.RoutRoll(BEN), STATE),
    (CERTAIN, morale.RoutRoll(ANN), HOPELESS),
    *(
        ("unit: it does not turn to shoot", Aiming(ANN), state)
        for state in (
            STATE,
            FIGHT,
            AIMS.change_unit(ANN, facing=2),
            AIMS.change_combat(stage=Stage.DICE),
            AIMS.change_combat(units=(AMY,)),
            AIMS.replaced({"pending": (Aiming(ANN), Aiming(ANN))}),
        )
    ),
    ("pending: no unit rallies", morale.Rallying(), field(pending=(morale.Rallying(),))),
    ("pending: no unit rallies", morale.Rallying(), field(activation=MOVE, pending=(morale.Rallying(),))),
    ("pending: no unit rallies", morale.Rallying(), field(activation=OPEN_RALLY, pending=(morale.Rallying(),))),
    (
        "pending: no unit rallies",
        morale.Rallying(),
        field(activation=RALLY, pending=(morale.Rallying(), morale.Rallying())),
    ),
    (NO_RETREAT, RetreatQuestion(), LIGHT),
    (NO_RETREAT, RetreatQuestion(), CHARGED.change_combat(units=())),
    (NO_RETREAT, RetreatQuestion(), CHARGED.change_unit(BOB, disrupted=True)),
    ("retreat: no unit is attacked", RetreatMove(D1, 2), STATE),
    ("commitment: unit 0 does not roll for it", CommitmentRoll(ANN), STATE),
    ("commitment: unit 0 does not roll for it", CommitmentRoll(ANN), CHARGED),
    ("commitment: unit 1 does not roll for it", CommitmentRoll(AMY), CHARGED.change_unit(AMY, marker=True)),
    ("commitment: unit 1 does not roll for it", CommitmentRoll(AMY), FEARLESS),
    ("commitment: no unit attacks", CommitmentQuestion(), STATE),
    (NO_LEAD, LeadQuestion(), STATE),
    *((NO_LEAD, LeadQuestion(), FIGHT.change_combat(stage=stage)) for stage in (Stage.PARTY, Stage.DICE, Stage.HITS)),
    *((NO_FIGHT, one, STATE) for one in (SideRoll(0), Rerolls(0), Resolution())),
    *((NO_FIGHT, one, DICE.change_combat(stage=Stage.CARDS)) for one in (SideRoll(0), Rerolls(0), Resolution())),
    *((NO_DICE, Resolution(), DICE.change_combat(**{lacks: ()})) for lacks in ("attack", "defence", "rerolls")),
    ("dice: this side has no dice", SideRoll(0), UNARMED),
    (f"source: square {G1} is not beside the unit", Struck(BOB, 1, G1, False), FIGHT),
    ("pending: the death of this leader is certain", morale.DeathRoll(KIM, False), STATE),
    *(
        (f"path: {path} is not from where the unit is", Recoil(ANN, 0, path, 0, ranged), STATE)
        for path, ranged in (((), False), ((), True), ((E3,), False), ((E3,), True), ((D3, E3), True))
    ),
    ("pending: no unit fights", pursuit.Aftermath(), STATE),
    ("pending: no unit can advance", pursuit.AdvanceChoice(), STATE),
    ("pending: no unit can advance", pursuit.AdvanceChoice(), FIGHT),
    *(("pending: no unit can advance", pursuit.AdvanceChoice(), state) for state in STAYING),
    ("pending: no unit fights", pursuit.Pursuit(), STATE),
    *((NO_CHASE, pursuit.PursuitChoice(), state) for state in (STATE, FLED, *SPENT)),
    (NO_CHASE, pursuit.PursuitRoll(ANN), FLED),
    ("pending: the leader is not away", LeaderReturn(LEO), STATE),
    ("unit: it has not rallied", turns.UnitReturn(ANN), ROUTED),
    *(
        (f"turn: {turn} has no die for the end", turns.EndRoll(), state)
        for turn, state in ROUT.items()
        if turn not in MARKED
    ),
    *(
        (f"turn: {MARKED[0]} has no die for the end", turns.EndRoll(), field(turn=MARKED[0], phase=phase))
        for phase in Phase
        if phase is not Phase.ROUT
    ),
]  # fmt: skip


@pytest.mark.parametrize(("why", "pending", "state"), REFUSED)
def test_what_cannot_be_pending_is_refused_with_its_reason(
    why: str, pending: Pending[State], state: State
) -> None:
    assert pending.problems(state) == [why]


FULL = field(hands=((0, 1, 2, 3), ()))
AWAY = STATE.change_leader(LEO, box=Box.ROUTED, square=None)
ALL_SHUT = Special(path=STATE.setting.grid.all_squares)
"""No Greek enters any square (BB 14.2)."""
SHUT = battle(
    "..",
    "greeks spears A1 e",
    "persians spears B1 e",
    "greeks leader leo A1 1-6-3/red",
    special=ALL_SHUT,
)
NO_WAY_BACK = SHUT.out_of_play(0, Box.RALLIED)
LACKS = COMMITS.change_combat(checked=(Checked(ANN, (1,)),))
SOME_CARD = LACKS.replaced({"hands": ((1,), ())})
BACK = (ANN, 0, (D3,), 0, False)
OF_ANN = (
    morale.Facing(ANN),
    morale.RoutChecks(ANN, 1),
    Struck(ANN, 1, E3, False),
    Recoil(*BACK),
    RecoilChoice(*BACK),
)
OF_LEO = (morale.LeaderRoll(LEO, True), morale.DeathRoll(LEO, False))
LAPSES: list[tuple[bool, Pending[State], State]] = [
    (False, DeckDraw(0, True), STATE),
    (True, DeckDraw(0, True), FULL),
    (False, DeckDraw(0, False), FULL),
    (False, DrawChoice(0), STATE),
    (True, DrawChoice(0), FULL),
    (True, PlayCards(0, Moment.ATTACK), STATE),
    (False, PlayCards(0, Moment.ATTACK), FULL),
    (True, PlayCards(1, Moment.ATTACK), FULL),
    *((state is ROUTED, one, state) for state in (STATE, ROUTED) for one in OF_ANN),
    *((state is AWAY, one, state) for state in (STATE, AWAY) for one in OF_LEO),
    (False, Relocation(LEO), STATE),
    (True, Relocation(LEO), AWAY),
    (True, Relocation(0), SHUT),
    (False, LeaderReturn(LEO), AWAY),
    (True, LeaderReturn(0), SHUT),
    (False, turns.UnitReturn(ANN), RALLIED),
    (True, turns.UnitReturn(0), NO_WAY_BACK),
    (False, Rerolls(0), DICE),
    (True, Rerolls(1), DICE),
    (True, CommitmentQuestion(), COMMITS),
    (True, CommitmentQuestion(), LACKS),
    (False, CommitmentQuestion(), SOME_CARD),
    (True, CommitmentQuestion(), SOME_CARD.change_combat(checked=())),
    (False, CommitmentQuestion(), LACKS.change_combat(points=1)),
    (True, CommitmentQuestion(), LACKS.replaced({"hands": ((), (1,))})),
]  # fmt: skip


@pytest.mark.parametrize(("lapses", "pending", "state"), LAPSES)
def test_what_lapses_because_of_what_came_before(
    lapses: bool, pending: Pending[State], state: State
) -> None:
    assert pending.lapses(state) is lapses
