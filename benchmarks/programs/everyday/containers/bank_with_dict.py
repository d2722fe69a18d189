def apply(accounts, ops):
    log = []
    for who, kind, amount in ops:
        if who not in accounts:
            log.append(f"unknown {who}")
            continue
        if kind == "withdraw" and accounts[who] < amount:
            log.append(f"{who}: short by {amount - accounts[who]}")
            continue
        accounts[who] += amount if kind == "deposit" else -amount
        log.append(f"{who}: {accounts[who]}")
    return accounts, log


def main():
    return apply(
        {"ann": 100, "bob": 20},
        [("ann", "withdraw", 30), ("bob", "withdraw", 55), ("cy", "deposit", 1), ("bob", "deposit", 5)],
    )
