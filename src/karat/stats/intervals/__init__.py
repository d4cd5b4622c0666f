"""The kernels behind `karat.stats.interval`: one method one file, each a pure function on arrays."""
