"""Why queries of a memory benchmark did not pass, and which remedies address it."""
