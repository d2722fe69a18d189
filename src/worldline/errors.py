"""This file is the one error a user can cause: what is wrong, where, and what to do next."""


class UserError(Exception):
    """Bad input. The CLI prints it as one line (plus a hint) and exits with code 2.

    Args:
        what: what is wrong and where, as one sentence without a full stop.
        hint: the next thing to try, ideally a command.
    """

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint

    def __reduce__(self) -> tuple[type["UserError"], tuple[str, str]]:
        """Whole, when it comes from another process."""
        return type(self), (self.what, self.hint)


def missing_extra(package: str, extra: str) -> UserError:
    """The error for an optional package that is not installed."""
    return UserError(f"the package {package!r} is not installed", f"pip install 'worldline[{extra}]'")
