"""The system call filter, run here by a few lines that do what the kernel does with it."""

import errno
import struct

import pytest

from worldline.record.box import filter as rules

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7, "riscv64": 0xC00000F3}
TABLE = {"x86_64": 0, "aarch64": 1, "riscv64": 1}
CLONE = {"x86_64": 56, "aarch64": 220, "riscv64": 220}
WRITE = {"x86_64": 1, "aarch64": 64, "riscv64": 64}
ALLOWED, REFUSED, MISSING = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
THREAD_FLAGS = 0x003D0F00


def decide(program: bytes, number: int, architecture: int, argument: int = 0) -> int:
    """What the kernel would do with this call."""
    steps = list(struct.iter_unpack("HBBI", program))
    call = struct.pack("=IIQQ", number, architecture, 0, argument)
    position = value = 0
    while True:
        code, yes, no, constant = steps[position]
        position += 1
        if code == 0x06:
            return constant
        if code == 0x20:
            value = struct.unpack_from("I", call, constant)[0]
        else:
            is_true = {0x15: value == constant, 0x35: value >= constant, 0x45: bool(value & constant)}[code]
            position += yes if is_true else no


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_decisions(machine):
    program, own = rules.build(machine), ARCHITECTURES[machine]
    for name, numbers in rules._REFUSED.items():
        assert decide(program, numbers[TABLE[machine]], own) == REFUSED, name
    assert decide(program, WRITE[machine], own) == ALLOWED
    assert decide(program, CLONE[machine], own, THREAD_FLAGS) == ALLOWED
    for flag in (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert decide(program, CLONE[machine], own, THREAD_FLAGS | flag) == REFUSED
    assert decide(program, 435, own) == MISSING
    assert decide(program, 0x40000000 | WRITE[machine], own) == MISSING


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_foreign_calls_do_not_exist(machine):
    other = next(value for name, value in ARCHITECTURES.items() if name != machine)
    assert decide(rules.build(machine), WRITE[machine], other) == MISSING


def test_unknown_machine():
    assert rules.build("pdp11") is None
