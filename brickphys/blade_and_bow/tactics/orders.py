"""Orders: the plans of an impulse: attacks, volleys, rallies, marches, leaders, each up to its first roll.

What a plan brings is the difference to passing, by the worth of the whole battle (`worth`). Attacks and volleys are
judged by the exact law of their dice, moves by the battle after them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from math import atanh, tanh

from brickphys.blade_and_bow.combat.attack import Aim, AttackUnit, Charge, Loose, With
from brickphys.blade_and_bow.combat.targets import target_name
from brickphys.blade_and_bow.command import formation
from brickphys.blade_and_bow.command.actions import EndAction
from brickphys.blade_and_bow.command.cards import Pass, Play
from brickphys.blade_and_bow.command.morale import RallyRoll
from brickphys.blade_and_bow.command.movement import TakeUnit
from brickphys.blade_and_bow.deck import EffectVerb, deck
from brickphys.blade_and_bow.ground import within
from brickphys.blade_and_bow.pieces import FormationOrder
from brickphys.blade_and_bow.sheets import FACES
from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.tactics.choices import BattlePlan, Began
from brickphys.blade_and_bow.tactics.hand import free_cards, hearten, helped, played, purchases
from brickphys.blade_and_bow.tactics.marches import (
    LEAST,
    STYLES,
    WISHES,
    WITHDRAWS,
    Marcher,
    Step,
    Style,
    going,
    ways_of,
)
from brickphys.blade_and_bow.tactics.prospects import Strike, attackers, melees, shooters, volleys
from brickphys.blade_and_bow.worth import LOSS, approach, lead
from brickphys.grid.grid import Square, each
from brickphys.rules.plans import HOLDS, Effort, Plan
from brickphys.rules.words import Action
from brickphys.text import spoken

ANSWERS, ANSWERED = 2, 0.8
"""Actions of the enemy in his best answer, and which share of what is left after it counts of a plan's worth."""
MOST = 0.9999
"""The greatest worth of an answer."""
PLACES = 3
"""How many places are looked at for each leader."""


