def main():
    cache = {}
    for key in "abcab":
        if key in cache:
            v = cache.pop(key)
            cache[key] = v + 1
        else:
            if len(cache) == 2:
                oldest = next(iter(cache))
                del cache[oldest]
            cache[key] = 0
    return cache
