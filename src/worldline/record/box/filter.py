"""This file is the system call filter of the level `bwrap`: a classic BPF program that bwrap loads.

It refuses (EPERM) what no recorded program needs: new namespaces and mounts (the usual road to kernel
bugs), looking into other processes, keyrings, BPF, io_uring, and memory that belongs to no process and so
escapes the memory limit. It does not make a list of what is allowed: that would break ordinary programs
from one libc to the next.
"""

import errno
import platform
import struct

_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_LOAD, _EQUAL, _ANY_BIT, _AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data
_NEW_NAMESPACES = 0x7E020000  # every CLONE_NEW* flag that clone() takes
_X32 = 0x40000000  # the second system call table of x86-64

# name: (x86-64, the generic table of aarch64 and riscv64)
_REFUSED = {
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442), "open_by_handle_at": (304, 265),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194),
}  # fmt: skip
_CLONE, _CLONE3 = (56, 220), (435, 435)
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7), "riscv64": (1, 0xC00000F3)}


def build(machine: str = "") -> bytes | None:
    """The filter for `machine` (default: this one), or None where we do not know its system calls."""
    table, architecture = _MACHINES.get(machine or platform.machine(), (None, 0))
    if table is None:
        return None
    refuse = _step(_RETURN, _ERRNO | errno.EPERM)
    missing = _step(_RETURN, _ERRNO | errno.ENOSYS)
    program = [
        _step(_LOAD, _ARCHITECTURE), _step(_EQUAL, architecture, yes=1), missing,
        _step(_LOAD, _NUMBER), _step(_AT_LEAST, _X32, no=1), missing,
        # clone3 hides its flags behind a pointer; told that it does not exist, libc takes clone
        _step(_EQUAL, _CLONE3[table], no=1), missing,
    ]  # fmt: skip
    for numbers in _REFUSED.values():
        program += [_step(_EQUAL, numbers[table], no=1), refuse]
    program += [
        _step(_EQUAL, _CLONE[table], no=3),
        _step(_LOAD, _FIRST_ARGUMENT), _step(_ANY_BIT, _NEW_NAMESPACES, no=1), refuse,
        _step(_RETURN, _ALLOW),
    ]  # fmt: skip
    return b"".join(program)


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, value)
