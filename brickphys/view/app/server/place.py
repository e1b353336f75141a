"""Place: where the server is reached: an address of this machine, a free port, and the address that people open."""

import os
import socket
from contextlib import suppress
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
    number
        The same as a number.
    port
        Is free.
    """

    host: str
    number: str
    port: int

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        return ip_address(self.number.partition("%")[0]).is_loopback

    @property
    def is_everywhere(self) -> bool:
        """Whether it is reached by every address of this machine."""
        return ip_address(self.number).is_unspecified

    @property
    def names(self) -> tuple[str, ...]:
        """The names, without port, by which a browser may call it; empty for any."""
        return (*LOCAL, _bracketed(self.host).lower()) if self.is_local else ()

    @property
    def address(self) -> str:
        """What people open, without a path: of a server that is reached by every address, this machine's name."""
        name = _machine() if self.is_everywhere else self.host
        return f"http://{_bracketed(name)}:{self.port}"

    @property
    def door(self) -> tuple[str, int]:
        """Where this machine itself connects to it."""
        here = {"0.0.0.0": "127.0.0.1", "::": "::1"}
        return here.get(self.number, self.number), self.port


def free_place(host: str, port: int | None) -> Place:
    """Return where the server is to be reached.

    Parameters
    ----------
    host
        Name or number of an address of this machine; an IPv6 number may stand in brackets.
    port
        None for 8765, or a free one if that is taken.

    Raises
    ------
    InvalidValueError
        If the server cannot have this address.
    """
    name = host.removeprefix("[").removesuffix("]")
    if not name:
        raise InvalidValueError("the host is empty: give a name or number, such as 127.0.0.1")
    reason = ""
    for wanted in (PORT, 0) if port is None else (port,):
        try:
            kind, _, _, _, where = socket.getaddrinfo(name, wanted, type=socket.SOCK_STREAM)[0]
            with socket.create_server(where, family=kind) as server:
                number, found = server.getsockname()[:2]
                return Place(name, number, found)
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
