"""This file is programs whose frames are suspended, resumed or interrupted in odd ways, by name."""

SUSPENDING = {
    "generators": """\
def count(n):
    try:
        while n:
            got = yield n
            n -= 1 if got is None else got
    except KeyError:
        yield -1
    finally:
        n = None
    return 7
def outer(n):
    result = yield from count(n)
    yield result
def two(n): yield n; yield n + 1
list(count(2))
g = count(9)
next(g)
g.send(2)
g.throw(KeyError)
g.close()
g = count(3)
next(g)
del g
g = outer(3)
next(g)
try:
    g.throw(ValueError)
except ValueError:
    pass
g = outer(3)
next(g)
g.throw(KeyError)
list(g)
g = count(4)
try:
    g.throw(OSError)
except OSError:
    pass
list(zip(two(1), two(2), count(5)))
any(x > 1 for x in (0, 2, 3))
sum(x
    for x in two(1)
    if x)
for x in (y for y in two(1)): break
def early():
    for x in two(3):
        return x
early()
a, *b = two(1)
class Down:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if not self.n: raise StopIteration
        self.n -= 1
        return self.n
for x in Down(2):
    pass
""",
    "delegates": """\
def inner():
    try:
        yield 1
    except KeyError:
        pass
    return 3
def middle():
    got = yield from inner()
    yield got
def outside():
    try:
        yield from middle()
    except OSError:
        yield 0
g = outside()
next(g)
g.throw(KeyError)
next(g, None)
g = outside()
next(g)
g.throw(OSError)
g.close()
""",
    "asynchronous": """\
class Wait:
    def __await__(self):
        yield 1
        return 2
class Room:
    async def __aenter__(self):
        await Wait()
    async def __aexit__(self, *raised):
        await Wait()
        return raised[0] is KeyError
async def numbers(n):
    for i in range(n):
        await Wait()
        yield i
async def work(kind):
    async with Room():
        async for i in numbers(2):
            x = await Wait()
        else:
            x = [j async for j in numbers(2)]
        if kind: raise kind
    return x
def run(coroutine):
    try:
        while True: coroutine.send(None)
    except StopIteration as stop:
        return stop.value
for kind in (None, KeyError, OSError):
    try:
        run(work(kind))
    except OSError:
        pass
c = work(None)
c.send(None)
try:
    c.throw(ValueError)
except BaseException:
    pass
import asyncio
async def slow():
    try:
        await asyncio.sleep(3)
    except asyncio.CancelledError:
        return 1
    finally:
        done = 1
async def main():
    task = asyncio.create_task(slow())
    await asyncio.sleep(0)
    task.cancel()
    return await task
asyncio.run(main())
""",
    "interruptions": """\
import threading
import weakref
class Node:
    pass
def gone(reference):
    seen = 1
node = Node()
r = weakref.ref(node, gone)
node = 1
def work(n):
    for i in range(n):
        yield i
shared = work(9)
next(shared)
def run():
    x = 1
    next(shared)
    return x
threads = [threading.Thread(target=run) for _ in range(2)]
for thread in threads:
    thread.start()
    thread.join()
next(shared)
""",
}
