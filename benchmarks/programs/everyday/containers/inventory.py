def main():
    inv = {"apple": {"qty": 5, "price": 120}, "pear": {"qty": 0, "price": 80}}
    total = 0
    for name, item in inv.items():
        if item["qty"]:
            total += item["qty"] * item["price"]
        else:
            item["note"] = "sold out"
    return total, inv
