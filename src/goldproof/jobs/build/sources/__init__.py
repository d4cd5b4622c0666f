"""Where records come from: files, folders and the hub."""
