"""Output files of an audit: the reports for machines and for people, every script, the list of exclusions."""
