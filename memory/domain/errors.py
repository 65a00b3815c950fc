"""Errors that several rooms share. Their messages are for people."""

from __future__ import annotations


class Refusal(Exception):
    """What was asked is not done, and nothing was changed."""
