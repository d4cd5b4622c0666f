"""Compile rules to a seccomp filter and install it on the process, for good and for its children."""

from __future__ import annotations

import ctypes
from errno import EBUSY, ENOSYS
from typing import TYPE_CHECKING

from .assembler import AND, AT_LEAST, EQUAL, LOAD, RETURN, Instruction, Program, assemble
from .kernel import syscall
from .numbers import LAST_KNOWN, Architecture, number_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .rules import Rule, Test

ALLOW = 0x7FFF0000
KILL = 0x80000000  # the process
FAIL = 0x00050000  # with the error in the lower 16 bits

# struct seccomp_data: number, architecture, instruction pointer, six arguments of 64 bits, low half first.
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_SET_FILTER, _ALL_THREADS = 1, 1


def build(rules: Sequence[Rule], architecture: Architecture) -> Program:
    """The program. A call of another architecture ends the process: its numbers mean other calls."""
    return assemble([*_entrance(architecture), *_judged(rules, architecture), Instruction(RETURN, ALLOW)])


def install(program: Program, *, pid: int, architecture: Architecture) -> None:
    """Put it on this process. It must have given up new privileges before."""
    code = ctypes.create_string_buffer(program.owned_by(pid), len(program) * 8)
    number = number_of("seccomp", architecture)
    if number is None:
        raise OSError(ENOSYS, "no number for seccomp")
    header = _Header(len(program), ctypes.cast(code, ctypes.c_void_p))
    stray = syscall(number, _SET_FILTER, _ALL_THREADS, ctypes.byref(header))
    if stray:
        raise OSError(EBUSY, f"thread {stray} has a filter of its own")


class _Header(ctypes.Structure):
    """The kernel's struct sock_fprog."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def _entrance(architecture: Architecture) -> Iterator[Instruction]:
    yield Instruction(LOAD, _ARCHITECTURE)
    yield Instruction(EQUAL, architecture.audit, then="number")
    yield Instruction(RETURN, KILL)
    yield Instruction(LOAD, _NUMBER, label="number")
    if architecture.foreign is not None:
        yield Instruction(AT_LEAST, architecture.foreign, otherwise="native")
        yield Instruction(RETURN, KILL)
    yield Instruction(AT_LEAST, LAST_KNOWN + 1, otherwise="known", label="native")
    yield Instruction(RETURN, FAIL | ENOSYS)


def _judged(rules: Sequence[Rule], architecture: Architecture) -> Iterator[Instruction]:
    label = "known"  # of the next rule
    for rule in rules:
        number = number_of(rule.call, architecture)
        if number is not None:
            yield Instruction(EQUAL, number, otherwise=f"after {rule.call}", label=label)
            yield from _tested(rule)
            label = f"after {rule.call}"
    yield Instruction(LOAD, _NUMBER, label=label)


def _tested(rule: Rule) -> Iterator[Instruction]:
    # A rule always ends in a verdict, so the number need not be loaded again for the rules behind it.
    refused = f"{rule.call} refused"
    for index, test in enumerate(rule.unless):
        yield from _one_test(test, passed=f"{rule.call} passed {index}", refused=refused)
    if rule.unless:
        yield Instruction(RETURN, ALLOW)
    yield Instruction(RETURN, FAIL | rule.error, label=refused)


def _one_test(test: Test, *, passed: str, refused: str) -> Iterator[Instruction]:
    yield Instruction(LOAD, _ARGUMENTS + 8 * test.argument)
    yield Instruction(AND, test.mask)
    *others, last = test.values
    for value in others:
        yield Instruction(EQUAL, value, then=passed if test.among else refused)
    hit, miss = ("", refused) if test.among else (refused, "")
    yield Instruction(EQUAL, last, then=hit, otherwise=miss)
    # Where the test passed: a place to jump to, which changes nothing.
    yield Instruction(AND, 0xFFFFFFFF, label=passed)
