def main():
    lines = []
    for i in range(1, 4):
        lines.append(" " * (3 - i) + "*" * (2 * i - 1))
    return "\n".join(lines)
