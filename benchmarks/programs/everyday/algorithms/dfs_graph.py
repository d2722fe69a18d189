def dfs(graph, node, seen):
    if node in seen:
        return
    seen.append(node)
    for other in graph[node]:
        dfs(graph, other, seen)


def main():
    graph = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}
    seen = []
    dfs(graph, "a", seen)
    return seen
