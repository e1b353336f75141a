"""Where the server is reached: addresses that can be opened, and those that it cannot have."""

import errno
import socket
from dataclasses import replace

import pytest

from brickphys.errors import InvalidValueError
from brickphys.view.app import server
from brickphys.view.app.server import ServerAddress


@pytest.mark.parametrize(
    ("host", "number", "address", "names"),
    [
        ("127.0.0.1", "127.0.0.1", "http://127.0.0.1:80", {"127.0.0.1", "localhost", "[::1]"}),
        ("::1", "::1", "http://[::1]:80", {"127.0.0.1", "localhost", "[::1]"}),
        ("Box", "127.0.1.1", "http://Box:80", {"127.0.0.1", "localhost", "[::1]", "box"}),
        ("192.0.2.1", "192.0.2.1", "http://192.0.2.1:80", set()),
        ("2001:db8::1", "2001:db8::1", "http://[2001:db8::1]:80", set()),
        ("0.0.0.0", "0.0.0.0", "http://192.0.2.7:80", set()),
        ("::", "::", "http://192.0.2.7:80", set()),
    ],
)
def test_the_address_can_be_opened(monkeypatch, host, number, address, names):
    monkeypatch.setattr(server, "_number", lambda: "192.0.2.7")
    found = ServerAddress(host, (number,), 80)
    assert found.address == address
    assert set(found.names) == (
        names | {number if ":" not in number else "[::1]"} if names else names
    )
    assert found.is_local == bool(names)


@pytest.mark.parametrize("numbers", [("127.0.1.1", "192.0.2.2"), ("192.0.2.2", "127.0.1.1")])
def test_a_name_with_one_number_that_others_reach_is_not_local(numbers):
    found = ServerAddress("box", numbers, 80)
    assert not found.is_local
    assert not found.names


def test_a_server_for_every_address_is_called_by_a_number_or_by_the_name_of_its_certificate(
    monkeypatch,
):
    monkeypatch.setattr(socket, "gethostname", lambda: "box.example")
    found = ServerAddress("0.0.0.0", ("0.0.0.0",), 1)
    number = found.address.removeprefix("http://").removesuffix(":1")
    assert number != "0.0.0.0"
    socket.inet_aton(number)
    assert replace(found, is_safe=True).address == "https://box.example:1"


def refused(host, port):
    with server.listening_address(host, port):
        pass


def refusing(error):
    def refuse(*_args, **_options):
        raise error

    return refuse


def test_a_free_port_is_found_where_the_usual_one_is_taken(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        monkeypatch.setattr(server, "PORT", taken)
        with server.listening_address("127.0.0.1", None) as (found, _):
            assert found.port not in (0, taken)
        with pytest.raises(InvalidValueError, match=f"port {taken}: .*: Address already in use"):
            refused("127.0.0.1", taken)


def test_a_port_that_needs_rights_is_refused_with_the_reason(monkeypatch):
    error = PermissionError(errno.EACCES, "Permission denied (while attempting to bind)")
    monkeypatch.setattr(socket, "create_server", refusing(error))
    with pytest.raises(InvalidValueError, match=r"port 80: .*: Permission denied$"):
        refused("127.0.0.1", 80)


def test_an_ipv6_number_may_stand_in_brackets():
    with socket.socket(socket.AF_INET6) as one:
        try:
            one.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
    with server.listening_address("[::1]", None) as (found, _):
        assert found.numbers == ("::1",)


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_a_server_for_every_address_is_reached_by_those_of_both_versions():
    with server.listening_address("::", 0) as (found, _):
        for number in ("127.0.0.1", "::1"):
            socket.create_connection((number, found.port)).close()


@pytest.mark.parametrize("numbers", [["127.0.0.1"], ["127.0.0.2", "127.0.0.1", "127.0.0.2"]])
def test_who_connects_before_the_server_runs_is_kept_waiting_not_refused(monkeypatch, numbers):
    monkeypatch.setattr(socket, "getaddrinfo", known_as(numbers))
    with server.listening_address("localhost", 0) as (found, doors):
        assert (set(found.numbers), len(doors)) == (set(numbers), len(set(numbers)))
        for number in numbers:
            socket.create_connection((number, found.port)).close()


def known_as(numbers):
    """Return what says that every name has some numbers of this machine."""

    def look_up(name, port, *_flags, **_options):
        numbers_of = [name] if name in numbers else numbers
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in numbers_of]

    return look_up


@pytest.mark.parametrize("host", ["", "[]", "192.0.2.1", "a" * 70, "x\0y", "1.2.3.4.5::"])
def test_an_address_that_the_server_cannot_have_is_one_line(host, monkeypatch):
    known = socket.getaddrinfo

    def look_up(name, *words, **options):  # asks no server for names
        return known(name, *words, **options, flags=socket.AI_NUMERICHOST)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(InvalidValueError) as found:
        refused(host, None)
    assert "\n" not in str(found.value)


def test_a_name_that_nobody_knows_is_one_line(monkeypatch):
    unknown = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    monkeypatch.setattr(socket, "getaddrinfo", refusing(unknown))
    with pytest.raises(InvalidValueError, match=r"'nowhere': .*: Name or service not known"):
        refused("nowhere", None)


def test_files_that_are_no_certificate_are_refused_in_a_line(tmp_path):
    empty, none = tmp_path / "empty.pem", tmp_path / "none.pem"
    empty.write_text("")
    for chain, key in ((empty, empty), (none, empty), (empty, none), (tmp_path, tmp_path)):
        with pytest.raises(InvalidValueError, match="no certificate with its key: ") as caught:
            server.Certificate(chain, key).checked()
        assert "\n" not in str(caught.value)
