"""Compaction: the plan and the run."""
