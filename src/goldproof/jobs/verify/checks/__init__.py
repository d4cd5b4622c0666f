"""Compare observations with claims, outside of the sandbox."""
