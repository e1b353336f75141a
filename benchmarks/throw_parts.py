"""Where the time of a throw goes in the compiled engine, by the processor's clock.

Run by ``make bench``. Parts do not overlap: the clock of a part stands while a part inside it runs. The time that a
reading of the clock takes is measured and subtracted. Shares hardly depend on other processes.
"""

import argparse
import math
import os
import tempfile
import time
from importlib import import_module
from typing import Any

import numpy as np

PARTS = {
    "rotate_freely": "in the air: rotation",
    "time_to_contact": "in the air: search for the next contact",
    "measure_in_the_air": "in the air: heights of corners",
    "_bounce": "in the air: bounces at single corners",
    "measure_on_floor": "on the floor: heights of corners near it",
    "start_step": "on the floor: start of a step, bounces",
    "_sweep": "on the floor: impulses",
    "end_step": "on the floor: end of a step",
    "_leave": "decisions, and the next throws",
}
"""Kernel -> what it does. What remains of a throw is one part more."""
KERNELS = ("flight_kernel", "contact_kernel", "floor_kernel", "throw_kernel")
READINGS = 10_000


def clock_switch(state: Any) -> Any:
    """Return a function for compiled code: it lets another part's clock run, and returns the part that ran.

    `state` has the last reading, the part that runs, then ticks and number of stops of each part. Compiled code writes
    it by its address.
    """
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic

    word, count = ir.IntType(64), len(PARTS) + 1

    @intrinsic
    def switch(_typing: Any, part: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:

            def place(start: int, part: Any = None) -> Any:
                address = ir.Constant(word, state.ctypes.data + 8 * start)
                if part is not None:
                    address = builder.add(address, builder.mul(part, ir.Constant(word, 8)))
                return builder.inttoptr(address, word.as_pointer())

            def add(where: Any, amount: Any) -> None:
                builder.store(builder.add(builder.load(where), amount), where)

            reading = ir.FunctionType(word, ())
            now = builder.call(
                builder.module.declare_intrinsic("llvm.readcyclecounter", (), reading), ()
            )
            ran = builder.load(place(1))
            add(place(2, ran), builder.sub(now, builder.load(place(0))))
            add(place(2 + count, ran), ir.Constant(word, 1))
            builder.store(now, place(0))
            builder.store(arguments[0], place(1))
            return ran

        return numba.int64(part), generate

    return switch


def time_the_kernels(switch: Any) -> None:
    """Replace the kernels of `PARTS`, before anything is compiled, by ones that let their own clock run."""
    from brickphys.jit import kernel

    modules = [import_module(f"brickphys.engines.kernels.{name}") for name in KERNELS]

    def timed(function: Any, part: int) -> Any:
        def run(*arguments: Any) -> Any:
            before = switch(part)
            result = function(*arguments)
            switch(before)
            return result

        return kernel(run)

    for part, name in enumerate(PARTS):
        users = [module for module in modules if hasattr(module, name)]
        new = timed(getattr(users[0], name), part)
        for module in users:
            setattr(module, name, new)


def parts(shape: str, throws: int) -> None:
    """Print the table of a shape thrown by hand on wood."""
    import numba

    from brickphys.engines.compiled import CompiledEngine
    from brickphys.shapes.catalogue import parse_shape
    from brickphys.throws.conditions import preset, surface
    from brickphys.throws.release import release

    count = len(PARTS) + 1
    state = np.zeros(2 + 2 * count, dtype=np.int64)
    ticks, stops = state[2 : 2 + count], state[2 + count :]
    switch = clock_switch(state)
    time_the_kernels(switch)

    def read_clock(times: int) -> None:
        for _ in range(times):
            switch(count - 1)

    read: Any = numba.njit(read_clock)

    def start() -> None:
        """Let the clock of what remains run, and set all times to 0."""
        read(2)
        state[2:] = 0

    reading = math.inf
    for _ in range(100):  # the least time is the one without other processes
        start()
        read(READINGS)
        reading = min(reading, ticks.sum() / READINGS)
    body, contact, engine = parse_shape(shape), surface("wood").nominal, CompiledEngine()
    engine.land(body, contact, release(body, preset("hand"), 1, (), 0, 1))
    begun = time.process_time()
    states = release(body, preset("hand"), 2, (), 0, throws)
    drawn = time.process_time()
    start()
    engine.land(body, contact, states)
    read(1)
    landed = time.process_time()
    net = ticks - reading * stops
    scale = (landed - drawn) * 1e6 / throws / ticks.sum()
    print(f"{shape}, hand, wood: microseconds of one throw (clock readings subtracted), and share")
    rows = {"draw of starts": (drawn - begun) * 1e6 / throws}
    rows |= dict(zip((*PARTS.values(), "what remains"), (scale * net).tolist(), strict=True))
    for name, microseconds in rows.items():
        print(f"{name:<46}{microseconds:>6.1f}{100 * microseconds / sum(rows.values()):>6.0f} %")
    print(f"{'all':<46}{sum(rows.values()):>6.1f}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shape", default="2x2")
    parser.add_argument("--throws", type=int, default=20_480)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:  # code that knows an address may not be kept
        os.environ["NUMBA_CACHE_DIR"] = cache
        # with settings of its own Numba compiles, and takes nothing made before
        os.environ["NUMBA_OPT"] = "3"
        parts(arguments.shape, arguments.throws)


if __name__ == "__main__":
    main()
