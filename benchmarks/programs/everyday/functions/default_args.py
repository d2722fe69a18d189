def greet(name, greeting="Hello", times=1, *, end="!"):
    return (greeting + ", " + name + end) * times


def main():
    return greet("Bob"), greet("Al", times=2, end="?")
