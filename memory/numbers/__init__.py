"""A bot's numbers over time: what came and went, how it stands on each of its days, and both as rows to be drawn."""

from memory.numbers.keep import keep

__all__ = ["keep"]
