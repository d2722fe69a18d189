from collections import deque


def main():
    q = deque([1, 2, 3])
    q.append(4)
    x = q.popleft()
    return x, len(q)
