"""Findings and recall tests."""
