"""Text processing: chunks, numbers, dates, tables, code, quotes, tokens, near-duplicates. Import from the modules."""
