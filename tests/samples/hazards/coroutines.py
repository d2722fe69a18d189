"""async and await: coroutines, async generators, comprehensions and contexts, driven by hand and by asyncio."""

import asyncio


class Ready:
    def __await__(self):
        got = yield "waiting"
        return got


class Context:
    def __init__(self, log):
        self.log = log

    async def __aenter__(self):
        self.log.append("enter")
        return self

    async def __aexit__(self, kind, value, traceback):
        self.log.append("exit")
        return kind is KeyError


async def ticking(limit, log):
    try:
        for number in range(limit):
            log.append(number)
            yield number
            await asyncio.sleep(0)
    finally:
        log.append("end")


async def worker(name, log):
    count = 0
    async for number in ticking(2, log):
        count += number
        log.append((name, number))
    return name * (count + 1)


async def waits():
    got = await Ready()
    return [got]


async def together():
    log = []
    results = await asyncio.gather(worker("a", log), worker("b", log))
    async with Context(log) as context:
        entered = context is not None
        raise KeyError("swallowed")
    listed = [number async for number in ticking(3, log) if number]
    early = ticking(5, log)
    async for number in early:
        if number:
            break
    await early.aclose()
    try:
        await asyncio.wait_for(asyncio.sleep(0), timeout=1)
    except TimeoutError:
        entered = False
    return results, listed, entered, log


def main():
    by_hand = waits()
    asked = by_hand.send(None)
    try:
        by_hand.send(7)
    except StopIteration as stop:
        answered = stop.value
    return asked, answered, asyncio.run(together())
