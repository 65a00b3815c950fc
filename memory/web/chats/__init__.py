"""Chats: their notes, transcripts and working memory."""
