"""One file per public dataset: its metadata, and how one of its records becomes examples."""
