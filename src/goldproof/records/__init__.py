"""The data model: entities, tables of them, arrays, content keys; import from the modules."""
