"""An app of the test run: how the tables are emptied after a test that commits."""
