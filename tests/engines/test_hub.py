"""What workers share, without any cluster: slices, pace, purse, and the word to stop."""

import asyncio
import time

from asker.asking.spending import Usage
from asker.config import Settings
from asker.engines._hub import Hub, Told
from asker.types import Reply


def slices(count):
    return [(False, ((10 * n, 10 * n + 10),)) for n in range(count)]


def hub(**limits):
    return Hub(Settings(target="openai:m", **limits), Usage(), Usage())


def test_each_slice_goes_to_one_worker_and_those_of_a_dead_one_to_another():
    async def walk():
        one = hub()
        await one.give(slices(4), last=True)
        first = [await one.next("a"), await one.next("a")]
        await one.next("b")
        await one.next("a", finished=1)  # the first is stored
        assert await one.lost("a") == 2
        again = [await one.next("b"), await one.next("b"), await one.next("b")]
        assert again == [first[1], slices(4)[3], None]
        await one.left("b")
        assert (await one.state()).given == 0

    asyncio.run(walk())


def test_a_worker_waits_for_slices_that_are_still_to_come():
    async def walk():
        one = hub()
        waiting = asyncio.create_task(one.next("a"))
        await asyncio.sleep(0.01)
        assert not waiting.done()
        await one.give(slices(1), last=True)
        assert await waiting == slices(1)[0]

    asyncio.run(walk())


def test_the_word_to_stop_reaches_all_and_ends_the_slices():
    async def walk():
        one = hub()
        await one.give(slices(3), last=False)
        assert await one.tell("a", Told(answered=5, failed=1, tokens_in=7)) is None
        await one.stop("spent", "no money")
        assert await one.tell("b", Told(answered=2)) == ("spent", "no money")
        assert await one.next("a") is None
        state = await one.state()
        assert (state.answered, state.failed, state.reported.tokens_in) == (7, 1, 7)

    asyncio.run(walk())


def test_requests_a_minute_hold_over_all_workers_together():
    async def walk():
        one = hub(rate=6000)  # one each 10 ms
        began = time.monotonic()
        await asyncio.gather(*(one.take(f"w{n % 4}", Usage(1, 1)) for n in range(21)))
        assert time.monotonic() - began >= 0.2

    asyncio.run(walk())


def test_the_purse_is_one_for_all_and_a_dead_worker_s_questions_count_as_paid():
    async def walk():
        one = hub(max_total_tokens=100, max_tokens=10)
        wish = Usage(20, 10)
        assert [await one.take(name, wish) for name in "abc"] == [True] * 3
        held = asyncio.create_task(one.take("d", wish))
        await asyncio.sleep(0.05)
        assert not held.done()  # others may use less than they took
        await one.settle("a", wish, Reply("", 5, 5), False)
        assert await held
        await one.lost("b")
        await one.lost("b")
        for name in "cd":
            await one.settle(name, wish, Reply("", 5, 5), False)
        assert await one.take("e", Usage(20, 20))  # 3 × 10 used, 30 lost with a worker, 40 taken: 100
        await one.settle("e", Usage(20, 20), Reply("", 20, 20), False)
        assert not await one.take("f", Usage(1, 0))

    asyncio.run(walk())
