"""Static screening: refuse scripts that cannot prove anything before they run."""
