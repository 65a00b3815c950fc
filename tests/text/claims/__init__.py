"""Tests of what facts claim."""
