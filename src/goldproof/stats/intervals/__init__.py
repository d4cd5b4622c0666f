"""The kernels behind `goldproof.stats.interval`: one method one file, each a pure function on arrays."""
