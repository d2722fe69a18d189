def main():
    stack = []
    for x in [5, 3, 7, 2]:
        low = x if not stack else min(x, stack[-1][1])
        stack.append((x, low))
    stack.pop()
    return stack[-1]
