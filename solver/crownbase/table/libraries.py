"""Whether the installed libraries still read what our files are made of.

Before a table is called damaged, and a person is told to delete it, the decoder and the checksum
are tried on a few bytes that are known: versions 0.22 and 0.23 of zstandard, for one, refuse every
frame of ours.
"""

from __future__ import annotations

import functools

import xxhash
import zstandard

from crownbase.errors import CrownbaseError

# Made by zstandard 0.25 at level 19, as `codec.Compressor` makes its frames.
_FRAME = bytes.fromhex("00009500005863726f776e626173652063010052b47801")
_TEXT = b"crownbase " * 8
# XXH3-64 of no bytes, from the test vectors of the xxHash specification.
_CHECKSUM_OF_NOTHING = 0x2D06800538D394C2


@functools.cache
def check_libraries() -> None:
    """Try the decoder and the checksum once in a process.

    Raises:
        CrownbaseError: a library does not do what the files need; names it and its version.
    """
    decoder = zstandard.ZstdDecompressor(format=zstandard.FORMAT_ZSTD1_MAGICLESS)
    try:
        good = decoder.decompress(_FRAME, max_output_size=len(_TEXT), allow_extra_data=False)
        problem = "" if good == _TEXT else "it decodes a known frame to something else"
    except (zstandard.ZstdError, TypeError, ValueError) as error:
        problem = f"it does not decode a known frame ({error})"
    if problem:
        raise _unusable("zstandard", zstandard.__version__, problem)
    if xxhash.xxh3_64_intdigest(b"") != _CHECKSUM_OF_NOTHING:
        raise _unusable("xxhash", xxhash.VERSION, "its XXH3-64 of no bytes is wrong")


def _unusable(library: str, version: str, problem: str) -> CrownbaseError:
    return CrownbaseError(
        f"the library {library} {version} cannot read tables: {problem}; the tables are not to "
        f"blame; install another version: pip install --upgrade {library}"
    )
