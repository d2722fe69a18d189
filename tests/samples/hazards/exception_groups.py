"""except*: groups that are split, nested, re-raised."""


def split(group, log):
    try:
        raise group
    except* ValueError as found:
        log.append([str(error) for error in found.exceptions])
    except* TypeError as found:
        log.append(len(found.exceptions))
        raise
    return "none left"


def main():
    log = []
    nested = ExceptionGroup("inner", [ValueError(1), TypeError(2)])
    kept = []
    try:
        split(ExceptionGroup("outer", [ValueError(3), nested]), log)
    except ExceptionGroup as group:
        kept.append(group.message)
    kept.append(split(ExceptionGroup("values", [ValueError(4)]), log))
    return kept, log
