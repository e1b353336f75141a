"""Place: where the server is reached: an address of this machine, a free port, and the address that people open."""

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address

from brickphys.errors import InvalidValueError
from brickphys.text import shown

PORT = 8765
LOCAL = ("127.0.0.1", "localhost", "[::1]")
"""Names by which this machine calls itself."""
_OUTSIDE = ("192.0.2.1", 9)
"""An address for documentation: nothing is sent to it, the system only tells which of its own it would use."""


@dataclass(frozen=True)
class Place:
    """Where the server is reached.

    Parameters
    ----------
    host
        Name or number of an address of this machine, as it was given.
    numbers
        All of its numbers, where the server listens.
    port
        At each of them.
    """

    host: str
    numbers: tuple[str, ...]
    port: int

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        return all(ip_address(number.partition("%")[0]).is_loopback for number in self.numbers)

    @property
    def is_everywhere(self) -> bool:
        """Whether it is reached by every address of this machine."""
        return any(ip_address(number.partition("%")[0]).is_unspecified for number in self.numbers)

    @property
    def names(self) -> tuple[str, ...]:
        """The names, without port, by which a browser may call it; empty for any."""
        own = map(_bracketed, (self.host.lower(), *self.numbers))
        return (*LOCAL, *own) if self.is_local else ()

    @property
    def address(self) -> str:
        """What people open, without a path: of a server that is reached by every address, this machine's name."""
        name = _machine() if self.is_everywhere else self.host
        return f"http://{_bracketed(name)}:{self.port}"


@contextmanager
def taken_place(host: str, port: int | None) -> Iterator[tuple[Place, list[socket.socket]]]:
    """Take the place where the server is to be reached, and give it back after the block.

    Parameters
    ----------
    host
        Name or number of an address of this machine; an IPv6 number may stand in brackets.
    port
        None for 8765, or a free one if that is taken.

    Yields
    ------
    tuple
        The place, and the sockets that listen there: whoever connects from now on is served once the server runs.

    Raises
    ------
    InvalidValueError
        If the server cannot have this address.
    """
    name = host.removeprefix("[").removesuffix("]")
    if not name:
        raise InvalidValueError("the host is empty: give a name or number, such as 127.0.0.1")
    with ExitStack() as stack:
        doors = [stack.enter_context(door) for door in _doors(name, port)]
        numbers = tuple(door.getsockname()[0] for door in doors)
        yield Place(name, numbers, doors[0].getsockname()[1]), doors


def _doors(name: str, port: int | None) -> list[socket.socket]:
    reason = ""
    for wanted in (PORT, 0) if port is None else (port,):
        try:
            return _listening(name, wanted)
        except socket.gaierror as error:
            reason = error.strerror or "it has no number"
            break
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
        except (ValueError, OverflowError):  # no name or no number of a port
            reason = "there is no such address"
            break
    called = shown(name) if port is None else f"{shown(name)}, port {port}"
    raise InvalidValueError(f"{called}: the server cannot have this address: {reason}")


def _listening(name: str, port: int) -> list[socket.socket]:
    """Return sockets that listen at all numbers of a name, at one port: localhost may have two."""
    doors = list[socket.socket]()
    with ExitStack() as stack:
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
        for kind, _, _, _, (number, _, *zone) in dict.fromkeys(found):
            is_both = number == "::" and socket.has_dualstack_ipv6()
            where = (number, port, *zone)
            door = socket.create_server(where, family=kind, dualstack_ipv6=is_both)
            doors.append(stack.enter_context(door))
            port = door.getsockname()[1]
        stack.pop_all()
    return doors


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def _machine() -> str:
    """Return the name of this machine; its number where the name leads nowhere."""
    name = socket.gethostname()
    with suppress(OSError, UnicodeError):
        socket.getaddrinfo(name, None)
        return name
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(_OUTSIDE)
        return str(one.getsockname()[0])
    return LOCAL[0]
