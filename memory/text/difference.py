"""A version as its difference from an earlier one: zstd with the earlier one before it, as `zstd --patch-from` does."""

from __future__ import annotations

from backports import zstd
from backports.zstd import CompressionParameter, ZstdDict, ZstdError

LEVEL = 3
SHORTEST = 8  # bytes that zstd takes as what goes before
LEAST_WINDOW, LARGEST_WINDOW = 10, 27  # the latter, 128 MiB, is what a decoder takes without being told


def pack(data: bytes, over: bytes = b"") -> bytes:
    """`data` compressed, over what it was made from where that is given."""
    window = min(max((len(over) + len(data)).bit_length(), LEAST_WINDOW), LARGEST_WINDOW)
    options: dict[int, int] = {
        CompressionParameter.compression_level: LEVEL,
        CompressionParameter.window_log: window,
        CompressionParameter.enable_long_distance_matching: bool(over),  # megabytes back nothing else is looked for
    }
    return zstd.compress(data, options=options, zstd_dict=_before(over))


def unpack(packed: bytes, over: bytes = b"") -> bytes:
    """What `pack` was given. Raises ValueError for what it did not make over this."""
    try:
        return zstd.decompress(packed, _before(over))
    except ZstdError as error:
        raise ValueError(str(error)) from error


def _before(over: bytes) -> tuple[ZstdDict, int] | None:
    return ZstdDict(over, is_raw=True).as_prefix if len(over) >= SHORTEST else None
