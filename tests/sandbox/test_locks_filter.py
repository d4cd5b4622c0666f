"""The seccomp filter, run by a machine of our own: the program says what the rules say, on both architectures."""

from __future__ import annotations

import re
import struct
from errno import EACCES, ENOSYS, EPERM
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.sandbox.inside.locks.assembler import EQUAL, OWN_PID, RETURN, Instruction, Program, assemble
from goldproof.sandbox.inside.locks.filtering import ALLOW, FAIL, KILL, build
from goldproof.sandbox.inside.locks.numbers import ARCHITECTURES, LAST_KNOWN, NUMBERS, Architecture, number_of
from goldproof.sandbox.inside.locks.rules import Rule, rules_for

X86, ARM = ARCHITECTURES
PID = 4321
STRICT = rules_for(signal_others=False, file_facts=False, truncate=False)
LOOSE = rules_for(signal_others=True, file_facts=True, truncate=True)
HEADERS = ((0, "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), (1, "/usr/include/asm-generic/unistd.h"))


def run(program: Program, *, number: int, arguments: tuple[int, ...] = (), audit: int = X86.audit) -> int:
    """What the kernel would do: the verdict of the program on one call."""
    given_arguments = (*arguments, *[0] * (6 - len(arguments)))
    record = struct.pack("<IIQ6Q", number, audit, 0, *(one % 2**64 for one in given_arguments))
    code = list(struct.iter_unpack("=HBBI", program.owned_by(PID)))
    place = accumulator = 0
    while True:
        operation, then, otherwise, constant = code[place]
        place += 1
        if operation == 0x20:
            accumulator = struct.unpack_from("<I", record, constant)[0]
        elif operation == 0x54:
            accumulator &= constant
        elif operation == 0x06:
            return int(constant)
        else:
            holds = accumulator == constant if operation == 0x15 else accumulator >= constant
            assert operation in {0x15, 0x35}
            place += then if holds else otherwise


def meant(rules: tuple[Rule, ...], *, number: int, arguments: tuple[int, ...], architecture: Architecture) -> int:
    """The verdict by the meaning of the rules."""
    if number > LAST_KNOWN:
        return FAIL | ENOSYS
    rule = next((one for one in rules if number_of(one.call, architecture) == number), None)
    if rule is None:
        return ALLOW
    for test in rule.unless:
        values = [PID if value == OWN_PID else value for value in test.values]
        if ((arguments[test.argument] % 2**32 & test.mask) in values) != test.among:
            return FAIL | rule.error
    return ALLOW if rule.unless else FAIL | rule.error


def call(name: str, *arguments: int, rules: tuple[Rule, ...] = STRICT) -> int:
    number = number_of(name, X86)
    assert number is not None
    return run(build(rules, X86), number=number, arguments=arguments)


INTERESTING = st.sampled_from([0, 1, 2, 5, 8, PID, 2**32 - 1, 0x10000000, 0x59616D61, 0x5412]) | st.integers(
    0, 2**32 - 1
)


@given(
    number=st.integers(0, LAST_KNOWN + 10),
    low=st.tuples(*[INTERESTING] * 6),
    high=st.tuples(*[st.integers(0, 2**32 - 1)] * 6),
    architecture=st.sampled_from(ARCHITECTURES),
    rules=st.sampled_from([STRICT, LOOSE]),
)
def test_the_program_says_what_the_rules_say_whatever_the_upper_halves_are(
    number: int, low: tuple[int, ...], high: tuple[int, ...], architecture: Architecture, rules: tuple[Rule, ...]
) -> None:
    arguments = tuple((upper << 32) | lower for upper, lower in zip(high, low, strict=True))
    verdict = run(build(rules, architecture), number=number, arguments=arguments, audit=architecture.audit)
    assert verdict == meant(rules, number=number, arguments=low, architecture=architecture)


@pytest.mark.parametrize("audit", [0x40000003, ARM.audit, 0])
def test_a_call_of_another_machine_ends_the_process(audit: int) -> None:
    assert run(build(STRICT, X86), number=39, audit=audit) == KILL


@pytest.mark.parametrize("number", [0x40000000, 0x40000000 + 41, 2**32 - 1])
def test_a_number_of_x32_ends_the_process(number: int) -> None:
    assert run(build(STRICT, X86), number=number) == KILL


def test_arm_has_no_second_numbers_and_later_calls_do_not_exist() -> None:
    assert run(build(STRICT, ARM), number=0x40000000, audit=ARM.audit) == FAIL | ENOSYS
    assert run(build(STRICT, X86), number=LAST_KNOWN + 1) == FAIL | ENOSYS
    assert run(build(STRICT, X86), number=LAST_KNOWN) == ALLOW


def test_sockets_fail_by_an_error_of_their_own() -> None:
    assert {call("socket", family, 1) for family in range(50)} == {FAIL | EACCES}
    assert call("connect", 3) == call("bind", 3) == FAIL | EACCES


def test_pairs_are_unix_and_cannot_be_led_elsewhere() -> None:
    close_on_exec, not_blocking = 0o2000000, 0o4000
    assert call("socketpair", 1, 1 | close_on_exec | not_blocking) == ALLOW
    assert call("socketpair", 1, 5) == ALLOW
    assert call("socketpair", 1, 2) == FAIL | EACCES  # datagrams can be sent to any path
    assert call("socketpair", 2, 1) == FAIL | EACCES


@pytest.mark.parametrize("flag", [0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000])
def test_a_clone_makes_threads_and_processes_but_no_namespace(flag: int) -> None:
    threads, process = 0x3D0F00, 0x01200011
    assert call("clone", threads) == call("clone", process) == ALLOW
    assert call("clone", process | flag) == call("clone", flag) == FAIL | EPERM
    assert call("clone3") == FAIL | ENOSYS  # the C library then uses clone


def test_signals_go_to_the_process_itself_only() -> None:
    for name in ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
        assert call(name, PID, PID, 9) == ALLOW
        for other in (0, 1, PID + 1, -1, -PID):
            assert call(name, other, PID, 9) == FAIL | EPERM
            assert call(name, other, PID, 9, rules=LOOSE) == ALLOW
    assert call("pidfd_send_signal") == FAIL | EPERM


def test_limits_and_priority_are_set_on_the_process_itself_only() -> None:
    for rules in (STRICT, LOOSE):
        for name in ("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"):
            assert call(name, 0, rules=rules) == call(name, PID, rules=rules) == ALLOW
            assert call(name, PID + 1, rules=rules) == FAIL | EPERM
        assert call("setpriority", 0, PID, rules=rules) == ALLOW
        assert call("setpriority", 0, 1, rules=rules) == FAIL | EPERM
        assert call("setpriority", 1, 0, rules=rules) == call("setpriority", 2, 0, rules=rules) == FAIL | EPERM


def test_ordinary_calls_are_allowed_and_modes_of_files_where_mounts_protect_them() -> None:
    assert call("prctl", 15) == call("prctl", 0x53564D41) == ALLOW  # names of threads and of memory
    assert call("ioctl", 0, 0x5401) == call("fcntl", 3, 2) == ALLOW
    assert call("prctl", 4) == call("prctl", 22) == call("ioctl", 0, 0x5412) == call("fcntl", 3, 8) == FAIL | EPERM
    assert call("chmod", rules=LOOSE) == call("truncate", rules=LOOSE) == ALLOW
    assert call("chmod") == call("utimensat") == call("truncate") == FAIL | EPERM


@pytest.mark.parametrize(("column", "header"), HEADERS)
def test_numbers_are_those_of_the_kernels_header(column: int, header: str) -> None:
    if not Path(header).exists():
        pytest.skip("the kernel's headers are not installed")
    found = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)\b", Path(header).read_text(encoding="utf-8"))
    official = {name: int(number) for name, number in found}
    ours = {name: numbers[column] for name, numbers in NUMBERS.items()}
    assert {name: number for name, number in ours.items() if name in official and number != official[name]} == {}
    newer = {"fchmodat2", "statmount", "listmount"}
    unknown = {name for name, number in ours.items() if number is not None and name not in official}
    assert unknown <= newer


def test_every_number_and_every_rule_is_there_once() -> None:
    for column in (0, 1):
        numbers = [pair[column] for pair in NUMBERS.values() if pair[column] is not None]
        assert len(numbers) == len(set(numbers))
    for rules in (STRICT, LOOSE):
        assert len({rule.call for rule in rules}) == len(rules)


def test_a_program_is_short_enough_for_the_kernel() -> None:
    assert len(build(STRICT, X86)) < 4096


def test_labels_must_lie_ahead_and_near() -> None:
    far = [Instruction(EQUAL, 1, then="end"), *[Instruction(RETURN)] * 256, Instruction(RETURN, label="end")]
    assert len(assemble([*far[:1], *far[2:]])) == 257
    for wrong in (far, [Instruction(RETURN, label="end"), Instruction(EQUAL, 1, then="end")], far[:1]):
        with pytest.raises(ValueError, match="label 'end' is"):
            assemble(wrong)


def test_the_own_id_is_filled_in_where_it_is_meant() -> None:
    program = assemble([Instruction(EQUAL, OWN_PID), Instruction(EQUAL, 7), Instruction(RETURN)])
    assert program.own_pid_at == (0,)
    assert struct.unpack_from("=I", program.owned_by(99), 4) == (99,)
    assert struct.unpack_from("=I", program.owned_by(99), 12) == (7,)
