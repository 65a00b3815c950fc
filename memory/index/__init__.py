"""Files into rows: what is there now, as documents and facts. Reads; never writes a memory file."""

from memory.index.look import Looked, look, look_all, look_behind, look_over
from memory.index.memory_view import BotMemory, notes
from memory.index.refresh import Refreshed, refresh, reindex

__all__ = [
    "BotMemory",
    "Looked",
    "Refreshed",
    "look",
    "look_all",
    "look_behind",
    "look_over",
    "notes",
    "refresh",
    "reindex",
]
