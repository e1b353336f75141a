"""Tables of several machines: from a choice at one seat to the answer at the other, with many tables at once; memory.

Run it with ``python -m benchmarks.tables``, or ``--minutes 10`` for a soak of bots. The visitors are sockets without a
browser: two seats and one who watches at each table.
"""

import argparse
import ast
import asyncio
import json
import random
import re
import time
from contextlib import AsyncExitStack
from typing import Any
from urllib.parse import urlencode

import aiohttp
import numpy as np
import psutil
import socketio

from benchmarks.app_server import served
from brickphys.rules.registry import game
from brickphys.view.app.tables import laid_table

TABLES, CHOICES, BOT_TABLES = 20, 10, 10
GAME, SETUP, SHORT = "bow", "skirmish", "duel"
THINKS_S = 2.0
"""Mean time of a person between two choices, one who is quick."""
_QUERY = re.compile(r"query: (\{.*?\}),\n")
_OFFER = re.compile(r"\.offer\((\[.*?\]),\d", re.DOTALL)
_OVER = re.compile(r"after \d+ action")
_LINE = "Or type: an action, a place, a name"
_MOST_S = 60.0


class Visitor:
    """A page of a table, as its socket sees it."""

    def __init__(self, address: str, path: str) -> None:
        self._address, self._path = address, path
        self._elements = dict[str, dict[str, Any]]()
        self._places = list[str]()
        self._socket = socketio.AsyncClient()
        self._socket.on("*", self._hear)
        self._heard = asyncio.Event()

    async def open(self, http: aiohttp.ClientSession) -> None:
        """Get the page, open its socket, and wait until the table is there."""
        async with http.get(self._address + self._path) as answer:
            html = await answer.text()
            cookies = "; ".join(f"{name}={one.value}" for name, one in answer.cookies.items())
        found = _QUERY.search(html)
        assert found, html
        query = ast.literal_eval(found[1])
        self._client = query["client_id"]
        own = dict.fromkeys(("document_id", "tab_id"), self._client)
        await self._socket.connect(
            f"{self._address}?{urlencode(query | own | {'implicit_handshake': 'true'})}",
            headers={"Cookie": cookies},
            socketio_path="/_nicegui_ws/socket.io",
            transports=["websocket"],
        )
        while not (self.choices or self._places or "choosing" in self.status):
            await asyncio.sleep(0.05)

    async def _hear(self, kind: str, message: dict[str, Any]) -> None:
        if kind == "update":
            for name, one in message.items():
                if one is None:
                    self._elements.pop(name, None)
                elif isinstance(one, dict):
                    self._elements[name] = one
        elif kind == "run_javascript" and (found := _OFFER.search(message["code"])):
            self._places = [place["text"] for place in json.loads(found[1])]
        self._heard.set()

    def _of(self, **wanted: str) -> list[tuple[str, dict[str, Any]]]:
        return [
            (name, one)
            for name, one in self._elements.items()
            if all(one.get(key) == value for key, value in wanted.items())
        ]

    @property
    def status(self) -> str:
        """What the page asks."""
        found = [one for _, one in self._of(tag="div") if "live-status" in one.get("class", ())]
        return str(found[0].get("text", "")) if found else ""

    @property
    def choices(self) -> list[tuple[str, dict[str, Any]]]:
        """The choices that are buttons: they show what they do when one points at them."""
        found = self._of(tag="button")
        return [one for one in found if any(e["type"] == "mouseenter" for e in one[1]["events"])]

    async def choose(self, chance: random.Random) -> bool:
        """Do one of the choices, if there are any: those with a place by typing, since their buttons are folded."""
        if self._places and "choosing" not in self.status:
            name, one = self._named(_LINE)
            await self._emit(name, one, "update:value", chance.choice(self._places))
            await self._emit(name, one, "keydown", None)
        elif buttons := self.choices:
            name, one = chance.choice(buttons)
            await self._emit(name, one, "click", {})
        else:
            return False
        return True

    def _named(self, label: str) -> tuple[str, dict[str, Any]]:
        """Return the element with a label."""
        labels = ((pair, pair[1].get("props", {}).get("label")) for pair in self._elements.items())
        return next(pair for pair, told in labels if told == label)

    async def press(self, label: str) -> None:
        """Press a button of the page."""
        await self._emit(*self._named(label), "click", {})

    async def _emit(self, name: str, element: dict[str, Any], kind: str, given: object) -> None:
        listener = next(
            one for one in element["events"] if one["type"] == kind and not one["js_handler"]
        )
        event = {"id": int(name), "client_id": self._client, "args": [json.dumps(given)]}
        await self._socket.emit("event", event | {"listener_id": listener["listener_id"]})

    def listen(self) -> None:
        """Forget what was heard."""
        self._heard.clear()

    async def answer(self) -> None:
        """Wait until something is heard."""
        async with asyncio.timeout(_MOST_S):
            await self._heard.wait()

    async def close(self) -> None:
        """Close the page."""
        await self._socket.disconnect()


