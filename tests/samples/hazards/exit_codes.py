"""An exit whose code is a property: to ask for it would run the program once more."""

asked = []


class Leaving(SystemExit):
    @property
    def code(self):
        asked.append(1)
        print("asked")
        return len(asked)


def main():
    raise Leaving(5)
