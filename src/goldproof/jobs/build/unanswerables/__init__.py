"""Unanswerable questions, made from answerable ones and checked against the whole corpus."""
