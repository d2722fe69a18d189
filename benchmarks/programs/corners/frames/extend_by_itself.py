def main():
    x = [5, 3, 8]
    x.sort(reverse=True)
    y = x.pop()
    x.append(y * 2)
    x.extend(x)
    return x, y
