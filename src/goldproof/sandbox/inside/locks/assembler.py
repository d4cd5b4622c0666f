"""A small assembler for classic BPF, as seccomp runs it: instructions with labels in, bytes out.

Every instruction is 8 bytes: code, how far to jump where a test holds and where not, and a constant. Jumps go forward
only, at most 255 instructions.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

LOAD = 0x20  # A = 32 bits of the call's record, at a constant offset
AND = 0x54  # A = A & constant
EQUAL = 0x15  # jump on A == constant
AT_LEAST = 0x35  # jump on A >= constant, unsigned
RETURN = 0x06

OWN_PID = -1  # stands for a constant that is known only in the process that is locked
_SIZE = 8
_FARTHEST = 255


class Instruction(NamedTuple):
    """One instruction. then, otherwise: labels to go to where a test holds, or not; empty: to the next instruction."""

    code: int
    constant: int = 0
    then: str = ""
    otherwise: str = ""
    label: str = ""  # the name of this place


class Program(NamedTuple):
    """Assembled code. own_pid_at: which instructions wait for the process's id."""

    code: bytes
    own_pid_at: tuple[int, ...] = ()

    def __len__(self) -> int:
        """How many instructions."""
        return len(self.code) // _SIZE

    def owned_by(self, pid: int) -> bytes:
        """The code, with a process's id filled in."""
        code = bytearray(self.code)
        for index in self.own_pid_at:
            struct.pack_into("=I", code, index * _SIZE + 4, pid)
        return bytes(code)


def assemble(instructions: list[Instruction]) -> Program:
    """Resolve labels and encode. ValueError for a label that is missing, behind or too far away."""
    places = {one.label: index for index, one in enumerate(instructions) if one.label}
    code = b"".join(_encode(one, index=index, places=places) for index, one in enumerate(instructions))
    return Program(code, tuple(index for index, one in enumerate(instructions) if one.constant == OWN_PID))


def _encode(one: Instruction, *, index: int, places: dict[str, int]) -> bytes:
    jumps = [_distance(label, index=index, places=places) for label in (one.then, one.otherwise)]
    constant = 0 if one.constant == OWN_PID else one.constant
    return struct.pack("=HBBI", one.code, jumps[0], jumps[1], constant)


def _distance(label: str, *, index: int, places: dict[str, int]) -> int:
    if not label:
        return 0
    distance = places.get(label, -1) - index - 1
    if not 0 <= distance <= _FARTHEST:
        raise ValueError(f"instruction {index}: label {label!r} is {distance} away, expected 0 to {_FARTHEST}")
    return distance
