def main():
    people = [("Ann", 31), ("Bob", 25), ("Cid", 31)]
    people.sort(key=lambda t: (-t[1], t[0]))
    return people
