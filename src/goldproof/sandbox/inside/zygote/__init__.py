"""The zygote: imports the library once, then forks for every script, supervises it and cleans up after it."""
