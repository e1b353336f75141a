"""field."""
