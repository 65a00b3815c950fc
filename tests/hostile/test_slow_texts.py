"""Texts that regular expressions take long over: the walk, a day's page, the preview and an edit stay quick over them."""

from __future__ import annotations

import time

import pytest

from tests.support.amounts import some

pytestmark = pytest.mark.slow

SECONDS = 10  # of work for all of it, with room for a busy machine
AGAIN = {
    "spaces": " ",
    "line ends": "\n",
    "marks": "# ",
    "pictures": "\U0001f4c5",
    "stops": ".",
    "dashes": "-|",
    "brackets": "[(",
}


@pytest.mark.parametrize("sign", some([*AGAIN], 2))
def test_no_remembered_line_stops_the_desk(ana, sign):
    long = AGAIN[sign] * (60_000 // len(AGAIN[sign]))
    ana.write("MEMORY.md", f"# note{long}x!\n\n- note{long}x\n\na|b\n-|-{long}x\n")
    ana.write("2026-11-20.md", f"## 10:17 — note{long}x!\n\n## {long}!\n\n")
    before = time.thread_time()
    ana.step()
    assert ana.get("days/2026-11-20").status == 200
    assert ana.get("documents/MEMORY.md").status == 200
    assert ana.save(ana.read() + "- one more\n").status == 200
    assert time.thread_time() - before < SECONDS
