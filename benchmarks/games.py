"""Games of bots: actions a second, what they are spent on, the time to list a unit's actions, the size of a state.

Run by ``make bench``. The battle is ten against ten. PettingZoo's connect_four is stepped through the same
loop over AEC environments in the same run; it needs pygame, which nothing else here does. One core.
"""

import random
import statistics
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias, TypeVar

from brickphys.battles.pettingzoo_env import GameEnv
from brickphys.bow.actions.driving import ChangeDirection
from brickphys.bow.game import Bow
from brickphys.bow.state import NOBODY, State
from brickphys.bow.turns import TURN_TYPES
from brickphys.odds.law import BinomialLaw
from brickphys.rules.game import Game
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot, bot
from brickphys.rules.record import CHANCE, OVER, Record, Setup
from brickphys.rules.sources import LawSource
from brickphys.rules.words import Action

BATTLE = "skirmish"
LAW = BinomialLaw(Fraction(3, 10))
GAME = Bow()
ROUNDS = 5
BATTLES = 2
"""A round plays so many, each of some 2,500 actions."""
OPPONENTS_STEPS = 4_000
"""Of connect_four in a round."""
AIM_ACTIONS_PER_S = 5_000
AIM_LIST_MS = 1.0
AIM_STATE_BYTES = 100_000
CROWD = 12
"""The dense field: a square of so many studs a side, half of them with figures."""
HARD_GAMES = {
    "blade_game": "Blade",
    "pirate_game": "Pirates",
    "solo_game": "Campaign",
}
"""Module of `tests.rules` -> class."""
AIM_GREEDY_SHARE = 0.1
GREEDY_S = 1.0
NO_PEER = "PettingZoo's connect_four is not measured: it needs pygame (pip install pygame)"

AnyGame: TypeAlias = Game[Any, Any, Any]
Answer = TypeVar("Answer")
Loop = Callable[[int], int]
"""Plays with a seed; returns how many actions were applied."""


def by_play(root: int) -> int:
    """Play with the loop that everybody uses, which records all."""
    return sum(battle(GAME, BATTLE, BATTLES * root + number).actions for number in range(BATTLES))


def battle(game: Bow, name: str, root: int) -> Record[State, Action[State]]:
    """Return a battle of random bots."""
    setup = game.setups[name]
    bots = [RandomBot()] * len(setup["players"])
    return play(game, setup, bots, LawSource(LAW, root), root=root)


def by_bare_loop(root: int) -> int:
    """Choose and apply, and keep nothing."""
    applied = 0
    for number in range(BATTLES * root, BATTLES * (root + 1)):
        rng, chance, events = random.Random(number), LawSource(LAW, number), 0
        state = GAME.initial(GAME.setups[BATTLE])
        while (actor := GAME.actor(state)) != OVER:
            if actor == CHANCE:
                state = GAME.apply(state, chance.answer(GAME.chance(state), (events,)))
                events += 1
            else:
                state = GAME.apply(state, rng.choice(GAME.actions(state)))
                applied += 1
    return applied


def by_env(make: Callable[[], Any], steps: int) -> Loop:
    """Return a loop over an AEC environment, which observes and masks at each step."""
    env = make()

    def loop(root: int) -> int:
        rng, done = random.Random(root), 0
        while done < steps:
            env.reset(seed=rng.randrange(2**31))
            while env.agents:
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                env.step(int(rng.choice(observation["action_mask"].nonzero()[0])))
                done += 1
        return done

    return loop


def peer() -> Callable[[], Any] | None:
    """Return what makes PettingZoo's connect_four; None if it cannot be loaded."""
    try:
        from pettingzoo.classic import connect_four_v3
    except ModuleNotFoundError:
        return None
    make: Callable[[], Any] = connect_four_v3.raw_env  # without its wrappers, as ours has none
    return make


def compare() -> None:
    """Print actions a second of each loop, round by round."""
    loops: dict[str, Loop] = {
        "rules.play": by_play,
        "bare loop": by_bare_loop,
        "as AEC": by_env(lambda: GameEnv(GAME, GAME.setups[BATTLE], LAW), 2_000),
    }
    other = peer()
    if other is not None:
        loops["connect_four"] = by_env(other, OPPONENTS_STEPS)
    print(f"{BATTLE} of BOW by random bots, one core; applied actions a second")
    print("round" + "".join(f"{name:>15}" for name in loops))
    speeds: dict[str, list[float]] = {name: [] for name in loops}
    for loop in loops.values():
        loop(ROUNDS)  # compiles, and fills what is remembered
    for number in range(ROUNDS):
        for name, loop in loops.items():
            start = time.process_time()
            applied = loop(number)
            speeds[name].append(applied / (time.process_time() - start))
        print(f"{number + 1:>5}" + "".join(f"{found[-1]:>15,.0f}" for found in speeds.values()))
    print(f"median of rules.play: {statistics.median(speeds['rules.play']):,.0f}", end="")
    print(f" (aim: {AIM_ACTIONS_PER_S:,})")
    if other is None:
        print(NO_PEER)
        return
    for name in list(loops)[:-1]:
        ratio = statistics.median(
            ours / theirs for ours, theirs in zip(speeds[name], speeds["connect_four"], strict=True)
        )
        print(f"median ratio of {name} to connect_four: {ratio:.2f}")


