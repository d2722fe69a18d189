class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)


def main():
    s = Stack()
    s.push(1)
    return s.items
