"""Files into rows: what is there now, as documents and facts. Reads; never writes a memory file."""

from memory.library.look import Looked, look, look_all, look_behind, look_over
from memory.library.refresh import Refreshed, refresh, reindex
from memory.library.view import BotMemory, notes

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
