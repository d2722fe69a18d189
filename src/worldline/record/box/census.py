"""This file is who is in a box and what they hold: tasks and memory of a process tree, bytes in a folder.

Memory is what only the job can give back: anonymous and shared pages, resident or swapped, each counted
once. Pages of files are not counted (the kernel can drop them), nor are files in a tmpfs, which have a
limit of their own.
Not covered: a file that was deleted while it is still open; it lives until the job ends.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from worldline.record.box.supervisor import below

_MANY_FILES = 10_000  # more than this, however small, are over any limit


@dataclass(frozen=True, slots=True)
class Census:
    """What a process tree holds at one moment."""

    tasks: int  # processes and threads
    memory: int  # bytes


def take(root: int, enough: int) -> Census:
    """Count everything below `root`; from `enough` bytes on it pays to count them exactly."""
    tasks = memory = 0
    members = below(root)
    for pid in members:
        numbers = _numbers(pid, "status", ("Threads:", "RssAnon:", "RssShmem:", "VmSwap:"))
        tasks += numbers.pop("Threads:", 0)
        memory += sum(numbers.values()) * 1024
    if memory > enough:  # pages that a fork shares with its parent were counted for both
        memory = sum(_exact_memory(pid) for pid in members)
    return Census(tasks, memory)


def _exact_memory(pid: int) -> int:
    numbers = _numbers(pid, "smaps_rollup", ("Pss_Anon:", "Pss_Shmem:", "SwapPss:"))
    if not numbers:
        numbers = _numbers(pid, "status", ("RssAnon:", "RssShmem:", "VmSwap:"))
    return sum(numbers.values()) * 1024


def _numbers(pid: int, file: str, names: tuple[str, ...]) -> dict[str, int]:
    try:
        with open(f"/proc/{pid}/{file}", encoding="ascii", errors="replace") as lines:
            words = [line.split() for line in lines if line.startswith(names)]
    except OSError:
        return {}  # it ended meanwhile
    return {line[0]: int(line[1]) for line in words}


def oom_kills() -> int:
    """How many processes the kernel has killed for want of memory since it started."""
    try:
        with open("/proc/vmstat", encoding="ascii") as lines:
            return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)
    except OSError:
        return 0


def inodes(folders: Iterable[str]) -> set[int]:
    """The files that are there now."""
    return {entry.inode() for folder in folders for entry in _entries(folder)}


def bytes_written(folders: Iterable[str], known: set[int]) -> int:
    """Bytes on disk of the files there now that were not `known`; a huge number if there are too many."""
    total = seen = 0
    for folder in folders:
        for entry in _entries(folder):
            seen += 1
            if seen > _MANY_FILES:
                return 1 << 62
            if entry.inode() not in known:
                total += _disk_bytes(entry)
    return total


def _disk_bytes(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_blocks * 512
    except OSError:
        return 0


def _entries(folder: str) -> Iterable[os.DirEntry[str]]:
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    yield entry
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError:
            continue  # gone, or made unreadable