class TimedBow(Bow):
    """BOW with a clock: seconds by what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = defaultdict[str, float](float)

    def actions(self, state: State) -> Sequence[Action[State]]:
        """Measure what lists actions."""
        return self._timed("list the legal actions", super().actions, state)

    def apply(self, state: State, move: Any) -> State:
        """Measure what applies them."""
        return self._timed("apply the action or the roll", super().apply, state, move)

    def format_action(self, action: Action[State]) -> str:
        """Measure what writes them."""
        return self._timed("write the action", super().format_action, action)

    def _timed(self, what: str, answer: Callable[..., Answer], *asked: Any) -> Answer:
        start = time.perf_counter()
        found = answer(*asked)
        self.seconds[what] += time.perf_counter() - start
        return found


class TimedBot(RandomBot):
    """A random bot with a clock."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def choose(self, view: object, actions: Sequence[Any], rng: Any) -> Any:
        """Measure the choice."""
        start = time.perf_counter()
        chosen = super().choose(view, actions, rng)
        self.seconds += time.perf_counter() - start
        return chosen


def shares() -> None:
    """Print what a battle spends its time on, in the loop that everybody uses."""
    game, timed = TimedBow(), TimedBot()
    start = time.perf_counter()
    for root in range(2 * BATTLES):
        play(game, game.setups[BATTLE], [timed, timed], LawSource(LAW, root), root=root)
    whole = time.perf_counter() - start
    parts = dict(game.seconds) | {"choose (random bot)": timed.seconds}
    parts["the loop: generators of bots, rolls, record"] = whole - sum(parts.values())
    print("\nwhat the time of rules.play goes into")
    for what, seconds in sorted(parts.items(), key=lambda part: -part[1]):
        print(f"  {seconds / whole:>4.0%}  {what}")
    listing = defaultdict[str, float](float)
    for state in turns(BATTLE, 0):
        for kind in TURN_TYPES:
            if kind.arguments:
                start = time.perf_counter()
                kind.is_possible(state)
                listing[kind.word] += time.perf_counter() - start
    print("and listing, where a unit chooses what to do")
    for word in sorted(listing, key=listing.__getitem__, reverse=True)[:5]:
        print(f"  {listing[word] / sum(listing.values()):>4.0%}  {word}")


def turns(name: str, root: int) -> Iterator[State]:
    """Yield the states of a battle of random bots in which a unit chooses what to do."""
    for step in battle(GAME, name, root).steps:
        state = step.after
        if state.active != NOBODY and not state.pending and not state.menu and state.result is None:
            yield state


def dense_field() -> Setup:
    """Return a crowd: half of the studs hold figures with guns, and things lie about."""
    cells = [(x, y) for x in range(CROWD) for y in range(CROWD) if (x + y) % 2 == 0]
    return {
        "players": [{"name": "red"}, {"name": "blue"}],
        "field": {"width": CROWD, "length": CROWD},
        "units": [
            {
                "id": f"unit_{number}",
                "sheet": ("archer", "swordsman", "gunner")[number % 3],
                "player": "red" if x < CROWD // 2 else "blue",
                "x": x,
                "y": y,
                "facing": "e",
            }
            for number, (x, y) in enumerate(cells)
        ],
        "objects": [
            {"item": "sword", "x": x, "y": y} for x in range(1, CROWD, 3) for y in range(CROWD)
        ],
    }


def crowd_turns() -> Iterator[State]:
    """Yield the state in which each unit of the crowd's first player chooses what to do."""
    state = GAME.initial(dense_field())
    while GAME.actor(state) == CHANCE:
        first = len(state.pending[0].scores) == 0  # type: ignore[attr-defined]
        state = GAME.apply(state, 6 if first else 0)
    for action in GAME.actions(state):
        yield GAME.apply(state, action)


def everything(state: State) -> int:
    """List all that a unit can do, with all details; return how many actions."""
    return sum(1 for kind in TURN_TYPES for _ in kind.legal(state))


def listing() -> None:
    """Print how long it takes to list what a unit can do."""
    print(f"\nmilliseconds to list what a unit can do (aim: below {AIM_LIST_MS:g})")
    print(f"{'':30}{'states':>8}{'median':>9}{'99 %':>9}{'most':>9}")
    fields = {
        name: [state for root in range(2) for state in turns(name, root)] for name in GAME.setups
    }
    fields[f"{CROWD**2 // 2} figures, {CROWD} x {CROWD} studs"] = list(crowd_turns())
    for name, states in fields.items():
        times = sorted(_best_ms(GAME.actions, state) for state in states)
        print(f"{name:<30}{len(times):>8}{_columns(times)}")
    crowd = list(crowd_turns())
    count = statistics.median(map(everything, crowd))
    times = sorted(_best_ms(everything, state) for state in crowd)
    print(f"{f'the last, all {count:g} details too':<30}{len(times):>8}{_columns(times)}")


