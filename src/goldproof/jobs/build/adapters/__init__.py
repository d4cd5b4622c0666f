"""Dataset adapters, one file per public dataset: its metadata, and how a record becomes examples."""
