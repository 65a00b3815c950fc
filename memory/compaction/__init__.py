"""Old memory made smaller: by rules (`runner.py`; the rule itself is `dialects/shared/compaction/rule.py`), by a language model
(`consolidation/`), chat by chat (`chats/`)."""