def pilots() -> None:
    """Print how long it takes to list what a pilot can do, and which turns his vehicle has room for."""
    print(f"\nmilliseconds to list what a pilot can do (aim: below {AIM_LIST_MS:g})")
    print(f"{'':30}{'states':>8}{'median':>9}{'99 %':>9}{'most':>9}")
    for name, setup in GAME.setups.items():
        steps = [step.after for root in range(4) for step in battle(GAME, name, root).steps]
        for menu in ("", ChangeDirection.word) if setup.get("vehicles") else ():
            times = sorted(_best_ms(GAME.actions, state) for state in steps if _drives(state, menu))
            if times:
                print(f"{f'{name} {menu}':<30}{len(times):>8}{_columns(times)}")


def _drives(state: State, menu: str) -> bool:
    """Tell whether a pilot is asked what he does, or, with a menu, how."""
    chooses = state.active != NOBODY and not state.pending and state.result is None
    return chooses and state.menu == menu and state.piloted is not None


def _best_ms(ask: Callable[[State], object], state: State) -> float:
    """Return the less of two times: the first may be spent on what is remembered from then on."""
    times = []
    for _ in range(2):
        fresh = state.replaced({"units": state.units})  # without the board that the state remembers
        start = time.perf_counter()
        ask(fresh)
        times.append(1000 * (time.perf_counter() - start))
    return min(times)


def _columns(times: list[float]) -> str:
    middle, late = statistics.median(times), times[int(0.99 * (len(times) - 1))]
    return f"{middle:>9.3f}{late:>9.3f}{times[-1]:>9.3f}"


def sizes() -> None:
    """Print how long a state is as text, and how much memory each state of a recorded battle takes."""
    print(f"\nbytes of a state (aim: below {AIM_STATE_BYTES:,})")
    for name in (BATTLE, "ambush"):
        battle(GAME, name, 1)
        tracemalloc.start()
        record = battle(GAME, name, 1)
        memory = tracemalloc.get_traced_memory()[0] / len(record.steps)
        tracemalloc.stop()
        longest = max(len(GAME.format_state(step.after)) for step in record.steps)
        print(
            f"  {name}: {longest:,} as text at most, {memory:,.0f} in memory for each step of a record"
        )


def hard_games() -> Iterator[tuple[str, AnyGame, Setup]]:
    """Yield the setups of the games in the tests with hidden hands, chains of dice, secret orders, one player."""
    for module, name in HARD_GAMES.items():
        game = getattr(import_module(f"tests.rules.{module}"), name)()
        for scenario, setup in game.setups.items():
            yield f"{game.name} {scenario}", game, setup


def greedy() -> None:
    """Print how fast greedy bots play games that are hard to search, against random bots in the same run."""
    print(f"\ngreedy bots, applied actions a second (aim: at least {AIM_GREEDY_SHARE} of random)")
    print(f"{'':30}{'random':>9}{'greedy':>9}{'share':>9}")
    for title, game, setup in hard_games():
        speeds: dict[str, list[float]] = {"random": [], "greedy": []}
        for number in range(ROUNDS + 1):  # the first fills what is remembered
            for name, found in speeds.items():
                found.append(bot_speed(game, setup, name, number))
        medians = [statistics.median(found[1:]) for found in speeds.values()]
        shares = [g / r for r, g in zip(*speeds.values(), strict=True)][1:]
        print(f"{title:<30}{medians[0]:>9,.0f}{medians[1]:>9,.0f}{statistics.median(shares):>9.2f}")


def bot_speed(game: AnyGame, setup: Setup, name: str, root: int) -> float:
    """Return the actions a second of bots of one name in games of at least `GREEDY_S` seconds."""
    bots = [bot(name, game, LAW)] * game.players(game.initial(setup))
    start, applied, number = time.process_time(), 0, 0
    while time.process_time() < start + GREEDY_S:
        source = LawSource(LAW, root)
        applied += play(game, setup, bots, source, root=root, address=(number,)).actions
        number += 1
    return applied / (time.process_time() - start)


class Speeds(NamedTuple):
    """Actions a second of bots: random ones of BOW, random and greedy ones of another game, and medians of shares."""

    bow: float
    random: float
    greedy: float
    of_bow: float
    of_random: float


def beside_bow(game: AnyGame, setup: Setup) -> Speeds:
    """Return how fast bots play a setup, in turns with random bots of BOW."""
    rows = []
    for number in range(ROUNDS + 1):
        bow = bot_speed(GAME, GAME.setups[BATTLE], "random", number)
        random, greedy = (bot_speed(game, setup, name, number) for name in ("random", "greedy"))
        rows.append((bow, random, greedy, random / bow, greedy / random))
    columns = zip(*rows[1:], strict=True)  # the first fills what is remembered
    return Speeds(*map(statistics.median, columns))


def main() -> None:
    """Print everything."""
    compare()
    greedy()
    shares()
    listing()
    pilots()
    sizes()


if __name__ == "__main__":
    main()