async def _play(visitors: list[Visitor], chance: random.Random, choices: int) -> list[float]:
    """Let two seats choose, so many times; return the seconds until the other one hears of it."""
    found = list[float]()
    for _ in range(choices):
        await asyncio.sleep(chance.expovariate(1 / THINKS_S))
        for seat, other in (visitors[:2], visitors[1::-1]):
            other.listen()
            start = time.perf_counter()
            if await seat.choose(chance):
                await other.answer()
                found.append(time.perf_counter() - start)
                break
    return found


async def _evening(address: str, paths: list[list[str]], choices: int) -> None:
    server = _server()
    before = server.memory_info().rss
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(aiohttp.ClientSession())
        tables = [[Visitor(address, path) for path in table] for table in paths]
        for visitors in tables:
            for one in visitors:
                await one.open(http)
                stack.push_async_callback(one.close)
        memory = (server.memory_info().rss - before) / len(tables) / 1e6
        used = server.cpu_times()
        start = time.perf_counter()
        waits = await asyncio.gather(
            *(_play(one, random.Random(n), choices) for n, one in enumerate(tables))
        )
        spent, lasted = server.cpu_times(), time.perf_counter() - start
    ms = 1e3 * np.concatenate(waits)
    share = (spent.user + spent.system - used.user - used.system) / lasted
    print(f"{len(tables)} tables, {sum(map(len, tables))} pages: {memory:.1f} MB a table")
    print(
        f"a choice until the other machine hears of it, {len(ms)} of them: median {np.median(ms):.0f} ms, "
        f"95 % {np.percentile(ms, 95):.0f} ms, longest {ms.max():.0f} ms; {100 * share:.0f} % of a core"
    )


def _server() -> psutil.Process:
    return psutil.Process().children()[-1]


async def _soak(address: str, paths: list[list[str]], minutes: int) -> list[tuple[int, float]]:
    """Let bots play at all tables, and begin another game where one is over; return games and MB minute by minute."""
    server, games = _server(), 0
    found = list[tuple[int, float]]()
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(aiohttp.ClientSession())
        tables = [[Visitor(address, path) for path in table[:2]] for table in paths]
        for visitors in tables:
            for one in visitors:
                await one.open(http)
                stack.push_async_callback(one.close)
            for one in visitors:
                await one.press("Let a bot play")
        print("minute  games  MB")
        over = [False] * len(tables)
        for second in range(60 * minutes + 1):
            if second % 60 == 0:
                found.append((games, server.memory_info().rss / 1e6))
                print(f"{second // 60:6}  {games:5}  {found[-1][1]:.0f}", flush=True)
            await asyncio.sleep(1)
            for number, (visitor, _) in enumerate(tables):
                was_over, over[number] = over[number], bool(_OVER.search(visitor.status))
                games += over[number] > was_over
                if over[number]:
                    await visitor.press("Play again")
    return found


def _laid(count: int, setup: str) -> list[list[str]]:
    found = game(GAME)
    return [[*laid_table(found, found.setups[setup], "person").values()] for _ in range(count)]


def soak(minutes: int) -> list[tuple[int, float]]:
    """Let bots play at ten tables of a server; return how many games are over, and its memory in MB, each minute."""
    with served() as address:
        return asyncio.run(_soak(address, _laid(BOT_TABLES, SHORT), minutes))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=int, default=0)
    if minutes := parser.parse_args().minutes:
        soak(minutes)
        return
    with served() as address:
        asyncio.run(_evening(address, _laid(TABLES, SETUP), CHOICES))


if __name__ == "__main__":
    main()
