def main():
    count = 0

    def inc():
        nonlocal count
        count += 1

    inc()
    inc()
    return count
