"""The pages that only a GolemCore has."""
