"""The rows. Files are the truth; `Document` and `Fact` can be rebuilt from them, the rest is the database's own."""

from memory.models.bots import Bot, Root
from memory.models.desk import Draft, LoginLink
from memory.models.history import Blob, ChangeSet, Head, Revision
from memory.models.index import Document, Fact
from memory.models.webhooks import Delivery, RefusedCalls, WebhookSecret

__all__ = [
    "Blob",
    "Bot",
    "ChangeSet",
    "Delivery",
    "Document",
    "Draft",
    "Fact",
    "Head",
    "LoginLink",
    "RefusedCalls",
    "Revision",
    "Root",
    "WebhookSecret",
]
