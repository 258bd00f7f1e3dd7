"""The block cache: bounded, least recently used first, thread-safe."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from crownbase.table import BlockCache


def test_the_block_unused_for_longest_goes_first():
    cache = BlockCache(3 * 1200)
    for key in (1, 2, 3):
        cache.put(key, bytes(1000))
    assert cache.get(1) is not None
    cache.put(4, bytes(1000))
    assert cache.get(2) is None
    assert [cache.get(key) is not None for key in (1, 3, 4)] == [True, True, True]


def test_never_more_than_allowed():
    cache = BlockCache(10_000)
    rng = random.Random(1)
    for _ in range(2000):
        cache.put(rng.randrange(50), bytes(rng.randrange(3000)))
        assert cache.bytes_used <= 10_000
    assert len(cache) > 2
    cache.clear()
    assert (len(cache), cache.bytes_used) == (0, 0)


def test_a_block_larger_than_the_cache_is_not_kept():
    cache = BlockCache(100)
    cache.put(1, bytes(1000))
    assert cache.get(1) is None
    assert cache.bytes_used == 0


def test_the_same_key_again_replaces():
    cache = BlockCache(10_000)
    cache.put(1, b"a")
    used = cache.bytes_used
    cache.put(1, b"b")
    assert cache.get(1) == b"b"
    assert cache.bytes_used == used


def test_no_negative_bound():
    with pytest.raises(ValueError):
        BlockCache(-1)


def test_threads():
    cache = BlockCache(5000)

    def work(seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(3000):
            key = rng.randrange(40)
            found = cache.get(key)
            assert found in (None, bytes([key]) * 200)
            cache.put(key, bytes([key]) * 200)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    assert cache.bytes_used <= 5000
