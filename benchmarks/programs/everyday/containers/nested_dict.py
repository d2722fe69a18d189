def main():
    db = {"users": {"ann": {"age": 30, "tags": ["x", "y"]}, "bob": {"age": 25, "tags": []}}}
    db["users"]["ann"]["tags"].append("z")
    db["users"]["bob"]["age"] += 1
    names = [u for u, v in db["users"].items() if v["age"] > 25]
    return db, names
