def main():
    count = 0
    def inc():
        nonlocal count
        count += 1
        return count
    return inc(), inc(), count
