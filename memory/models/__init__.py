"""The rows. Files are the truth; `Document` and `Fact` can be rebuilt from them, the rest is the database's own."""

from memory.models.api import ApiToken, Fetched
from memory.models.bots import Bot, Root
from memory.models.checks import ChecksRun, Claim, Finding, Pinned, RecallTest, Searched, Use
from memory.models.desk import ChatName, Draft, LoginLink, Session
from memory.models.history import Blob, ChangeSet, Growth, Head, Lineage, Purge, Revision
from memory.models.index import Chat, Day, Document, Fact, FactAttributes, clear_index
from memory.models.jobs import Answering, Job, ModelCall, Proposal
from memory.models.notices import Alarm, Dispatch, Notice, Subscription
from memory.models.numbers import Measure, Tallied, Tally
from memory.models.vectors import Vector
from memory.models.webhooks import Delivery, RefusedCalls, WebhookSecret

__all__ = [
    "Alarm",
    "Answering",
    "ApiToken",
    "Blob",
    "Bot",
    "ChangeSet",
    "Chat",
    "ChatName",
    "ChecksRun",
    "Claim",
    "Day",
    "Delivery",
    "Dispatch",
    "Document",
    "Draft",
    "Fact",
    "FactAttributes",
    "Fetched",
    "Finding",
    "Growth",
    "Head",
    "Job",
    "Lineage",
    "LoginLink",
    "Measure",
    "ModelCall",
    "Notice",
    "Pinned",
    "Proposal",
    "Purge",
    "RecallTest",
    "RefusedCalls",
    "Revision",
    "Root",
    "Searched",
    "Session",
    "Subscription",
    "Tallied",
    "Tally",
    "Use",
    "Vector",
    "WebhookSecret",
    "clear_index",
]
