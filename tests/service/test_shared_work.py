"""Work that many ask for at once."""

import asyncio

import pytest

from ledger.service.shared_work import SharedWork
from tests.service.test_hub import Clock, at_a_clock


@at_a_clock
async def test_one_runs_at_a_time_and_all_who_ask_meanwhile_share_the_next(clock: Clock) -> None:
    shared, ends = SharedWork(), [asyncio.Event() for _ in range(3)]
    begun: list[int] = []

    async def work() -> int:
        begun.append(number := len(begun))
        await ends[number].wait()
        return number // (2 - number)  # the third one fails

    first, other = (asyncio.create_task(shared.result(key, work)) for key in ("a", "b"))
    await clock.pass_by(0)
    assert begun == [0, 1], "another key does not wait"
    leaver, *waiting = (asyncio.create_task(shared.result("a", work)) for _ in range(9))
    await clock.pass_by(0.4)
    leaver.cancel()
    ends[0].set()
    assert await first == 0
    await clock.pass_by(0.3)
    assert begun == [0, 1], "the next one rests for as long as the first one took"
    await clock.pass_by(0.2)
    assert begun == [0, 1, 2] and not other.done()
    ends[2].set()
    for one in waiting:
        with pytest.raises(ZeroDivisionError):
            await one
