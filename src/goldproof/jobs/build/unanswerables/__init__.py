"""Questions that the corpus does not answer, made from questions that it does."""
