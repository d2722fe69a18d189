"""This folder is data that is made, not scraped: random statements, with CPython as the oracle."""
