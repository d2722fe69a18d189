def topo(graph):
    indeg = {n: 0 for n in graph}
    for n in graph:
        for m in graph[n]:
            indeg[m] += 1
    queue = [n for n in indeg if indeg[n] == 0]
    order = []
    while queue:
        n = queue.pop(0)
        order.append(n)
        for m in graph[n]:
            indeg[m] -= 1
            if indeg[m] == 0:
                queue.append(m)
    return order


def main():
    return topo({5: [2, 0], 4: [0, 1], 2: [3], 3: [1], 0: [], 1: []})
