"""Files into rows: what is there now, as documents and facts. Reads; never writes a memory file."""

from memory.library.refresh import Looked, Refreshed, look, refresh, reindex
from memory.library.view import BotMemory

__all__ = ["BotMemory", "Looked", "Refreshed", "look", "refresh", "reindex"]
