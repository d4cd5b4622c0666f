"""Records, tables, errors, registry, keys: what every other floor stands on."""
