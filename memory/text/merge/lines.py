"""Which lines of two texts are the same lines: the one matcher behind merging, laying over and showing differences."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

_MOST_EDITS = 160  # how far the exact search goes inside one gap before it settles for less
_WORK_PER_LINE = 48  # how often a line may be looked at, on average, before the rest counts as changed
_WORK_AT_LEAST = 200_000

_Pair = tuple[int, int]
_Run = tuple[int, int, int]  # as EqualRun, where there is one for each line


class EqualRun(NamedTuple):
    """`size` equal lines in both texts, from `old` in the one and from `new` in the other (both from 0)."""

    old: int
    new: int
    size: int


class Gap(NamedTuple):
    """Lines `lo` to `hi` of the old text became lines `new_lo` to `new_hi` of the new one (from 0, ends not included)."""

    lo: int
    hi: int
    new_lo: int
    new_hi: int


def match(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[EqualRun]:
    """The runs of lines that stayed, in order. Always a true matching, not always the longest; close to linear time."""
    names: dict[Hashable, int] = {}
    a = [names.setdefault(line, len(names)) for line in old]
    b = [names.setdefault(line, len(names)) for line in new]
    work = _WORK_AT_LEAST + _WORK_PER_LINE * (len(a) + len(b))
    runs: list[_Run] = []
    gaps = [Gap(0, len(a), 0, len(b))]
    while gaps:
        gap = _trim(a, b, gaps.pop(), runs)
        size = gap.hi - gap.lo + gap.new_hi - gap.new_lo
        if gap.lo == gap.hi or gap.new_lo == gap.new_hi or work < size:
            continue
        pairs, spent = _anchors(a, b, gap, work - size)
        work -= size + spent
        gaps.extend(_between(gap, pairs))
        runs.extend((i, j, 1) for i, j in pairs)
    return _joined(runs)


def gaps(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Gap]:
    """What `match` leaves over, in order: the changed places. Between any two there is at least one line that stayed.

    Where lines repeat, a removal or an insert could stand at several places; it stands at the last of them, so that two
    texts that lost the same one of several equal lines lost it at the same place.
    """
    found: list[Gap] = []
    lo, new_lo = len(old), len(new)
    for run in [*reversed(match(old, new)), EqualRun(0, 0, 0)]:
        gap = Gap(run.old + run.size, lo, run.new + run.size, new_lo)
        lo, new_lo = run.old, run.new
        if gap.lo < gap.hi or gap.new_lo < gap.new_hi:
            after = found.pop() if found else Gap(len(old), len(old), len(new), len(new))
            gap = _slid_down(old, new, gap, after.lo)
            if gap.hi == after.lo:
                gap = Gap(gap.lo, after.hi, gap.new_lo, after.new_hi)
            elif after.lo < after.hi or after.new_lo < after.new_hi:
                found.append(after)
            found.append(gap)
    return found[::-1]


def _slid_down(old: Sequence[Hashable], new: Sequence[Hashable], gap: Gap, end: int) -> Gap:
    """The same removal or insert as far down as it can stand, `end` (in the old text) at the most."""
    lo, hi, new_lo, new_hi = gap
    while hi < end and ((new_lo == new_hi and old[lo] == old[hi]) or (lo == hi and new[new_lo] == new[new_hi])):
        lo, hi, new_lo, new_hi = lo + 1, hi + 1, new_lo + 1, new_hi + 1
    return Gap(lo, hi, new_lo, new_hi)


def _trim(a: list[int], b: list[int], gap: Gap, runs: list[_Run]) -> Gap:
    """The gap without its common head and tail, which go to `runs`."""
    lo, hi, new_lo, new_hi = gap
    while lo < hi and new_lo < new_hi and a[lo] == b[new_lo]:
        lo, new_lo = lo + 1, new_lo + 1
    while lo < hi and new_lo < new_hi and a[hi - 1] == b[new_hi - 1]:
        hi, new_hi = hi - 1, new_hi - 1
    if lo > gap.lo:
        runs.append((gap.lo, gap.new_lo, lo - gap.lo))
    if hi < gap.hi:
        runs.append((hi, new_hi, gap.hi - hi))
    return Gap(lo, hi, new_lo, new_hi)


def _between(gap: Gap, pairs: list[_Pair]) -> Iterator[Gap]:
    """The gaps that are left between matched pairs."""
    lo, new_lo = gap.lo, gap.new_lo
    for i, j in [*pairs, (gap.hi, gap.new_hi)] if pairs else []:
        if i > lo and j > new_lo:
            yield Gap(lo, i, new_lo, j)
        lo, new_lo = i + 1, j + 1


def _joined(runs: list[_Run]) -> list[EqualRun]:
    """The runs in order, neighbours made one."""
    joined: list[EqualRun] = []
    old = new = size = 0
    for i, j, count in sorted(runs):
        if (i, j) == (old + size, new + size):
            size += count
            continue
        if size:
            joined.append(EqualRun(old, new, size))
        old, new, size = i, j, count
    return [*joined, EqualRun(old, new, size)] if size else joined


def _anchors(a: list[int], b: list[int], gap: Gap, work: int) -> tuple[list[_Pair], int]:
    """Pairs of equal lines inside a gap, rising on both sides, and the work they cost; no pairs: the gap is all change."""
    common = set(a[gap.lo : gap.hi]).intersection(b[gap.new_lo : gap.new_hi])
    if not common:
        return [], 0
    in_a, in_b = _places(a, gap.lo, gap.hi, common), _places(b, gap.new_lo, gap.new_hi, common)
    alone = sorted((in_a[x][0], in_b[x][0]) for x in common if len(in_a[x]) == len(in_b[x]) == 1)
    if alone:
        return _rising(alone), 0
    pairs, spent = _shortest_edit(
        a, b, sorted(i for x in common for i in in_a[x]), sorted(j for x in common for j in in_b[x]), work
    )
    if pairs is None:  # too different to search: first with first, second with second, as far as that rises
        pairs = _rising(sorted(pair for x in common for pair in zip(in_a[x], in_b[x], strict=False)))
    return pairs, spent


def _places(lines: list[int], lo: int, hi: int, wanted: Collection[int]) -> dict[int, list[int]]:
    places: dict[int, list[int]] = {}
    for i in range(lo, hi):
        if lines[i] in wanted:
            places.setdefault(lines[i], []).append(i)
    return places


def _rising(pairs: Iterable[_Pair]) -> list[_Pair]:
    """The longest choice of pairs (sorted by their first number) whose second numbers rise too."""
    tails: list[int] = []
    chains: list[tuple[_Pair, int]] = []  # a pair and where the one before it stands in `chains`
    ends: list[int] = []  # for each length, where the chain of that length with the lowest end stands
    for pair in pairs:
        at = bisect_left(tails, pair[1])
        chains.append((pair, ends[at - 1] if at else -1))
        if at == len(tails):
            tails.append(pair[1])
            ends.append(len(chains) - 1)
        else:
            tails[at], ends[at] = pair[1], len(chains) - 1
    chosen: list[_Pair] = []
    here = ends[-1] if ends else -1
    while here >= 0:
        pair, here = chains[here]
        chosen.append(pair)
    return chosen[::-1]


def _shortest_edit(
    a: list[int], b: list[int], rows: list[int], columns: list[int], work: int
) -> tuple[list[_Pair] | None, int]:
    """Myers' greedy search over the chosen lines: the longest common subsequence, or None past its bounds; and its work."""
    n, m = len(rows), len(columns)
    furthest = {1: 0}
    steps: list[dict[int, int]] = []
    spent = 0
    for edits in range(min(n + m, _MOST_EDITS) + 1):
        steps.append(furthest.copy())
        for k in range(-edits, edits + 1, 2):
            down = k == -edits or (k != edits and furthest[k - 1] < furthest[k + 1])
            x = furthest[k + 1] if down else furthest[k - 1] + 1
            start = x
            while x < n and x - k < m and a[rows[x]] == b[columns[x - k]]:
                x += 1
            furthest[k] = x
            spent += 1 + x - start
            if x >= n and x - k >= m:
                return [(rows[i], columns[j]) for i, j in _walk_back(steps, n, m)], spent
        if spent > work:
            break
    return None, spent


def _walk_back(steps: list[dict[int, int]], x: int, y: int) -> list[_Pair]:
    """The equal places on the way that the search found, from its end back to its start."""
    pairs: list[_Pair] = []
    for edits in range(len(steps) - 1, 0, -1):
        furthest, k = steps[edits], x - y
        down = k == -edits or (k != edits and furthest[k - 1] < furthest[k + 1])
        came = furthest[k + 1] if down else furthest[k - 1]
        after = came if down else came + 1
        pairs.extend((i, i - k) for i in range(x - 1, after - 1, -1))
        x, y = came, came - (k + 1 if down else k - 1)
    pairs.extend((i, i) for i in range(x - 1, -1, -1))
    return pairs[::-1]
