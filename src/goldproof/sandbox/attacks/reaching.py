"""Network attacks: every kind of socket, to loopback and beyond."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from goldproof.sandbox.attacks.attack import Attack, did

if TYPE_CHECKING:
    from goldproof.sandbox.attacks.bait import Bait
    from goldproof.sandbox.run import Run

# 192.0.2.1 is for documentation: nobody is there, so a connection can fail by time only where packets may leave.
_LOOPBACK = """
from trying import BAIT, attempt
import socket

def connect(family, kind, address):
    with socket.socket(family, kind) as one:
        one.settimeout(1)
        one.connect(address)
        one.send(b"x")

def send(family, address):
    with socket.socket(family, socket.SOCK_DGRAM) as one:
        one.sendto(b"x", address)

attempt("tcp", lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", BAIT["tcp"])))
attempt("tcp by IPv6", lambda: connect(socket.AF_INET6, socket.SOCK_STREAM, ("::ffff:127.0.0.1", BAIT["tcp"])))
attempt("udp", lambda: send(socket.AF_INET, ("127.0.0.1", BAIT["udp"])))
"""

_UNIX = """
from trying import BAIT, attempt
import socket

def connect(kind, address):
    with socket.socket(socket.AF_UNIX, kind) as one:
        one.connect(address)
        one.send(b"x")

attempt("unix stream", lambda: connect(socket.SOCK_STREAM, BAIT["stream"]))
attempt("unix datagram", lambda: connect(socket.SOCK_DGRAM, BAIT["datagram"]))
attempt("abstract stream", lambda: connect(socket.SOCK_STREAM, "\\0" + BAIT["abstract"]))
attempt("abstract datagram", lambda: connect(socket.SOCK_DGRAM, "\\0" + BAIT["abstract"] + "-datagram"))
"""

# Event loops need pairs of connected sockets. A pair of datagram sockets can be sent elsewhere.
_PAIR = """
from trying import BAIT, attempt
import socket

def elsewhere(kind, address, how):
    one, other = socket.socketpair(socket.AF_UNIX, kind)
    if how == "connect":
        one.connect(address)
        one.send(b"x")
    else:
        one.sendto(b"x", address)

for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM, socket.SOCK_SEQPACKET, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC):
    for address in (BAIT["datagram"], BAIT["stream"], "\\0" + BAIT["abstract"] + "-datagram"):
        for how in ("connect", "send"):
            attempt("pair", lambda: elsewhere(kind, address, how))
"""

_BEYOND = """
from trying import attempt
import socket

def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as one:
        one.settimeout(0.3)
        try:
            one.connect(address)
        except TimeoutError:
            return "packets left"

def send():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        return one.sendto(b"x", ("192.0.2.1", 9))

attempt("tcp beyond", lambda: connect(socket.AF_INET, ("192.0.2.1", 80)))
attempt("tcp beyond by IPv6", lambda: connect(socket.AF_INET6, ("2001:db8::1", 80)))
attempt("udp beyond", send)
attempt("name", lambda: socket.getaddrinfo("goldproof.invalid", 80))
"""

_FAMILIES = """
from trying import attempt, call
import os

# By the bare call, with the upper half of the argument set too: the kernel looks at the lower one only.
for family in [*range(1, 46), *(family + (1 << 32) for family in (1, 2, 10, 16))]:
    for kind in (1, 2, 3):
        attempt("a socket", lambda: call("socket", family, kind, 0))
attempt("a listener", lambda: call("bind", 0, 0, 0))
for family in range(2, 46):
    attempt("a pair", lambda: call("socketpair", family, 1, 0, (__import__("ctypes").c_int * 2)()))
"""


def _came_by_network(run: Run, bait: Bait) -> bool:  # noqa: ARG001 - a judgement has both
    return bait.visited(socket.AF_INET)


def _came_by_unix(run: Run, bait: Bait) -> bool:  # noqa: ARG001
    return bait.visited(socket.AF_UNIX)


_left = did("tcp beyond", "udp beyond", "name")

REACHING = (
    Attack("loopback", "Connects to TCP and UDP ports of the host's.", _LOOPBACK, _came_by_network, bare=True),
    Attack("unix sockets", "Connects to unix sockets, by path and by abstract name.", _UNIX, _came_by_unix, bare=True),
    Attack("socket pairs", "Leads one of a pair of sockets elsewhere.", _PAIR, _came_by_unix, bare=True),
    Attack("network beyond", "Sends packets to another machine.", _BEYOND, _left),
    Attack(
        "socket families", "Makes sockets of every family.", _FAMILIES, did("a socket", "a pair"), bare=True, fresh=True
    ),
)
