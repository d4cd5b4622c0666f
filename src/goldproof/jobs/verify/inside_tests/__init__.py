"""Test runner for inside the sandbox: sources that are copied beside a proof, never imported by Goldproof."""
