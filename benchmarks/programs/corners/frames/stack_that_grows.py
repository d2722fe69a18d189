def main():
    stack = [1]
    while stack and len(stack) < 6:
        x = stack.pop()
        stack += [x, x + 1]
    return stack
