"""Everything over HTTP: a folder for each area of pages, the API, the addresses."""
