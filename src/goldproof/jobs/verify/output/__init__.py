"""What an audit writes: the report for machines and for people, every script, and the list of exclusions."""
