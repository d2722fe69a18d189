"""This file is where finished items are kept: one SQLite file a run, so that nothing is done twice or lost.

An item is finished when its row is committed (WAL: a reader may look on meanwhile, a killed writer leaves the
file sound). A file belongs to one setting: who asks for another one with it is refused.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldline.errors import UserError

SCHEMA = 1
_TABLES = """
create table if not exists run (name text primary key, value text not null);
create table if not exists items (
    key text primary key, result text not null, attachment blob, at text default current_timestamp
) without rowid;
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """A finished item."""

    key: str
    result: dict[str, Any]


class Store:
    """An open run."""

    def __init__(self, path: Path, connection: sqlite3.Connection, facts: dict[str, Any]) -> None:
        self.path = path
        self.facts = facts  # of the run: its setting, versions and command
        self._connection = connection

    def keys(self) -> set[str]:
        """What is finished."""
        return {key for (key,) in self._connection.execute("select key from items")}

    def put(self, key: str, result: Mapping[str, Any], attachment: bytes | None = None) -> bool:
        """Keep a result; False: there was one already, which stays."""
        packed = None if attachment is None else zlib.compress(attachment, 6)
        with self._connection:
            done = self._connection.execute(
                "insert or ignore into items (key, result, attachment) values (?, ?, ?)",
                (key, json.dumps(result), packed),
            )
        return done.rowcount == 1

    def items(self) -> Iterator[Kept]:
        """Everything that is finished, by key."""
        for key, result in self._connection.execute("select key, result from items order by key"):
            yield Kept(key, json.loads(result))

    def attachment(self, key: str) -> bytes | None:
        """What was kept beside a result."""
        row = self._connection.execute("select attachment from items where key = ?", (key,)).fetchone()
        return None if row is None or row[0] is None else zlib.decompress(row[0])


@contextmanager
def opened(path: Path, facts: Mapping[str, Any] | None = None) -> Iterator[Store]:
    """Open a run.

    Args:
        path: its file.
        facts: of the run; what is under "setting" must be what the file was begun with, and what is under
            "history" is added to what was there. None: the run is only read, and must be there.
    """
    if facts is None and not path.is_file():
        raise UserError(f"there is no run {path}", "make one with `worldline bench NAME --model M -o RUN.db`")
    try:
        connection = sqlite3.connect(path, timeout=60.0)
    except sqlite3.Error as error:
        raise UserError(f"{path} cannot be opened: {error}", "give a file in a folder that exists") from None
    try:
        found = _begun(path, connection, facts)
    except sqlite3.OperationalError as error:
        connection.close()
        raise UserError(f"{path} cannot be used: {error}", "does another run write to it?") from None
    except sqlite3.DatabaseError as error:
        connection.close()
        raise UserError(f"{path} is no run of ours: {error}", "give another file") from None
    except UserError:
        connection.close()
        raise
    try:
        yield Store(path, connection, found)
        connection.execute("pragma wal_checkpoint(truncate)")
    except sqlite3.Error as error:
        hint = "what was told is kept; make room, and go on with the same command"
        raise UserError(f"{path} cannot be written: {error}", hint) from None
    finally:
        connection.close()


def _begun(path: Path, connection: sqlite3.Connection, facts: Mapping[str, Any] | None) -> dict[str, Any]:
    """The facts that a file was begun with; a new file is begun."""
    tables = {name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")}
    if tables and not {"run", "items"} <= tables:
        raise UserError(f"{path} is another database", "give another file")
    if facts is not None:
        connection.execute("pragma journal_mode=wal")
        with connection:
            connection.executescript(_TABLES)
            for name, value in {"schema": SCHEMA, "setting": facts["setting"]}.items():
                connection.execute("insert or ignore into run values (?, ?)", (name, json.dumps(value)))
    found = {name: json.loads(value) for name, value in connection.execute("select name, value from run")}
    if found.get("schema") != SCHEMA:
        raise UserError(f"{path} is of another version of Worldline", "give another file")
    if facts is not None and found["setting"] != json.loads(json.dumps(facts["setting"])):
        old, new = found["setting"], json.loads(json.dumps(facts["setting"]))
        changed = ", ".join(name for name in sorted({*old, *new}) if old.get(name) != new.get(name))
        hint = "give another file for -o, or the setting it was begun with"
        raise UserError(f"{path} is a run with another {changed}", hint)
    if facts is not None and "history" in facts:
        told = [*found.get("history", []), facts["history"]]
        found["history"] = [each for at, each in enumerate(told) if each not in told[:at]]
        with connection:
            connection.execute("replace into run values (?, ?)", ("history", json.dumps(found["history"])))
    return {"history": [], **found}
