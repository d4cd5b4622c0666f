"""Search for a better configuration of Goldproof's own memory, and compare it once on the hold-out."""
