def main():
    scores = {"amy": 90, "bo": 72, "cy": 95}
    best = max(scores, key=scores.get)
    low = min(scores.values())
    return best, low
