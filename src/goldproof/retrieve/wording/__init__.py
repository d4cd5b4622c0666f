"""What the words of a query say beside its topic: who spoke, and how recent."""
