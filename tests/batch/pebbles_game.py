"""A game of a millisecond that can be told to fail: it draws setups that raise, hang, die or eat memory."""

import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from brickphys.errors import InvalidValueError
from brickphys.rules.events import Draw
from brickphys.rules.game import OpenGame
from brickphys.rules.record import OVER

FAULTS = ("waits", "raises", "exits", "hangs", "dies", "eats")


@dataclass(frozen=True)
class Pebbles:
    """How many lie there, who takes next, what goes wrong when the last is taken, and how long that takes."""

    left: int
    mover: int = 0
    fault: str = "-"
    wait_s: float = 0.0
    marker: str = "-"


class PebblesGame(OpenGame[Pebbles, str]):
    """Players take one or two pebbles in turn; whoever takes the last one wins."""

    name = "pebbles"
    version = "1"

    @property
    def setups(self) -> Mapping[str, Mapping[str, object]]:
        return {"ten": {"left": 10}}

    def draw_setup(self, options, rng) -> tuple[str, Mapping[str, object]]:
        """Draw the number of pebbles, and a fault for some of the games: options are shares by fault, and `wait_s`."""
        left, lot = int(rng.integers(5, 12)), float(rng.uniform())
        setup = {"left": left, "wait_s": options.get("wait_s", 0.0)}
        for fault in FAULTS:
            lot -= options.get(fault, 0.0)
            if lot < 0:
                return fault, {**setup, "fault": fault, "marker": options.get("marker", "-")}
        return f"{left} pebbles", setup

    def initial(self, setup: Mapping[str, object]) -> Pebbles:
        if not isinstance(setup.get("left"), int):
            raise InvalidValueError(f"setup {dict(setup)}: needs left")
        return Pebbles(
            left=int(str(setup["left"])),
            fault=str(setup.get("fault", "-")),
            wait_s=float(str(setup.get("wait_s", 0.0))),
            marker=str(setup.get("marker", "-")),
        )

    def players(self, state: Pebbles) -> int:
        return 2

    def actor(self, state: Pebbles) -> int:
        return state.mover if state.left else OVER

    def actions(self, state: Pebbles) -> Sequence[str]:
        return tuple(str(count) for count in (1, 2) if count <= state.left)

    def problems(self, state: Pebbles, action: str) -> list[str]:
        return [] if action in self.actions(state) else [f"Pebbles 1: {action!r} cannot be taken"]

    def chance(self, state: Pebbles) -> Draw:
        raise NotImplementedError

    def apply(self, state: Pebbles, move: object) -> Pebbles:
        left = state.left - int(str(move))
        if not left:
            time.sleep(state.wait_s)
            happen(state.fault, state.marker)
        return Pebbles(left, 1 - state.mover, state.fault, state.wait_s, state.marker)

    def returns(self, state: Pebbles) -> tuple[int, int]:
        return (-1, 1) if state.mover == 0 else (1, -1)

    def rounds(self, state: Pebbles) -> int:
        return 12 - state.left

    def format_state(self, state: Pebbles) -> str:
        return f"{state.left} {state.mover} {state.fault} {state.wait_s} {state.marker}"

    def parse_state(self, text: str) -> Pebbles:
        left, mover, fault, wait_s, marker = text.split(" ")
        return Pebbles(int(left), int(mover), fault, float(wait_s), marker)

    def format_action(self, action: str) -> str:
        return action

    def parse_action(self, text: str) -> str:
        return text


def happen(fault: str, marker: str) -> None:
    """Let something go wrong; if a marker is named, only until that file is there."""
    while fault == "waits" and not Path(marker).exists():
        time.sleep(0.02)
    if fault in ("-", "waits") or (marker != "-" and Path(marker).exists()):
        return
    if marker != "-":
        Path(marker).touch()
    if fault == "raises":
        raise ZeroDivisionError("no pebble\nleft")
    if fault == "exits":
        raise SystemExit(3)
    if fault == "hangs":
        time.sleep(3600)
    if fault == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "eats":
        _ = [bytearray(2**26) for _ in range(2**10)]
