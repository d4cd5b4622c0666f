"""Dataset adapters: a file per public dataset (metadata, and how a record becomes examples), and what several share."""
