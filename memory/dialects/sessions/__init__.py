"""What dialects have in common about long sessions: shortened, summed up as they go on, facts picked out, archived.

Rules of one bot family that others may use with other numbers: every number is an argument, its default is the family's own, and
each module names where its formulas come from. Nothing here asks a language model: a function makes the messages for it, another
reads what it answered, and the caller asks in between, bounds it and pays.
"""

from __future__ import annotations
