"""Decorators: with state, with arguments, of methods and classes, caches, partials."""

import functools

CALLS = []


def counted(function):
    count = 0

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        nonlocal count
        count += 1
        CALLS.append((function.__name__, count))
        return function(*args, **kwargs)

    return wrapper


def repeated(times):
    def decorate(function):
        def inner(value):
            for _ in range(times):
                value = function(value)
            return value

        return inner

    return decorate


@counted
@repeated(times=3)
def double(x):
    return x * 2


@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def marked(cls):
    cls.mark = [cls.__name__]
    return cls


@marked
class Tool:
    @counted
    def use(self, what):
        return [what]

    @staticmethod
    def make():
        return Tool()

    @classmethod
    def named(cls, name):
        cls.mark.append(name)
        return cls.mark

    @functools.cached_property
    def heavy(self):
        return {"computed": 1}


def main():
    CALLS.clear()
    Tool.mark = ["Tool"]
    fib.cache_clear()
    tool = Tool.make()
    add = functools.partial(sum, start=1)
    total = functools.reduce(lambda a, b: a * b, [1, 2, 3])
    return double(1), double(2), fib(6), tool.use(1), Tool.named("n"), tool.heavy, tool.heavy, add([1]), total, CALLS
