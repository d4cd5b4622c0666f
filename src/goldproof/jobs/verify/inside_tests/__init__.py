"""Running the test of a case inside the sandbox: sources that are put beside a proof, never imported by Goldproof."""
