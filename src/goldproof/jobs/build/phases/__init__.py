"""Several benchmarks: what an earlier one holds, and many put together as one."""
