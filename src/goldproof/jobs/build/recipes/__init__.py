"""What a benchmark is made of: recipes, how they are read, and the numbers they set."""
