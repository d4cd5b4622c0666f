"""Files of a benchmark: lines, manifest, BEIR folder, report and card, and their check."""
