def main():
    words = 'one two three two one two'.split()
    counts = {}
    for w in words:
        counts[w] = counts.get(w, 0) + 1
    best = max(counts, key=counts.get)
    return counts, best, sorted(counts.items(), key=lambda x: (-x[1], x[0]))
