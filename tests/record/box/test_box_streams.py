"""Laws of the output cap."""

import os

from hypothesis import given
from hypothesis import strategies as st

from worldline.record.box.streams import Streams

PIECES = st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=200)), max_size=12)


@given(pieces=PIECES, cap=st.integers(0, 600))
def test_what_is_taken_is_a_prefix_within_the_cap(pieces, cap):
    streams = Streams(b"", cap)
    try:
        for target, data in pieces:
            os.write(streams.inner[target], data)
        streams.drain()
        taken = streams.text()
        written = [b"".join(data for target, data in pieces if target == which) for which in (1, 2)]
        assert all(whole.startswith(part) for whole, part in zip(written, taken, strict=True))
        assert sum(map(len, taken)) == min(cap, sum(map(len, written)))
        assert streams.is_over is (sum(map(len, written)) > cap)
    finally:
        streams.close()


@given(data=st.binary(max_size=300_000))
def test_input_arrives(data):
    streams = Streams(data, 0)
    try:
        with open(streams.inner[0], "rb", closefd=False) as file:
            assert file.read() == data
    finally:
        streams.close()


def test_drain_does_not_wait_for_a_pipe_that_stays_open():
    streams = Streams(b"", 10)
    held = os.dup(streams.inner[1])
    try:
        os.write(held, b"abc")
        streams.hand_over()
        streams.drain()
        assert streams.text() == (b"abc", b"")
    finally:
        os.close(held)
        streams.close()
