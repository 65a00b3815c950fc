"""A sample workspace: some weeks of made-up notes as an OpenClaw bot keeps them, counted back from today."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from memory.dialects.shared.sample import write_files

_IDENTITY = {
    "AGENTS.md": (
        "# How you work\n\n- Read MEMORY.md and the notes of today and yesterday first.\n- Write down what was decided, and why.\n"
    ),
    "SOUL.md": "# Soul\n\nCalm and exact. Short answers, a dry joke now and then.\n",
    "USER.md": (
        "# User\n\n- Lena runs a small nursery near Porto with her brother Rui.\n- She writes English, German when she is tired.\n"
    ),
    "HEARTBEAT.md": "- Look at the frost warning at 18:00.\n",
}
_LONG_TERM = """\
# Memory

## Nursery

- The greenhouse heater is set to 6 degrees; below 4 the olives suffer.
- Olive cuttings root in sand, four weeks, no fertiliser.
- Market days are Wednesday and Saturday; the van leaves at 6:30.

## People

- Rui repairs the pump and the van. He is away in the first week of every month.
- Dona Alice buys forty lavender plants every spring and pays in cash.
"""
_TOPICS = {
    "memory/greenhouse.md": (
        "# Greenhouse\n\n- Heater: gas, serviced in October.\n- The north pane leaks when it blows from the sea.\n"
    ),
    "memory/people/alice.md": "# Dona Alice\n\n- lavender, forty plants, early in April\n- calls, never writes\n",
    "memory/suppliers.md": (
        "# Suppliers\n\n- Pots: Cerâmica do Vale, two weeks.\n- Sand: from the quarry in Gaia, by the van load.\n"
    ),
}
_ROUNDS = (
    ("Morning round (07:10)", "Frost on the south beds, fleece over the olives."),
    ("Orders", "- {trays} trays of lavender for Braga\n- two olive trees for the school"),
    ("17:20 — Greenhouse closed", "Six degrees inside, the north pane is taped."),
    ("Pump", "It ran dry for an hour. Rui cleaned the filter, {trays} litres a minute again."),
    ("Market", "Sold out of rosemary by ten; {trays} people asked for thyme."),
)
_DAYS = 45


def write(directory: Path, now: datetime) -> Path:
    """Write the sample workspace as `directory`, once: what is there already stays as it is. Returns the directory."""
    if not directory.exists():
        write_files(directory, files(now))
    return directory


def files(now: datetime) -> dict[str, tuple[str, datetime]]:
    """Every file's text and modification time by its path. The same `now` gives the same files."""
    before = now - timedelta(days=12)
    found = {path: (text, before) for path, text in {**_IDENTITY, "MEMORY.md": _LONG_TERM, **_TOPICS}.items()}
    for back in range(0, _DAYS, 2):
        at = now - timedelta(days=back)
        rounds = [_ROUNDS[(back + number) % len(_ROUNDS)] for number in range(3)]
        entries = "".join(f"## {title}\n\n{said.format(trays=back % 7 + 3)}\n\n" for title, said in rounds)
        found[f"memory/{at:%Y-%m-%d}.md"] = f"# {at:%Y-%m-%d}\n\n{entries}", at
        if back % 10 == 4:
            watch = f"# Frost watch\n\n- 22:10 minus {back % 4} on the south beds\n- 04:00 heater off again\n"
            found[f"memory/{at:%Y-%m-%d}-frost-watch.md"] = watch, at
    return found