class Orders(Began):
    """The plans of a player who begins an action of his impulse.

    In its `state` nothing is pending, and nobody is activated.
    """

    def __init__(self, state: State, effort: Effort) -> None:
        super().__init__(state, effort)
        self.ends: dict[tuple[Action[State], ...], State] = {}
        """The states after plans without dice."""

    def plans(self) -> list[BattlePlan]:
        """Return the plans, the best first; passing is one."""
        found: list[BattlePlan] = [Plan("", HOLDS, (Pass(),), 0.0)]
        free = list(free_cards(self))
        looks = (self.melees, self.volleys, self.rallies, self.marches, self.leaders)
        plans = chain.from_iterable(look() for look in looks)
        for plan in chain(plans, purchases(self)):
            found.append(plan)
            if self.effort.is_over:
                break
        found = list({plan.actions: plan for plan in found}.values())
        found.sort(key=lambda plan: -plan.worth)
        if self.effort.level.depth > 1:
            found = self._answered(found)
        best = found[0].worth  # it can be done after a card that costs no action
        return sorted(
            [*(replace(card, worth=best + card.worth) for card in free), *found],
            key=lambda plan: -plan.worth,
        )

    def _answered(self, found: list[BattlePlan]) -> list[BattlePlan]:
        """Return plans by their worth with what comes next: of the best without dice, and until one stays the best."""
        usual, known = self._next(self.passed), set[tuple[Action[State], ...]]()
        while not self.effort.is_over:
            new = [plan for plan in found if plan.actions in self.ends.keys() - known]
            if len(known) >= self.effort.level.width:
                new = [plan for plan in new if plan is found[0] or self._leads(plan)]
            if not new:
                break
            best = new[0]
            known.add(best.actions)
            more = self._next(self.ends[best.actions]) - usual
            gain = lead(self.ends[best.actions], self.player) - self.base
            worth = self.worth((1.0 - ANSWERED) * gain + ANSWERED * more)
            found[found.index(best)] = replace(best, worth=worth)
            found.sort(key=lambda plan: -plan.worth)
        return found

    def _leads(self, plan: BattlePlan) -> bool:
        """Whether a leader goes to those whom he commands with the next action."""
        return bool(self.passed.actions) and isinstance(plan.actions[0], formation.Relocate)

    def _next(self, state: State) -> float:
        """Return the logarithm of the player's odds after his own next action, or else the enemy's, if he has two."""
        if state.actions:
            return Orders(state.replaced({"activation": None}), self.effort).best()
        enemy = 1 - self.player
        turned = {"mover": enemy, "actions": ANSWERS, "activation": None}
        his = Orders(state.replaced(turned), self.effort).best() - approach(state, enemy)
        return approach(state, self.player) - his

    def best(self) -> float:
        """Return the logarithm of the player's odds after the best attack, volley or march of a formation."""
        plans = chain(self.melees(), self.volleys(), self.formation_marches(STYLES[1:]))
        best = max((plan.worth for plan in plans), default=0.0)
        return 2.0 * atanh(min(best + tanh(0.5 * self.base), MOST))

    # Attacks -----------------------------------------------------------------------------------------------------

    def melees(self) -> Iterator[BattlePlan]:
        """Yield the attacks of each formation that brings something, and the best of a unit on its own."""
        yield from self._fights(melees(self.state, self.player), FormationOrder.MELEE)

    def volleys(self) -> Iterator[BattlePlan]:
        """Yield the volleys of each formation, and the best of a unit on its own."""
        yield from self._fights(volleys(self.state, self.player), FormationOrder.SHOOT)

    def _fights(self, strikes: Sequence[Strike], order: FormationOrder) -> Iterator[BattlePlan]:
        if not strikes:
            return
        lone = [one for one in strikes if len(one.units) == 1]
        found = melees if order is FormationOrder.MELEE else volleys
        for leader in formation.active_leaders(self.state):
            units = formation.in_range(self.state, leader, formation.able(self.state, order))
            if len(units) > 1:
                strikes = found(self.state, self.player, units)
                formed = self.form(leader, order, [unit for one in strikes for unit in one.units])
                actions, units = formed or ((), ())
                those = [one for one in strikes if set(one.units) <= set(units)]
                if those and len(units) > 1:
                    who = self.state.leader_name(leader)
                    yield self._fight_plan(who, those, actions, order, units)
        lone.sort(key=lambda one: -one.worth)
        for best in lone if self.effort.level.is_wide else lone[:1]:
            alone = (formation.Single(self.state.setting.units[best.units[0]].name, order),)
            who = self.state.unit_name(best.units[0])
            yield self._fight_plan(who, [best], alone, order, best.units)

    def _fight_plan(
        self,
        who: str,
        strikes: Sequence[Strike],
        orders: tuple[Action[State], ...],
        order: FormationOrder,
        units: Sequence[int],
    ) -> BattlePlan:
        """Return a plan of strikes; the best comes first, once a card has given heart to who needs it most."""
        self.effort.spend()
        gain = LOSS * sum(one.worth for one in strikes)
        first = max(strikes, key=lambda one: one.worth)
        verb = "attack" if order is FormationOrder.MELEE else "shoot at"
        targets = ", ".join(self.target(one.target) for one in strikes)
        purpose = f"{'attacks' if verb == 'attack' else 'shoots at'} {targets}"
        if len(strikes) > 1 or len(strikes[0].units) > 1:
            purpose = f"lets {sum(len(one.units) for one in strikes)} units {verb} {targets}"
        heart = hearten(self, strikes) if order is FormationOrder.MELEE else None
        if heart is not None:
            orders, gain = (*orders, heart[1]), gain + heart[0]
        return Plan(who, purpose, (*orders, *self.attack(first, units, order)), self.worth(gain))

    def target(self, target: int | None) -> str:
        """Return a target in words."""
        return spoken(target_name(self.state, target))

    def attack(
        self, one: Strike, units: Sequence[int], order: FormationOrder
    ) -> Iterator[Action[State]]:
        """Yield the actions that begin an attack, by some of the units that wait."""
        melee, names = order is FormationOrder.MELEE, self.state.setting.units
        yield (AttackUnit if melee else Aim)(target_name(self.state, one.target))
        found: set[int] = set()
        if melee:
            those = attackers(self.state, self.player)[one.target]
            found = {each.unit for each in those} & set(units)
        else:
            those_shooters = shooters(self.state, self.player, units)
            found = {each.unit for each in those_shooters[one.target or 0]}
        if len(found) == 1:
            return
        yield from (With(names[unit].name) for unit in one.units)
        if len(found) > len(one.units):
            yield Charge() if melee else Loose()

    # Formations --------------------------------------------------------------------------------------------------

    def form(
        self, leader: int, order: FormationOrder, wanted: Sequence[int]
    ) -> tuple[tuple[Action[State], ...], tuple[int, ...]] | None:
        """Return the actions that form units under a leader, and those that belong to it; None if he commands none.

        Units between them join too where the formation would have gaps (BB 3.5).
        """
        setting, state = self.state.setting, self.state
        within_reach = formation.in_range(state, leader, formation.able(state, order))
        left = [unit for unit in wanted if unit in within_reach]
        if not left:
            return None
        actions: list[Action[State]] = [formation.Form(setting.leaders[leader].name, order)]
        state = actions[0].apply(state)
        while left and state.activation is not None and not state.activated.closed:
            free = formation.joinable(state)
            joins = next((unit for unit in left if unit in free), None)
            if joins is None:
                joins = self._link(state, free, left)
                if joins is None:
                    break
            else:
                left.remove(joins)
            actions.append(formation.Include(setting.units[joins].name))
            state = actions[-1].apply(state)
        if state.activation is None:
            return None
        if not state.activated.closed:
            actions.append(formation.Ready())
        return tuple(actions), state.activated.units

    def _link(self, state: State, free: Sequence[int], left: Sequence[int]) -> int | None:
        """Return a unit that lets a wanted one join; None if there is none."""
        for unit in free:
            after = formation.Include(state.setting.units[unit].name).apply(state)
            goes_on = after.activation is not None and not after.activated.closed
            if goes_on and set(formation.joinable(after)) & set(left):
                return unit
        return None

    # Rallies -----------------------------------------------------------------------------------------------------

    def rallies(self) -> Iterator[BattlePlan]:
        """Yield a rally of each formation, and of the units on their own to whom it brings most."""
        broken = formation.able(self.state, FormationOrder.RALLY)
        if not broken:
            return
        alone = [(self.after(self._rallied([unit])), unit) for unit in broken]
        for leader in formation.active_leaders(self.state):
            units = formation.in_range(self.state, leader, broken)
            if len(units) > 1:
                yield from self._rally(leader, units)
        for worth, unit in sorted(alone, reverse=True)[:2]:
            actions = (formation.Single(self.state.setting.units[unit].name, FormationOrder.RALLY),)
            self.ends[actions] = self._rallied([unit])
            yield Plan(self.state.unit_name(unit), "rallies", actions, worth)

    def _rally(self, leader: int, units: Sequence[int]) -> Iterator[BattlePlan]:
        formed = self.form(leader, FormationOrder.RALLY, units)
        if formed is None or len(formed[1]) < 2:
            return
        actions, those = formed
        chances = [self._rally_chance(unit) for unit in those]
        share = sum(chances) / len(chances)
        worth = share * self.after(self._rallied(those))
        purpose = f"rallies {', '.join(map(self.state.unit_name, those))}"
        yield Plan(self.state.leader_name(leader), purpose, actions, worth)

    def _rally_chance(self, unit: int) -> float:
        """Return the chance of a unit of a formation to rally (BB 11)."""
        if self.state.leader_of(unit) is not None:
            return 1.0
        return (min(max(RallyRoll(unit).least(self.state), 1), FACES + 1) - 1) / FACES

    def _rallied(self, units: Iterable[int]) -> State:
        state = self.passed
        for unit in units:
            state = state.change_unit(unit, disrupted=False)
        return state

    # Marches -----------------------------------------------------------------------------------------------------

    def marches(self) -> Iterator[BattlePlan]:
        """Yield the marches of each formation in each style, and the best move of a unit on its own."""
        mobile = formation.able(self.state, FormationOrder.MOVE)
        if not mobile:
            return
        yield from self.formation_marches((*STYLES, WITHDRAWS))
        if self.effort.is_over:
            return
        marcher = Marcher(self.state, self.player, STYLES[1], self._soon)
        plans = [self._lone(marcher, step, self.passed) for step in self.steps[:3]]
        yield from chain(plans, self._hurried(marcher, mobile))
        for style in WISHES if self.effort.level.is_wide else ():
            marcher = Marcher(self.state, self.player, style, self._soon)
            for step in filter(None, (marcher.best(self.state, unit) for unit in mobile)):
                plan = self._lone(marcher, step, self.passed)
                yield replace(plan, purpose=f"{style.name} ({plan.purpose})")

    def _hurried(self, marcher: Marcher, mobile: Sequence[int]) -> Iterator[BattlePlan]:
        """Yield for each card of movement the move of the unit that gains most by it."""
        usual = {step.unit: step.gain for step in self.steps}
        for card, units in helped(self.state, EffectVerb.MOVEMENT, mobile):
            best: tuple[float, State, Step | None] = LEAST, self.passed, None
            for unit in units:
                self.effort.spend()
                now = played(self.passed, self.player, card, unit)
                step = marcher.best(now, unit)
                if step is not None:
                    more = step.gain - usual.get(unit, 0.0), now, step
                    best = max(best, more, key=lambda one: one[0])
            if best[2] is not None:
                yield self._lone(marcher, best[2], best[1], deck()[card].name)

    def _lone(self, marcher: Marcher, step: Step, state: State, *cards: str) -> BattlePlan:
        """Return the plan of a move of a unit on its own, with cards that it gains from in a state."""
        name = self.state.setting.units[step.unit].name
        plays = (Play(card, name) for card in cards)
        actions = (formation.Single(name, FormationOrder.MOVE), *plays, *going(state, step))
        after = marcher.placed(state, step).replaced({"played": self.state.played})
        self.ends[actions] = after
        where = "".join(f"plays {spoken(card)}, " for card in cards) + self._where([step])
        return Plan(self.state.unit_name(step.unit), where, actions, self.after(after))

    @property
    def _soon(self) -> float:
        """The share that counts of what a unit can strike after a move."""
        return 0.9 if self.passed.actions else 0.45

    @cached_property
    def steps(self) -> list[Step]:
        """The best move of each unit on its own, the best first."""
        marcher, found = Marcher(self.state, self.player, STYLES[1], self._soon), list[Step]()
        for unit in formation.able(self.state, FormationOrder.MOVE):
            if not self.effort.spend():
                break
            step = marcher.best(self.state, unit)
            if step is not None:
                found.append(step)
        return sorted(found, key=lambda step: (-step.gain, step.unit))

    def formation_marches(self, styles: Sequence[Style]) -> Iterator[BattlePlan]:
        """Yield the marches of each formation in some styles."""
        mobile = formation.able(self.state, FormationOrder.MOVE)
        for style in styles:
            marcher = Marcher(self.state, self.player, style, self._soon)
            for leader in formation.active_leaders(self.state):
                units = formation.in_range(self.state, leader, mobile)
                yield from self._march(leader, marcher, units)
                if self.effort.is_over:
                    return

    def _march(self, leader: int, marcher: Marcher, units: Sequence[int]) -> Iterator[BattlePlan]:
        self.effort.spend(len(units))
        steps, _ = marcher.steps(self.state, units)
        if not steps:
            return
        formed = self.form(leader, FormationOrder.MOVE, [step.unit for step in steps])
        if formed is None:
            return
        actions, those = formed
        moves: list[Action[State]] = []
        state = self.passed
        taken = [step for step in steps if step.unit in those]
        done: list[Step] = []
        is_stopped = False
        for step in taken:
            if not self._still(state, step):
                continue
            if len(those) > 1:
                moves.append(TakeUnit(state.setting.units[step.unit].name))
            moves += going(self.state, step)
            is_stopped = self._meets_leader(state, step)
            state = marcher.placed(state, step)
            done.append(step)
            if is_stopped:
                break
        if not done:
            return
        if len(done) < len(those) and not is_stopped:
            moves.append(EndAction())
        purpose = f"{marcher.style.name}: {len(done)} units move"
        if len(done) == 1:
            purpose = (
                f"{marcher.style.name}: {self.state.unit_name(done[0].unit)} {self._where(done)}"
            )
        every = (*actions, *moves)
        self.ends[every] = state
        yield Plan(self.state.leader_name(leader), purpose, every, self.after(state))

    def _meets_leader(self, state: State, step: Step) -> bool:
        """Whether a move catches a leader of the enemy on the way: then dice are rolled (BB 6.4)."""
        way = ways_of(state, step.unit)[step.end]
        alone = state.leader_squares(1 - self.player)
        return any(alone >> square & 1 for square in way.squares)

    def _still(self, state: State, step: Step) -> bool:
        """Whether a move is still open to a unit: those that should have gone before may have stayed."""
        own = state.occupied[self.player]
        square = step.end[0]
        if own >> square & 1 and square != state.square_of(step.unit):
            return False
        return step.end in ways_of(state, step.unit)

    def _where(self, steps: Sequence[Step]) -> str:
        return f"goes to {self.state.setting.squares[steps[0].end[0]]}"

    # Leaders ---------------------------------------------------------------------------------------------

    def leaders(self) -> Iterator[BattlePlan]:
        """Yield where each leader could go: to units in whose range most can be done."""
        setting, state = self.state.setting, self.state
        own = state.occupied[self.player]
        for leader in formation.active_leaders(state):
            spec, ranked = setting.leaders[leader], list[tuple[float, Square]]()
            for square in each(formation.leader_places(state, leader) & own):
                inside = within(setting.grid, square, spec.range_points) & own
                most = sum(self.gains.get(state.at[one], 0.0) for one in each(inside))
                ranked.append((-most, square))
            for _, square in sorted(ranked)[:PLACES]:
                after = self.passed.change_leader(leader, square=square)
                actions = (formation.Relocate(spec.name), formation.To(setting.squares[square]))
                self.ends[actions] = after
                purpose = f"goes to {state.unit_name(state.at[square])}"
                yield Plan(state.leader_name(leader), purpose, actions, self.after(after))

    @cached_property
    def gains(self) -> dict[int, float]:
        """What each unit can do next, by a move or as its part of an attack or volley."""
        found = {step.unit: step.gain for step in self.steps}
        for one in (*melees(self.state, self.player), *volleys(self.state, self.player)):
            for unit in one.units:
                found[unit] = max(found.get(unit, 0.0), one.worth / len(one.units))
        return found
