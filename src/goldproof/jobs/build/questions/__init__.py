"""What kind of question it is, how hard, and whether another one asks the same."""
