"""Objects that C functions change: sort keys, map, heapq, deque, setattr, bisect, partials."""

import bisect
import collections
import functools
import heapq
import itertools
import operator


class Thing:
    pass


def main():
    values = [3, 1, 2]
    seen = []
    values.sort(key=lambda item: seen.append(item) or item)
    list(map(seen.append, values))
    heap = [5, 3, 4]
    heapq.heapify(heap)
    heapq.heappush(heap, 1)
    smallest = heapq.heappop(heap)
    queue = collections.deque([1, 2, 3])
    queue.rotate(1)
    bisect.insort(values, 2)
    operator.iadd(values, [9])
    operator.setitem(values, 0, "first")
    thing = Thing()
    setattr(thing, "field", values)
    thing.field.append(0)
    add = functools.partial(values.append, "partial")
    add()
    collections.deque(map(values.append, "xy"), maxlen=0)
    table = dict.fromkeys("ab", seen)
    table["a"].append("shared")
    chained = list(itertools.chain(values[:1], seen[:1]))
    filled = [0] * 3
    filled.__setitem__(1, "dunder")
    for each in map(filled.append, (1, 2)):
        chained.append(each)
    total = sum(filled.pop() for _ in range(2))
    got = next(filter(lambda item: seen.append("filter") or item, [0, 5]))
    numbers = [1, 2, 3, 4]
    kept = [number for number in numbers if numbers.remove(number) is None]
    counter = itertools.count()
    ticks = [next(counter) for _ in range(2)]
    copied = values.copy()
    copied.insert(0, copied[:1])
    data = bytearray(b"abc")
    view = memoryview(data)
    view[0] = 122
    view.release()
    view = None
    return values, seen, heap, smallest, queue, table, chained, filled, total, got, kept, ticks, data
