"""Coalescing of requests."""

import asyncio

from ledger.service.coalescer import Coalescer
from tests.service.test_hub import Clock, at_a_clock


@at_a_clock
async def test_one_call_runs_at_a_time_and_callers_meanwhile_share_the_next(clock: Clock) -> None:
    coalescer, ends = Coalescer(), [asyncio.Event() for _ in range(3)]
    begun: list[int] = []

    async def call() -> int:
        begun.append(number := len(begun))
        await ends[number].wait()
        return number // (2 - number)  # the third one fails

    first, other = (asyncio.create_task(coalescer.run(key, call)) for key in ("a", "b"))
    await clock.pass_by(0)
    assert begun == [0, 1], "another key does not wait"
    leaver, *waiting = (asyncio.create_task(coalescer.run("a", call)) for _ in range(9))
    await clock.pass_by(0.4)
    leaver.cancel()
    ends[0].set()
    assert await first == 0
    await clock.pass_by(0.3)
    assert begun == [0, 1], "the next one rests for as long as the first one took"
    await clock.pass_by(0.2)
    assert begun == [0, 1, 2] and not other.done()
    ends[2].set()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(one) for one in results} == {ZeroDivisionError}
