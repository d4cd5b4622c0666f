"""The files of a benchmark: lines, manifest, BEIR folder, report and card."""
