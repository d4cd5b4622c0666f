"""Text processing: chunks, numbers, dates, tables, code, quotes, tokens, near-duplicates; import from the modules."""
