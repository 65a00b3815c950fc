"""A bot's numbers over time: what came and went, and how it stood on each of its days."""

from memory.numbers.keep import keep

__all__ = ["keep"]
