def main():
    node = None
    for v in [3, 2, 1]:
        node = {"val": v, "next": node}
    prev = None
    while node:
        nxt = node["next"]
        node["next"] = prev
        prev = node
        node = nxt
    return prev
