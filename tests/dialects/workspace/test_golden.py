"""Golden files of workspaces: the prompt of each flavour and the facts of every form of notes, over one made-up tree.

A change that is meant is written by `python -m tests.dialects.test_workspace_golden`, and read before it is kept."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.dialects.workspace import layout
from memory.dialects.workspace.facts import facts_of
from memory.dialects.workspace.look import FLAVOURS, look
from memory.dialects.workspace.prompt import prompt
from memory.dialects.workspace.settings import settings_from
from tests.dialects.memories import FakeMemory
from tests.support.workspaces import FILES

GOLDEN = Path(__file__).parent / "golden"
NOW = datetime(2026, 1, 4, 9, 30, tzinfo=UTC)
FORMS = {
    "memory/2026-01-10.md": "# 2026-01-10\n\n## Only titles\n\nfleece on\n\n## Another\n\n- one\n- two\n\n---\n",
    "memory/2026-01-11.md": "## Mixed (08:15)\n\na\n\n## No time\n\nb\n\n### ~09:00 nested\n\nc\n\n## 10:40-11:05 — Range\n\nd\n",
    "memory/2026-01-12.md": (
        "## 07:30 UTC — Zone\n\na\n\n## 08:10 - Hyphen\n\n## [09:20] Brackets\n\nb\n\n## 10:30: Colon\n\n## 11:45\n\nc\n"
    ),
    "memory/2026-01-13.md": "# 2026-01-13\n",
    "memory/2026-01-14.md": "",
    "memory/2026-01-15.md": "* 早上 07:10 浇水\n- [x] 修好水泵\n1. 卖出三棵橄榄\n",
    "memory/2026-01-16.md": "| bed | frost |\n|---|---|\n| south | yes |\n\n```sh\n## 10:00 — no entry\n- no fact\n```\n",
    "memory/2026-01-17.md": "\ufeff---\ntitle: Frost\ntags: [beds]\n---\r\n\r\n## 09:00 — With front matter\r\nline\r\n",
    "memory/2026-01-18.md": "[2026-01-18 09:12] stamped\nmore of it\n[10:15] later\n",
}
TREE = {**FILES, **FORMS}


def listed() -> str:
    """What each file is, and its facts."""
    lines = []
    for path, data in sorted(TREE.items()):
        place = layout.describe(path)
        lines.append(f"{path}\t{place.kind if place else '-'}\t{place.day if place else ''}")
        raw = data if isinstance(data, bytes) else data.encode()
        for fact in facts_of(path, place, raw) if place else ():
            lines.append(f"\t{fact.line}-{fact.end_line}\t{fact.time or '-'}\t{fact.text!r}")
    return "\n".join(lines) + "\n"


def read(flavour: str) -> str:
    """The prompt, and what is left out of it."""
    found = prompt(FakeMemory(TREE), look(list(TREE)), NOW, settings_from({"flavour": flavour}, flavour))
    left = "".join(f"{one.path}\t{one.age}\t{one.why}\n" for one in found.left_out)
    return f"{found.text}\n=== left out ===\n{left}"


def test_facts_are_those_of_the_golden_file():
    assert listed() == (GOLDEN / "facts.tsv").read_text(encoding="utf-8")


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_prompt_is_that_of_the_golden_file(flavour):
    assert read(flavour) == (GOLDEN / f"{flavour}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    (GOLDEN / "facts.tsv").write_text(listed(), encoding="utf-8")
    for each in FLAVOURS:
        (GOLDEN / f"{each}.txt").write_text(read(each), encoding="utf-8")
