"""What mining writes: the dataset as YAML, the judgments with their provenance, a BEIR folder, the report."""
