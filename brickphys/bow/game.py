"""Game: BOW, the Bricks Only Wargame 1.3, as a game of the contract in `rules`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations_with_replacement

from brickphys.bow import bot, worth
from brickphys.bow.actions.ahead import steered, threats
from brickphys.bow.actions.attack import AttackEnemy, AttackRoll
from brickphys.bow.actions.collision import must_move
from brickphys.bow.actions.damage import health_left
from brickphys.bow.actions.driving import Advance
from brickphys.bow.actions.movement import TurnMove
from brickphys.bow.actions.objects import Flying
from brickphys.bow.actions.targets import weapon_name
from brickphys.bow.army import army_list, prices, sheet_list
from brickphys.bow.notation import CODEC, menu_problems, overlaps, state_problems
from brickphys.bow.odds import ODDS
from brickphys.bow.pilot.conduct import conduct
from brickphys.bow.plans import BowThinker
from brickphys.bow.scenario import SCENARIOS, begin, draw_battle, scenario_report
from brickphys.bow.scene import battle_scene
from brickphys.bow.sentences import purpose
from brickphys.bow.setup import first_state
from brickphys.bow.sheets.catalogue import sheet_files
from brickphys.bow.sheets.gear import BARE_HANDS, HandWeapon, armaments
from brickphys.bow.state import NOBODY, State
from brickphys.bow.status import battle_status, here, names, place_of
from brickphys.bow.story import BowRecord, BowStep, step_text, story, trajectories
from brickphys.bow.turns import ACTION_TYPES, StartRoll, following, turn_types
from brickphys.geometry.polygon import Point
from brickphys.odds.law import RollLaw
from brickphys.rules.aims import team_returns
from brickphys.rules.game import OpenGame
from brickphys.rules.names import Readings, meant
from brickphys.rules.plans import Thinker
from brickphys.rules.record import OVER
from brickphys.rules.report.parts import OddsReport
from brickphys.rules.report.trajectories import Trajectories
from brickphys.rules.scene import Way
from brickphys.rules.turn_game import Wargame
from brickphys.rules.words import Action
from brickphys.text import counted, spoken

_HINTS = (
    "to turn on the spot, walk to the stud on which the unit stands, then choose a facing; this costs one action",
    "studs are COLUMN,ROW from the lower left; facings are e ne n nw w sw s se; north is up",
    "gear: put ITEM FROM TO moves an object of the unit between held, worn, back and bag; drop ITEM FROM puts it "
    "on the ground; each costs one action (BOW 2.3.2)",
    "marks on the table show which units were played: a unit gets a mark at the end of its turn in odd rounds, and "
    "loses it in even rounds; here, 'played' after a unit says the same; marks have no other effect (BOW 2.2)",
    "odds of attacks are shown once a unit is chosen, or with: odds unit NAME",
)


def _turn_prompt(state: State) -> str:
    if state.active == NOBODY:
        return "your next unit"
    left = counted(state.actions_left, "action")
    ends = ""
    if state.actions_left == 1 and state.piloted is not None and must_move(state, state.piloted):
        name = spoken(state.setting.vehicles[state.piloted].name)
        ends = f", then {name} moves"
    return f"{spoken(state.my_name)}, {left} left{ends}"


class Bow(Wargame[State], OpenGame[State, Action[State]]):
    """Two to six players, their minifigs and vehicles, on a field of studs.

    A turn is chosen step by step: the unit; the type of action; its arguments; after a walk the facing. The type may be
    left out, and the complete action typed at once. A vehicle may turn by any angle; a representative set is listed.
    """

    name = "bow"
    version = "1.3.4"
    pictures = "brickphys.plots.games.bow:BowPainter"
    models = "brickphys.view.games.bow:BowBuilder"
    lists_all_actions = False
    action_types = ACTION_TYPES
    codec = CODEC
    over_problem = "the battle is over"
    chance_problem = "bricks must be rolled first (BOW 2.1)"
    choice_section = "BOW 2.2"
    shipped = SCENARIOS
    begin_scenario = staticmethod(begin)
    documents = "brickphys.bow.documents"
    scenario = staticmethod(scenario_report)
    draw_setup = staticmethod(draw_battle)
    draw_files = staticmethod(sheet_files)
    begin = staticmethod(first_state)
    sheets = staticmethod(sheet_list)
    army_list = staticmethod(army_list)
    prices = staticmethod(prices)
    names = staticmethod(names)
    here = staticmethod(here)
    place_of = staticmethod(place_of)
    describe = staticmethod(battle_status)
    scene = staticmethod(battle_scene)
    threats = staticmethod(threats)
    conduct = staticmethod(conduct)
    plan_estimate = staticmethod(worth.plan_estimate)
    turn_prompt = staticmethod(_turn_prompt)
    turn_types = staticmethod(turn_types)
    following = staticmethod(following)
    purpose = staticmethod(purpose)
    hand_estimate = staticmethod(bot.estimate)
    estimate = staticmethod(worth.estimate)
    plan_slope = worth.PLAN_SLOPE
    state_problems = staticmethod(state_problems)
    invariant_problems = staticmethod(overlaps)

    def hints(self) -> Sequence[str]:
        return _HINTS

    def tell(self, before: State, step: BowStep, viewer: int | None = None) -> str:
        return step_text(before, step)

    def story(self, record: BowRecord, viewer: int | None = None) -> Iterator[str]:
        return story(record)

    def trajectories(self, record: BowRecord, viewer: int | None = None) -> Trajectories[State]:
        return trajectories(record)

    def action_names(self, state: State) -> Iterator[str]:
        """Yield the names in the setting, and those of attacks with bare hands and with any two weapons."""
        items = state.setting.gear.values()
        weapons = sorted(
            (item for item in items if isinstance(item, HandWeapon)), key=lambda item: item.name
        )
        pairs = chain.from_iterable(map(armaments, combinations_with_replacement(weapons, 2)))
        return chain(super().action_names(state), [BARE_HANDS], map(weapon_name, pairs))

    def turn_player(self, state: State) -> int:
        return state.player if state.result is None else OVER

    def problems(self, state: State, action: Action[State]) -> list[str]:
        """Return every reason why an action is illegal; after a type is chosen, one of another type may be typed."""
        if state.menu and action.word != state.menu:
            state = state.replaced({"menu": ""})
        return super().problems(state, action)

    def readings(self, state: State, text: str) -> Readings:
        """Return what words of a person may mean.

        After a type is chosen, one of another type may be typed. The name of a door alone means to open or to close it.
        """
        doors = [
            name for name in meant(self.names(state), text) if name in state.setting.field.doors
        ]
        if len(doors) == 1:
            text = f"{'close' if doors[0] in state.open_ids else 'open'} {doors[0]}"
        return super().readings(state.replaced({"menu": ""}) if state.menu else state, text)

    def turn_problems(self, state: State, action: Action[State]) -> Iterator[str]:
        """Yield why the Action Budget does not allow an action (BOW 2.2)."""
        if isinstance(action, TurnMove):
            cost = action.cost(state)
            if cost > state.actions_left:
                yield f"{action.word} costs {counted(cost, 'action')}: {state.actions_left} left (BOW 2.2)"

    def act(self, state: State, action: Action[State]) -> State:
        """Return the state after an action, paid from the Action Budget (BOW 2.2)."""
        if isinstance(action, TurnMove):
            left = state.actions_left - action.cost(state)
            state = state.replaced({"actions_left": left, "menu": ""})
        return action.apply(state)

    def wait_problems(self, state: State) -> Iterator[str]:
        if not state.round and not isinstance(state.first_pending, StartRoll):
            yield "round: 0, and no player rolls for the start"
            return
        found = list(super().wait_problems(state))
        yield from found or menu_problems(state)

    def returns(self, state: State) -> tuple[int, ...]:
        teams = state.setting.teams
        return team_returns(teams, {*teams} & {state.result})

    def thinker(self, brick_law: RollLaw) -> Thinker[State, Action[State]]:
        return BowThinker(self, brick_law)

    def settled(self, state: State) -> bool:
        """Whether no action lacks its details, and nothing is to be rolled or answered."""
        return not (state.menu or state.pending)

    def most_actions(self, initial: State) -> int:
        """Return a bound on the actions listed at once: a walk may end on any stud."""
        field = initial.setting.field
        return 512 + field.width * field.length

    def conserved(self, state: State) -> Mapping[str, object]:
        return {
            "units": tuple(unit.name for unit in state.setting.units),
            "vehicles": tuple(vehicle.name for vehicle in state.setting.vehicles),
            "objects": tuple(sorted(all_objects(state))),
        }

    def shrinking(self, state: State) -> Mapping[str, int]:
        setting = state.setting
        return {
            "units in play": sum(1 for _ in state.in_play()),
            "vehicles in play": len(state.vehicles_left),
            **{
                f"cost points of {name}": points_left(state, player)
                for player, name in enumerate(setting.players)
            },
        }

    def strikes(self, before: State, after: State) -> Mapping[str, bool]:
        """Return whether an attack has damaged its target, and killed or destroyed it."""
        roll = next((one for one in before.pending if isinstance(one, AttackRoll)), None)
        if roll is None:
            return {}
        return {
            "hit": health_left(after, roll.target) < health_left(before, roll.target),
            "kill": health_left(after, roll.target) <= 0,
        }

    def may_strike(self, state: State, action: Action[State]) -> bool:
        """Whether an action is an attack, or an answer while one may be pending."""
        return bool(state.pending) or isinstance(action, AttackEnemy)

    def drives(self, state: State, action: Action[State]) -> Sequence[Way]:
        return tuple(steered(state, action, self.act(state, action)))

    def goes_on(self, state: State) -> Action[State] | None:
        """Return the compulsory move of the vehicle that the unit pilots, if it is still to come."""
        vehicle = None if state.pending or state.menu else state.piloted
        return Advance() if vehicle is not None and must_move(state, vehicle) else None

    def place_name(self, state: State, place: Point) -> str:
        return f"{int(place[0])},{int(place[1])}"

    def rounds(self, state: State) -> int:
        """Return the round; 0 while the players roll for the start."""
        return state.round

    def odds_tables(self) -> Mapping[str, Callable[..., OddsReport]]:
        return ODDS


def points_left(state: State, player: int) -> int:
    """Return the cost points of a player's units and vehicles that are neither dead nor destroyed."""
    setting = state.setting
    units = zip(setting.units, state.units, setting.unit_costs, strict=True)
    vehicles = zip(setting.vehicles, state.vehicles, setting.vehicle_costs, strict=True)
    return sum(
        cost for spec, now, cost in units if spec.player == player and not now.is_dead
    ) + sum(
        cost
        for spec, now, cost in vehicles
        if spec.player == player and now.damage < spec.sheet.health
    )


def all_objects(state: State) -> Iterator[str]:
    """Yield the name of every object: free, thrown, or the gear of a unit, even of one that has left."""
    yield from (name for _, name in state.objects)
    yield from (flying.item for flying in state.pending if isinstance(flying, Flying))
    for unit_state in state.units:
        yield from (item.name for _, item in unit_state.sheet.gear.items())
