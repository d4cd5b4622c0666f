"""Running the test of a case inside of the sandbox: sources that are put beside a proof, never imported by Karat."""
