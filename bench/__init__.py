"""Benchmarks: each prints a table, takes its sizes as options, and with --json prints one object."""
