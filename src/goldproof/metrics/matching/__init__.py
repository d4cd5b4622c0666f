"""Rankings matched with judgments: which judged documents were retrieved, and at which rank."""
